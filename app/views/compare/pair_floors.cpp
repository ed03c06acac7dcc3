// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/compare/pair_floors.h"

#include "app/views/compare/compare_controller.h"
#include "app/views/compare/compare_view.h"
#include "app/views/grid/grid_controller.h"
#include "model/analysis/maps/measure_noise_floor.h"
#include "model/data/maps/point_range.h"
#include "ui/models/map_library.h"
#include "ui/words/wording.h"
#include "viz/export/noise_floor_text.h"

#include <algorithm>
#include <utility>

namespace headscope::desktop
{
namespace
{

/// The vectors of a map's points, [P, D].
Result<MatrixF> vectorsOf(const HeadMap& map, CacheReader& reader, JobContext& job)
{
    HEADSCOPE_TRY(const auto vectors, reader.load(map.layer, map.stage, {}, job));
    const PointIds& points = *map.points;
    HEADSCOPE_CHECK(expectPointsOf(points, vectors->documents(), vectors->heads(), map.name));
    MatrixF rows(points.count(), vectors->dims());
    for (std::int64_t i = 0; i < points.count(); ++i)
        std::ranges::copy(vectors->vector(points.documentOf(i), points.headOf(i)), rows.row(i).begin());
    return rows;
}

} // namespace

bool canHaveFloor(const HeadMap& map)
{
    return map.turns.empty() && map.iteration > 0 && map.options.start != TsneStart::Given && map.points != nullptr &&
           map.points->head.size() == map.points->document.size();
}

Result<std::vector<FloorOf>> withFloors(const std::vector<FloorOf>& maps, CacheReader& reader, int numThreads,
                                        JobContext& job)
{
    std::vector<FloorOf> found;
    for (const FloorOf& each : maps)
    {
        HEADSCOPE_TRY(const MatrixF rows, vectorsOf(*each.map, reader, job));
        auto measured = std::make_shared<HeadMap>(*each.map);
        HEADSCOPE_TRY(measured->floor, noiseFloor(rows.view(), *each.map, nullptr, {}, numThreads, job));
        found.push_back({each.id, std::move(measured)});
    }
    return found;
}

QString floorCaption(const MapPair& pair)
{
    const PairFloors floors(pair);
    QString caption;
    for (const bool first : {true, false})
        if (const auto& floor = first ? floors.a : floors.b)
            caption += QStringLiteral(" %1: %2").arg(first ? QStringLiteral("A") : QStringLiteral("B"),
                                                     viz::floorSentence(first ? *pair.a : *pair.b, *floor));
    if (const QString finding = viz::findingWords(pair); !finding.isEmpty())
        caption += u' ' + finding;
    return caption;
}

void CompareController::measureFloors()
{
    const auto pair = m_view->pair();
    if (pair == nullptr || !m_study.cache() || m_floor.running())
        return;
    std::vector<FloorOf> wanted;
    for (const auto& map : {pair->a, pair->b})
    {
        if (hasVerdictTwins(*map))
            continue;
        if (const ui::KeptMap* kept = m_study.maps().find(map.get()); kept != nullptr && canHaveFloor(*map))
            wanted.push_back({kept->id, map});
        else if (kept == nullptr)
            m_grid.measureFloor(); // a cell: its start is that of the whole set
    }
    if (wanted.empty())
        return;
    m_study.beginJob(QStringLiteral("compareFloor"), tr("Noise floor of two maps"), m_floor);
    m_study.run<std::vector<FloorOf>>(
        m_floor,
        [wanted, reader = m_study.cache()->reader, threads = m_study.threads()](JobContext& job) {
            return withFloors(wanted, *reader, threads, job);
        },
        [this, wanted](Result<std::vector<FloorOf>> found) {
            if (!found)
            {
                refreshFloorable();
                return m_study.report(found.error());
            }
            for (std::size_t i = 0; i < found->size(); ++i)
                if (const ui::KeptMap* kept = m_study.maps().find(wanted[i].id);
                    kept != nullptr && kept->map == wanted[i].map)
                    m_study.maps().replace(wanted[i].id, (*found)[i].map);
            refreshFloorable();
        });
    refreshFloorable();
}

void CompareController::refreshFloorable()
{
    const auto pair = m_view->pair();
    const auto lacks = [this](const std::shared_ptr<const HeadMap>& map) {
        if (hasVerdictTwins(*map))
            return false;
        if (m_study.maps().find(map.get()) != nullptr)
            return canHaveFloor(*map);
        return m_grid.floorable();
    };
    m_view->setFloorable(pair != nullptr && !m_floor.running() && (lacks(pair->a) || lacks(pair->b)));
}

} // namespace headscope::desktop
