// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// Number of a token: the row of the embedding matrix. Never negative in a result.
using TokenId = std::int32_t;

namespace tokenize
{

/// Stands for "no token" inside tables.
inline constexpr TokenId kNoToken = -1;
/// More tokens than any model has; ids at or above it are refused.
inline constexpr TokenId kMaxVocabulary = TokenId{1} << 21;

/// Token texts and their numbers, both ways.
/// @threads const members from any number of threads
class Vocabulary
{
public:
    /// Reserves memory for this many tokens and bytes of text.
    void reserve(std::size_t tokens, std::size_t bytes);
    /// @errors BadFormat: an id out of range, or a text that already has another id
    [[nodiscard]] Status add(std::string_view text, std::int64_t id);
    /// Gives an id a text that cannot be found by it (a token that text may never become).
    [[nodiscard]] Status addHidden(std::string_view text, std::int64_t id);

    /// @cost one hash
    [[nodiscard]] std::optional<TokenId> find(std::string_view text) const;
    /// The text of a token; empty for an id that has none.
    [[nodiscard]] std::string_view text(TokenId id) const;
    [[nodiscard]] bool has(TokenId id) const;
    /// One more than the largest id.
    [[nodiscard]] TokenId size() const { return static_cast<TokenId>(m_texts.size()); }
    /// Number of texts that can be found.
    [[nodiscard]] std::size_t count() const { return m_count; }

private:
    struct Text
    {
        std::size_t begin = 0;
        std::uint32_t size = 0;
        bool present = false;
    };

    [[nodiscard]] Status setText(std::string_view text, std::int64_t id);
    void growSlots();
    [[nodiscard]] std::size_t slotOf(std::string_view text) const;

    std::string m_arena;
    std::vector<Text> m_texts;    ///< by id
    std::vector<TokenId> m_slots; ///< open addressing, kNoToken = free; a power of two
    std::size_t m_count = 0;
};

} // namespace tokenize
} // namespace headscope
