// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/matrix.h"
#include "model/data/model_info.h"
#include "model/data/origin.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

/// Where the attention that is shown comes from.
enum class AttentionMaker
{
    Model,  ///< the engine that stays, just now
    Stored, ///< a run that came with the program
};

/// Queries, keys, values and outputs of a layer, of every token, the heads side by side.
struct LayerVectors
{
    LayerIndex layer;
    MatrixF q; ///< [T, H Dh], after norms and rotation
    MatrixF k; ///< [T, KV Dh], likewise
    MatrixF v; ///< [T, KV Dh]
    MatrixF z; ///< [T, H Dh] stage 1
    /// [H, 2 D + 1], what is added to their scores by the distance of key and query, from -D to D; keys that are
    /// farther count as D away. Empty: nothing is.
    MatrixF bias{};

    /// Of the score of a head; 0 where nothing is added.
    [[nodiscard]] double biasAt(HeadIndex head, TokenIndex query, TokenIndex key) const;
};

/// The weights of one head, row = query, column = key, 0 where it may not look.
struct HeadWeights
{
    LayerIndex layer;
    HeadIndex head;
    std::shared_ptr<const MatrixF> rows; ///< [T, T]
};

/// What the products of queries and keys become before the softmax.
struct ScoreRule
{
    double scalar = 0;  ///< they are divided by its root, as a rule the head dimension; 0 = that
    double softcap = 0; ///< c: then bent to c tanh(score / c); 0 = not
};

/// Attention of one text through one model, as views show it. Never changed once it is handed out: what is fetched
/// later (weights of more heads, vectors of another layer) comes in a copy that shares what was there.
/// Of long texts only thumbnails of all heads and the weights of those asked for are held.
struct AttentionRun
{
    /// What it was made from: model files, changes in the model, tokens. Equal in all copies of one run; views compare
    /// it before they show what belongs to it.
    Origin origin;
    AttentionMaker maker = AttentionMaker::Model;
    std::string storedName; ///< of a stored run: how it is offered; else ""
    ModelInfo model;        ///< with the digests of its files and what was changed in it while this was computed
    bool causal = true;
    ScoreRule scores;

    std::string text; ///< as it was typed
    /// The document of the open cache that this text is, and the origin of that cache; none: a text of its own.
    std::optional<DocumentIndex> document;
    Origin documentOrigin;
    std::vector<std::int32_t> ids;   ///< [T]
    std::vector<std::string> tokens; ///< [T] what they spell, valid UTF-8; parts of a character as "<F0>"
    bool truncated = false;

    std::vector<LayerIndex> layers; ///< [Ls] ascending: all of the model, or those that were asked for
    /// [Ls H, n n], n = thumbnailSide: mean weight of the entries that a pixel covers and the head may see; of texts
    /// with T <= n (then n = T) the weights themselves.
    MatrixF thumbnails;
    std::int64_t thumbnailSide = 0;
    std::vector<HeadWeights> weights; ///< of all layers and heads where the text is short
    /// [Ls, H] by the names that files and JSON have: "entropy", "first_token", ... (NaN: not defined for this text).
    std::map<std::string, MatrixD> statistics;
    std::vector<std::shared_ptr<const LayerVectors>> vectors; ///< of the layers that were asked for
    double seconds = 0;                                       ///< that computing took; 0: stored

    [[nodiscard]] std::int64_t tokenCount() const { return static_cast<std::int64_t>(ids.size()); }
    /// The place of a layer in `layers`; none: it was not asked for.
    [[nodiscard]] std::optional<std::size_t> placeOf(LayerIndex layer) const;
    /// [T, T]; null: not held.
    [[nodiscard]] const MatrixF* weightsOf(LayerIndex layer, HeadIndex head) const;
    /// [n, n]; the layer must be one of `layers`.
    [[nodiscard]] ConstMatrixView thumbnail(LayerIndex layer, HeadIndex head) const;
    /// Null: not held.
    [[nodiscard]] const LayerVectors* vectorsOf(LayerIndex layer) const;
};

using AttentionRunPtr = std::shared_ptr<const AttentionRun>;

/// What a run is made from, as one value: the digests of the model's files, what was changed in it, and the tokens.
/// A model without digests goes by its name and sizes.
[[nodiscard]] Origin attentionOrigin(const ModelInfo& model, std::span<const std::int32_t> ids);

} // namespace headscope
