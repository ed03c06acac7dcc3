// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/documents/id_rows.h"

namespace headscope
{

IdRows::IdRows(std::span<const std::string> ids)
{
    m_rows.reserve(ids.size());
    for (std::size_t row = 0; row < ids.size(); ++row)
        if (!ids[row].empty())
            m_rows.try_emplace(ids[row], static_cast<std::int64_t>(row));
}

std::int64_t IdRows::row(std::string_view id) const
{
    const auto found = m_rows.find(id);
    return found == m_rows.end() ? -1 : found->second;
}

} // namespace headscope
