// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/circuits/contributions_frame.h"

#include "model/data/frame/place_columns.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <system_error>
#include <utility>

namespace headscope
{
namespace
{

using S = Shown;
using enum Facet;

constexpr std::string_view kPartDefinition =
    "What the part comes from: a head (index from 1), token (embedding of the tokens), o_bias (bias of the output "
    "projection), mlp, or norm_bias_attention and norm_bias_mlp (biases of an encoder's norms)";

// clang-format off
constexpr ColumnInfo kPartColumns[] = {
    {"layer", "Layer", "", "Index of the layer (from 0); none for the token embeddings", "", S::Index},
    {"head", "Part", "", kPartDefinition, "", S::Stage},
    {"share", "Share", "",
     "Inner product of the part with the document's vector, divided by the squared length of the vector, mean over "
     "documents; all parts sum to 1",
     "It mostly reflects the direction that all documents share, and it does not include what later layers do with "
     "the part",
     S::Fixed},
    {"centered_share", "Share (centred)", "",
     "The same share after the mean over the documents is subtracted from vectors and parts",
     "It does not include what later layers do with the part", S::Fixed},
};
constexpr ColumnInfo kTermColumns[] = {
    {"layer", "Layer", "", "Index of the layer (from 0); none for the token embeddings", "", S::Index},
    {"head", "Part", "", kPartDefinition, "", S::Stage},
    {"value", "Part of the cosine", "",
     "Inner product of the first document's part with the second document's vector, divided by the product of the "
     "lengths of both vectors; all parts sum to the cosine",
     "It mostly reflects the direction that all documents share", S::Fixed},
    {"share", "Share of the cosine", "", "The part of the cosine divided by the cosine; all shares sum to 1",
     "It is large for all parts if the cosine is near 0", S::Fixed},
    {"reverse", "Reverse", "", "The same product for the second document's part and the first document's vector", "",
     S::Fixed},
};
constexpr Slot kPartTexts[] = {{"layer", Value, {}, 5}, {"head", Value, "part", 6}, {"share", Span, {}, 26},
    {"centered_share", Span, {}, 26}};
// clang-format on
constexpr std::array<Slots, 1> kTexts = {kPartTexts};

constexpr std::array<std::pair<PartKind, std::string_view>, 5> kPartNames = {
    {{PartKind::Token, "token"},
     {PartKind::OutputBias, "o_bias"},
     {PartKind::Mlp, "mlp"},
     {PartKind::NormBiasAttention, "norm_bias_attention"},
     {PartKind::NormBiasMlp, "norm_bias_mlp"}}};

/// The rows of a list whose parts the model has.
template <class T>
std::vector<T> present(const std::vector<T>& rows, bool outputBias)
{
    std::vector<T> kept;
    for (const T& row : rows)
        if (outputBias || row.part.kind != PartKind::OutputBias)
            kept.push_back(row);
    return kept;
}

template <class T>
Frame placesFrame(const FrameInfo& about, const std::vector<T>& rows)
{
    Frame frame(about);
    frame.add("layer", columnValues(rows, [](const T& row) {
                  return row.part.kind == PartKind::Token ? kNoCount : row.part.layer;
              }));
    frame.add("head", columnValues(rows, [](const T& row) { return partName(row.part); }));
    return frame;
}

} // namespace

constinit const FrameInfo kPartsFrame = {
    .key = "parts", .columns = kPartColumns, .shape = JsonShape::Flat, .fileBlank = '_', .texts = kTexts};
constinit const FrameInfo kTermsFrame = {.key = "terms", .columns = kTermColumns, .fileBlank = '_'};

std::string partName(const VectorPart& part)
{
    for (const auto& [kind, name] : kPartNames)
        if (part.kind == kind)
            return std::string(name);
    return std::to_string(part.head + 1);
}

std::optional<VectorPart> partOfName(std::string_view name, std::int64_t layer)
{
    for (const auto& [kind, known] : kPartNames)
        if (name == known)
            return VectorPart{kind, kind == PartKind::Token ? 0 : layer, 0};
    std::int64_t head = 0;
    const auto end = std::from_chars(name.data(), name.data() + name.size(), head);
    if (end.ec != std::errc() || end.ptr != name.data() + name.size() || head < 1)
        return {};
    return VectorPart{PartKind::Head, layer, head - 1};
}

std::vector<VectorPart> vectorParts(std::int64_t layers, std::int64_t heads, bool normBiases)
{
    std::vector<VectorPart> parts = {{PartKind::Token, 0, 0}};
    for (std::int64_t layer = 0; layer < layers; ++layer)
        for (std::int64_t head = 0; head < heads; ++head)
            parts.push_back({PartKind::Head, layer, head});
    for (const PartKind kind : {PartKind::OutputBias, PartKind::Mlp})
        for (std::int64_t layer = 0; layer < layers; ++layer)
            parts.push_back({kind, layer, 0});
    for (std::int64_t layer = 0; normBiases && layer < layers; ++layer)
        for (const PartKind kind : {PartKind::NormBiasAttention, PartKind::NormBiasMlp})
            parts.push_back({kind, layer, 0});
    return parts;
}

Frame partsFrame(const ContributionsResult& result)
{
    const auto rows = present(result.parts, result.outputBias);
    Frame frame = placesFrame(kPartsFrame, rows);
    const auto add = [&](std::string_view key, Estimate PartShare::*member) {
        frame.add(key, columnValues(rows, [member](const PartShare& row) { return (row.*member).value; }))
            .interval(columnValues(rows, [member](const PartShare& row) { return (row.*member).ci95; }));
    };
    add("share", &PartShare::share);
    add("centered_share", &PartShare::centred);
    return frame;
}

Frame termsFrame(const ContributionsResult& result)
{
    return termsFrame(present(result.pair->terms, result.outputBias), result.pair->cosine);
}

Frame termsFrame(const std::vector<PairTerm>& terms, double cosine)
{
    Frame frame = placesFrame(kTermsFrame, terms);
    frame.add("value", columnValues(terms, &PairTerm::value));
    frame.add("share", columnValues(terms, [cosine](const PairTerm& term) {
                  return cosine == 0 ? std::numeric_limits<double>::quiet_NaN() : term.value / cosine;
              }));
    frame.add("reverse", columnValues(terms, &PairTerm::reverse));
    return frame;
}

std::vector<PairTerm> headTerms(const PairContribution& pair)
{
    std::vector<PairTerm> heads;
    std::ranges::copy_if(pair.terms, std::back_inserter(heads),
                         [](const PairTerm& term) { return term.part.kind == PartKind::Head; });
    std::ranges::stable_sort(heads, std::ranges::greater(), &PairTerm::value);
    return heads;
}

} // namespace headscope
