// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/base/strong_index.h"
#include "model/net/config/model_config.h"
#include "model/net/forward/layer.h"
#include "model/net/weights/weights.h"

#include <cstdint>
#include <vector>

namespace headscope
{

/// Heads of one layer whose outputs (stage 1) are set to the same numbers at every token of every text.
struct HeadsOff
{
    std::vector<HeadIndex> heads; ///< ascending, none twice
    std::vector<float> values;    ///< [heads, Dh]; empty: zero

    friend bool operator==(const HeadsOff&, const HeadsOff&) = default;
};

/// What is changed in a model while it runs. Its files stay as they are, and so do the biases of o_proj.
struct ModelEdit
{
    std::vector<HeadsOff> off; ///< [L], or empty: no head is off
    /// [L], or empty: the key and value heads of each layer; 0: those of the model. Where there are fewer, the
    /// projections of neighbouring heads are averaged, where there are more, repeated, which changes nothing.
    std::vector<std::int64_t> groups;

    /// The first layer whose output differs from that of the model; L where none does.
    [[nodiscard]] std::int64_t firstLayer(const ModelConfig& config) const;
    friend bool operator==(const ModelEdit&, const ModelEdit&) = default;
};

/// Numbers of key and value heads that those of a model can be brought to, ascending: its own among them.
[[nodiscard]] std::vector<std::int64_t> possibleGroups(std::int64_t heads, std::int64_t kvHeads);

/// @errors InvalidArgument: layers, heads or groups that the model does not have, values of another size
[[nodiscard]] Status checkEdit(const ModelConfig& config, const ModelEdit& edit);

/// Changes the weights of a layer on the device of `ops` as the edit says.
/// @param weights  hold this layer
/// @cost   a copy of the layer's key and value projections where it is regrouped
void editLayer(Operations& ops, const Weights& weights, LayerIndex layer, const ModelEdit& edit, LayerTensors& tensors);

} // namespace headscope
