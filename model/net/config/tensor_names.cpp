// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/config/tensor_names.h"

#include <algorithm>
#include <charconv>

namespace headscope
{
namespace
{

std::string_view withoutPrefix(std::string_view name, ModelFamily family, TensorNaming naming)
{
    const std::string_view prefix = traitsOf(family).tensorPrefix;
    if (naming == TensorNaming::HuggingFace && name.starts_with(prefix))
        name.remove_prefix(prefix.size());
    return name;
}

/// Whether a name is the pattern, begins as "a.*" or ends as "*.a" says.
bool fits(std::string_view name, std::string_view pattern)
{
    if (pattern.ends_with('*'))
        return name.starts_with(pattern.substr(0, pattern.size() - 1));
    return pattern.starts_with('*') ? name.ends_with(pattern.substr(1)) : name == pattern;
}

/// Splits "layers.12.mlp" into "layers.N.mlp" and 12. Names without a number are left as they are.
std::string patternOf(std::string_view name, std::int64_t& layer)
{
    layer = 0;
    for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.', dot + 1))
    {
        const std::size_t end = std::min(name.find('.', dot + 1), name.size());
        const std::string_view piece = name.substr(dot + 1, end - dot - 1);
        const auto read = std::from_chars(piece.data(), piece.data() + piece.size(), layer);
        const bool canonical = piece == "0" || !piece.starts_with('0');
        if (!piece.empty() && read.ec == std::errc() && read.ptr == piece.data() + piece.size() && layer >= 0 &&
            canonical)
            return std::string(name.substr(0, dot + 1)).append("N").append(name.substr(end));
        layer = 0;
    }
    return std::string(name);
}

} // namespace

std::optional<TensorKey> tensorKey(std::string_view name, ModelFamily family, TensorNaming naming)
{
    name = withoutPrefix(name, family, naming);
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos)
        return std::nullopt;
    const std::string_view kind = name.substr(dot + 1);
    TensorKey key;
    // Very old BERT checkpoints call the weight and bias of a layer norm gamma and beta.
    const bool oldNorm = name.substr(0, dot).ends_with("LayerNorm");
    if (kind == "bias" || (oldNorm && kind == "beta"))
        key.bias = true;
    else if (kind != "weight" && !(oldNorm && kind == "gamma"))
        return std::nullopt;
    const std::string pattern = patternOf(name.substr(0, dot), key.layer);
    for (const TensorName& row : traitsOf(family).tensors)
    {
        const std::string_view known = naming == TensorNaming::Gguf ? row.gguf : row.huggingFace;
        if (!known.empty() && known == pattern)
        {
            key.role = row.role;
            return key;
        }
    }
    return std::nullopt;
}

std::vector<TensorKey> tensorParts(const TensorKey& key, ModelFamily family, TensorNaming naming)
{
    std::vector<TensorKey> parts;
    const std::string name = tensorName(key, family, naming);
    for (const TensorName& row : traitsOf(family).tensors)
        if (const TensorKey part{row.role, key.layer, key.bias}; tensorName(part, family, naming) == name)
            parts.push_back(part);
    return parts;
}

bool isInLayer(std::string_view name, ModelFamily family, TensorNaming naming)
{
    if (name.find("layers.") != std::string_view::npos || name.find("layer.") != std::string_view::npos)
        return true;
    name = withoutPrefix(name, family, naming);
    return std::ranges::any_of(traitsOf(family).tensors, [&](const TensorName& row) {
        const std::string_view pattern = naming == TensorNaming::Gguf ? row.gguf : row.huggingFace;
        const std::size_t number = pattern.find(".N.");
        return number != std::string_view::npos && name.starts_with(pattern.substr(0, number + 1));
    });
}

std::string tensorName(const TensorKey& key, ModelFamily family, TensorNaming naming)
{
    std::string name;
    for (const TensorName& row : traitsOf(family).tensors)
        if (row.role == key.role)
            name = naming == TensorNaming::Gguf ? row.gguf : row.huggingFace;
    if (const std::size_t at = name.find(".N."); at != std::string::npos)
        name.replace(at + 1, 1, std::to_string(key.layer));
    return name + (key.bias ? ".bias" : ".weight");
}

bool isIgnoredTensor(std::string_view name, ModelFamily family, TensorNaming naming)
{
    if (naming == TensorNaming::Gguf)
        return name == "output.weight" || name == "output.bias" || name.starts_with("dense_"); // sentence_files
    name = withoutPrefix(name, family, naming);
    return std::ranges::any_of(traitsOf(family).unused,
                               [name](std::string_view pattern) { return fits(name, pattern); });
}

TensorShape expectedShape(const TensorKey& key, const ModelConfig& config)
{
    const std::int64_t qWidth = config.heads * config.headDim;
    const std::int64_t kvWidth = config.kvHeads * config.headDim;
    const auto weight = [&]() -> TensorShape {
        switch (key.role)
        {
        case TensorRole::EmbedTokens:
            return {config.vocabulary, config.modelDim};
        case TensorRole::EmbedPositions:
            return {config.maxPositions, config.modelDim};
        case TensorRole::EmbedTypes:
            return {config.tokenTypes, config.modelDim};
        case TensorRole::RopeFactors:
        case TensorRole::RopeShortFactors:
        case TensorRole::RopeLongFactors:
            return {1, config.rotaryDim(config.rope) / 2, true};
        case TensorRole::RelativeBias:
            return {kRelativeBuckets, config.heads};
        case TensorRole::QNorm:
        case TensorRole::KNorm:
            return {1, config.headDim, true};
        case TensorRole::Q:
            return {qWidth, config.modelDim};
        case TensorRole::K:
        case TensorRole::V:
            return {kvWidth, config.modelDim};
        case TensorRole::O:
            return {config.modelDim, qWidth};
        case TensorRole::Gate:
        case TensorRole::Up:
            return {config.mlpDim, config.modelDim};
        case TensorRole::Down:
            return {config.modelDim, config.mlpDim};
        default: // the norms of the residual stream
            return {1, config.modelDim, true};
        }
    };
    const TensorShape shape = weight();
    return key.bias && !shape.vector ? TensorShape{1, shape.rows, true} : shape;
}

} // namespace headscope
