// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/importance_results.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// What a summand of a text's vector comes from.
enum class PartKind
{
    Token, ///< the embedding of its tokens, with what belongs to positions
    Head,
    OutputBias, ///< the bias of a layer's o_proj, which belongs to no head
    Mlp,
    NormBiasAttention, ///< of a post-norm encoder: the bias of the norm behind attention
    NormBiasMlp,       ///< likewise, behind the MLP
};

/// A summand.
struct VectorPart
{
    PartKind kind = PartKind::Token;
    std::int64_t layer = 0; ///< of the token without a meaning
    std::int64_t head = 0;  ///< from 0; of a Head alone

    friend bool operator==(const VectorPart&, const VectorPart&) = default;
};

/// All summands of a model's vectors: token, heads layer by layer, then of every layer the bias of o_proj, the MLP, and
/// where there are any the biases of its norms.
[[nodiscard]] std::vector<VectorPart> vectorParts(std::int64_t layers, std::int64_t heads, bool normBiases);

/// As tables call it, beside its layer: a head's number from 1, "token", "o_bias", "mlp", ...
[[nodiscard]] std::string partName(const VectorPart& part);
/// The inverse; nothing for a name that is none.
[[nodiscard]] std::optional<VectorPart> partOfName(std::string_view name, std::int64_t layer);

/// What a summand is to the vectors of documents: its direct effect over their length, mean over documents.
struct PartShare
{
    VectorPart part;
    Estimate share;   ///< all sum to 1
    Estimate centred; ///< the same of vectors and parts without their means over the documents
};

/// What a summand does to the cosine of two documents.
struct PairTerm
{
    VectorPart part;
    double value = 0;   ///< of the first document's part, the second document's vector held; all sum to the cosine
    double reverse = 0; ///< of the second document's part, likewise
};

struct PairContribution
{
    std::string first;    ///< ids
    std::string second;   ///< likewise
    double cosine = 0;    ///< of the vectors as the model computes them, without their mean where they are centred
    bool centred = false; ///< the mean over the documents is subtracted from vectors and parts
    std::vector<PairTerm> terms;
    std::string firstText{}; ///< beginnings of both texts; empty: not known
    std::string secondText{};
};

/// What the vectors of documents are made of.
struct ContributionsResult
{
    std::string model;       ///< its name
    std::string pooling;     ///< "last", "first", "mean"
    bool frozen = false;     ///< norms stand in the stream: a part is what is left of it with all norms frozen
    bool outputBias = false; ///< the model has biases of o_proj
    std::int64_t documents = 0;
    std::int64_t layers = 0;
    std::int64_t heads = 0;
    std::int64_t kvHeads = 0;
    std::vector<PartShare> parts; ///< empty where a pair was asked for
    std::optional<PairContribution> pair;
    /// Largest distance of a document's sum of parts from its vector along the vector, in lengths of the vector; with a
    /// pair that of the sum of terms from the cosine.
    double additiveError = std::numeric_limits<double>::quiet_NaN();
};

} // namespace headscope
