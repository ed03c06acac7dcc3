// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace headscope::tokenize
{

/// The patterns that nearly every byte-level tokenizer is written with. They are scanned by hand:
/// the regular expression engine remembers a place for each character of a long run, and takes
/// several times as long.
enum class WordPattern
{
    Gpt2,
    Llama3,
    Qwen2, ///< Llama 3's with single digits
};

/// The patterns as tokenizer.json spells them.
inline constexpr std::string_view kGpt2Words =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
inline constexpr std::string_view kLlama3Words =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
inline constexpr std::string_view kQwen2Words =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

/// The pattern as tokenizer.json spells it.
[[nodiscard]] std::string_view wordPatternText(WordPattern pattern);

/// The pattern that is spelled so, if it is one of them.
[[nodiscard]] std::optional<WordPattern> wordPatternFromText(std::string_view text);

/// Where the match that begins at `begin` ends. Each pattern matches at every place, so a text is
/// cut without a gap by calling this until its end.
///
/// @param text   well-formed UTF-8; 0 <= begin < text.size(), at a character
/// @return begin < end <= text.size()
/// @cost  constant for each character up to the end of the run of white space that it may look over
[[nodiscard]] std::size_t wordEnd(WordPattern pattern, std::string_view text, std::size_t begin);

} // namespace headscope::tokenize
