// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs/export_maps.h"

#include "model/io/cache/map_io.h"
#include "model/io/hdf5/hdf5_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope::cli
{
namespace
{

/// A map in a cache says that it is one of the full vector by naming no heads.
Result<MapUnit> unitOf(const CacheInput& input, const std::string& name, JobContext& job)
{
    HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(input.cache->path(), job));
    return file.has(mapGroup(file, name) + "/head") ? MapUnit::Head : MapUnit::Document;
}

/// Whether a point of the map is a row of these vectors.
bool isOf(const HeadMap& map, MapUnit unit, const VectorExport& all)
{
    return unit == MapUnit::Document || std::ranges::any_of(all.vectors, [&](const auto& vectors) {
               return vectors->layer() == map.layer && vectors->stage() == map.stage;
           });
}

} // namespace

Result<std::vector<PlacedMap>> mapsToExport(const CacheInput& input, const std::vector<std::string>& names,
                                            const VectorExport& all, JobContext& job)
{
    const bool every = names == std::vector<std::string>{"all"};
    std::vector<PlacedMap> maps;
    for (const std::string& name : every ? input.cache->info().maps : names)
    {
        if (std::ranges::any_of(maps, [&](const PlacedMap& map) { return map.name == name; }))
            continue;
        HEADSCOPE_TRY(const HeadMap map, input.cache->map(name, job));
        HEADSCOPE_TRY(const MapUnit unit, unitOf(input, name, job));
        const bool fits = map.points != nullptr && isOf(map, unit, all);
        if (every && !fits)
            continue;
        if (map.points != nullptr && !fits)
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected a map of the exported vectors, found \"{}\" of layer {}, stage {} "
                                     "(--layer {} --stage {} exports its vectors)",
                                     name, map.layer.value(), stageName(map.stage), map.layer.value(),
                                     stageName(map.stage)),
                         input.cache->path().string(), "--map"};
        HEADSCOPE_TRY(PlacedMap placed, placeMap(map, unit, all.rows, all.heads));
        maps.push_back(std::move(placed));
    }
    return maps;
}

} // namespace headscope::cli
