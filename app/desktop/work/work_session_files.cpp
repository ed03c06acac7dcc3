// SPDX-License-Identifier: GPL-3.0-or-later
// Opening work files and putting the window's state back.
#include "app/desktop/work/work_session.h"

#include "app/desktop/shell/controller.h"
#include "app/desktop/work/figure_work.h"
#include "app/desktop/work/state_values.h"
#include "app/desktop/work/window_state.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/settings/settings.h"
#include "ui/state/view_state.h"
#include "ui/window/side_panels.h"
#include "ui/words/wording.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QScopedValueRollback>
#include <QScreen>

#include <utility>

namespace headscope::desktop
{
void WorkSession::fail(const Error& error)
{
    m_study.tellOpenFailed(error);
    Q_EMIT failed(error);
}

void WorkSession::open(const QString& file)
{
    if (isKeptWork(ui::toStdString(file)))
    {
        // What is kept beside a cache comes back with it.
        QString cache = file;
        cache.chop(QStringLiteral(".headscope").size());
        if (QFileInfo(cache).isFile())
            return Q_EMIT cacheWanted(cache);
        return fail({ErrorCode::FileNotFound,
                     "these autosaved analyses belong to the cache " + QFileInfo(cache).fileName().toStdString() +
                         ", which is not in the same folder",
                     ui::toStdString(file),
                     {}});
    }
    m_reader.start<WorkDocument>(
        [path = std::filesystem::path(ui::toStdString(file))](JobContext&) { return readWork(path); },
        [this, file](Result<WorkDocument> read) {
            if (!read)
                return fail(read.error());
            take(QFileInfo(file).absoluteFilePath(), std::move(*read));
        });
}

void WorkSession::openFigure(const QString& file, const QString& cache)
{
    FigurePlaces places{cache, m_study.window().settings().list(ui::SettingKey::RecentFiles)};
    if (m_study.cache())
        places.caches.prepend(ui::toQString(m_study.cache()->overview->path));
    m_reader.start<FigureWork>([path = std::filesystem::path(ui::toStdString(file)),
                                places](JobContext& job) { return readFigureWork(path, places, job); },
                               [this, file](const Result<FigureWork>& read) {
                                   if (!read)
                                       return fail(read.error());
                                   takeFigure(file, *read);
                               });
}

void WorkSession::takeFigure(const QString& file, const FigureWork& read)
{
    Waiting waiting{{}, read.document, read.cache};
    waiting.figure = file;
    waiting.verb = read.verb;
    waiting.missing = read.missing;
    if (waiting.cache.isEmpty())
        return askWhere(std::move(waiting));
    openCacheOf(std::move(waiting));
}

void WorkSession::take(const QString& file, WorkDocument document, bool recovered)
{
    Waiting waiting{file, std::move(document), {}, recovered};
    waiting.cache = findCacheOf(waiting.document, ui::toStdString(file));
    if (waiting.cache.isEmpty())
        return askWhere(std::move(waiting));
    openCacheOf(std::move(waiting));
}

void WorkSession::askWhere(Waiting waiting)
{
    ui::MainWindow& window = m_study.window();
    const QString where = (waiting.figure.isEmpty() ? tr("This project uses %1, which was not found.")
                                                    : tr("This figure was made from %1, which was not found."))
                              .arg(waiting.document.cachePath);
    window.dialogs().ask(
        &window, {tr("Cache not found"), where, {tr("Cancel"), tr("Locate file…")}},
        [this, &window, waiting = std::move(waiting)](int answer) {
            const Error missing{
                ErrorCode::FileNotFound, "no such file", ui::toStdString(waiting.document.cachePath), {}};
            if (answer != 1)
                return fail(missing);
            window.dialogs().openFile(&window, tr("Locate the cache"),
                                      window.settings().text(ui::SettingKey::LastFolder),
                                      tr("Caches (*.h5 *.hdf5);;All files (*)"), [this, waiting](const QString& path) {
                                          Waiting found = waiting;
                                          found.cache = QFileInfo(path).absoluteFilePath();
                                          openCacheOf(std::move(found));
                                      });
        });
}

void WorkSession::openCacheOf(Waiting waiting)
{
    const QString cache = waiting.cache;
    Q_EMIT cacheWanted(cache);
    m_waiting = std::move(waiting); // behind cacheWanted: a cache that is opened by itself forgets it
}

void WorkSession::onCacheOpened()
{
    m_file.clear();
    m_saved = {};
    m_foreign = {};
    m_others = {};
    m_later.clear();
    m_restoring.reset();
    m_settling = false;
    const auto waiting = std::exchange(m_waiting, std::nullopt);
    const QString path = QFileInfo(ui::toQString(m_study.cache()->overview->path)).absoluteFilePath();
    if (!waiting || QFileInfo(waiting->cache) != QFileInfo(path))
        return refreshTitle();
    m_restoring = waiting;
    if (isOfOtherCache(*waiting))
        return askAboutChange();
    begin();
}

bool WorkSession::isOfOtherCache(const Waiting& waiting) const
{
    const WorkDocument& document = waiting.document;
    if (!document.identity.isEmpty())
        return document.identity != ui::toQString(m_study.cache()->reader->info().identity);
    // A verb's figure knows the origin alone.
    return !waiting.verb.isEmpty() && !document.origin.isEmpty() &&
           document.origin != ui::toQString(m_study.origin().hash);
}

void WorkSession::askAboutChange()
{
    ui::MainWindow& window = m_study.window();
    const Waiting waiting = *std::exchange(m_restoring, std::nullopt);
    const QString cache = QFileInfo(waiting.cache).fileName();
    window.dialogs().ask(
        &window,
        {tr("The cache has changed"),
         tr("The documents or vectors of %1 have changed since the project or figure was saved. Views, layer, heads, "
            "colours and named sets (by document id) can be restored. The selection and the zoom cannot.")
             .arg(cache),
         {tr("Open cache only"), tr("Restore what fits"), tr("Locate file…")}},
        [this, &window, waiting](int answer) {
            if (answer == 2)
                return window.dialogs().openFile(
                    &window, tr("Locate the cache of this project"), QFileInfo(waiting.cache).absolutePath(),
                    tr("Caches (*.h5 *.hdf5);;All files (*)"), [this, waiting](const QString& path) {
                        Waiting other = waiting;
                        other.cache = QFileInfo(path).absoluteFilePath();
                        openCacheOf(std::move(other));
                    });
            const QString open = ui::toQString(m_study.cache() ? m_study.cache()->overview->path : std::string());
            if (answer != 1 || QFileInfo(open) != QFileInfo(waiting.cache))
                return; // another one was opened meanwhile
            m_restoring = waiting;
            m_restoring->changed = true;
            begin();
            if (m_study.source().vectors != nullptr)
                restore();
        });
}

void WorkSession::begin()
{
    const WorkDocument& document = m_restoring->document;
    if (!m_restoring->changed && document.origin != ui::toQString(m_study.origin().hash) && !document.origin.isEmpty())
        m_study.window().showNotice(tr("The model or the topic vectors of the cache have changed since this project "
                                       "was saved. Affected results are recomputed."));
    m_file = m_restoring->file;
    m_others = document.others;
    const QJsonObject frame = document.state.value(QStringLiteral("window")).toObject();
    ui::MainWindow& window = m_study.window();
    if (const ui::ViewId tab = window.views().idOf(state::text(frame, QStringLiteral("tab"))); !tab.isNull())
        window.setView(tab);
    restoreChoice(m_study, document.state.value(QStringLiteral("choice")).toObject());
    if (!m_file.isEmpty())
        window.settings().addRecentFile(m_file);
    refreshTitle();
}

void WorkSession::restore()
{
    if (!m_restoring)
        return;
    const QScopedValueRollback<bool> putting(m_putting, true);
    const Waiting waiting = *std::exchange(m_restoring, std::nullopt);
    const QJsonObject& all = waiting.document.state;
    ui::MainWindow& window = m_study.window();
    const QJsonObject frame = all.value(QStringLiteral("window")).toObject();
    constexpr int kLeast = 200;
    constexpr int kMost = 16'384;
    const auto width = state::whole(frame, QStringLiteral("width"), kLeast, kMost);
    const auto height = state::whole(frame, QStringLiteral("height"), kLeast, kMost);
    if (width && height && !window.isMaximized() && !window.isFullScreen())
    {
        const QSize room = window.screen()->availableSize().expandedTo(window.size());
        window.resize(QSize(static_cast<int>(*width), static_cast<int>(*height)).boundedTo(room));
    }
    window.sidePanels().showPage(state::text(frame, QStringLiteral("page")));
    restoreSets(m_study, all.value(QStringLiteral("sets")).toObject());
    if (!waiting.changed)
        restoreSelection(m_study, all.value(QStringLiteral("selection")).toObject());
    m_find.set(ui::StatePart::Controls, frame.value(QStringLiteral("find")).toObject());
    for (Controller* controller : m_controllers)
        controller->restoreState(all);
    // Again: sets are colours too.
    restoreChoice(m_study, all.value(QStringLiteral("choice")).toObject());
    restoreSwitches(m_study.window(), frame.value(QStringLiteral("switches")).toObject());
    QJsonObject views = all.value(QStringLiteral("views")).toObject();
    if (waiting.changed)
        for (auto each = views.begin(); each != views.end(); ++each)
        {
            const QJsonObject was = each.value().toObject();
            each.value() = QJsonObject{{QStringLiteral("controls"), was.value(u"controls")},
                                       {QStringLiteral("annotations"), was.value(u"annotations")}};
        }
    restoreViews(views);
    const QJsonObject now = gather();
    for (auto each = all.begin(); each != all.end(); ++each)
        if (!now.contains(each.key()) && waiting.verb.isEmpty()) // a verb's state is made here
            m_foreign[each.key()] = each.value();
    m_settling = !waiting.recovered;
    m_lost = lostParts(all, now, waiting.changed);
    window.showNotice(restoredText(waiting));
    Q_EMIT restored();
}

QString WorkSession::restoredText(const Waiting& waiting) const
{
    const QString figure = QFileInfo(waiting.figure).fileName();
    if (!waiting.missing.isEmpty())
        return tr("Restored the settings of %1, except label names: %2 was not found.").arg(figure, waiting.missing);
    if (waiting.verb == QStringLiteral("tsne"))
        return tr("Restored the settings of %1.").arg(figure);
    if (!waiting.verb.isEmpty())
        return tr("Restored the settings of %1. Results are computed here with the options of the window.").arg(figure);
    const QString name = waiting.figure.isEmpty() ? QFileInfo(m_file).fileName() : figure;
    const QString others = m_lost.join(QStringLiteral(", "));
    if (name.isEmpty())
        return m_lost.isEmpty() ? tr("Project restored. Save it with File > Save project.")
                                : tr("Project restored, except: %1. Save it with File > Save project.").arg(others);
    if (!m_lost.isEmpty())
        return tr("%1 is open, but parts of it could not be restored: %2.").arg(name, others);
    return waiting.figure.isEmpty() ? tr("%1 is open and completely restored.").arg(name)
                                    : tr("Restored the view of %1. If it shows no result, compute it there.").arg(name);
}

void WorkSession::putBack(const QJsonObject& choice, const QJsonObject& window, const QJsonObject& views,
                          const QJsonObject& parts)
{
    const QScopedValueRollback<bool> putting(m_putting, true);
    restoreChoice(m_study, choice);
    restoreSwitches(m_study.window(), window.value(QStringLiteral("switches")).toObject());
    m_find.set(ui::StatePart::Controls, window.value(QStringLiteral("find")).toObject());
    for (const ui::ViewEntry& entry : m_study.window().views().entries())
    {
        const QJsonObject view = views.value(entry.id.key()).toObject();
        entry.state->set(ui::StatePart::Controls, view.value(QStringLiteral("controls")).toObject());
        if (view.contains(QStringLiteral("legends")))
            entry.state->set(ui::StatePart::Legends, view.value(QStringLiteral("legends")).toObject());
        if (view.contains(QStringLiteral("annotations")))
            m_study.window().views().setAnnotations(
                entry.id, state::annotationsOf(view.value(QStringLiteral("annotations")).toArray()));
    }
    for (Controller* controller : m_controllers)
    {
        QJsonObject own;
        controller->saveState(own);
        bool isMeant = false;
        for (auto each = parts.begin(); each != parts.end(); ++each)
            if (own.contains(each.key()))
            {
                own[each.key()] = each.value();
                isMeant = true;
            }
        if (isMeant)
            controller->restoreState(own);
    }
}

void WorkSession::restoreViews(const QJsonObject& views)
{
    for (const ui::ViewEntry& entry : m_study.window().views().entries())
    {
        const QJsonObject view = views.value(entry.id.key()).toObject();
        entry.state->set(ui::StatePart::Controls, view.value(QStringLiteral("controls")).toObject());
        entry.state->set(ui::StatePart::Legends, view.value(QStringLiteral("legends")).toObject());
        if (views.contains(entry.id.key()))
            entry.state->set(ui::StatePart::Scales, view.value(QStringLiteral("scales")).toObject());
        if (views.contains(entry.id.key()))
            m_study.window().views().setAnnotations(
                entry.id, state::annotationsOf(view.value(QStringLiteral("annotations")).toArray()));
        QJsonObject later;
        entry.state->set(ui::StatePart::Zooms, view.value(QStringLiteral("zooms")).toObject(), &later);
        if (!later.isEmpty())
            m_later[entry.id.key()] = later;
    }
}

void WorkSession::restoreLater(ui::ViewId view)
{
    const ui::ViewEntry* entry = m_study.window().views().find(view);
    if (entry == nullptr || m_restoring || !m_later.contains(view.key()))
        return;
    entry->state->set(ui::StatePart::Zooms, m_later.take(view.key()));
}

void WorkSession::refreshTitle()
{
    if (m_file.isEmpty())
        return; // as the window itself says
    m_study.window().setWindowTitle(
        QStringLiteral("%1 – %2 – Headscope")
            .arg(QFileInfo(m_file).fileName(), QFileInfo(ui::toQString(m_study.cache()->overview->path)).fileName()));
}

} // namespace headscope::desktop
