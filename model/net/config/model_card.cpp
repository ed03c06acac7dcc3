// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/config/model_card.h"

#include "model/base/assert.h"
#include "model/base/hash.h"
#include "model/base/tensor_type.h"
#include "model/net/run/stream_costs.h"
#include "model/net/weights/weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

namespace headscope
{
namespace
{

constexpr std::uint64_t kShardBytes = std::uint64_t{64} << 20; ///< vectors that wait to be written
constexpr std::int64_t kUsualStages = 3;
constexpr std::int64_t kDefaultMaxTokens = 4096;

std::vector<std::filesystem::path> filesOf(const ModelFiles& files)
{
    std::vector<std::filesystem::path> paths;
    std::error_code unknown;
    const bool old = !std::filesystem::exists(files.folder / "tokenizer.json", unknown);
    if (!files.isGguf())
        for (const char* name : {"config.json", old ? "vocab.txt" : "tokenizer.json", "tokenizer_config.json",
                                 "model.safetensors.index.json"})
            paths.push_back(files.folder / name);
    for (const TensorFile& file : files.directory.files)
        paths.push_back(file.path);
    if (!files.adapter.pairs.empty()) // its scale
        paths.push_back(files.directory.files.back().path.parent_path() / kAdapterConfigName);
    std::erase_if(paths, [](const std::filesystem::path& path) {
        std::error_code ignored;
        return !std::filesystem::is_regular_file(path, ignored);
    });
    return paths;
}

void countParameters(const ModelFiles& files, ModelCard& card)
{
    std::map<TensorType, std::uint64_t> byType;
    for (const auto& [key, info] : files.tensors)
        byType[info.type] += info.elements();
    for (const auto& [type, count] : byType)
    {
        card.dtypes.emplace_back(tensorTypeName(type), count);
        card.parameters += count;
    }
    std::ranges::stable_sort(card.dtypes, std::ranges::greater(), &std::pair<std::string, std::uint64_t>::second);
    if (!card.dtypes.empty())
        card.dtype = card.dtypes.front().first;
}

/// The file's or folder's own name: general.name of GGUF files is often the name of a training run. A
/// folder of Hugging Face's cache is called by a checksum: models--ORG--NAME/snapshots/CHECKSUM.
std::string nameOf(const ModelFiles& files)
{
    const auto place = std::filesystem::absolute(files.path).lexically_normal();
    if (files.isGguf())
        return place.stem().string();
    const auto folder = place.has_filename() ? place : place.parent_path();
    const std::string repository = folder.parent_path().parent_path().filename().string();
    if (folder.parent_path().filename() == "snapshots" && repository.starts_with("models--"))
        return repository.substr(repository.rfind("--") + 2);
    return folder.filename().string();
}

} // namespace

std::vector<std::filesystem::path> placesOfModel(const ModelFiles& files)
{
    std::vector<std::filesystem::path> places = {files.folder / "config.json",
                                                 files.folder / "tokenizer.json",
                                                 files.folder / "tokenizer_config.json",
                                                 files.folder / "added_tokens.json",
                                                 files.folder / "special_tokens_map.json",
                                                 files.folder / "vocab.txt",
                                                 files.folder / kAdapterConfigName,
                                                 files.root / kAdapterConfigName,
                                                 files.folder / "model.safetensors",
                                                 files.folder / "model.safetensors.index.json"};
    for (const TensorFile& file : files.directory.files)
        places.push_back(file.path);
    std::ranges::move(sentenceFiles(files), std::back_inserter(places));
    return places;
}

Pooling ModelCard::defaultPooling() const
{
    const FamilyTraits* family = familyNamed(info.family);
    return sentence.pooling.value_or(family != nullptr ? family->pooling : Pooling::Last);
}

std::int64_t ModelCard::defaultMaxTokens() const
{
    const std::int64_t wanted = sentence.maxSequenceLength.value_or(kDefaultMaxTokens);
    return stretches && sentence.lengthIsOwn ? wanted : std::min(wanted, maxPositions);
}

std::uint64_t programBytes(const ModelConfig& config)
{
    constexpr std::uint64_t kLibraries = std::uint64_t{36} << 20;
    constexpr std::uint64_t kToken = 128; // its spelling, its merges
    return kLibraries + kToken * static_cast<std::uint64_t>(config.vocabulary);
}

MemoryEstimate estimateMemory(const ModelFiles& files, const ModelCardOptions& options)
{
    const ModelConfig& config = files.config;
    const std::int64_t lastLayer = options.lastLayer < 0 ? config.layers - 1 : options.lastLayer;
    const StreamCosts costs = streamCosts(files, lastLayer, kUsualStages * config.modelDim, options.threads);
    MemoryEstimate estimate;
    for (const auto& [key, info] : files.tensors)
    {
        if (isEmbeddingTable(key.role) || key.layer > lastLayer)
            continue; // tables are read row by row
        estimate.weights += info.elements() * sizeof(float);
        const bool isMapped = !files.adapter.pairs.contains(key) && Weights::usableInPlace(config, key, info);
        estimate.mapped += isMapped ? info.bytes : 0;
    }
    // Steps are full when they hold stepTokens: the last document goes beyond.
    const auto stepTokens = static_cast<std::uint64_t>(options.stepTokens + options.stepTokens / 4);
    const std::uint64_t activations =
        static_cast<std::uint64_t>(std::max(1, options.threads)) * stepTokens * costs.workPerToken;
    estimate.peak = estimate.weights + activations + options.vectorBytes + programBytes(config);
    estimate.streamed = costs.smallest(
        {.total = 0, .reserved = programBytes(config) + kShardBytes, .longestDocument = options.longestDocument},
        options.stepTokens);
    return estimate;
}

Status addHashes(const ModelFiles& files, ModelCard& card, JobContext& job)
{
    const auto paths = filesOf(files);
    HEADSCOPE_ASSERT(paths.size() == card.files.size());
    for (std::size_t i = 0; i < paths.size(); ++i)
    {
        HEADSCOPE_TRY(card.files[i].sha256, sha256OfFile(paths[i], job));
        card.info.sha256.emplace_back(card.files[i].name, card.files[i].sha256);
    }
    return {};
}

Result<ModelCard> makeModelCard(const ModelFiles& files, const ModelCardOptions& options, JobContext& job)
{
    const ModelConfig& config = files.config;
    ModelCard card;
    card.info.name = nameOf(files);
    card.info.path = files.path.string();
    card.info.family = familyName(config.family);
    card.info.layers = config.layers;
    card.info.heads = config.heads;
    card.info.kvHeads = config.kvHeads;
    card.info.headDim = config.headDim;
    card.info.modelDim = config.modelDim;
    card.info.vocabulary = config.vocabulary;
    card.maxPositions = config.maxTokens();
    card.stretches = config.rope.scaling == RopeScaling::Dynamic;
    card.causal = config.causal;
    card.windows = config.windows;
    countParameters(files, card);
    HEADSCOPE_TRY(card.sentence, readSentenceSettings(files));
    ModelCardOptions estimated = options;
    estimated.longestDocument = std::min(options.longestDocument, card.defaultMaxTokens());
    card.memory = estimateMemory(files, estimated);
    card.adapter = files.adapter.words();
    card.warnings = files.warnings;
    card.warnings.insert(card.warnings.end(), card.sentence.warnings.begin(), card.sentence.warnings.end());
    for (const std::filesystem::path& path : filesOf(files))
    {
        std::error_code ignored;
        card.files.push_back({path.filename().string(), std::filesystem::file_size(path, ignored), {}});
    }
    if (options.hashes)
        HEADSCOPE_CHECK(addHashes(files, card, job));
    return card;
}

} // namespace headscope
