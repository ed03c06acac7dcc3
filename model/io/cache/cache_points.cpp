// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/cache_points.h"

#include "model/data/maps/point_range.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace headscope
{
namespace
{

std::int64_t mostHeads(const CacheInfo& info)
{
    std::int64_t heads = std::max<std::int64_t>(1, info.header.model.heads);
    for (const VectorsInfo& vectors : info.embeddings)
        heads = std::max(heads, vectors.heads);
    return heads;
}

} // namespace

Status expectPointsIn(const CacheInfo& info, const HeadMap& map, const std::filesystem::path& path)
{
    if (map.points == nullptr)
        return {};
    Status checked = expectPointsOf(*map.points, info.documents, mostHeads(info), map.name);
    if (checked)
        return {};
    Error error = checked.error();
    error.code = ErrorCode::BadFormat;
    return std::move(error).inFile(path.string());
}

} // namespace headscope
