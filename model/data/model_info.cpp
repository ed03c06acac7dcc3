// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/model_info.h"

#include "model/data/records/record_fields.h"

#include <fmt/format.h>

#include <array>

namespace headscope
{
namespace
{

constexpr double kMaxSize = 1'000'000; ///< of anything that a model counts but its words

constexpr std::array<FieldWord, 2> kLastLayerWords = {{{"normed", {}}, {"raw", {}}}};

} // namespace

void fields(RecordFields& record, ModelInfo& model)
{
    record("name", model.name);
    record("path", model.path).omitEmpty();
    record("family", model.family).omitEmpty();
    record("layers", model.layers).required().within(1, kMaxSize);
    record("heads", model.heads).required().within(1, kMaxSize);
    record("kv_heads", model.kvHeads).required().within(1, kMaxSize);
    record("head_dim", model.headDim).within(0, kMaxSize);
    record("model_dim", model.modelDim).within(0, kMaxSize);
    record("vocabulary", model.vocabulary).countFrom(0);
    record("last_layer", model.lastLayerRaw, kLastLayerWords).omitEmpty(); // older versions read the usual case
    // A version that does not know of a change must not take the vectors for the model's own.
    record("ablated", model.changes.ablated).omitEmpty();
    record("ablation", model.changes.ablation).omitEmpty();
    record("reference", model.changes.reference).omitEmpty();
    record("regrouped_from", model.changes.regroupedFrom).within(0, kMaxSize).omitEmpty();
    record.names("sha256", model.sha256);
}

Status checkHeads(const ModelInfo& model)
{
    if (model.kvHeads > 0 && model.heads % model.kvHeads == 0)
        return {};
    return Error{
        ErrorCode::BadFormat,
        fmt::format("expected a number of KV heads that divides the {} heads, found {}", model.heads, model.kvHeads),
        {},
        {}};
}

} // namespace headscope
