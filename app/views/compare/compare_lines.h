// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/map_pair.h"
#include "model/data/maps/point_set.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui
{

/// Which points have lines from where they are in one map to where they are in the other.
enum class CompareLines
{
    None,
    Chosen, ///< of the chosen documents, the primary and the hovered one
    Sample, ///< and of a sample of all points; a badge says how many
};

/// Largest number of lines of chosen documents, and of lines of a sample.
inline constexpr std::int64_t kMaxChosenLines = 2'000;
inline constexpr std::int64_t kSampleLines = 300;

/// What is chosen of a pair of maps.
struct CompareChoice
{
    CompareLines lines = CompareLines::Chosen;
    std::vector<std::int64_t> sample;       ///< points
    std::vector<std::int64_t> chosen;       ///< documents, ascending
    std::shared_ptr<const PointSet> points; ///< null: all points of the chosen documents
    std::vector<std::int64_t> shownOnly;    ///< documents, ascending; empty: all are shown
    std::optional<DocumentIndex> primary;   ///< document
    std::optional<DocumentIndex> hovered;   ///< document
};

/// Points of the pair that have lines, and the badge about those left out.
struct CompareLinePoints
{
    std::vector<std::int64_t> pale;
    std::vector<std::int64_t> strong; ///< of the primary and the hovered document
    QString badge;                    ///< "": none is left out
};

/// A sample of the points of a pair, the same every time.
[[nodiscard]] std::vector<std::int64_t> sampleOfPoints(std::int64_t points);

/// @param byPoint  the chosen points as the canvas holds them; null: whole documents
/// @cost one pass over the points
[[nodiscard]] CompareLinePoints linePoints(const MapPair& pair, const CompareChoice& choice, const PointSet* byPoint);

} // namespace headscope::ui
