// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::tokenize
{

/// The table of a SentencePiece normalizer: what texts of a few bytes are replaced by. It comes as the `Precompiled`
/// normalizer of tokenizer.json stores it: the size of a double array (Aoe 1989, doi 10.1109/32.31365) in bytes, its
/// units of 32 bits, and the replacements, a zero behind each.
/// @threads const members from any number of threads
class Charsmap
{
public:
    /// @param text  the table in base64
    /// @errors BadFormat (no base64, units that lead out of the table, replacements that are not UTF-8), Unsupported (a
    ///         table of more than 2^20 units)
    /// @cost   256 steps a unit, some 10 ms for the table of all of NFKC
    [[nodiscard]] static Result<Charsmap> fromBase64(std::string_view text);
    /// The same from the bytes themselves, as GGUF files have them.
    [[nodiscard]] static Result<Charsmap> fromBytes(std::string_view bytes);

    /// What stands for the shortest front of `text` that the table has; nothing when it has none. The reference takes
    /// the shortest where SentencePiece takes the longest.
    /// @cost one step a byte of that front
    [[nodiscard]] std::optional<std::string_view> find(std::string_view text) const;

private:
    Charsmap() = default;

    [[nodiscard]] Status check() const;
    [[nodiscard]] Status checkReplacement(std::size_t leaf) const;

    std::vector<std::uint32_t> m_units; ///< of the double array; the root is the first
    std::string m_replacements;         ///< a zero behind each
};

} // namespace headscope::tokenize
