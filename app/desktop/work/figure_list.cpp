// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/work/figure_list.h"

#include "app/desktop/shell/view_controller.h"
#include "app/desktop/work/figure_json.h"
#include "app/desktop/work/state_values.h"
#include "app/desktop/work/work_session.h"
#include "model/data/result_store.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/figures/figure_dialog.h"
#include "ui/words/wording.h"
#include "viz/export/figure_presets.h"
#include "viz/export/panels/panel_figure.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>

#include <algorithm>
#include <optional>
#include <utility>

namespace headscope::desktop
{
namespace
{

/// What a figure is to remember is little; sets of a million documents are not.
constexpr qsizetype kMaxSelectionBytes = 100'000;

/// "layer 29, stage 1, heads 1-3"
QString choiceText(const QJsonObject& state)
{
    constexpr std::int64_t kMaxLayers = 100'000;
    constexpr std::int64_t kMaxHeads = 1'000'000;
    const QJsonObject choice = state.value(QStringLiteral("choice")).toObject();
    QStringList parts;
    if (const auto layer = state::whole(choice, QStringLiteral("layer"), 0, kMaxLayers))
        parts << FigureList::tr("layer %1").arg(*layer);
    if (const auto stage = stageFromName(ui::toStdString(state::text(choice, QStringLiteral("stage")))))
        parts << FigureList::tr("stage %1").arg(ui::toQString(stageName(*stage)));
    if (auto heads = state::rangesOf(state::text(choice, QStringLiteral("heads")), kMaxHeads); heads && !heads->empty())
    {
        for (std::int64_t& head : *heads)
            ++head; // as people count
        parts << FigureList::tr("heads %1").arg(state::rangesText(*heads));
    }
    return parts.join(QStringLiteral(", "));
}

QString sizeText(const ui::FigureSize& size)
{
    const FigurePreset* preset = findPreset(size.preset);
    const QString width = preset != nullptr ? ui::presetTitle(*preset)
                                            : FigureList::tr("%1 mm").arg(QLocale().toString(size.widthMm, 'g', 5));
    return size.files ? FigureList::tr("%1, with data files").arg(width) : width;
}

} // namespace

FigureList::FigureList(Study& study, QObject* parent) : Controller(parent), m_study(study)
{
    m_study.window().actions().add({.id = QStringLiteral("actionFigures"),
                                    .text = tr("Figures of this project…"),
                                    .tip = tr("List the saved figures, and save them again from the current data"),
                                    .place = {ui::MenuId::File, 10},
                                    .act = [this] { show(); },
                                    .enabled = [this] { return m_study.cache().has_value(); }});
    connect(&m_study, &Study::cacheChanged, this, &FigureList::onCacheOpened);
}

FigureList::~FigureList() = default;

void FigureList::follow(WorkSession& session, const std::vector<Controller*>& controllers)
{
    m_session = &session;
    m_run = std::make_unique<FigureRun>(m_study, session, controllers);
    for (Controller* controller : controllers)
        if (auto* view = qobject_cast<ViewController*>(controller))
            connect(view, &ViewController::figureSaved, this, &FigureList::add);
    connect(m_run.get(), &FigureRun::pageSaved, this, &FigureList::add);
    connect(m_run.get(), &FigureRun::begun, this, [this](int at) {
        m_outcomes[static_cast<std::size_t>(m_running[static_cast<std::size_t>(at)])] = {tr("saving…")};
        refresh();
    });
    connect(m_run.get(), &FigureRun::ended, this, &FigureList::end);
    connect(m_run.get(), &FigureRun::finished, this, [this] {
        for (Outcome& outcome : m_outcomes)
            if (outcome.text == tr("waiting"))
                outcome = {};
        const auto done = std::ssize(m_running);
        const QString text =
            m_failures == 0
                ? tr("Saved %1 again.").arg(ui::countText(done, tr("figure"), tr("figures")))
                : tr("%1 of %2 were not saved.").arg(m_failures).arg(ui::countText(done, tr("figure"), tr("figures")));
        m_study.window().showNotice(text);
        refresh();
        if (m_dialog != nullptr)
        {
            m_dialog->setBusy({});
            m_dialog->setNote(text);
        }
        Q_EMIT savedAgain();
    });
}

void FigureList::stop()
{
    if (busy())
        m_run->stop();
}

void FigureList::leave()
{
    m_figures.clear();
    m_outcomes.clear();
    if (m_dialog != nullptr)
        m_dialog->close();
}

void FigureList::add(const SavedFigure& figure)
{
    SavedFigure kept = figure;
    kept.file = QFileInfo(figure.file).absoluteFilePath();
    for (const char* part : {"sets", "joined", "merged"}) // which the work has
        kept.state.remove(QLatin1StringView(part));
    if (QJsonDocument(kept.state.value(QStringLiteral("selection")).toObject()).toJson().size() > kMaxSelectionBytes)
        kept.state.remove(QStringLiteral("selection"));
    const auto same = std::ranges::find(m_figures, kept.file, &SavedFigure::file);
    if (same != m_figures.end())
    {
        *same = std::move(kept);
        if (!busy())
            m_outcomes[static_cast<std::size_t>(same - m_figures.begin())] = {};
    }
    else
    {
        if (m_figures.size() >= kMost && !busy())
        {
            m_figures.erase(m_figures.begin());
            m_outcomes.erase(m_outcomes.begin());
        }
        m_figures.push_back(std::move(kept));
        m_outcomes.emplace_back();
    }
    refresh();
    Q_EMIT workChanged();
}

void FigureList::saveState(QJsonObject& state) const
{
    QJsonArray all;
    for (const SavedFigure& figure : m_figures)
        all.append(savedFigureJson(figure));
    if (!all.isEmpty())
        state[QStringLiteral("figures")] = all;
}

void FigureList::restoreState(const QJsonObject& state)
{
    if (!state.contains(QStringLiteral("figures")))
        return; // those of the cache are there
    const std::vector<SavedFigure> kept = std::exchange(m_figures, {});
    for (const QJsonValue& each : state.value(QStringLiteral("figures")).toArray())
        if (auto figure = savedFigureOf(each.toObject()); figure && m_figures.size() < kMost)
            m_figures.push_back(std::move(*figure));
    // Those of the work, then what is kept beside the cache and is not among them: nothing is lost.
    for (const SavedFigure& figure : kept)
        if (m_figures.size() < kMost &&
            std::ranges::find(m_figures, figure.file, &SavedFigure::file) == m_figures.end())
            m_figures.push_back(figure);
    m_outcomes.assign(m_figures.size(), {});
    refresh();
    Q_EMIT workChanged();
}

void FigureList::onCacheOpened()
{
    if (!m_study.cache()->work)
        return;
    for (const KeptFigure& kept : m_study.cache()->work->work.figures)
        if (auto figure = savedFigureOf(QJsonDocument::fromJson(QByteArray::fromStdString(kept.recipe)).object());
            figure && m_figures.size() < kMost)
            m_figures.push_back(std::move(*figure));
    m_outcomes.assign(m_figures.size(), {});
}

void FigureList::addWork(ResultStore& work) const
{
    for (const SavedFigure& figure : m_figures)
        work.figures.push_back({ui::toStdString(figure.file),
                                QJsonDocument(savedFigureJson(figure)).toJson(QJsonDocument::Compact).toStdString()});
}

void FigureList::forgetWork()
{
    if (busy())
        return; // they are being saved again
    m_figures.clear();
    m_outcomes.clear();
    refresh();
}

void FigureList::show()
{
    if (m_dialog != nullptr)
        return m_dialog->raise();
    m_dialog = new ui::FigureListDialog(&m_study.window());
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &ui::FigureListDialog::saveRequested, this, &FigureList::saveAgain);
    connect(m_dialog, &ui::FigureListDialog::panelsRequested, this, &FigureList::savePanels);
    connect(m_dialog, &ui::FigureListDialog::showRequested, this, &FigureList::showOne);
    connect(m_dialog, &ui::FigureListDialog::removeRequested, this, &FigureList::remove);
    connect(m_dialog, &ui::FigureListDialog::stopRequested, this, &FigureList::stop);
    refresh();
    m_dialog->open();
}

