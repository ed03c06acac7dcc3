// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors and labels of a probe's baselines (probe_baselines.h); not for other code.
#pragma once

#include "model/data/matrix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// Rows of a head-index probe, and which of them train.
struct ProbeRows
{
    ConstMatrixView vectors;                 ///< [n, D]
    std::span<const std::int32_t> classes;   ///< [n] place among the chosen heads
    std::span<const std::int32_t> documents; ///< [n]
    std::span<const std::int64_t> train;     ///< row numbers
    std::int64_t numClasses = 0;
};

/// Independent of what else is drawn from a run's seed.
[[nodiscard]] std::uint64_t streamOf(std::uint64_t seed, std::uint64_t purpose);

/// The vectors less the mean of their part over the training rows; a part without one is left as it is.
/// @param partOf  [numClasses] part of each class: itself, or its KV group
[[nodiscard]] MatrixF withoutMeans(const ProbeRows& rows, std::span<const std::int64_t> partOf);

/// Independent normal numbers with the mean and variance of each class and coordinate over the training rows.
[[nodiscard]] MatrixF gaussianLike(const ProbeRows& rows, std::uint64_t seed);

/// Labels of the control task: of each cluster of documents a permutation of the classes of its own.
/// @return [n]
[[nodiscard]] std::vector<std::int32_t> controlLabels(const ProbeRows& rows, std::uint64_t seed);

/// A random cut of the coordinates of whole documents.
struct CutRows
{
    MatrixF vectors; ///< [m * numClasses, D]
    std::vector<std::int32_t> classes;
    std::vector<std::int32_t> documents;
};
/// Documents with a row of every class, in the order of their first rows.
[[nodiscard]] CutRows randomCut(const ProbeRows& rows, std::uint64_t seed);

} // namespace headscope
