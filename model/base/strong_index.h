// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include <compare> // after the others: Qt's moc cannot read GCC's when it comes first

namespace headscope
{

/// A 0-based index that does not mix with other kinds of index. Tag is an empty struct.
/// Read the number with value(); indices of one kind compare, and step with ++.
template <class Tag>
class StrongIndex
{
public:
    constexpr StrongIndex() = default;
    constexpr explicit StrongIndex(std::int64_t value) : m_value(value) {}

    [[nodiscard]] constexpr std::int64_t value() const { return m_value; }
    /// The same number for standard containers.
    [[nodiscard]] constexpr std::size_t index() const { return static_cast<std::size_t>(m_value); }

    /// The number as a variable, for what reads it from a file.
    [[nodiscard]] constexpr std::int64_t& number() { return m_value; }

    constexpr auto operator<=>(const StrongIndex&) const = default;
    constexpr StrongIndex& operator++()
    {
        ++m_value;
        return *this;
    }

private:
    std::int64_t m_value = 0;
};

using LayerIndex = StrongIndex<struct LayerTag>;
using HeadIndex = StrongIndex<struct HeadTag>;
using GroupIndex = StrongIndex<struct GroupTag>;
using TokenIndex = StrongIndex<struct TokenTag>;
using DocumentIndex = StrongIndex<struct DocumentTag>;
using PointIndex = StrongIndex<struct PointTag>;

/// The number that people read: heads and groups are shown from 1, as papers count them.
template <class Tag>
[[nodiscard]] constexpr std::int64_t shownNumber(StrongIndex<Tag> index)
{
    return index.value() + 1;
}

/// The inverse of shownNumber.
template <class Index>
[[nodiscard]] constexpr Index indexFromShown(std::int64_t number)
{
    return Index(number - 1);
}

/// The number of an index that may be absent, for values and containers that hold plain numbers.
template <class Tag>
[[nodiscard]] constexpr std::optional<std::int64_t> numberOf(std::optional<StrongIndex<Tag>> index)
{
    return index ? std::optional(index->value()) : std::nullopt;
}

/// The inverse of numberOf.
template <class Index>
[[nodiscard]] constexpr std::optional<Index> indexOf(std::optional<std::int64_t> number)
{
    return number ? std::optional(Index(*number)) : std::nullopt;
}

} // namespace headscope

template <class Tag>
struct std::hash<headscope::StrongIndex<Tag>>
{
    std::size_t operator()(headscope::StrongIndex<Tag> index) const noexcept
    {
        return std::hash<std::int64_t>()(index.value());
    }
};
