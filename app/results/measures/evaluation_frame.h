// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/frame/frame.h"
#include "model/data/results/measures/evaluation_results.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

/// How well vectors do labelled tasks: a row for each task and set of vectors.
extern const FrameInfo kEvaluationFrame;

/// What was evaluated, for the sentences below the tables.
struct EvaluationNotes
{
    std::int64_t k = 10;        ///< results that retrieval counts
    int resamples = 1000;       ///< of the intervals
    std::int64_t labels = 0;    ///< of clustering and classification
    double majority = 0;        ///< accuracy of always predicting the commonest training label
    std::string full;           ///< what the full vector is
    std::int64_t documents = 0; ///< that are searched
    std::int64_t leftOut = 0;   ///< those of them without a direction, which are not measured
};

/// The units task after task, in each by a column of the table, the largest value first.
/// @param column  a header of files or a key; empty: the first measure of each task
/// @errors WrongUse (no such column)
[[nodiscard]] Result<Frame> evaluationFrame(std::span<const EvaluatedUnit> units, const std::string& column);

/// The tables of the tasks with what their numbers mean.
[[nodiscard]] std::string evaluationText(const Frame& all, const EvaluationNotes& notes);

} // namespace headscope
