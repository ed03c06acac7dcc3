// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/cache_opening.h"

#include "model/data/last_layer.h"
#include "model/io/cache/cache_schema.h"
#include "model/io/cache/map_io.h"
#include "model/io/cache/range_group.h"
#include "model/io/hdf5/checksums.h"
#include "model/io/records/record_hdf5.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope
{
namespace
{

Error badFormat(const Hdf5Reader& file, std::string place, std::string message)
{
    return {ErrorCode::BadFormat, std::move(message), file.path().string(), std::move(place)};
}

Status checkFormat(const Hdf5Reader& file, CacheInfo& info)
{
    const auto format = file.textAttribute("/", "format");
    if (!format)
        return badFormat(file, "/",
                         fmt::format("expected the attribute format = \"{}\", found none: this HDF5 file is not a "
                                     "Headscope cache",
                                     schema::kFormat));
    if (*format != schema::kFormat)
        return badFormat(file, "/@format",
                         fmt::format("expected \"{}\", found \"{}\": this HDF5 file is not a Headscope cache",
                                     schema::kFormat, *format));
    const auto version = file.integerAttribute("/", "version");
    if (!version || *version < 1)
        return badFormat(file, "/@version", "the version of the cache (a number from 1) is missing");
    if (*version > schema::kVersion)
        return Error{ErrorCode::Unsupported,
                     fmt::format("expected cache version {} or older, found version {}: a newer Headscope wrote it",
                                 schema::kVersion, *version),
                     file.path().string(), "/@version"};
    info.version = *version;
    return {};
}

Status readModel(const Hdf5Reader& file, ModelInfo& model)
{
    HEADSCOPE_CHECK(readRecord(file, schema::kModel, recordOf(model)));
    if (auto checked = checkHeads(model); !checked)
        return std::move(checked).error().inFile(file.path().string()).atPlace(schema::kModel);
    return {};
}

/// The sentence embedding, which stands beside the layers.
Result<VectorsInfo> readEmbeddingInfo(const Hdf5Reader& file, const std::string& path, const ModelInfo& model)
{
    HEADSCOPE_TRY(const DatasetInfo data, file.describe(path));
    if (data.shape.size() != 2 || data.shape[1] < 1 || !data.number || !isFloating(*data.number))
        return badFormat(file, path,
                         "expected [documents, size] of float16, bfloat16, float32 or float64, found " +
                             data.describe());
    return VectorsInfo{LayerIndex(model.layers - 1), Stage::Embedding, data.shape[0], 1, data.shape[1], *data.number};
}

Status readAsks(const Hdf5Reader& file, FactLines& asks)
{
    if (!file.has(schema::kAskNames))
        return {};
    HEADSCOPE_TRY(const DatasetInfo shape, file.describe(schema::kAskNames));
    constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;
    HEADSCOPE_TRY(const auto names, file.readStrings(schema::kAskNames, 0, shape.rows(), kMostBytes));
    HEADSCOPE_TRY(const auto texts, file.readStrings(schema::kAskTexts, 0, shape.rows(), kMostBytes));
    for (std::size_t i = 0; i < names.size(); ++i)
        asks.emplace_back(names[i], texts[i]);
    return {};
}

/// The vectors below one group of layers, by layer and stage.
Result<std::vector<VectorsInfo>> readVectorsInfo(const Hdf5Reader& file, const std::string& group,
                                                 const ModelInfo& model)
{
    std::vector<VectorsInfo> found;
    for (const std::string& layerName : file.names(group))
    {
        const auto layer = schema::layerFromGroup(layerName);
        if (!layer && layerName == stageDataset(Stage::Embedding))
        {
            HEADSCOPE_TRY(const VectorsInfo embedding, readEmbeddingInfo(file, group + "/" + layerName, model));
            found.push_back(embedding);
        }
        if (!layer)
            continue;
        const std::string layerPath = group + "/" + layerName;
        if (layer->value() >= model.layers)
            return badFormat(file, layerPath,
                             fmt::format("expected layers 0 to {}, found layer {}", model.layers - 1, layer->value()));
        for (const std::string& name : file.names(layerPath))
        {
            const auto stage = schema::stageFromDataset(name);
            if (!stage)
                continue;
            const std::string path = layerPath + "/" + name;
            HEADSCOPE_TRY(const DatasetInfo data, file.describe(path));
            if (data.shape.size() != 3 || !data.number || !isFloating(*data.number) ||
                (data.shape[1] != model.heads && data.shape[1] != 1))
                return badFormat(file, path,
                                 fmt::format("expected [documents, {} heads, size] of float16, bfloat16, float32 or "
                                             "float64, found {}",
                                             model.heads, data.describe()));
            if (data.shape[2] < 1)
                return badFormat(file, path, "expected vectors of at least one number, found " + data.describe());
            found.push_back({*layer, *stage, data.shape[0], data.shape[1], data.shape[2], *data.number,
                             finalNormNote(model, *layer, *stage)});
        }
    }
    std::sort(found.begin(), found.end(), [](const VectorsInfo& a, const VectorsInfo& b) {
        return a.layer != b.layer ? a.layer < b.layer : a.stage < b.stage;
    });
    return found;
}

Status readEmbeddings(const Hdf5Reader& file, CacheInfo& info)
{
    HEADSCOPE_TRY(info.embeddings, readVectorsInfo(file, schema::kEmbeddings, info.header.model));
    if (std::ranges::all_of(info.embeddings, [](const VectorsInfo& each) { return each.stage == Stage::Embedding; }))
        return badFormat(file, schema::kEmbeddings,
                         "expected at least one dataset layer_NNN/stageS of head vectors, found none");
    if (file.has(schema::kFinal))
        HEADSCOPE_CHECK(readRecord(file, schema::kFinal, recordOf(info.header.embedding)));
    info.documents = info.embeddings.front().documents;
    for (const VectorsInfo& vectors : info.embeddings)
    {
        if (vectors.documents != info.documents)
            return badFormat(file, schema::vectorsPath(vectors.layer, vectors.stage),
                             fmt::format("expected {} documents as in the first dataset, found {}", info.documents,
                                         vectors.documents));
        if (vectors.heads == 1 && info.header.model.heads > 1 && vectors.stage != Stage::Embedding)
            info.notices.push_back(
                fmt::format("layer {}, stage {} is stored as full vectors: {} heads do not divide {}",
                            vectors.layer.value(), stageName(vectors.stage), info.header.model.heads, vectors.dims));
    }
    return {};
}

Status readTopicInfo(const Hdf5Reader& file, CacheInfo& info)
{
    for (const std::string& step : file.names(schema::kTopics))
    {
        TopicColumnInfo topic;
        topic.column = schema::nameFromStep(step);
        HEADSCOPE_TRY(topic.vectors,
                      readVectorsInfo(file, fmt::format("{}/{}{}", schema::kTopics, step, schema::kEmbeddings),
                                      info.header.model));
        for (const VectorsInfo& vectors : topic.vectors)
        {
            const auto same = std::find_if(info.embeddings.begin(), info.embeddings.end(), [&](const auto& other) {
                return other.layer == vectors.layer && other.stage == vectors.stage;
            });
            if (same != info.embeddings.end() && (same->heads != vectors.heads || same->dims != vectors.dims))
                return badFormat(file, schema::topicVectorsPath(topic.column, vectors.layer, vectors.stage),
                                 fmt::format("expected vectors of {} x {} like the documents', found {} x {}",
                                             same->heads, same->dims, vectors.heads, vectors.dims));
        }
        info.topics.push_back(std::move(topic));
    }
    return {};
}

Status checkTable(const Hdf5Reader& file, CacheInfo& info)
{
    const ChecksumTable& checksums = file.checksums();
    info.hasChecksums = !checksums.empty();
    if (!info.hasChecksums)
    {
        info.notices.emplace_back("this cache has no checksums: damage to its values cannot be detected");
        return {};
    }
    const auto present = checkedNames(file);
    JobContext unwatched; // attributes alone
    for (const auto& [name, digest] : checksums)
    {
        if (std::find(present.begin(), present.end(), name) == present.end())
            return badFormat(file, name, "the data that this checksum belongs to is missing: the file is damaged");
        if (name.ends_with('@'))
            HEADSCOPE_CHECK(file.verify(name, unwatched));
    }
    for (const std::string& name : present)
    {
        if (!checksums.contains(name))
            info.notices.push_back(fmt::format("{} has no checksum: damage cannot be detected", name));
    }
    return {};
}

} // namespace

Result<CacheInfo> readCacheInfo(const Hdf5Reader& file)
{
    CacheInfo info;
    info.fileBytes = file.fileBytes();
    HEADSCOPE_CHECK(checkFormat(file, info));
    HEADSCOPE_CHECK(checkTable(file, info));
    HEADSCOPE_CHECK(readModel(file, info.header.model));
    HEADSCOPE_CHECK(readRecord(file, "/", recordOf(info.header)));
    HEADSCOPE_CHECK(readEmbeddings(file, info));
    HEADSCOPE_CHECK(readTopicInfo(file, info));
    HEADSCOPE_TRY(info.header.range, readRangeGroup(file, info.documents));
    HEADSCOPE_CHECK(readAsks(file, info.header.asks));
    if (const auto& range = info.header.range)
        info.notices.push_back(fmt::format(
            "this cache has documents {} to {} of {}: headscope-engine merge joins all ranges into one cache",
            range->begin, range->end - 1, range->documents));
    info.hasTexts = file.has(schema::kTexts);
    for (const std::string& step : file.names(schema::kLabels))
        info.labels.push_back(schema::nameFromStep(step));
    for (const std::string& step : file.names(schema::kMaps))
    {
        const bool set = isMapSet(file, fmt::format("{}/{}", schema::kMaps, step));
        (set ? info.mapSets : info.maps).push_back(schema::nameFromStep(step));
    }
    return info;
}

} // namespace headscope
