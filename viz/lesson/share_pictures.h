// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/lesson/regroup_result.h"
#include "model/data/matrix.h"
#include "model/data/results/probe_baseline_results.h"
#include "viz/lesson/lesson_parts.h"

#include <cstdint>
#include <vector>

namespace headscope::viz
{

/// What changes when a model gets fewer KV heads than it was trained with.
struct RegroupPicture
{
    RegroupResult result;
    std::int64_t lit = 0; ///< number of KV heads whose row is lit; 0: none
};

/// A line for each number of KV heads, with dots and intervals on scales from 0 to 1.
void paintRegroup(QPainter& painter, const RegroupPicture& picture, const QRectF& box, const LessonStyle& style);
[[nodiscard]] double regroupHeight(const RegroupPicture& picture, double width, const LessonStyle& style);
[[nodiscard]] QString regroupWords(const RegroupPicture& picture);

/// A probe's errors: how many of them stay inside a KV group.
struct ErrorShare
{
    ModelInfo model;
    Matrix<std::int64_t> confusion; ///< [H, H] of the test rows, [true][predicted]
    GroupErrors groups;
    std::int64_t testRows = 0;
    std::int64_t testDocuments = 0;
    double accuracy = 0;
};

/// The errors as a table of heads with the groups framed, and the share inside groups next to its chance.
void paintErrorShare(QPainter& painter, const ErrorShare& errors, const QRectF& box, const LessonStyle& style);
[[nodiscard]] double errorShareHeight(const ErrorShare& errors, double width, const LessonStyle& style);
[[nodiscard]] QString errorShareWords(const ErrorShare& errors);

} // namespace headscope::viz
