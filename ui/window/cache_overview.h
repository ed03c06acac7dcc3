// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/documents/document_set.h"
#include "model/data/frame/facts.h"
#include "model/data/model_info.h"
#include "model/data/stage.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope::ui
{

/// What the window knows of an open cache before it has read a vector. Immutable once published.
struct CacheOverview
{
    std::string path;
    std::uint64_t bytes = 0;
    ModelInfo model;
    std::shared_ptr<const DocumentSet> documents;
    std::map<LayerIndex, std::vector<Stage>> stages; ///< what the cache holds, per layer; all have heads or segments
    /// The layer at which the sentence embedding is offered as a stage: the last; none: the cache has no such
    /// embedding.
    std::optional<LayerIndex> embedding{};
    std::vector<std::string> topicColumns; ///< label columns whose names are embedded too
    std::string pooling{};                 ///< "last", "mean", "first"; "" = not known
    std::string dtype{};                   ///< the type that vectors are stored in, "float16"; "" = not known
    FactLines asks{};                      ///< what the model's files ask for (CacheHeader::asks)
    std::int64_t maxTokens = 0;            ///< 0 = not known
    std::int64_t truncated = 0;            ///< documents cut to maxTokens

    [[nodiscard]] bool has(LayerIndex layer, Stage stage) const;
    /// The stages of a layer, or none; without the sentence embedding.
    [[nodiscard]] std::vector<Stage> stagesOf(LayerIndex layer) const;
};

} // namespace headscope::ui
