// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/map_snapshots.h"

#include "model/base/hash.h"
#include "model/data/application_name.h"

#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace headscope
{

HeadMap frameOfMap(const HeadPoints& points, Stage stage, LayerIndex layer, const TsneOptions& options)
{
    HeadMap frame;
    frame.points = std::make_shared<const PointIds>(points.ids);
    frame.stage = stage;
    frame.layer = layer;
    frame.options = options;
    frame.kl = std::numeric_limits<double>::quiet_NaN();
    frame.inputHash = xxh3Hex(std::as_bytes(points.vectors.values()));
    frame.leftOut = points.leftOut;
    frame.application = applicationName();
    return frame;
}

HeadMap snapshotMap(const TsneState& state, const HeadMap& frame)
{
    HeadMap map = frame;
    map.xy = state.positions();
    map.options = state.options();
    map.iteration = state.iteration();
    map.kl = state.kl();
    map.equalPoints = state.equalPoints();
    return map;
}

struct MapSnapshots::Pool
{
    static constexpr std::size_t kKept = 3;
    std::mutex mutex;
    std::vector<std::unique_ptr<HeadMap>> free;
};

MapSnapshots::MapSnapshots(HeadMap frame) : m_frame(std::move(frame)), m_pool(std::make_shared<Pool>())
{
    m_pool->free.reserve(Pool::kKept); // giving back must not allocate
}

std::shared_ptr<const HeadMap> MapSnapshots::take(const TsneState& state)
{
    std::unique_ptr<HeadMap> map;
    {
        const std::lock_guard lock(m_pool->mutex);
        if (!m_pool->free.empty())
        {
            map = std::move(m_pool->free.back());
            m_pool->free.pop_back();
        }
    }
    if (map == nullptr)
        map = std::make_unique<HeadMap>(m_frame);
    state.copyPositions(map->xy);
    map->options = state.options();
    map->iteration = state.iteration();
    map->kl = state.kl();
    map->equalPoints = state.equalPoints();
    return {map.release(), [pool = m_pool](HeadMap* given) {
                std::unique_ptr<HeadMap> owned(given);
                const std::lock_guard lock(pool->mutex);
                if (pool->free.size() < Pool::kKept)
                    pool->free.push_back(std::move(owned));
            }};
}

} // namespace headscope