void FigureList::saveAgain(const std::vector<int>& rows)
{
    if (busy() || !m_study.cache() || rows.empty())
        return;
    const auto count = ui::countText(std::ssize(rows), tr("figure"), tr("figures"));
    QStringList names;
    constexpr qsizetype kMaxNames = 8;
    for (const int row : rows)
        if (const QString& file = m_figures[static_cast<std::size_t>(row)].file;
            QFileInfo::exists(file) && names.size() <= kMaxNames)
            names << (names.size() < kMaxNames ? QFileInfo(file).fileName() : QString(QChar(0x2026)));
    if (names.isEmpty())
        return begin(rows);
    m_study.window().dialogs().ask(m_dialog != nullptr ? static_cast<QWidget*>(m_dialog) : &m_study.window(),
                                   {tr("Save %1 again?").arg(count),
                                    tr("This overwrites: %1").arg(names.join(QStringLiteral(", "))),
                                    {tr("Cancel"), tr("Save again")}},
                                   [this, rows](int answer) {
                                       if (answer == 1 && !busy() && m_study.cache())
                                           begin(rows);
                                   });
}

void FigureList::savePanels(const std::vector<int>& rows, int columns)
{
    SavedFigure page;
    for (const int row : rows)
        if (row >= 0 && row < std::ssize(m_figures) && m_figures[static_cast<std::size_t>(row)].panels.empty())
            page.panels.push_back(m_figures[static_cast<std::size_t>(row)]);
    if (busy() || !m_study.cache() || page.panels.size() < 2 || std::ssize(page.panels) > viz::kMaxPanels)
        return;
    page.columns = columns;
    page.origin = ui::toQString(m_study.origin().hash);
    ui::DialogService& dialogs = m_study.window().dialogs();
    QWidget* parent = m_dialog != nullptr ? static_cast<QWidget*>(m_dialog) : &m_study.window();
    const QFileInfo first(page.panels.front().file);
    dialogs.saveFile(parent, tr("Save panels"), first.dir().filePath(QStringLiteral("panels.%1").arg(first.suffix())),
                     pictureFilters().join(QStringLiteral(";;")), [this, parent, page](const QString& path) mutable {
                         if (!viz::figureFormat(ui::toStdString(path)))
                             return m_study.window().showNotice(
                                 tr("Figure names must end in .png, .pdf or .svg. Nothing was saved."));
                         page.file = path;
                         ui::FigureSize proposal = figureSize(m_study);
                         proposal.files = false;
                         m_study.window().dialogs().figureSize(parent, proposal, {},
                                                               [this, page](const ui::FigureSize& size) mutable {
                                                                   page.size = size;
                                                                   beginPage(std::move(page));
                                                               });
                     });
}

