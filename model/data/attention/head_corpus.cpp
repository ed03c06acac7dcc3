// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/attention/head_corpus.h"

#include "model/base/assert.h"
#include "model/base/fields/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace headscope
{
namespace
{

constexpr std::array<std::int64_t, 3> kTokenCounts = {2'000, 5'000, 20'000};
constexpr std::array kTokenWords = {FieldWord{"2000", "2,000 tokens"}, FieldWord{"5000", "5,000 tokens"},
                                    FieldWord{"20000", "20,000 tokens"}};

/// Tokens by activation, equal ones by their place.
std::vector<std::int64_t> byActivation(std::span<const float> activations)
{
    std::vector<std::int64_t> order(activations.size());
    std::iota(order.begin(), order.end(), std::int64_t{0});
    std::ranges::sort(order, [&](std::int64_t a, std::int64_t b) {
        const float left = activations[static_cast<std::size_t>(a)];
        const float right = activations[static_cast<std::size_t>(b)];
        return left != right ? left < right : a < b;
    });
    return order;
}

/// The first rank of a decile.
std::size_t firstRank(std::size_t decile, std::size_t tokens)
{
    return (decile * tokens + kDeciles - 1) / kDeciles;
}

} // namespace

std::string HeadCorpusSource::differenceFrom(const HeadCorpusSource& other) const
{
    const auto differs = [](std::string_view what, const auto& here, const auto& there) {
        return fmt::format("expected {} {}, found {}", what, here, there);
    };
    if (!std::ranges::is_permutation(model.sha256, other.model.sha256)) // files of a model have no order
        return fmt::format("expected files of the model {}, found files of {}", model.name, other.model.name);
    if (tokenizerSha256 != other.tokenizerSha256)
        return differs("the tokenizer with SHA-256", tokenizerSha256, other.tokenizerSha256);
    if (layer != other.layer)
        return differs("layer", layer.value(), other.layer.value());
    if (head != other.head)
        return differs("head", shownNumber(head), shownNumber(other.head));
    if (cacheIdentity != other.cacheIdentity)
        return "expected the documents of the same cache, found documents of another cache";
    if (prompt != other.prompt)
        return differs("the prompt", prompt, other.prompt);
    if (eos != other.eos)
        return differs("--eos", eos, other.eos);
    if (specialTokens != other.specialTokens)
        return differs("--special-tokens", specialTokens, other.specialTokens);
    if (maxTokens != other.maxTokens)
        return differs("--max-tokens", maxTokens, other.maxTokens);
    if (sampleTokens != other.sampleTokens)
        return differs("--sample-tokens", sampleTokens, other.sampleTokens);
    if (seed != other.seed)
        return differs("--seed", seed, other.seed);
    if (device != other.device)
        return differs("--device", device, other.device);
    return {};
}

TokenPlace HeadCorpus::placeOf(std::int64_t token) const
{
    HEADSCOPE_ASSERT(token >= 0 && token < tokenCount());
    const auto next = std::ranges::upper_bound(offsets, token);
    const std::int64_t document = next - offsets.begin() - 1;
    return {DocumentIndex(document), TokenIndex(token - offsets[static_cast<std::size_t>(document)])};
}

std::string_view HeadCorpus::spellingOf(std::int32_t id) const
{
    const auto found = std::ranges::lower_bound(vocabulary, id);
    if (found == vocabulary.end() || *found != id)
        return {};
    return spellings[static_cast<std::size_t>(found - vocabulary.begin())];
}

std::array<float, kDeciles + 1> decileBounds(std::span<const float> activations)
{
    HEADSCOPE_ASSERT(!activations.empty());
    std::vector<float> sorted(activations.begin(), activations.end());
    std::ranges::sort(sorted);
    std::array<float, kDeciles + 1> bounds{};
    for (std::size_t decile = 0; decile < kDeciles; ++decile)
        bounds[decile] = sorted[std::min(firstRank(decile, sorted.size()), sorted.size() - 1)];
    bounds[kDeciles] = sorted.back();
    return bounds;
}

std::vector<std::uint8_t> decilesOf(std::span<const float> activations)
{
    const auto order = byActivation(activations);
    std::vector<std::uint8_t> deciles(activations.size());
    for (std::size_t decile = 0; decile < kDeciles; ++decile)
        for (std::size_t rank = firstRank(decile, order.size()); rank < firstRank(decile + 1, order.size()); ++rank)
            deciles[static_cast<std::size_t>(order[rank])] = static_cast<std::uint8_t>(decile);
    return deciles;
}

std::int64_t countOf(MappedTokens tokens)
{
    return kTokenCounts[static_cast<std::size_t>(tokens)];
}

void fields(Fields& f, HeadCorpusChoices& o, const ModelInfo& model)
{
    const auto last = static_cast<double>(std::max<std::int64_t>(1, model.layers) - 1);
    const auto heads = static_cast<double>(std::max<std::int64_t>(1, model.heads));
    f("layer", o.layer)
        .label("Layer", "Any layer of the model, including layers that are not in the cache.")
        .within(0, last)
        .offers(0, last);
    f("head", o.head).label("Head", "Index of the head in this layer (from 1).").within(1, heads).offers(1, heads);
    f("tokens", o.tokens, kTokenWords)
        .label("Tokens in the map", "Number of sampled tokens on the map. More tokens take longer.");
}

} // namespace headscope
