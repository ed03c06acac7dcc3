// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace headscope
{

/// Where in a layer a head vector was taken (model/io/FORMAT.md, section 1).
enum class Stage
{
    HeadOutput,       ///< stage 1: input of o_proj, [H, Dh]: true heads
    ProjectedSegment, ///< stage 2: output of o_proj before the residual, cut into H segments
    OutputSegment,    ///< stage 3: the layer's output, cut into H segments; of the last layer see last_layer.h
    Contribution,     ///< W_o[:, h] z_h, [H, Dm]: what each head adds to stage 2
    Embedding,        ///< the sentence embedding, [1, D]: what modules make of the pooled hidden state
};

inline constexpr std::array kStages = {Stage::HeadOutput, Stage::ProjectedSegment, Stage::OutputSegment};

/// "1", "2", "3", "contribution" or "embedding", as commands and files name it.
[[nodiscard]] std::string_view stageName(Stage stage);
/// The inverse of stageName.
[[nodiscard]] std::optional<Stage> stageFromName(std::string_view name);
/// "stage1" ... as the cache names its dataset; "final" of the embedding, which is beside the layers.
[[nodiscard]] std::string_view stageDataset(Stage stage);
/// "head", "segment" or "embedding": what one row of this stage may be called.
[[nodiscard]] std::string_view unitName(Stage stage);
/// The same of several stages: "head", "segment", or "head or segment" where both are among them.
[[nodiscard]] std::string_view unitName(std::span<const Stage> stages);
/// "heads", "segments", "heads or segments".
[[nodiscard]] std::string_view unitNames(std::span<const Stage> stages);
/// One sentence for people: what the stage holds.
[[nodiscard]] std::string_view stageDescription(Stage stage);

} // namespace headscope
