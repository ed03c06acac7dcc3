// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/head_vectors.h"
#include "model/data/maps/head_map_set.h"
#include "model/data/maps/tsne_options.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

/// What one map of a set is made of: the vectors of one head, or the full vector.
struct AlignedMember
{
    std::string name;                           ///< of the map: memberName(), or "full"
    std::shared_ptr<const HeadVectors> vectors; ///< of all documents
    std::int64_t head = -1;                     ///< -1: the full vector
};

/// "s1_h00", with the layer "l007_s1_h00": as a set of a cache names its maps; the head from 0.
[[nodiscard]] std::string memberName(const HeadVectors& vectors, std::int64_t head, bool severalLayers);

struct AlignedHeadsOptions
{
    TsneOptions tsne;
    const MatrixF* given = nullptr; ///< start positions for TsneStart::Given
    std::string fullSource;         ///< what the full vector is
    Origin origin{};                ///< of the vectors; goes into every map
};

/// Callbacks that receive a set while it is computed (AlignedViewer says when and on which thread). Maps that are not
/// begun have iteration 0; all sets of a run share the points of their maps.
struct AlignedHeadsViewer
{
    std::function<bool()> wanted;
    std::function<void(std::shared_ptr<const HeadMapSet> set)> show;
    std::function<void()> between;
};

/// A map for each member, of the same documents: those of `documents` in which every vector is finite. The others are
/// counted in each map's leftOut. The full vector takes no part in the common start.
/// @param members    at least one; adjacent members of one HeadVectors share a copy
/// @param documents  chosen documents, ascending
/// @errors  those of alignedMaps; InvalidArgument (no document is left)
/// @threads uses `numThreads` threads; result independent of their number
[[nodiscard]] Result<HeadMapSet> alignedHeadMaps(std::span<const AlignedMember> members,
                                                 std::span<const std::int64_t> documents,
                                                 const AlignedHeadsOptions& options, int numThreads, JobContext& job,
                                                 const AlignedHeadsViewer* viewer = nullptr);

/// Measures every map of a set, with measureMap.
/// @param members  those that the set was made of
/// @errors  those of measureMap; ShapeMismatch (other members)
/// @threads uses `numThreads` threads; result independent of their number
[[nodiscard]] Status measureHeadMaps(std::span<const AlignedMember> members, HeadMapSet& set, int numThreads,
                                     JobContext& job);

} // namespace headscope
