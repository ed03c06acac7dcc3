// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/tokenize/charsmap.h"
#include "model/tokenize/regex.h"
#include "model/unicode/unicode.h"

#include <string>
#include <variant>
#include <vector>

namespace headscope::tokenize
{

/// What is done to a text before it is cut into pieces. Each step stands for one entry of
/// tokenizer.json and does what that entry does there.
namespace normalize
{

/// Puts a text in front, unless there is no text.
struct Prepend
{
    std::string content;
};
/// Replaces every occurrence of a text.
struct ReplaceText
{
    std::string pattern;
    std::string content;
};
/// Replaces every match; the content is inserted literally.
struct ReplaceMatches
{
    Regex pattern;
    std::string content;
};
/// Drops white space at the ends.
struct Strip
{
    bool left = true;
    bool right = true;
};
struct Lowercase
{};
struct Form
{
    NormalForm form = NormalForm::Nfc;
};
/// Drops every mark (after NFD or NFKD these are the accents).
struct StripAccents
{};
/// Writes each byte as its printable character.
struct ByteLevel
{};
/// BERT's: drops controls, puts spaces around ideographs, drops accents, lowers case, in this order.
struct Bert
{
    bool cleanText = true;
    bool spaceIdeographs = true;
    bool stripAccents = true;
    bool lowercase = true;
};

/// SentencePiece's: a grapheme cluster of fewer than 6 bytes that the table has a front of becomes what stands for that
/// front, and so does each character of every other cluster.
struct Precompiled
{
    Charsmap charsmap;
};

using Step = std::variant<Prepend, ReplaceText, ReplaceMatches, Strip, Lowercase, Form, StripAccents, ByteLevel, Bert,
                          Precompiled>;

} // namespace normalize

/// Normalizes texts by a list of steps.
/// @threads apply() from any number of threads
class Normalizer
{
public:
    void add(normalize::Step step);
    [[nodiscard]] bool empty() const { return m_steps.empty(); }

    /// @param text        well-formed UTF-8 before and after
    /// @param keepsStart  becomes false when white space at the front is dropped: what is left does
    ///                    not begin where the document begins
    /// @errors BadFormat: a pattern needs too many steps, or the text grows to more than 64 times its length
    [[nodiscard]] Status apply(std::string& text, bool& keepsStart) const;

private:
    std::vector<normalize::Step> m_steps;
};

} // namespace headscope::tokenize