/// Into the list before it is made: where it cannot be made the list says why.
void FigureList::beginPage(SavedFigure page)
{
    if (busy() || !m_study.cache())
        return;
    const QString file = QFileInfo(page.file).absoluteFilePath();
    add(page);
    const auto row = std::ranges::find(m_figures, file, &SavedFigure::file) - m_figures.begin();
    begin({static_cast<int>(row)});
}

void FigureList::begin(const std::vector<int>& rows)
{
    std::vector<SavedFigure> figures;
    m_running.clear();
    m_failures = 0;
    for (const int row : rows)
    {
        if (row < 0 || row >= std::ssize(m_figures))
            continue;
        figures.push_back(m_figures[static_cast<std::size_t>(row)]);
        m_running.push_back(row);
        m_outcomes[static_cast<std::size_t>(row)] = {tr("waiting")};
    }
    if (figures.empty())
        return;
    if (m_dialog != nullptr)
        m_dialog->setBusy(
            tr("Each view is restored, computed and saved. Then the window returns to its current state."));
    m_run->start(std::move(figures));
}

void FigureList::end(int at, const QString& why)
{
    const auto row = static_cast<std::size_t>(m_running[static_cast<std::size_t>(at)]);
    if (row >= m_outcomes.size())
        return; // another cache was opened
    if (why.isEmpty())
        m_outcomes[row] = {tr("saved again")};
    else
    {
        m_outcomes[row] = {tr("not saved: %1").arg(why), true};
        ++m_failures;
    }
    refresh();
}

