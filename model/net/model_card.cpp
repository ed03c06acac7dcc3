// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/model_card.h"

#include "model/base/hash.h"
#include "model/base/tensor_type.h"
#include "model/net/stream_costs.h"

#include <algorithm>
#include <map>
#include <set>

namespace headscope
{
namespace
{

constexpr std::uint64_t kShardBytes = std::uint64_t{64} << 20; ///< vectors that wait to be written
constexpr std::int64_t kUsualStages = 3;
constexpr std::int64_t kDefaultMaxTokens = 4096;

bool isTable(TensorRole role)
{
    return role == TensorRole::EmbedTokens || role == TensorRole::EmbedPositions || role == TensorRole::EmbedTypes;
}

std::vector<std::filesystem::path> filesOf(const ModelFiles& files)
{
    std::vector<std::filesystem::path> paths;
    if (!files.isGguf())
        for (const char* name :
             {"config.json", "tokenizer.json", "tokenizer_config.json", "model.safetensors.index.json"})
            paths.push_back(files.folder / name);
    for (const TensorFile& file : files.directory.files)
        paths.push_back(file.path);
    std::erase_if(paths, [](const std::filesystem::path& path) {
        std::error_code ignored;
        return !std::filesystem::is_regular_file(path, ignored);
    });
    return paths;
}

void countParameters(const ModelFiles& files, ModelCard& card)
{
    std::map<TensorType, std::uint64_t> byType;
    for (const auto& [key, index] : files.tensors)
        byType[files.directory.tensors[index].type] += files.directory.tensors[index].elements();
    for (const auto& [type, count] : byType)
    {
        card.dtypes.emplace_back(tensorTypeName(type), count);
        card.parameters += count;
    }
    std::ranges::stable_sort(card.dtypes, std::ranges::greater(), &std::pair<std::string, std::uint64_t>::second);
    if (!card.dtypes.empty())
        card.dtype = card.dtypes.front().first;
}

} // namespace

Pooling ModelCard::defaultPooling() const
{
    return sentence.pooling.value_or(info.family == familyName(ModelFamily::Bert) ? Pooling::Mean : Pooling::Last);
}

std::int64_t ModelCard::defaultMaxTokens() const
{
    return std::min(sentence.maxSequenceLength.value_or(kDefaultMaxTokens), maxPositions);
}

MemoryEstimate estimateMemory(const ModelFiles& files, const CardOptions& options)
{
    const ModelConfig& config = files.config;
    const std::int64_t lastLayer = options.lastLayer < 0 ? config.layers - 1 : options.lastLayer;
    MemoryEstimate estimate;
    std::uint64_t converted = 0; // bytes of the file that are read once and turned
    for (const auto& [key, index] : files.tensors)
    {
        const TensorInfo& info = files.directory.tensors[index];
        if (isTable(key.role))
            estimate.weights += info.bytes; // read row by row, as they are stored
        else if (key.layer <= lastLayer)
        {
            estimate.weights += info.elements() * sizeof(float);
            converted += info.type == TensorType::F32 ? 0 : info.bytes;
        }
    }
    // Of one worker's step: residual, norm, q k v, heads, o, gate and up, their product.
    const std::int64_t perToken =
        4 * config.modelDim + (2 * config.heads + 2 * config.kvHeads) * config.headDim + 3 * config.mlpDim;
    const auto workers = static_cast<std::uint64_t>(std::max(1, options.threads));
    const auto activations = workers * static_cast<std::uint64_t>(2 * options.stepTokens * perToken) * sizeof(float);
    // Pages of the file stay resident while it is read, and as long as nothing else wants them.
    estimate.peak = estimate.weights + activations + converted + kProgramBytes;
    return estimate;
}

Result<ModelCard> makeModelCard(const ModelFiles& files, const CardOptions& options, JobContext& job)
{
    const ModelConfig& config = files.config;
    ModelCard card;
    // The file's or folder's own name: general.name of GGUF files is often the name of a training run.
    const auto place = std::filesystem::absolute(files.path).lexically_normal();
    if (files.isGguf())
        card.info.name = place.stem().string();
    else
        card.info.name = (place.has_filename() ? place : place.parent_path()).filename().string();
    card.info.path = files.path.string();
    card.info.family = familyName(config.family);
    card.info.layers = config.layers;
    card.info.heads = config.heads;
    card.info.kvHeads = config.kvHeads;
    card.info.headDim = config.headDim;
    card.info.modelDim = config.modelDim;
    card.info.vocabulary = config.vocabulary;
    card.mlpDim = config.mlpDim;
    card.maxPositions = config.maxPositions;
    card.causal = config.causal;
    card.windows = config.windows;
    countParameters(files, card);
    card.memory = estimateMemory(files, options);
    card.sentence = readSentenceSettings(files);
    const StreamCosts costs = streamCosts(files, options.lastLayer, kUsualStages * config.modelDim, options.threads);
    card.memory.streamed = costs.smallest(
        {.total = 0, .reserved = kProgramBytes + kShardBytes, .longestDocument = card.defaultMaxTokens()},
        options.stepTokens);
    card.warnings = files.warnings;
    card.warnings.insert(card.warnings.end(), card.sentence.warnings.begin(), card.sentence.warnings.end());
    for (const std::filesystem::path& path : filesOf(files))
    {
        std::error_code ignored;
        CardFile file{path.filename().string(), std::filesystem::file_size(path, ignored), {}};
        if (options.hashes)
        {
            HEADSCOPE_TRY(file.sha256, sha256OfFile(path, job));
            card.info.sha256.emplace_back(file.name, file.sha256);
        }
        card.files.push_back(std::move(file));
    }
    return card;
}

} // namespace headscope
