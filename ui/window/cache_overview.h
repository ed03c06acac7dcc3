// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/documents/document_set.h"
#include "model/data/model_info.h"
#include "model/data/stage.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
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
    std::map<LayerIndex, std::vector<Stage>> stages; ///< what the cache holds, per layer
    std::vector<std::string> topicColumns;           ///< label columns whose names are embedded too
    std::string pooling{};                           ///< "last", "mean", "first"; "" = not known
    std::string dtype{};                             ///< in which the model was computed; "" = not known
    std::int64_t maxTokens = 0;                      ///< 0 = not known
    std::int64_t truncated = 0;                      ///< documents cut to maxTokens

    [[nodiscard]] bool has(LayerIndex layer, Stage stage) const;
    /// The stages of a layer, or none.
    [[nodiscard]] std::vector<Stage> stagesOf(LayerIndex layer) const;
};

/// How the points of the map are coloured.
struct ColorChoice
{
    enum class Kind
    {
        Head,
        Strength,
        Label,
        Number,      ///< a column of numbers (model/data/documents/document_numbers.h)
        Density,     ///< how crowded the point's place in the map is
        NearestHead, ///< the head whose centroid is nearest in full space
        Kept,        ///< share of the 10 nearest neighbours that the map keeps
        Divergence,  ///< the point's part of the map's Kullback-Leibler divergence
        Set,         ///< the named sets its document is in
    };
    Kind kind = Kind::Head;
    std::string column; ///< of Label and Number

    /// "head", "label:topic": names a choice in settings and combo boxes.
    [[nodiscard]] std::string key() const;
    /// The choice of a key; by head when it names none.
    [[nodiscard]] static ColorChoice fromKey(std::string_view key);

    bool operator==(const ColorChoice&) const = default;
};

/// Whether the labels of a column are groups to colour by: numbers of more different values than an
/// eye could tell apart are not.
[[nodiscard]] bool isGroups(const LabelColumn& column);

} // namespace headscope::ui
