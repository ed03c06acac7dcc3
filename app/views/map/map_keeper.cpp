// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/map/map_keeper.h"

#include "app/views/map/keep_map.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/jobs/job_strip.h"
#include "ui/panels/runs/run_list.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>
#include <vector>

namespace headscope::desktop
{
namespace
{

using Picture = std::pair<std::uint64_t, QImage>;

/// For screens of two pixels a point.
constexpr int kThumbnailPixels = 2 * ui::RunList::kThumbnail;

} // namespace

MapKeeper::MapKeeper(Study& study, QObject* parent) : QObject(parent), m_study(study)
{
    ui::MapLibrary& maps = study.maps();
    connect(&maps, &ui::MapLibrary::added, this, [this] { paintThumbnails(false); });
    connect(&maps, &ui::MapLibrary::changed, this, [this](quint64 id) {
        const ui::KeptMap* kept = m_study.maps().find(id);
        if (kept != nullptr && kept->thumbnail.isNull() && !m_paint.running())
            paintThumbnails(false);
    });
    connect(&maps, &ui::MapLibrary::removed, this, [this](quint64 id) { std::erase(m_toMeasure, id); });
    connect(&study, &Study::paletteChanged, this, [this] { paintThumbnails(true); });
    connect(&study, &Study::cacheChanged, this, [this] {
        m_measure.cancel();
        m_toMeasure.clear();
        paintThumbnails(true);
    });
    connect(&m_measure, &ui::JobRunner::cancelled, this, [this] {
        if (m_toMeasure.empty())
            return;
        m_study.maps().setMeasuring(m_toMeasure.front(), false);
        if (!m_running) // by the user: this one no more
            m_toMeasure.pop_front();
    });
    connect(&m_measure, &ui::JobRunner::idle, this, &MapKeeper::measureNext);
}

void MapKeeper::paintThumbnails(bool all)
{
    if (!m_study.cache())
        return;
    std::vector<std::pair<std::uint64_t, std::shared_ptr<const HeadMap>>> maps;
    for (const ui::KeptMap& kept : m_study.maps().entries())
    {
        if (all || kept.thumbnail.isNull())
            maps.emplace_back(kept.id, kept.map);
    }
    if (maps.empty())
        return;
    m_study.run<std::vector<Picture>>(
        m_paint,
        [maps, palette = m_study.palette(),
         theme = ui::Theme::instance().vizTheme()](JobContext& job) -> Result<std::vector<Picture>> {
            std::vector<Picture> pictures;
            for (const auto& [id, map] : maps)
            {
                HEADSCOPE_CHECK(job.checkStop());
                pictures.emplace_back(id, mapThumbnail(*map, palette, theme, kThumbnailPixels));
            }
            return pictures;
        },
        [this, maps](Result<std::vector<Picture>> pictures) {
            if (!pictures)
                return;
            for (std::size_t i = 0; i < pictures->size(); ++i)
            {
                const auto& [id, picture] = (*pictures)[i];
                const ui::KeptMap* kept = m_study.maps().find(id);
                // What moved while it was painted is painted again.
                if (kept != nullptr && kept->map->xy.values().size() == maps[i].second->xy.values().size() &&
                    kept->map->hash == maps[i].second->hash)
                    m_study.maps().setThumbnail(id, picture);
            }
            const auto& entries = m_study.maps().entries();
            if (std::ranges::any_of(entries, [](const ui::KeptMap& kept) { return kept.thumbnail.isNull(); }))
                paintThumbnails(false);
        });
}

void MapKeeper::measure(std::uint64_t id)
{
    const ui::KeptMap* kept = m_study.maps().find(id);
    if (kept == nullptr || kept->map->trust || std::ranges::find(m_toMeasure, id) != m_toMeasure.end())
        return;
    m_toMeasure.push_back(id);
    measureNext();
}

void MapKeeper::setRunning(bool running)
{
    if (std::exchange(m_running, running) == running)
        return;
    if (running)
        m_measure.cancel(); // and again when the run is at rest
    else
        measureNext();
}

void MapKeeper::measureNext()
{
    if (m_running || m_measure.running() || m_toMeasure.empty() || !m_study.cache())
        return;
    const std::uint64_t id = m_toMeasure.front();
    const auto map = m_study.maps().find(id)->map;
    auto vectors = m_study.source().vectors;
    if (vectors != nullptr && (vectors->layer() != map->layer || vectors->stage() != map->stage))
        vectors = nullptr;
    m_study.maps().setMeasuring(id, true);
    m_study.beginJob(QStringLiteral("measure"), tr("Measuring “%1”").arg(ui::toQString(map->name)), m_measure);
    m_study.run<HeadMap>(
        m_measure,
        [map, vectors, reader = m_study.cache()->reader,
         threads = m_study.threads()](JobContext& job) mutable -> Result<HeadMap> {
            if (vectors == nullptr)
            {
                HEADSCOPE_TRY(vectors, reader->load(map->layer, map->stage, {}, job));
            }
            return withTrust(*map, *vectors, threads, job);
        },
        [this, id, map](Result<HeadMap> measured) {
            if (!m_toMeasure.empty() && m_toMeasure.front() == id)
                m_toMeasure.pop_front();
            m_study.maps().setMeasuring(id, false);
            const ui::KeptMap* kept = m_study.maps().find(id);
            if (!measured)
                m_study.window().jobStrip().addLog(ui::errorText(measured.error()));
            else if (kept != nullptr && kept->map->hash == map->hash && kept->map->iteration == map->iteration)
                m_study.maps().replace(id, std::make_shared<const HeadMap>(std::move(*measured)));
        });
}

void MapKeeper::store(std::uint64_t id)
{
    const ui::KeptMap* kept = m_study.maps().find(id);
    if (kept == nullptr || !m_study.cache() || kept->stored)
        return;
    if (const QString path = ui::toQString(m_study.cache()->overview->path); m_study.window().isDemo(path))
        return m_study.window().showNotice(
            tr("The bundled demo is read-only. Open a copy of %1 to store maps in it.").arg(path));
    if (m_store.running())
        return m_study.window().showNotice(tr("Another map is being stored. Try again in a moment."));
    const CacheInfo& info = m_study.cache()->reader->info();
    const auto taken = [&](const std::vector<std::string>& names) {
        return std::ranges::find(names, kept->map->name) != names.end();
    };
    if (taken(info.maps) || taken(info.mapSets))
        return askToReplace(id);
    storeNow(id, false);
}

void MapKeeper::askToReplace(std::uint64_t id)
{
    const ui::KeptMap* kept = m_study.maps().find(id);
    if (kept == nullptr)
        return;
    ui::MainWindow& window = m_study.window();
    window.dialogs().ask(&window,
                         {tr("Replace the stored map?"),
                          tr("The cache already holds a map named “%1”, which would be overwritten. Rename the new map "
                             "to keep both maps.")
                              .arg(ui::toQString(kept->map->name)),
                          {tr("Cancel"), tr("Replace")}},
                         [this, id](int answer) {
                             if (answer == 1)
                                 storeNow(id, true);
                         });
}

void MapKeeper::storeNow(std::uint64_t id, bool replace)
{
    const ui::KeptMap* kept = m_study.maps().find(id);
    if (kept == nullptr || !m_study.cache() || m_store.running())
        return;
    const QString name = ui::toQString(kept->map->name);
    m_study.beginJob(QStringLiteral("store"), tr("Storing “%1”").arg(name), m_store);
    m_store.start<std::shared_ptr<CacheReader>>(
        [cache = m_study.cache()->reader, map = kept->map, replace](JobContext& job) {
            return storeMap(*cache, *map, replace, job);
        },
        [this, id, name, map = kept->map, path = m_study.cache()->reader->path(),
         replace](Result<std::shared_ptr<CacheReader>> reader) {
            if (!reader)
            {
                // Another program was faster.
                if (reader.error().code == ErrorCode::WrongUse && !replace && m_study.maps().find(id) != nullptr)
                    return askToReplace(id);
                return m_study.report(reader.error());
            }
            m_study.setReader(std::move(*reader));
            const ui::KeptMap* now = m_study.maps().find(id);
            if (now != nullptr && now->map->name == map->name && now->map->hash == map->hash)
                m_study.maps().setStored(id, true);
            const QString text = tr("Stored “%1” in %2").arg(name, QFileInfo(ui::toQString(path.string())).fileName());
            m_study.window().jobStrip().addLog(text);
            m_study.window().showNotice(text);
            Q_EMIT stored(id);
        });
}

void MapKeeper::leave()
{
    m_toMeasure.clear();
    m_measure.cancel();
    m_paint.cancel();
}

void MapKeeper::stop()
{
    m_toMeasure.clear();
    m_measure.cancel();
    m_paint.cancel();
    m_store.cancel();
}

} // namespace headscope::desktop
