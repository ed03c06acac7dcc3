// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/savings.h"

#include "model/data/key_sharing.h"

#include <algorithm>

namespace headscope
{

HeadSavings savingsWithout(const std::vector<bool>& kept, const ModelInfo& model, Stage stage)
{
    if (unitName(stage) != "head" || model.kvHeads < 1 || model.headDim < 1)
        return {};
    std::vector<std::int64_t> left(static_cast<std::size_t>(model.kvHeads));
    std::int64_t removed = 0;
    for (std::size_t head = 0; head < kept.size(); ++head)
    {
        if (kept[head])
            ++left[model.groupOf(HeadIndex(static_cast<std::int64_t>(head))).index()];
        else
            ++removed;
    }
    const auto emptyGroups = std::count(left.begin(), left.end(), 0);
    HeadSavings saved;
    if (keepsCache(model))
        saved.kvBytes = emptyGroups * 2 * model.headDim * 2;
    if (model.modelDim < 1)
        return saved;
    const std::int64_t matrices = (removed + emptyGroups) * 2 * model.headDim * model.modelDim;
    const bool biases = hasAttentionBiases(model).value_or(false);
    saved.parameters = matrices + (biases ? (removed + 2 * emptyGroups) * model.headDim : 0);
    return saved;
}

std::string savingsNote(const ModelInfo& model, Stage stage)
{
    if (unitName(stage) != "head")
        return "A segment is a part of the output, not of the model, so removing it saves nothing.";
    if (model.kvHeads < 1)
        return "The cache does not describe how heads share keys and values, so the savings are not known.";
    if (model.headDim < 1 || model.modelDim < 1)
        return "The cache does not describe the size of the model's heads, so the savings are not known.";
    std::string note;
    if (!keepsCache(model))
        note = "An encoder has no KV cache. ";
    if (!hasAttentionBiases(model))
        note += "The cache does not describe whether the model's attention has biases, so none are counted. ";
    if (!note.empty())
        note.pop_back();
    return note;
}

} // namespace headscope
