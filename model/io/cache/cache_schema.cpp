// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/cache_schema.h"

#include "model/base/fields/fields.h"
#include "model/data/maps/tsne_options.h"
#include "model/data/model_info.h"
#include "model/data/records/record_fields.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <vector>

namespace headscope::schema
{
namespace
{

constexpr std::array kRootAttributes = {
    "format",  "version", "application", "created",       "command", "tokenizer_sha256",
    "pooling", "eos",     "max_tokens",  "compute_dtype", "device",  "truncated_count",
};

constexpr std::array kFinalAttributes = {"modules", "xxh3"};

/// Of maps, behind the options of their runs.
constexpr std::array kMapFacts = {
    "kl",
    "hash",
    "input_hash",
    "left_out",
    "kl_exact",
    "knn10",
    "trustworthiness",
    "continuity",
    "spearman",
    "sampled",
    "aligned",
    "full",
    "correlation",
    "noise_floor",
    "noise_floor_twins",
    "noise_floor_seed",
    "noise_floor_neighbors",
    "noise_floor_kept",
    "noise_floor_least",
    "noise_floor_most",
    "noise_floor_correlation",
    "others_neighbors",
    "others_kept",
    "others_correlation",
    "equal_points",
};

/// Those of the model, as they enter its digest.
std::vector<const char*> modelAttributes()
{
    static ModelInfo model;
    static const RecordFields record = recordOf(model);
    std::vector<const char*> names;
    for (const Field& row : record.attributes().used(kRecordUse))
        names.push_back(row.key.c_str());
    return names;
}

/// Those of a map, as they enter its digest.
std::vector<const char*> mapAttributes()
{
    static TsneOptions options;
    static const Fields rows = [] {
        Fields all;
        fields(all, options);
        return all;
    }();
    std::vector<const char*> names = {"stage", "layer"};
    for (const Field& row : rows.used(kRecordUse))
    {
        names.push_back(row.key.c_str());
        if (row.key == "iterations")
            names.push_back("iterations_done");
    }
    names.insert(names.end(), kMapFacts.begin(), kMapFacts.end());
    return names;
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to)
{
    std::string result(text);
    for (std::size_t at = result.find(from); at != std::string::npos; at = result.find(from, at + to.size()))
        result.replace(at, from.size(), to);
    return result;
}

} // namespace

std::string stepFromName(std::string_view name)
{
    if (name == ".")
        return "%2E";
    return replaced(name, "/", "%2F");
}

std::string nameFromStep(std::string_view step)
{
    if (step == "%2E")
        return ".";
    return replaced(step, "%2F", "/");
}

std::string layerGroup(LayerIndex layer)
{
    return fmt::format("layer_{:03}", layer.value());
}

std::optional<LayerIndex> layerFromGroup(std::string_view group)
{
    constexpr std::string_view kPrefix = "layer_";
    if (!group.starts_with(kPrefix))
        return std::nullopt;
    group.remove_prefix(kPrefix.size());
    std::int64_t layer = -1;
    const auto [end, failed] = std::from_chars(group.data(), group.data() + group.size(), layer);
    if (failed != std::errc{} || end != group.data() + group.size() || layer < 0)
        return std::nullopt;
    return LayerIndex(layer);
}

std::optional<Stage> stageFromDataset(std::string_view dataset)
{
    for (const Stage stage : {Stage::HeadOutput, Stage::ProjectedSegment, Stage::OutputSegment, Stage::Contribution})
    {
        if (stageDataset(stage) == dataset)
            return stage;
    }
    return std::nullopt;
}

std::string vectorsPath(LayerIndex layer, Stage stage)
{
    if (stage == Stage::Embedding)
        return kFinal;
    return fmt::format("{}/{}/{}", kEmbeddings, layerGroup(layer), stageDataset(stage));
}

std::string topicVectorsPath(std::string_view column, LayerIndex layer, Stage stage)
{
    return fmt::format("{}/{}{}", kTopics, stepFromName(column), vectorsPath(layer, stage));
}

std::vector<std::int64_t> vectorsShape(Stage stage, std::int64_t rows, std::int64_t heads, std::int64_t dims)
{
    if (stage == Stage::Embedding)
        return {rows, heads * dims};
    return {rows, heads, dims};
}

std::span<const char* const> attributesOf(std::string_view object)
{
    if (object == "/")
        return kRootAttributes;
    if (object == kModel)
    {
        static const std::vector<const char*> names = modelAttributes();
        return names;
    }
    if (object == kFinal)
        return kFinalAttributes;
    if (object.starts_with(std::string(kMaps) + "/"))
    {
        static const std::vector<const char*> names = mapAttributes();
        return names;
    }
    return {};
}

} // namespace headscope::schema
