// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/frames/json_type.h"
#include "app/results/label_presence.h"
#include "app/results/result_table.h"
#include "model/data/model_info.h"
#include "model/data/results/head_results.h"

#include <cstdint>
#include <span>
#include <string>

namespace headscope
{

/// The statistics of the heads (or segments) of one layer and stage.
struct HeadRows
{
    Stage stage = Stage::HeadOutput;
    std::span<const HeadStatistics> statistics; ///< [H]
    const HeadAnswers* answers = nullptr;       ///< null without labels or topic vectors: NaN
    std::span<const std::string> topTopic;      ///< [H] names; "" for none
    LabelPresence labels{};                     ///< of the labelled documents
    bool areCentroids = false;                  ///< the topics are centroids of these documents
};

/// A row for each of these heads (0-based) that exists, with every number and its interval, null, p and q.
/// @param groups  false: "-" in place of the KV group's number
[[nodiscard]] ResultTable headsTable(const HeadRows& rows, const ModelInfo& model, std::span<const std::int64_t> heads,
                                     bool groups = true);

/// The columns that describe the heads, for a page of a paper.
[[nodiscard]] ResultTable describedHeads(const ResultTable& table, Stage stage);

/// The table as people read it: what describes the heads, and under it what is tested, each number beside its interval,
/// null, p and q.
/// @param table  of headsTable(), sorted or not
[[nodiscard]] std::string headsText(const ResultTable& table, const HeadRows& rows);

/// What the columns of the printed table mean, and how they were tested; several lines.
/// @param fullIsParts  the full vectors are the rows of this stage one after another
[[nodiscard]] std::string headsLegend(const HeadRows& rows, const HeadRedundancy* redundancy, bool fullIsParts);

/// The tests of one head as --json prints them: ci95, p, q and null_mean, each by the number that is tested.
[[nodiscard]] Json headTestsJson(const HeadAnswers& answers, std::size_t head);
/// Matrices, method, mean and intervals of the likeness.
[[nodiscard]] Json redundancyJson(const HeadRedundancy& redundancy);
[[nodiscard]] Json matrixJson(const MatrixD& matrix);

} // namespace headscope
