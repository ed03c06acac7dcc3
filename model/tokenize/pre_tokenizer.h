// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/tokenize/regex.h"
#include "model/tokenize/word_scanner.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace headscope::tokenize
{

/// What becomes of the matches by which a text is cut.
enum class SplitBehavior
{
    Removed,            ///< dropped
    Isolated,           ///< pieces of their own
    MergedWithPrevious, ///< joined to what comes before
    MergedWithNext,     ///< joined to what comes after
    Contiguous,         ///< pieces of their own, neighbours together
};

/// A text cut into pieces. The pieces are in order and do not overlap.
struct PieceBuffer
{
    std::string_view text;         ///< what `pieces` points into: the caller's text or `owned`
    std::string owned;             ///< the text after a step has rewritten it
    std::vector<ByteRange> pieces; ///< never empty ones
    bool atStart = true;           ///< whether the text begins where the document begins
    std::vector<ByteRange> spare;
};

/// How a text is cut into the pieces that the model then turns into tokens, one by one.
namespace cut
{

/// By one of the well-known patterns: no gap, no behaviour to choose.
struct Words
{
    WordPattern pattern = WordPattern::Gpt2;
};
/// By the matches of a regular expression.
struct Matches
{
    Regex pattern;
    SplitBehavior behavior = SplitBehavior::Isolated;
    bool invert = false; ///< what lies between the matches counts as match
};
/// By the occurrences of a text.
struct Text
{
    std::string pattern;
    SplitBehavior behavior = SplitBehavior::Isolated;
    bool invert = false;
};
/// By the characters of a class.
struct Characters
{
    bool (*belongs)(char32_t) = nullptr;
    SplitBehavior behavior = SplitBehavior::Isolated;
};
/// Into runs of word characters and runs of others, without the white space (`\w+|[^\w\s]+`).
struct WordRuns
{};
/// Writes spaces as another character and puts one in front, without cutting.
struct Metaspace
{
    enum class Prefix
    {
        First, ///< of the document only
        Never,
        Always,
    };
    std::string replacement;
    Prefix prefix = Prefix::Always;
};
/// Puts a space in front of each piece that has none.
struct PrefixSpace
{};
/// Writes each byte as its printable character, without cutting.
struct ByteLevel
{};

using Step = std::variant<Words, Matches, Text, Characters, WordRuns, Metaspace, PrefixSpace, ByteLevel>;

} // namespace cut

/// Cuts texts by a list of steps, each of which takes the pieces of the one before.
/// @threads apply() from any number of threads, each with its own buffer
class PreTokenizer
{
public:
    void add(cut::Step step);
    [[nodiscard]] bool empty() const { return m_steps.empty(); }

    /// @param buffer  text and atStart are set; the rest is filled
    /// @errors BadFormat: a pattern needs too many steps
    [[nodiscard]] Status apply(PieceBuffer& buffer) const;

private:
    std::vector<cut::Step> m_steps;
};

} // namespace headscope::tokenize
