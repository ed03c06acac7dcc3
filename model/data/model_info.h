// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/base/strong_index.h"
#include "model/data/model_changes.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace headscope
{

class RecordFields;

/// What a cache knows of the model its vectors came from.
struct ModelInfo
{
    std::string name;
    std::string path;
    std::string family; ///< "mistral", "llama", ...; empty when not known
    std::int64_t layers = 0;
    std::int64_t heads = 0;    ///< H, query heads
    std::int64_t kvHeads = 0;  ///< KV, as the model ran; divides H
    std::int64_t headDim = 0;  ///< Dh; 0 when not known
    std::int64_t modelDim = 0; ///< Dm; 0 when not known
    std::int64_t vocabulary = 0;
    std::vector<std::pair<std::string, std::string>> sha256; ///< file name, hexadecimal digest
    /// Stage 3 of the last layer was taken before the model's final norm (model/data/last_layer.h).
    bool lastLayerRaw = false;
    /// What was changed in the model while they were taken.
    ModelChanges changes = {};

    /// Query heads that share one key/value head.
    [[nodiscard]] std::int64_t groupSize() const { return kvHeads > 0 ? heads / kvHeads : heads; }
    [[nodiscard]] GroupIndex groupOf(HeadIndex head) const { return GroupIndex(head.value() / groupSize()); }
    /// The head's place inside its group, from 0.
    [[nodiscard]] std::int64_t memberOf(HeadIndex head) const { return head.value() % groupSize(); }
};

/// What files keep of a model: its sizes are required, a path, a family and changes are kept where there are any.
void fields(RecordFields& record, ModelInfo& model);

/// Whether the heads share the key/value heads evenly.
/// @errors BadFormat
[[nodiscard]] Status checkHeads(const ModelInfo& model);

} // namespace headscope
