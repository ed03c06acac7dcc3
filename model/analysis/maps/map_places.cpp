// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/map_places.h"

#include "model/base/random.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace headscope
{
namespace
{

constexpr std::uint64_t kNoiseStream = 0x6e6f'6973'6500'0000;

std::uint64_t keyOf(const PointIds& points, std::size_t at)
{
    const std::int32_t head = at < points.head.size() ? points.head[at] : -1;
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(points.document[at])) << 32 |
           static_cast<std::uint32_t>(head);
}

} // namespace

MatrixF placesIn(const HeadMap& map, const PointIds& points)
{
    struct Mean
    {
        double x = 0;
        double y = 0;
        std::int64_t count = 0;
    };
    const PointIds& known = *map.points;
    std::unordered_map<std::uint64_t, std::int64_t> rows;
    std::unordered_map<std::int32_t, Mean> documents;
    for (std::int64_t i = 0; i < known.count(); ++i)
    {
        const auto at = static_cast<std::size_t>(i);
        if (!std::isfinite(map.xy(i, 0)) || !std::isfinite(map.xy(i, 1)))
            continue;
        rows.emplace(keyOf(known, at), i);
        Mean& mean = documents[known.document[at]];
        mean.x += static_cast<double>(map.xy(i, 0));
        mean.y += static_cast<double>(map.xy(i, 1));
        ++mean.count;
    }
    MatrixF places(points.count(), 2);
    for (std::int64_t i = 0; i < points.count(); ++i)
    {
        const auto at = static_cast<std::size_t>(i);
        if (const auto row = rows.find(keyOf(points, at)); row != rows.end())
        {
            places(i, 0) = map.xy(row->second, 0);
            places(i, 1) = map.xy(row->second, 1);
        }
        else if (const auto mean = documents.find(points.document[at]); mean != documents.end())
        {
            const auto count = static_cast<double>(mean->second.count);
            places(i, 0) = static_cast<float>(mean->second.x / count);
            places(i, 1) = static_cast<float>(mean->second.y / count);
        }
    }
    return places;
}

void addNoise(MatrixF& xy, double share, std::uint64_t seed, std::uint64_t turn)
{
    double squares = 0;
    for (const float value : xy.values())
        squares += static_cast<double>(value) * static_cast<double>(value); // positions are centred
    const double spread = std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, xy.values().size())));
    const CounterRandom random(seed, kNoiseStream + turn);
    for (std::size_t i = 0; i < xy.values().size(); ++i)
        xy.values()[i] += static_cast<float>(share * spread * random.normal(i));
}

} // namespace headscope
