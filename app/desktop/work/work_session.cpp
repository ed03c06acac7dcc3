// SPDX-License-Identifier: GPL-3.0-or-later
// What the window's state is, saving it, and showing another one for a while: that of a figure.
#include "app/desktop/work/work_session.h"

#include "app/desktop/shell/controller.h"
#include "app/desktop/work/state_values.h"
#include "app/desktop/work/window_state.h"
#include "app/views/atlas/atlas_view.h"
#include "app/views/attention/attention_view.h"
#include "app/views/compare/compare_view.h"
#include "app/views/grid/grid_view.h"
#include "app/views/heatmap/heatmap_view.h"
#include "app/views/map/map_view.h"
#include "app/views/probe/probe_view.h"
#include "app/views/retrieval/retrieval_view.h"
#include "model/base/log.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/replace_question.h"
#include "ui/settings/settings.h"
#include "ui/state/view_state.h"
#include "ui/window/side_panels.h"
#include "ui/words/wording.h"

#include <QAction>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QScopedValueRollback>

#include <algorithm>
#include <utility>

namespace headscope::desktop
{
namespace
{

QJsonObject windowJson(ui::MainWindow& window)
{
    QJsonObject switches;
    for (const auto& [id, action] : window.actions().switches())
        switches[id] = action->isChecked();
    return {{QStringLiteral("tab"), window.view().key()},
            {QStringLiteral("page"), window.sidePanels().currentPage()},
            {QStringLiteral("width"), window.width()},
            {QStringLiteral("height"), window.height()},
            {QStringLiteral("switches"), switches}};
}

} // namespace

WorkSession::WorkSession(Study& study, std::vector<Controller*> controllers, ui::ViewState& find, QObject* parent)
    : QObject(parent), m_study(study), m_controllers(std::move(controllers)), m_find(find), m_save(study)
{
    addCommands();
    m_check.setInterval(kCheckMs);
    connect(&m_check, &QTimer::timeout, this, &WorkSession::check);
    m_check.start();
    connect(&m_study, &Study::cacheChanged, this, &WorkSession::onCacheOpened);
    connect(&m_study, &Study::sourceLoaded, this, &WorkSession::restore);
    connect(&m_study, &Study::sourceLoaded, this, &WorkSession::finishShowing);
    connect(&m_study, &Study::cacheClosing, this, [this] {
        m_showing.reset();
        ui::ViewStack& views = m_study.window().views();
        for (const ui::ViewEntry& entry : views.entries())
            views.setAnnotations(entry.id, {});
    });
    connect(&m_study, &Study::openFailed, this, &WorkSession::forgetWaiting);
    connect(&m_save, &SaveJob::saved, this, [this](const QString& file) {
        m_file = file;
        m_saved = m_saving;
        m_pictures.keep(QFileInfo(file).absoluteFilePath(), m_picture);
        m_study.window().settings().addRecentFile(file);
        refreshTitle();
        Q_EMIT saved(file);
        if (const auto goOn = std::exchange(m_goOn, {}))
            goOn();
    });
    for (const Controller* controller : m_controllers)
        connect(controller, &Controller::shown, this, &WorkSession::restoreLater);
    m_study.setViewState([this](ui::ViewId view) { return gatherFor(view); });
}

WorkSession::~WorkSession()
{
    m_study.setViewState({});
}

void WorkSession::addCommands()
{
    constexpr ui::MenuPlace kWork{ui::MenuId::File, 5};
    ui::Actions& actions = m_study.window().actions();
    const auto isOpen = [this] { return m_study.cache().has_value(); };
    actions.add({.id = QStringLiteral("actionOpenWork"),
                 .text = tr("Open project…"),
                 .tip = tr("Open a project (.headscope) and restore its cache and all views"),
                 .place = kWork,
                 .act = [this] {
                     ui::MainWindow& window = m_study.window();
                     window.dialogs().openFile(&window, tr("Open project"),
                                               window.settings().text(ui::SettingKey::LastFolder),
                                               tr("Headscope project (*.headscope);;All files (*)"),
                                               [&window](const QString& path) { Q_EMIT window.openRequested(path); });
                 }});
    actions.add({.id = QStringLiteral("actionSaveWork"),
                 .text = tr("Save project"),
                 .tip = tr("Save what is open and the state of all views as a project (.headscope)"),
                 .keys = QKeySequence(QStringLiteral("Ctrl+Alt+S")),
                 .place = kWork,
                 .act = [this] { save(); },
                 .enabled = isOpen});
    actions.add({.id = QStringLiteral("actionSaveWorkAs"),
                 .text = tr("Save project as…"),
                 .tip = tr("Save the project with another name"),
                 .place = kWork,
                 .act = [this] { saveAs(); },
                 .enabled = isOpen});
}

QJsonObject WorkSession::gather() const
{
    if (!m_study.cache())
        return {};
    ui::MainWindow& window = m_study.window();
    QJsonObject all = m_foreign;
    all[QStringLiteral("choice")] = choiceJson(m_study.choices());
    all[QStringLiteral("selection")] = selectionJson(window.selection());
    all[QStringLiteral("sets")] = window.selection().sets().toJson(*m_study.cache()->overview->documents);
    QJsonObject frame = windowJson(window);
    frame[QStringLiteral("find")] = m_find.values(ui::StatePart::Controls);
    all[QStringLiteral("window")] = frame;
    QJsonObject views;
    for (const ui::ViewEntry& entry : window.views().entries())
    {
        QJsonObject zooms = entry.state->values(ui::StatePart::Zooms);
        const QJsonObject later = m_later.value(entry.id.key());
        for (auto each = later.begin(); each != later.end(); ++each)
            zooms[each.key()] = each.value();
        QJsonObject view{{QStringLiteral("controls"), entry.state->values(ui::StatePart::Controls)}};
        if (!zooms.isEmpty())
            view[QStringLiteral("zooms")] = zooms;
        if (const QJsonObject legends = entry.state->values(ui::StatePart::Legends); !legends.isEmpty())
            view[QStringLiteral("legends")] = legends;
        if (const QJsonObject scales = entry.state->values(ui::StatePart::Scales); !scales.isEmpty())
            view[QStringLiteral("scales")] = scales;
        if (!entry.annotations.empty())
            view[QStringLiteral("annotations")] = state::annotationsJson(entry.annotations);
        views[entry.id.key()] = view;
    }
    all[QStringLiteral("views")] = views;
    for (const Controller* controller : m_controllers)
        controller->saveState(all);
    return all;
}

QJsonObject WorkSession::gatherFor(ui::ViewId view) const
{
    QJsonObject all = gather();
    const QJsonObject views = all.value(QStringLiteral("views")).toObject();
    all[QStringLiteral("views")] = QJsonObject{{view.key(), views.value(view.key())}};
    all.remove(QStringLiteral("figures"));              // of these it is one
    for (const char* result : {"importance", "layers"}) // which it is computed from
        all.remove(QLatin1StringView(result));
    // Which maps were shown before, and of what else, is no part of what one view shows now.
    const QJsonArray maps = all.value(QStringLiteral("maps")).toArray();
    if (view == ui::kMapView && !maps.isEmpty())
        all[QStringLiteral("maps")] = QJsonArray{maps.last()};
    else if (view != ui::kGridView && view != ui::kCompareView)
        all.remove(QStringLiteral("maps"));
    // Nor what another view was asked.
    for (const auto& [owner, part] : {std::pair(ui::kProbeView, "probe"),
                                      {ui::kAtlasView, "atlas"},
                                      {ui::kAttentionView, "attention"},
                                      {ui::kHeatmapView, "heatmap_topics"},
                                      {ui::kRetrievalView, "retrieval"}})
        if (view != owner)
            all.remove(QLatin1StringView(part));
    return all;
}

WorkDocument WorkSession::document(QJsonObject state) const
{
    const OpenedCache& cache = *m_study.cache();
    WorkDocument document;
    document.cachePath = QFileInfo(ui::toQString(cache.overview->path)).absoluteFilePath();
    document.identity = ui::toQString(cache.reader->info().identity);
    document.origin = ui::toQString(m_study.origin().hash);
    document.savedMs = QDateTime::currentMSecsSinceEpoch();
    document.state = std::move(state);
    document.others = m_others;
    return document;
}

void WorkSession::save()
{
    if (m_file.isEmpty())
        return saveAs();
    saveTo(m_file);
}

void WorkSession::saveAs()
{
    ui::MainWindow& window = m_study.window();
    if (!m_study.cache())
        return window.showNotice(tr("Open a cache first. A project saves its views."));
    QString proposal = m_file;
    if (proposal.isEmpty())
        proposal = QDir(window.settings().text(ui::SettingKey::LastFolder))
                       .filePath(QFileInfo(ui::toQString(m_study.cache()->overview->path)).completeBaseName() %
                                 QStringLiteral(".headscope"));
    window.dialogs().saveFile(
        &window, tr("Save project"), proposal, tr("Headscope project (*.headscope)"), [this](const QString& path) {
            ui::withEnding(m_study.window().dialogs(), &m_study.window(), path, QStringLiteral("headscope"),
                           [this](const QString& file) { saveTo(file); });
        });
}

void WorkSession::saveTo(const QString& file)
{
    if (!m_study.cache())
        return;
    m_goOn = {};
    // Before the state: what is painted is laid out, and panes may get other sizes by it.
    if (QWidget* centre = m_pictures.areKept() ? m_study.window().centralWidget() : nullptr)
        m_picture = centre->grab().toImage();
    m_saving = gather();
    m_save.start(file,
                 [document = document(m_saving), path = ui::toStdString(file)] { return writeWork(path, document); });
}

bool WorkSession::unsaved() const
{
    return !m_file.isEmpty() && !m_settling && !m_restoring && m_study.cache() && gather() != m_saved;
}

void WorkSession::askBefore(std::function<void()> goOn, std::function<void()> stay)
{
    if (!unsaved())
        return goOn();
    ui::MainWindow& window = m_study.window();
    window.dialogs().ask(&window,
                         {tr("Save project?"),
                          tr("%1 has unsaved changes.").arg(QFileInfo(m_file).fileName()),
                          {tr("Cancel"), tr("Save"), tr("Don't save")}},
                         [this, goOn = std::move(goOn), stay = std::move(stay)](int answer) {
                             if (answer == 1)
                             {
                                 if (stay)
                                     stay(); // where it cannot be saved
                                 save();
                                 m_goOn = goOn;
                                 return;
                             }
                             if (answer == 2)
                             {
                                 m_saved = gather(); // not asked a second time
                                 return goOn();
                             }
                             if (stay)
                                 stay();
                         });
}

void WorkSession::check()
{
    if (!m_study.cache() || !isSettled() || m_study.loading())
        return;
    QJsonObject now = gather();
    Q_EMIT checked(now);
    if (std::exchange(m_settling, false))
        m_saved = now;
    if (now == m_last)
        return;
    m_last = std::move(now);
    keepCopy(m_last);
}

void WorkSession::keepCopy(const QJsonObject& state)
{
    const QString file = m_recovery == nullptr ? QString() : m_recovery->file();
    if (file.isEmpty())
        return;
    WorkDocument copy = document(state);
    copy.others[QStringLiteral("file")] = m_file;
    m_copier.start<bool>(
        [copy = std::move(copy), path = ui::toStdString(file)](JobContext&) -> Result<bool> {
            HEADSCOPE_CHECK(writeWork(path, copy));
            return true;
        },
        [this, file](const Result<bool>& written) {
            if (written)
                return Q_EMIT recoveryKept(file);
            logMessage(LogLevel::Warning, written.error().sentence()); // the work itself is not in danger
        });
}

void WorkSession::keepRecovery(const QString& folder)
{
    m_recovery = std::make_unique<Recovery>(folder);
    m_offered = m_recovery->find();
    if (!m_offered)
        return;
    const QDateTime when = QDateTime::fromMSecsSinceEpoch(m_offered->savedMs);
    const QString time = when.date() == QDate::currentDate() ? when.toString(QStringLiteral("HH:mm"))
                                                             : when.toString(QStringLiteral("d MMMM HH:mm"));
    ui::WelcomePage& welcome = m_study.window().welcome();
    welcome.setRecovery(tr("Headscope did not close correctly. Restore the project of %1 from %2?")
                            .arg(time, QFileInfo(m_offered->cachePath).fileName()));
    connect(&welcome, &ui::WelcomePage::recoveryAsked, this, &WorkSession::restoreOffered);
    connect(&welcome, &ui::WelcomePage::recoveryDiscarded, this, &WorkSession::discardOffered);
}

void WorkSession::keepPictures(const QString& folder)
{
    m_pictures = WorkPictures(folder);
    ui::WelcomePage& welcome = m_study.window().welcome();
    welcome.setPictures([pictures = m_pictures](const QString& path) { return pictures.of(path); });
    welcome.setRecent(m_study.window().settings().list(ui::SettingKey::RecentFiles));
}

void WorkSession::restoreOffered()
{
    if (!m_offered)
        return;
    WorkDocument found = *std::exchange(m_offered, std::nullopt);
    m_recovery->take();
    m_study.window().welcome().setRecovery({});
    const QString file = found.others.take(QStringLiteral("file")).toString();
    found.cacheRelative.clear(); // it is from the folder of the copy
    take(QFileInfo::exists(file) ? file : QString(), std::move(found), true);
}

void WorkSession::discardOffered()
{
    m_offered.reset();
    m_recovery->discard();
    m_study.window().welcome().setRecovery({});
}

void WorkSession::show(QJsonObject state, bool sameDocuments, std::function<void(const QStringList& lost)> then)
{
    const QScopedValueRollback<bool> putting(m_putting, true);
    // These are in the window, and its size and the pages beside the views are nobody's part of a figure.
    for (const char* part : {"sets", "joined", "merged", "figures"})
        state.remove(QLatin1StringView(part));
    state[QStringLiteral("filter")] = gather().value(QStringLiteral("filter"));
    m_showing = Showing{std::move(state), sameDocuments, std::move(then)};
    const QJsonObject choice = m_showing->state.value(QStringLiteral("choice")).toObject();
    ui::MainWindow& window = m_study.window();
    const QJsonObject frame = m_showing->state.value(QStringLiteral("window")).toObject();
    if (const ui::ViewId tab = window.views().idOf(state::text(frame, QStringLiteral("tab"))); !tab.isNull())
        window.setView(tab);
    if (!choice.contains(QStringLiteral("heads")))
        m_study.choices().chooseAllHeads();
    restoreChoice(m_study, choice);
    if (m_study.source().vectors != nullptr)
        finishShowing();
}

void WorkSession::finishShowing()
{
    if (!m_showing)
        return;
    const QScopedValueRollback<bool> putting(m_putting, true);
    const Showing showing = *std::exchange(m_showing, std::nullopt);
    const QJsonObject& state = showing.state;
    ui::SelectionHub& hub = m_study.window().selection();
    if (showing.sameDocuments)
    {
        hub.showAll();
        hub.setDocuments({});
        hub.setPrimary({}, {});
        hub.setLitHeads({});
        restoreSelection(m_study, state.value(QStringLiteral("selection")).toObject());
    }
    for (Controller* controller : m_controllers)
        controller->restoreState(state);
    const QJsonObject choice = state.value(QStringLiteral("choice")).toObject();
    restoreChoice(m_study, choice); // again: sets are colours too
    restoreSwitches(m_study.window(),
                    state.value(QStringLiteral("window")).toObject().value(QStringLiteral("switches")).toObject());
    const QJsonObject views = state.value(QStringLiteral("views")).toObject();
    for (const ui::ViewEntry& entry : m_study.window().views().entries())
        if (views.contains(entry.id.key()))
        {
            m_later.remove(entry.id.key());
            entry.state->reset(ui::StatePart::Zooms);
        }
    restoreViews(views);
    if (showing.then)
        showing.then(lostParts(state, gather(), !showing.sameDocuments));
}

} // namespace headscope::desktop
