// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace headscope
{

/// Items joined two by two until one cluster is left: a dendrogram.
struct ClusterTree
{
    /// Nodes 0..n-1 are the items; node n + i is what join i made.
    struct Join
    {
        std::int64_t first = 0;
        std::int64_t second = 0;
        double height = 0; ///< mean distance of the two parts' items; never below that of the parts
        bool operator==(const Join&) const = default;
    };
    std::vector<Join> joins;         ///< [n - 1], parts before wholes
    std::vector<std::int64_t> order; ///< [n] the items from the first to the last leaf
    bool operator==(const ClusterTree&) const = default;
};

} // namespace headscope
