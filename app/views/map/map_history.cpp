// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/map/map_history.h"

#include "model/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headscope::desktop
{
namespace
{

constexpr float kLevels = 65'535.0F;
constexpr std::int64_t kBlock = 16'384;

std::uint16_t levelOf(float value, float least, float scale)
{
    // What is not finite has no place; it is put into a corner, as the map itself leaves it out.
    const float level = (value - least) * scale;
    return static_cast<std::uint16_t>(std::lround(std::clamp(std::isfinite(level) ? level : 0.0F, 0.0F, kLevels)));
}

} // namespace

std::size_t MapHistory::snapshotLimit(std::int64_t points)
{
    const std::size_t each = kBytesPerPoint * static_cast<std::size_t>(std::max<std::int64_t>(1, points));
    return std::clamp(kMaxBytes / each, kMinSnapshots, kMaxSnapshots);
}

void MapHistory::begin(const HeadMap& frame, int iterations)
{
    const std::lock_guard lock(m_mutex);
    m_frame = frame;
    m_curve = {};
    m_curve.iterations = iterations;
    m_curve.exaggerationEnd = std::min(iterations, frame.options.exaggerationIterations);
    m_snapshots.clear();
    m_limit = snapshotLimit(frame.points != nullptr ? frame.points->count() : 0);
    m_step = 1;
    m_lastKl = std::numeric_limits<double>::quiet_NaN();
}

void MapHistory::noteKl(const TsneState& state)
{
    m_curve.iterations = state.options().iterations;
    m_curve.exaggerationEnd = state.phase().exaggerationEnd >= 0
                                  ? state.phase().exaggerationEnd
                                  : std::min(state.options().iterations, state.options().exaggerationIterations);
    if (!std::isfinite(state.kl()) || state.kl() == m_lastKl)
        return;
    m_lastKl = state.kl();
    // A check sees the points before the iteration moves them.
    const int iteration = std::max(0, state.iteration() - 1);
    if (m_curve.points.empty() || m_curve.points.back().iteration < iteration)
        m_curve.points.push_back({iteration, state.kl()});
}

std::shared_ptr<const MapHistory::Snapshot> MapHistory::snapshotOf(const MatrixF& xy, int numThreads)
{
    auto snapshot = std::make_shared<Snapshot>();
    float left = std::numeric_limits<float>::infinity();
    float right = -left;
    float bottom = left;
    float top = -left;
    for (std::int64_t i = 0; i < xy.rows(); ++i)
    {
        left = std::min(left, xy(i, 0)); // min and max leave NaN aside
        right = std::max(right, xy(i, 0));
        bottom = std::min(bottom, xy(i, 1));
        top = std::max(top, xy(i, 1));
    }
    snapshot->left = std::isfinite(left) ? left : 0.0F;
    snapshot->bottom = std::isfinite(bottom) ? bottom : 0.0F;
    snapshot->width = std::isfinite(right) ? right - snapshot->left : 0.0F;
    snapshot->height = std::isfinite(top) ? top - snapshot->bottom : 0.0F;
    const float scaleX = snapshot->width > 0 ? kLevels / snapshot->width : 0.0F;
    const float scaleY = snapshot->height > 0 ? kLevels / snapshot->height : 0.0F;
    snapshot->xy.resize(xy.values().size());
    parallelFor(numThreads, xy.rows(), kBlock, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
        {
            const auto at = static_cast<std::size_t>(2 * i);
            snapshot->xy[at] = levelOf(xy(i, 0), snapshot->left, scaleX);
            snapshot->xy[at + 1] = levelOf(xy(i, 1), snapshot->bottom, scaleY);
        }
    });
    return snapshot;
}

void MapHistory::note(const TsneState& state, int numThreads)
{
    {
        const std::lock_guard lock(m_mutex);
        noteKl(state);
        const bool known = !m_snapshots.empty() && m_snapshots.back()->iteration >= state.iteration();
        if (known || state.iteration() % m_step != 0)
            return;
    }
    state.copyPositions(m_scratch);
    auto snapshot = std::const_pointer_cast<Snapshot>(snapshotOf(m_scratch, numThreads));
    snapshot->iteration = state.iteration();
    snapshot->kl = state.kl();
    const std::lock_guard lock(m_mutex);
    m_snapshots.push_back(std::move(snapshot));
    while (m_snapshots.size() > m_limit)
    {
        m_step *= 2;
        std::erase_if(m_snapshots, [this](const auto& kept) { return kept->iteration % m_step != 0; });
    }
}

void MapHistory::noteTurn(const MapTurn& turn)
{
    const std::lock_guard lock(m_mutex);
    m_frame.turns.push_back(turn);
    if (turn.kind == MapTurn::Kind::Noise)
        m_curve.noise.push_back(turn.iteration);
}

RunCurve MapHistory::curve() const
{
    const std::lock_guard lock(m_mutex);
    return m_curve;
}

std::vector<MapTurn> MapHistory::turns() const
{
    const std::lock_guard lock(m_mutex);
    return m_frame.turns;
}

std::vector<int> MapHistory::iterations() const
{
    const std::lock_guard lock(m_mutex);
    std::vector<int> all;
    all.reserve(m_snapshots.size());
    for (const auto& snapshot : m_snapshots)
        all.push_back(snapshot->iteration);
    return all;
}

std::shared_ptr<const HeadMap> MapHistory::at(int iteration) const
{
    std::shared_ptr<const Snapshot> snapshot;
    auto map = std::make_shared<HeadMap>();
    {
        const std::lock_guard lock(m_mutex);
        const auto distance = [iteration](const auto& one) { return std::abs(one->iteration - iteration); };
        const auto nearest = std::ranges::min_element(m_snapshots, {}, distance);
        if (nearest == m_snapshots.end())
            return nullptr;
        snapshot = *nearest;
        *map = m_frame; // points are shared, positions empty
    }
    const std::int64_t points = static_cast<std::int64_t>(snapshot->xy.size() / 2);
    std::vector<float> xy(snapshot->xy.size());
    const float stepX = snapshot->width / kLevels;
    const float stepY = snapshot->height / kLevels;
    for (std::size_t i = 0; i < xy.size(); i += 2)
    {
        xy[i] = snapshot->left + stepX * static_cast<float>(snapshot->xy[i]);
        xy[i + 1] = snapshot->bottom + stepY * static_cast<float>(snapshot->xy[i + 1]);
    }
    map->xy = MatrixF(points, 2, std::move(xy));
    map->iteration = snapshot->iteration;
    map->kl = snapshot->kl;
    std::erase_if(map->turns, [&](const MapTurn& turn) { return turn.iteration > snapshot->iteration; });
    return map;
}

std::size_t MapHistory::bytes() const
{
    const std::lock_guard lock(m_mutex);
    std::size_t sum = 0;
    for (const auto& snapshot : m_snapshots)
        sum += snapshot->xy.size() * sizeof(std::uint16_t);
    return sum;
}

} // namespace headscope::desktop
