// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/cache_checks.h"

#include "model/data/maps/point_range.h"
#include "model/io/cache/cache_schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

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

/// "0-29", "1, 3, 5": ascending numbers, runs of three and more as ranges.
std::string rangesOf(const std::vector<std::int64_t>& numbers)
{
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin < numbers.size();)
    {
        std::size_t end = begin + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1)
            ++end;
        if (end - begin < 3)
            end = begin + 1;
        parts.push_back(end - begin > 1 ? fmt::format("{}-{}", numbers[begin], numbers[end - 1])
                                        : fmt::format("{}", numbers[begin]));
        begin = end;
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// "stages 1, 2, 3 of layers 9, 19, 29": layers with the same stages together.
std::string listOf(const std::vector<VectorsInfo>& vectors)
{
    std::map<std::int64_t, std::vector<std::string_view>> stagesOfLayer;
    for (const VectorsInfo& each : vectors)
        stagesOfLayer[each.layer.value()].push_back(stageName(each.stage));
    std::map<std::vector<std::string_view>, std::vector<std::int64_t>> layersOfStages;
    for (const auto& [layer, stages] : stagesOfLayer)
        layersOfStages[stages].push_back(layer);
    std::vector<std::string> parts;
    for (const auto& [stages, layers] : layersOfStages)
        parts.push_back(fmt::format("stage{} {} of layer{} {}", stages.size() > 1 ? "s" : "", fmt::join(stages, ", "),
                                    layers.size() > 1 ? "s" : "", rangesOf(layers)));
    return parts.empty() ? "nothing" : fmt::format("{}", fmt::join(parts, "; "));
}

const VectorsInfo* findIn(const std::vector<VectorsInfo>& vectors, LayerIndex layer, Stage stage)
{
    const auto found = std::find_if(vectors.begin(), vectors.end(), [&](const VectorsInfo& each) {
        return each.layer == layer && each.stage == stage;
    });
    return found == vectors.end() ? nullptr : &*found;
}

const TopicColumnInfo* findColumn(const CacheInfo& info, std::string_view column)
{
    const auto found = std::find_if(info.topics.begin(), info.topics.end(),
                                    [&](const TopicColumnInfo& each) { return each.column == column; });
    return found == info.topics.end() ? nullptr : &*found;
}

bool isOneOf(const std::string& name, const std::vector<std::string>& names)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// "a, b", or "none".
std::string namesOrNone(const std::vector<std::string>& names)
{
    return names.empty() ? std::string("none") : fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

const VectorsInfo* vectorsIn(const CacheInfo& info, LayerIndex layer, Stage stage)
{
    return findIn(info.embeddings, layer, stage);
}

const VectorsInfo* topicsIn(const CacheInfo& info, std::string_view column, LayerIndex layer, Stage stage)
{
    const TopicColumnInfo* topic = findColumn(info, column);
    return topic == nullptr ? nullptr : findIn(topic->vectors, layer, stage);
}

bool mapIn(const CacheInfo& info, const std::string& name)
{
    return isOneOf(name, info.maps) || mapSetIn(info, name.substr(0, name.rfind('/')));
}

bool mapSetIn(const CacheInfo& info, const std::string& name)
{
    return isOneOf(name, info.mapSets);
}

Error noVectors(const CacheInfo& info, LayerIndex layer, Stage stage, const std::filesystem::path& path)
{
    return {ErrorCode::InvalidArgument,
            fmt::format("layer {} stage {} is not in this cache, which has {}", layer.value(), stageName(stage),
                        listOf(info.embeddings)),
            path.string(),
            {}};
}

Error noTopics(const CacheInfo& info, std::string_view column, LayerIndex layer, Stage stage,
               const std::filesystem::path& path)
{
    const TopicColumnInfo* topic = findColumn(info, column);
    return {ErrorCode::InvalidArgument,
            fmt::format("expected topic vectors of \"{}\" for layer {} stage {}, found {}", column, layer.value(),
                        stageName(stage), topic != nullptr ? listOf(topic->vectors) : "none for this label"),
            path.string(), schema::kTopics};
}

Error noMap(const CacheInfo& info, const std::string& name, const std::filesystem::path& path)
{
    return {ErrorCode::InvalidArgument,
            fmt::format("expected the name of a map, found \"{}\"; this cache has {}", name, namesOrNone(info.maps)),
            path.string(), schema::kMaps};
}

Error noMapSet(const CacheInfo& info, const std::string& name, const std::filesystem::path& path)
{
    return {ErrorCode::InvalidArgument,
            fmt::format("expected the name of an aligned set, found \"{}\"; this cache has {}", name,
                        namesOrNone(info.mapSets)),
            path.string(), schema::kMaps};
}

Result<DocumentRange> rowsWithin(DocumentRange range, std::int64_t documents, const std::filesystem::path& path,
                                 const std::string& place)
{
    const std::int64_t end = range.end < 0 ? documents : range.end;
    if (range.begin < 0 || range.begin > end || end > documents)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected rows within 0 to {}, found {} to {}", documents, range.begin, end),
                     path.string(), place};
    return DocumentRange{range.begin, end};
}

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
