// SPDX-License-Identifier: GPL-3.0-or-later
// Opening work files and putting the window's state back.
#include "app/desktop/work/work_session.h"

#include "app/desktop/shell/controller.h"
#include "app/desktop/work/figure_work.h"
#include "app/desktop/work/state_values.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/settings/settings.h"
#include "ui/state/view_state.h"
#include "ui/window/side_panels.h"
#include "ui/words/wording.h"

#include <QAction>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QScopedValueRollback>
#include <QScreen>

#include <algorithm>
#include <utility>

namespace headscope::desktop
{
namespace
{

/// Whether a map is the one that a state names: the hash of a run on its way was not known.
bool isNamed(const QJsonObject& named, const QJsonValue& map)
{
    return std::ranges::all_of(named.keys(), [&named, &map](const QString& key) {
        return named.value(key) == QJsonValue(QString()) || named.value(key) == map[key];
    });
}

} // namespace

/// What of a work is not as it was saved, for a sentence; empty: all of it is.
QStringList WorkSession::lostParts(const QJsonObject& saved, const QJsonObject& now, bool changed)
{
    QStringList lost;
    if (changed)
        lost << tr("documents");
    const QJsonObject before = saved.value(u"choice").toObject();
    const QJsonObject after = now.value(u"choice").toObject();
    for (const auto& [key, name] :
         {std::pair("layer", tr("layer")), std::pair("stage", tr("stage")), std::pair("heads", tr("heads")),
          std::pair("label", tr("labels")), std::pair("color", tr("colour"))})
        if (const QLatin1StringView part(key); before.contains(part) && before.value(part) != after.value(part))
            lost << name;
    const QJsonArray maps = now.value(u"maps").toArray();
    for (const QJsonValue& map : saved.value(u"maps").toArray())
        if (std::ranges::none_of(maps, [&map](const QJsonValue& each) { return isNamed(map.toObject(), each); }))
        {
            lost << tr("maps");
            break;
        }
    if (!changed && saved.contains(u"selection") && saved.value(u"selection") != now.value(u"selection"))
        lost << tr("selection");
    return lost;
}

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
    restoreChoice(document.state.value(QStringLiteral("choice")).toObject());
    if (!m_file.isEmpty())
        window.settings().addRecentFile(m_file);
    refreshTitle();
}

void WorkSession::restoreChoice(const QJsonObject& choice)
{
    constexpr std::int64_t kMaxLayers = 100'000;
    ui::Choices& choices = m_study.choices();
    const std::int64_t heads = m_study.cache()->overview->model.heads;
    const auto& stages = m_study.cache()->overview->stages;
    if (state::text(choice, QStringLiteral("layer")) == QStringLiteral("last") && !stages.empty())
        choices.setLayer(stages.rbegin()->first);
    if (const auto layer = state::whole(choice, QStringLiteral("layer"), 0, kMaxLayers))
        choices.setLayer(LayerIndex(*layer));
    if (const auto stage = stageFromName(ui::toStdString(state::text(choice, QStringLiteral("stage")))))
        choices.setStage(*stage);
    if (choice.value(QStringLiteral("heads")) == QStringLiteral("all"))
        choices.chooseAllHeads();
    else if (const QString text = choice.value(QStringLiteral("heads")).toString(); !text.isNull())
        if (const auto ranges = state::rangesOf(text, heads))
            choices.setHeads(*ranges);
    if (choice.contains(QStringLiteral("label")))
        choices.setLabelColumn(ui::toStdString(state::text(choice, QStringLiteral("label"))));
    if (choice.contains(QStringLiteral("color")))
        choices.setColor(ui::ColorChoice::fromKey(ui::toStdString(state::text(choice, QStringLiteral("color")))));
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
    restoreSets(all.value(QStringLiteral("sets")).toObject());
    restoreSelection(all.value(QStringLiteral("selection")).toObject(), !waiting.changed);
    m_find.set(ui::StatePart::Controls, frame.value(QStringLiteral("find")).toObject());
    for (Controller* controller : m_controllers)
        controller->restoreState(all);
    // Again: sets are colours too.
    restoreChoice(all.value(QStringLiteral("choice")).toObject());
    restoreSwitches(frame.value(QStringLiteral("switches")).toObject());
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

void WorkSession::restoreSelection(const QJsonObject& selection, bool sameDocuments)
{
    if (!sameDocuments)
        return;
    ui::SelectionHub& hub = m_study.window().selection();
    const std::int64_t documents = m_study.cache()->overview->documents->count();
    const std::int64_t heads = m_study.cache()->overview->model.heads;
    const auto indices = [](const QJsonObject& object, const char* key, std::int64_t count) {
        return state::rangesOf(object.value(QLatin1StringView(key)).toString(), count)
            .value_or(std::vector<std::int64_t>());
    };
    const QJsonObject shown = selection.value(QStringLiteral("shown")).toObject();
    if (auto some = indices(shown, "documents", documents); !some.empty())
        hub.showOnly({state::text(shown, QStringLiteral("name")), std::move(some)});
    if (const auto points = state::pointsOf(selection.value(QStringLiteral("points")).toObject(), documents, heads))
        hub.pickPoints(*points, SetOperation::Replace, m_study.heads());
    else if (auto chosen = indices(selection, "documents", documents); !chosen.empty())
        hub.setDocuments(std::move(chosen));
    const auto primary = state::whole(selection, QStringLiteral("primary"), 0, documents - 1);
    const auto head = state::whole(selection, QStringLiteral("primaryHead"), 0, heads - 1);
    if (primary)
        hub.setPrimary(DocumentIndex(*primary), head ? std::optional(HeadIndex(*head)) : std::nullopt);
    if (auto lit = indices(selection, "lit", heads); !lit.empty())
        hub.setLitHeads(std::move(lit));
}

void WorkSession::restoreSets(const QJsonObject& object)
{
    ui::SelectionHub& hub = m_study.window().selection();
    const auto read = ui::NamedSets::fromJson(object, *m_study.cache()->overview->documents);
    if (read.sets == hub.sets())
        return;
    // Those of the work, then what is kept beside the cache and is not among them: nothing is lost.
    ui::NamedSets sets = read.sets;
    for (const ui::NamedSet& kept : hub.sets().all())
    {
        if (const auto same = sets.find(kept.name); same && sets.at(*same).documents == kept.documents)
            continue;
        QString name = kept.name;
        for (int number = 2; sets.find(name); ++number)
            name = QStringLiteral("%1 (%2)").arg(kept.name).arg(number);
        sets.setOnMap(sets.keep(name, kept.documents, kept.color), kept.onMap);
    }
    hub.setSets(std::move(sets));
    if (read.unknownIds > 0)
        m_study.window().showNotice(tr("%1 of the named sets are not in this cache.")
                                        .arg(ui::countText(read.unknownIds, tr("document"), tr("documents"))));
}

void WorkSession::restoreSwitches(const QJsonObject& switches)
{
    for (auto each = switches.begin(); each != switches.end(); ++each)
        if (QAction* action = m_study.window().actions().find(each.key());
            action != nullptr && action->isCheckable() && action->isEnabled() && each.value().isBool() &&
            action->isChecked() != each.value().toBool())
            action->trigger();
}

void WorkSession::putBack(const QJsonObject& choice, const QJsonObject& window, const QJsonObject& views,
                          const QJsonObject& parts)
{
    const QScopedValueRollback<bool> putting(m_putting, true);
    restoreChoice(choice);
    restoreSwitches(window.value(QStringLiteral("switches")).toObject());
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
