// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/last_layer.h"

#include "model/data/model_family.h"

namespace headscope
{

bool hasFinalNorm(const ModelInfo& model)
{
    const FamilyTraits* traits = familyNamed(model.family);
    return traits == nullptr || traits->hasFinalNorm();
}

bool afterFinalNorm(const ModelInfo& model, LayerIndex layer, Stage stage)
{
    return stage == Stage::OutputSegment && layer.value() + 1 == model.layers && hasFinalNorm(model) &&
           !model.lastLayerRaw;
}

std::string_view finalNormNote(const ModelInfo& model, LayerIndex layer, Stage stage)
{
    if (stage != Stage::OutputSegment || layer.value() + 1 != model.layers || !hasFinalNorm(model))
        return "";
    return model.lastLayerRaw ? "before the final norm" : "after the final norm";
}

std::string finalHiddenState(const ModelInfo& model, std::string_view pooling)
{
    std::string words = "final hidden state";
    if (pooling == "mean")
        words += ", mean of the tokens";
    else if (pooling == "first" || pooling == "last")
        words += " at the " + std::string(pooling) + " token";
    if (model.lastLayerRaw && hasFinalNorm(model))
        words += ", before the final norm";
    return words;
}

} // namespace headscope
