// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headscope
{

/// What orders the documents of a topic in a heatmap.
struct ColumnOrder
{
    enum class By
    {
        Full,     ///< the row of the full vector, from the largest cosine
        Head,     ///< the row of a head
        Clusters, ///< columns that are alike stand together
        Index,    ///< as the cache counts them
    };
    By by = By::Full;
    HeadIndex head; ///< of Head

    [[nodiscard]] static ColumnOrder byHead(HeadIndex head) { return {By::Head, head}; }
    /// As options name it: "full", "cluster", "none", or the number of a head from 1.
    [[nodiscard]] std::string name() const;
    /// @return nothing: it names no order; whether there is such a head is not asked
    [[nodiscard]] static std::optional<ColumnOrder> fromName(std::string_view name);

    bool operator==(const ColumnOrder&) const = default;
};

} // namespace headscope
