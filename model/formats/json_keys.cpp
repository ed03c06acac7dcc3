// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/json_keys.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <unordered_set>

namespace headscope
{
namespace
{

/// The keys of one object, as they come.
class SeenKeys
{
public:
    /// False: it was there before.
    bool add(std::string_view key)
    {
        if (m_count < m_few.size())
        {
            const auto end = m_few.begin() + static_cast<std::ptrdiff_t>(m_count);
            if (std::find(m_few.begin(), end, key) != end)
                return false;
            m_few[m_count++] = key;
            return true;
        }
        if (m_many.empty())
            m_many.insert(m_few.begin(), m_few.end());
        return m_many.insert(key).second;
    }

private:
    static constexpr std::size_t kFew = 8;
    std::array<std::string_view, kFew> m_few;
    std::size_t m_count = 0; ///< in m_few
    std::unordered_set<std::string_view> m_many;
};

} // namespace

// Depth is bounded by the parser's.
std::optional<std::string> duplicateKey(const JsonView& value)
{
    for (const JsonView child : value.elements())
        if (auto found = duplicateKey(child))
            return found;
    SeenKeys seen;
    for (const auto& [key, child] : value.members())
    {
        if (!seen.add(key))
            return std::string(key);
        if (auto found = duplicateKey(child))
            return found;
    }
    return std::nullopt;
}

} // namespace headscope
