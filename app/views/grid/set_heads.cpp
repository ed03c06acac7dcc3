// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/grid/set_heads.h"

#include "viz/grid/grid_contents.h"

#include <algorithm>
#include <iterator>

namespace headscope::desktop
{

std::vector<std::int64_t> headsOf(const HeadMapSet& set)
{
    std::vector<std::int64_t> heads;
    for (const MapOfSet& each : set.maps)
        if (!viz::isFullMap(each.map))
            heads.push_back(each.map.points->head.front());
    std::sort(heads.begin(), heads.end());
    heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
    return heads;
}

std::shared_ptr<const HeadMapSet> withHeads(const std::shared_ptr<const HeadMapSet>& set,
                                            const std::vector<std::int64_t>& heads)
{
    const auto chosen = [&heads](const MapOfSet& each) {
        return viz::isFullMap(each.map) || each.map.points->head.empty() ||
               std::binary_search(heads.begin(), heads.end(), each.map.points->head.front());
    };
    if (std::all_of(set->maps.begin(), set->maps.end(), chosen))
        return set;
    auto part = std::make_shared<HeadMapSet>();
    part->name = set->name;
    part->start = set->start;
    part->fullSource = set->fullSource;
    part->hash = set->hash;
    part->origin = set->origin;
    std::copy_if(set->maps.begin(), set->maps.end(), std::back_inserter(part->maps), chosen);
    return part;
}

} // namespace headscope::desktop
