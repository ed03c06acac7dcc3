// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace headscope
{

/// The row of each id. An empty id names no document, so it has no row.
class IdRows
{
public:
    /// @param ids  live at least as long as this
    explicit IdRows(std::span<const std::string> ids);

    /// The first row with this id; -1: none.
    [[nodiscard]] std::int64_t row(std::string_view id) const;

private:
    std::unordered_map<std::string_view, std::int64_t> m_rows;
};

} // namespace headscope
