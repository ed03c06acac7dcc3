// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/stage.h"

#include <algorithm>

namespace headscope
{
namespace
{

struct StageWords
{
    Stage stage;
    std::string_view name;
    std::string_view dataset;
    std::string_view unit;
    std::string_view description;
};

constexpr std::array kWords = {
    StageWords{Stage::HeadOutput, "1", "stage1", "head", "Head outputs before o_proj: true heads, not yet combined"},
    StageWords{Stage::ProjectedSegment, "2", "stage2", "segment",
               "Output of o_proj before the residual, split into as many segments as there are heads; every head "
               "contributes to each segment"},
    StageWords{Stage::OutputSegment, "3", "stage3", "segment",
               "Output of the layer, split into as many segments as there are heads; all heads and the MLP contribute "
               "to each segment"},
    StageWords{Stage::Contribution, "contribution", "contribution", "head",
               "Contribution of each head to the output of o_proj"},
    StageWords{Stage::Embedding, "embedding", "final", "embedding",
               "The sentence embedding: the pooled hidden state after the model's modules"},
};

const StageWords& wordsOf(Stage stage)
{
    return *std::find_if(kWords.begin(), kWords.end(), [stage](const StageWords& w) { return w.stage == stage; });
}

bool isSegments(Stage stage)
{
    return wordsOf(stage).unit == "segment";
}

} // namespace

std::string_view stageName(Stage stage)
{
    return wordsOf(stage).name;
}

std::optional<Stage> stageFromName(std::string_view name)
{
    for (const StageWords& words : kWords)
        if (words.name == name)
            return words.stage;
    return std::nullopt;
}

std::string_view stageDataset(Stage stage)
{
    return wordsOf(stage).dataset;
}

std::string_view unitName(Stage stage)
{
    return wordsOf(stage).unit;
}

std::string_view unitName(std::span<const Stage> stages)
{
    const bool segments = std::any_of(stages.begin(), stages.end(), isSegments);
    return segments ? std::all_of(stages.begin(), stages.end(), isSegments) ? "segment" : "head or segment" : "head";
}

std::string_view unitNames(std::span<const Stage> stages)
{
    const bool segments = std::any_of(stages.begin(), stages.end(), isSegments);
    return segments ? std::all_of(stages.begin(), stages.end(), isSegments) ? "segments" : "heads or segments"
                    : "heads";
}

std::string_view stageDescription(Stage stage)
{
    return wordsOf(stage).description;
}

} // namespace headscope
