// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/label_presence.h"
#include "model/data/frame/frame.h"
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
    std::span<const HeadStatistics> statistics;   ///< [H]
    const HeadTopicStatistics* answers = nullptr; ///< null without labels or topic vectors: NaN
    std::span<const std::string> topTopic;        ///< [H] names; "" for none
    LabelPresence labels{};                       ///< of the labelled documents
    std::string_view vectorsText{};               ///< what the topics are: "names"
};

/// The heads of a layer and stage: a row for each.
extern const FrameInfo kHeadsFrame;
/// Pairs of heads and how alike they are.
extern const FrameInfo kHeadPairsFrame;

/// A row for each of these heads (0-based) that exists, with every number and its interval, null, p and q.
[[nodiscard]] Frame headsFrame(const HeadRows& rows, const ModelInfo& model, std::span<const std::int64_t> heads);

/// The heads, how alike they are, and what they are held against.
/// @param redundancy  null: there are too few documents
[[nodiscard]] Members headsResult(const HeadRows& rows, Frame heads, const HeadRedundancy* redundancy);

/// The heads laid out in the plane by each measure of likeness.
[[nodiscard]] Node planesNode(const HeadPlanes& planes);

/// The table as people read it: what describes the heads, and under it what is tested, each number beside its interval,
/// null, p and q.
[[nodiscard]] std::string headsText(const Frame& heads, const HeadRows& rows);

/// What the columns of the printed table mean, and how they were tested; several lines.
/// @param fullIsParts  the full vectors are the rows of this stage one after another
[[nodiscard]] std::string headsLegend(const HeadRows& rows, const HeadRedundancy* redundancy, bool fullIsParts);

} // namespace headscope