void FigureList::showOne(int row)
{
    if (row < 0 || row >= std::ssize(m_figures) || busy() || !m_figures[static_cast<std::size_t>(row)].panels.empty())
        return;
    const SavedFigure figure = m_figures[static_cast<std::size_t>(row)];
    if (m_dialog != nullptr)
        m_dialog->close();
    m_session->show(
        figure.state, figure.origin == ui::toQString(m_study.origin().hash), [this, figure](const QStringList& lost) {
            const QString name = QFileInfo(figure.file).fileName();
            m_study.window().showNotice(lost.isEmpty()
                                            ? tr("Restored the view of %1. If it shows no result, compute it there.").arg(name)
                                            : tr("The view differs from its state when %1 was saved: %2.")
                                                  .arg(name, lost.join(QStringLiteral(", "))));
            Q_EMIT m_session->restored();
        });
}

void FigureList::remove(const std::vector<int>& rows)
{
    if (busy())
        return;
    for (auto row = rows.rbegin(); row != rows.rend(); ++row)
    {
        m_figures.erase(m_figures.begin() + *row);
        m_outcomes.erase(m_outcomes.begin() + *row);
    }
    refresh();
    Q_EMIT workChanged();
}

void FigureList::refresh()
{
    if (m_dialog == nullptr)
        return;
    std::vector<ui::FigureRow> rows;
    for (std::size_t each = 0; each < m_figures.size(); ++each)
        rows.push_back(rowOf(m_figures[each], m_outcomes[each]));
    m_dialog->setRows(rows);
    if (!busy())
        m_dialog->setNote(m_figures.empty() ? QString()
                                            : tr("To save a figure again, Headscope restores its view, computes it "
                                                 "from the current data, and replaces the file."));
}

QString FigureList::showsText(const SavedFigure& figure) const
{
    if (!figure.panels.empty())
    {
        QStringList panels;
        for (const SavedFigure& panel : figure.panels)
            panels << tr("(%1) %2").arg(viz::panelLetter(panels.size()), showsText(panel));
        return panels.join(QStringLiteral("; "));
    }
    const ui::ViewEntry* entry = m_study.window().views().find(m_study.window().views().idOf(figure.view));
    const QString title = entry == nullptr ? figure.view : entry->title;
    const QString choice = choiceText(figure.state);
    return choice.isEmpty() ? title : tr("%1: %2").arg(title, choice);
}

ui::FigureRow FigureList::rowOf(const SavedFigure& figure, const Outcome& outcome) const
{
    ui::FigureRow row{figure.file,  showsText(figure), sizeText(figure.size),
                      outcome.text, outcome.failed,    !figure.panels.empty()};
    if (!row.state.isEmpty())
        return row;
    const QFileInfo file(figure.file);
    if (!file.exists())
        row.state = tr("file is missing");
    else if (figure.origin != ui::toQString(m_study.origin().hash))
        row.state = tr("made from other data");
    else
        row.state = tr("saved %1")
                        .arg(QLocale().toString(QDateTime::fromMSecsSinceEpoch(figure.savedMs), QLocale::ShortFormat));
    return row;
}

} // namespace headscope::desktop
