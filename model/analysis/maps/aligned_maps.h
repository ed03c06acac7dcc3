// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/maps/procrustes.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/maps/tsne_options.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

/// Vectors of documents that all sets share: row i of every set is document i.
struct AlignedSet
{
    ConstMatrixView rows; ///< [N, D] finite; D may differ from set to set
    /// Whether it takes part in the common start. The full vector beside its own heads should not:
    /// it would count each of them twice.
    bool votes = true;
};

/// One map of an aligned set.
struct AlignedMap
{
    MatrixF xy; ///< [N, 2], moved
    int iteration = 0;
    double kl = 0;
    PlanarFit fit;         ///< the motion that was applied; the correlation with the mean of all maps
    std::string hash;      ///< XXH3 of the bytes of xy
    std::string inputHash; ///< XXH3 of the vectors' bytes
};

struct AlignedMaps
{
    MatrixF start; ///< [N, 2] where all began
    std::vector<AlignedMap> maps;
    std::string hash; ///< XXH3 of the bytes of all maps, one after another
};

/// Up to this many documents each map has one thread and the maps run beside each other; above,
/// one map after another has all threads, so that only one holds its neighbours in memory. So it is with
/// dense affinities, too, where those of all threads would take more than kTogetherBytes.
inline constexpr std::int64_t kBesideEachOther = 20'000;

/// Callbacks that observe maps while they are computed. All are called on the job's thread, between two rounds of a
/// few iterations, which last some 50 ms.
struct AlignedViewer
{
    std::function<bool()> wanted; ///< whether a look would be seen now; looks cost a few milliseconds
    /// All maps as they lie now, aligned with each other: those not begun on the start, at iteration
    /// 0. kl is that of the last check (NaN before); the hashes are empty.
    std::function<void(AlignedMaps maps)> show;
    std::function<void()> between; ///< may wait: a pause; may be empty
};

/// Maps that a viewer watches advance together as long as they need no more memory than this; else
/// in groups, one after another.
inline constexpr std::int64_t kTogetherBytes = std::int64_t{1} << 30;

/// Start positions that many sets of the same documents can share, spread 1e-4.
///
/// t-SNE keeps the coarse arrangement of its start (Kobak & Linderman 2021, doi
/// 10.1038/s41587-020-00809-z). From starts of their own,
/// two heads that separate the same topics would put them in different places, which no motion of the plane undoes.
/// From one start the same documents begin at the same place. Differences in the end are differences in the data or in
/// how rounding grows: noise_floor.h says how large the second part is.
/// The start is the consensus of the sets: each gives its first eight principal components, divided by its first
/// singular value, so that strong heads do not outvote weak ones, and the two principal components of all of them
/// side by side are the start (multiple factor analysis, Escofier & Pagès 1990, on the leading axes of each table).
/// A single set gets the start that its own map would have.
/// @param sets    at least one, all [N, .]; those that vote, or all where none does
/// @param metric  Cosine: of the rows at unit length
/// @errors  ShapeMismatch, InvalidArgument (no set, a row that is not finite), Cancelled
/// @threads uses `numThreads` threads; result independent of their number
/// @cost    N D^2 multiply-adds in double a set
[[nodiscard]] Result<MatrixF> commonStart(std::span<const AlignedSet> sets, Metric metric, int numThreads,
                                          JobContext& job);

/// Maps of the same documents, one for each set, that can be laid beside each other and morphed:
/// from commonStart (or `given`), with the same options, brought together by alignMaps: rotated,
/// mirrored and shifted, never scaled.
///
/// With sparse affinities repulsion is on the mesh above 1,000 documents (options.exactBelow may lower that, not
/// raise it), where it is the faster on one thread; dense affinities need all pairs at every number.
/// @param options  start and its seed are not used
/// @param job      progress counts the iterations of all maps
/// @param viewer   observes; changes the order in which the maps advance, but not the result
/// @errors  those of commonStart and TsneState::create
/// @threads uses `numThreads` threads; result independent of their number
/// @memory  per map at work, up to kBesideEachOther documents, about 5 kB a document (with a viewer
///          up to kTogetherBytes of maps are); afterwards 8 bytes a document
[[nodiscard]] Result<AlignedMaps> alignedMaps(std::span<const AlignedSet> sets, const TsneOptions& options,
                                              int numThreads, JobContext& job, const MatrixF* given = nullptr,
                                              const AlignedViewer* viewer = nullptr);

} // namespace headscope
