// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map.h"
#include "model/data/maps/head_map_set.h"
#include "model/data/results/probe_result.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace headscope
{

/// Documents kept under a name and a colour.
struct KeptSet
{
    std::string name;
    std::uint32_t color = 0; ///< 0xRRGGBB
    bool onMap = false;
    std::vector<std::int64_t> documents; ///< rows, ascending
    std::vector<std::string> ids;        ///< of each of them

    bool operator==(const KeptSet&) const = default;
};

/// Maps of a grid, and which choice of cells they are of.
struct KeptGrid
{
    std::string key;
    std::shared_ptr<const HeadMapSet> set; ///< never null
};

/// A fitted probe, and its control where there is one.
struct KeptProbe
{
    std::vector<std::int64_t> heads;           ///< 0-based, that were distinguished
    std::shared_ptr<const ProbeResult> result; ///< never null
    std::shared_ptr<const ProbeResult> control;
    std::vector<std::int64_t> documents{}; ///< ascending, that were looked at; empty: all
};

/// A figure that was saved from the window, and how it is made again.
struct KeptFigure
{
    std::string file;   ///< its path
    std::string recipe; ///< JSON, as a figure stands in a work file of the window

    bool operator==(const KeptFigure&) const = default;
};

/// What the user made of a cache in the window that is in no file of its own, and would be lost with the window.
struct ResultStore
{
    std::vector<KeptSet> sets;
    std::vector<std::shared_ptr<const HeadMap>> maps; ///< that are not stored in the cache
    std::vector<KeptGrid> grids;
    std::vector<KeptProbe> probes;
    std::vector<KeptFigure> figures; ///< the list of them; the files are the user's

    [[nodiscard]] bool isEmpty() const
    {
        return sets.empty() && maps.empty() && grids.empty() && probes.empty() && figures.empty();
    }
};

/// Digests of the parts of some work, by unique names ("map/run 1").
using WorkDigests = std::map<std::string, std::string>;

/// @cost  one pass over all numbers, some GB/s
[[nodiscard]] WorkDigests digestsOf(const ResultStore& work);

/// Work of two windows on the same cache as one, so that neither loses anything.
///
/// What `ours` and `theirs` both have, and one of them changed since `known`, is taken as it was
/// changed. A set or map that both changed is kept twice, theirs under a name with a number appended; of a grid or
/// probe, which the same options reproduce, and of a figure, ours is kept. What is gone from `ours` since `known` goes,
/// unless they changed it.
/// @param known  what `ours` was when it was last written or read
/// @param theirs what the file holds now
[[nodiscard]] ResultStore mergedWork(ResultStore ours, const WorkDigests& known, const ResultStore& theirs);

} // namespace headscope
