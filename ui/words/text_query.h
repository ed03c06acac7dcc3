// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QRegularExpression>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::ui
{

/// A part of a text, in UTF-16 units as QString counts.
struct TextSpan
{
    qsizetype start = 0;
    qsizetype length = 0;

    bool operator==(const TextSpan&) const = default;
};

/// One line around the first hit of a text, with the hits in it.
struct HitLine
{
    QString text;
    std::vector<TextSpan> hits;

    bool operator==(const HitLine&) const = default;
};

/// What is looked for in texts: words and "quoted phrases" that must all occur, or a regular expression.
///
/// Words are found anywhere, within longer words too; upper and lower case are the same by Unicode's
/// folding (STRASSE finds straße), composed and decomposed letters are the same, and so is any white
/// space. A regular expression is Qt's, with case ignored unless it begins with (?-i); ^ and $ are the
/// ends of a line.
/// @threads a value; matching is reentrant
class TextQuery
{
public:
    enum class Kind
    {
        Words,
        Pattern,
    };

    /// Finds nothing.
    TextQuery() = default;

    /// @errors InvalidArgument: an expression that is none, with the place of its fault
    [[nodiscard]] static Result<TextQuery> parse(const QString& text, Kind kind);

    [[nodiscard]] bool isEmpty() const { return m_words.isEmpty() && m_text.isEmpty(); }
    [[nodiscard]] Kind kind() const { return m_kind; }
    /// As it was typed.
    [[nodiscard]] const QString& text() const { return m_text; }
    /// The folded words and phrases.
    [[nodiscard]] const QStringList& words() const { return m_words; }

    /// The result for one document.
    struct Match
    {
        bool found = false; ///< every word occurs in the text or the id; or the expression in one of them
        std::vector<TextSpan> inText;
        std::vector<TextSpan> inId;
        bool gaveUp = false; ///< the expression exceeded its limit of steps
    };
    [[nodiscard]] Match match(const QString& text, const QString& id) const;

    /// A fast check on the bytes, without case folding: true means that the document is certainly not found; false
    /// means nothing.
    /// @param text, id  UTF-8
    [[nodiscard]] bool rulesOut(std::string_view text, std::string_view id) const;
    /// Whether everything that this query finds is also found by `wider`, for example after another letter or word
    /// was typed.
    [[nodiscard]] bool narrows(const TextQuery& wider) const;

    /// Where any of the words, or the expression, occurs: ascending, apart from each other, none empty.
    [[nodiscard]] std::vector<TextSpan> hitsIn(const QString& text) const;

    bool operator==(const TextQuery& other) const { return m_text == other.m_text && m_kind == other.m_kind; }

private:
    Kind m_kind = Kind::Words;
    QString m_text;
    QStringList m_words;
    std::vector<std::vector<std::string>> m_pieces; ///< the parts of each word between its spaces; none: not ASCII
    QRegularExpression m_pattern;
};

/// The line around the first of these hits, cut to about `maxLength` with the hit inside, line ends and
/// tabs as spaces.
[[nodiscard]] HitLine lineAround(const QString& text, const std::vector<TextSpan>& hits, qsizetype maxLength = 120);

} // namespace headscope::ui
