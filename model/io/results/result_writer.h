// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/base/text/csv_text.h"
#include "model/data/documents/document_set.h"
#include "model/data/maps/head_map.h"
#include "model/data/maps/head_map_set.h"
#include "model/data/maps/map_pair.h"
#include "model/data/matrix.h"
#include "model/data/results/probe_result.h"
#include "model/data/results/topic_results.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// Files of app/INTERFACE.md, section 5. Each is written whole or not at all.
/// @errors Resource

/// /neighbors/{index [N, K] int32, distance [N, K] float32}.
[[nodiscard]] Status writeNeighbors(const std::filesystem::path& target, const Matrix<std::int32_t>& index,
                                    const MatrixF& distance, std::string_view metric);

/// /quality/{kl_per_point [P], knn10 [P]} float64: what each point of a map contributes to its exact KL
/// divergence (they sum to it), and the share of its 10 nearest neighbours that the map keeps.
[[nodiscard]] Status writeQuality(const std::filesystem::path& target, const std::vector<double>& divergence,
                                  const std::vector<double>& kept, const std::vector<double>& perplexities);

/// /probe/{weights [C, D], intercepts [C], predictions [n], confusion [C, C]}; with several results
/// /probe/layer_NNN_stageS/... for each, the first also at /probe, and all accuracies as
/// /probe/sweep/{layer, stage, accuracy, ci95_low, ci95_high} [results].
[[nodiscard]] Status writeProbe(const std::filesystem::path& target, const std::vector<ProbeResult>& results);

/// /heatmap/{values [1+H, M] float32, document [M], topic [M] int32} with topic names.
[[nodiscard]] Status writeHeatmap(const std::filesystem::path& target, const Heatmap& heatmap);

/// One line a document: document, id, topic, full, then one column a head ("head 1") or segment.
[[nodiscard]] Status writeHeatmapCsv(const std::filesystem::path& target, const Heatmap& heatmap,
                                     const DocumentSet& documents, CsvTexts texts = CsvTexts::Safe);

/// Several stages of the same documents in one table, stage by stage: layer, stage, document, id, topic, full,
/// then one column for each of `heads`, named by its number from 1; the stage says whether that is a head or a
/// segment. A stage without a head leaves its cell empty.
/// @param heads  0-based, ascending
[[nodiscard]] Status writeHeatmapsCsv(const std::filesystem::path& target,
                                      const std::vector<std::shared_ptr<const Heatmap>>& heatmaps,
                                      const std::vector<std::int64_t>& heads, const DocumentSet& documents,
                                      CsvTexts texts = CsvTexts::Safe);

/// One line a point: document, id, head (from 1), x, y.
[[nodiscard]] Status writeMapCsv(const std::filesystem::path& target, const HeadMap& map, const DocumentSet* documents,
                                 CsvTexts texts = CsvTexts::Safe);

/// The same for all maps of a set, its name before each: map, document, id, stage, layer, head (from
/// 1; empty for the full vector), x, y.
[[nodiscard]] Status writeMapSetCsv(const std::filesystem::path& target, const HeadMapSet& set,
                                    const DocumentSet* documents, CsvTexts texts = CsvTexts::Safe);

/// Two matched and aligned maps: document, id, head in A and in B (from 1), the places in both, and the share of the
/// neighbours that changed.
[[nodiscard]] Status writeMapPairCsv(const std::filesystem::path& target, const MapPair& pair,
                                     const DocumentSet* documents, CsvTexts texts = CsvTexts::Safe);

} // namespace headscope
