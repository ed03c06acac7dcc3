// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/documents/document_set.h"
#include "model/data/maps/point_set.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace headscope
{

/// Input of summarizeChoice: a choice, and what it was chosen from.
struct ChosenQuestion
{
    std::shared_ptr<const DocumentSet> documents;
    std::vector<std::int64_t> chosen;       ///< ascending, without repeats
    std::shared_ptr<const PointSet> points; ///< points chosen individually; null: whole documents
    std::shared_ptr<const PointIds> map;    ///< the points there are; null: each document has one of each head
    std::vector<std::int64_t> heads;        ///< whose points can be seen, ascending
    std::int64_t groupSize = 1;             ///< heads that share keys and values; 1: no KV groups
};

/// One bar: counts among the chosen and among all.
struct ChosenBar
{
    std::string name;       ///< of a label or a range of numbers; empty: no label
    std::int32_t code = -1; ///< head, group, label code, or number of the range
    std::int64_t chosen = 0;
    std::int64_t all = 0;
    double from = 0; ///< of a range of numbers, which holds both its ends
    double to = 0;
};

/// How the choice is spread over heads, labels or numbers.
struct ChosenChart
{
    enum class Kind
    {
        Heads,   ///< counts points
        Groups,  ///< of heads that share keys and values; counts points
        Labels,  ///< counts documents
        Numbers, ///< counts documents
    };
    Kind kind = Kind::Labels;
    std::string column;      ///< of labels or numbers
    std::int64_t chosen = 0; ///< of all its bars
    std::int64_t all = 0;
    std::vector<ChosenBar>
        bars; ///< heads and ranges in their order, labels the most frequent first; none of nothing chosen
};

/// A choice as a table and as bars. Immutable once published.
struct ChosenSummary
{
    std::shared_ptr<const DocumentSet> documents;
    std::vector<std::int64_t> chosen; ///< a row each
    /// The points that the choice holds; a row without any has none on the map, or its heads are not shown.
    PointSet points;
    bool byPoints = false; ///< points were chosen individually
    std::int64_t groupSize = 1;
    std::vector<ChosenChart> charts;
};

/// Counts a choice, by head and group, by every label column, and by every column of numbers.
/// @errors Cancelled
/// @threads reentrant; one pass over the map's points and one a column
[[nodiscard]] Result<ChosenSummary> summarizeChoice(const ChosenQuestion& question, JobContext& job);

/// The chosen documents that a bar of labels or numbers counts, ascending.
[[nodiscard]] std::vector<std::int64_t> documentsOfBar(const ChosenSummary& summary, const ChosenChart& chart,
                                                       const ChosenBar& bar);
/// The heads that a bar of heads or groups counts.
[[nodiscard]] std::vector<std::int64_t> headsOfBar(const ChosenSummary& summary, const ChosenChart& chart,
                                                   const ChosenBar& bar);

} // namespace headscope
