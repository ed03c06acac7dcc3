// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// Properties of a document that every view must be able to tell (bits of /documents/flags).
enum class DocumentFlag : std::uint8_t
{
    Empty = 1,     ///< no token but those added to every text; its vectors say nothing, and are NaN where none is added
    Truncated = 2, ///< longer than max_tokens
    Repaired = 4,  ///< invalid UTF-8 was replaced by U+FFFD
    NonFinite = 8, ///< some vector holds NaN or infinity
};

[[nodiscard]] constexpr bool hasFlag(std::uint8_t flags, DocumentFlag flag)
{
    return (flags & static_cast<std::uint8_t>(flag)) != 0;
}

/// A categorical column over the documents, for example their topic.
struct LabelColumn
{
    std::string name;
    std::vector<std::int32_t> codes; ///< [N] index into categories; -1 = no label
    std::vector<std::string> categories;

    /// The document's category, or "" when it has none.
    [[nodiscard]] std::string_view category(std::size_t document) const;
    /// Number of documents per category, [C].
    [[nodiscard]] std::vector<std::int64_t> counts() const;
    /// Codes 0..C-1 in the order of their frequency, most frequent first, ties by lower code.
    [[nodiscard]] std::vector<std::int32_t> byFrequency() const;
};

/// The documents of a cache, without their vectors. Immutable once published.
struct DocumentSet
{
    std::vector<std::string> ids;     ///< [N]
    std::vector<std::string> texts;   ///< [N], or empty when the cache holds none
    std::vector<std::int32_t> tokens; ///< [N], or empty when not known
    std::vector<std::uint8_t> flags;  ///< [N] bits of DocumentFlag, or empty
    std::vector<LabelColumn> labels;

    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(ids.size()); }
    /// The column of this name, or null.
    [[nodiscard]] const LabelColumn* label(std::string_view name) const;
};

/// Builds a column from one text per document; "" becomes -1. Categories are in natural order (NaturalLess).
[[nodiscard]] LabelColumn makeLabelColumn(std::string name, std::span<const std::string> values);

} // namespace headscope
