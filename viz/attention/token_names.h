// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::viz
{

/// A token for people, on one line: a space in front of a word is left out (most words have one), other white space is
/// "␣", "⇥", "⏎" (between words a space stays one; a run of one kind "␣×4"), what cannot be seen or would turn the text
/// around it "<U+200F>".
[[nodiscard]] QString shownToken(std::string_view token);
[[nodiscard]] QString shownToken(const QString& token);
/// The same with the space in front of a word as "␣": what distinguishes " key" from "key".
[[nodiscard]] QString exactToken(std::string_view token);
/// A token inside a sentence that runs from left to right, in quotation marks and no longer than a word or two;
/// right-to-left text between U+2068 and U+2069.
[[nodiscard]] QString quotedToken(std::string_view token);

/// The tokens of a text as pictures name them, measured once.
/// @threads a value; reentrant
class TokenNames
{
public:
    TokenNames() = default;
    /// Needs a QGuiApplication (fonts).
    TokenNames(std::span<const std::string> tokens, const QFont& font);

    [[nodiscard]] std::int64_t count() const { return m_shown.size(); }
    [[nodiscard]] const QString& shown(std::int64_t token) const { return m_shown[token]; }
    [[nodiscard]] double width(std::int64_t token) const { return m_widths[static_cast<std::size_t>(token)]; }
    /// Of the widest name.
    [[nodiscard]] double widest() const { return m_widest; }
    [[nodiscard]] const QFont& font() const { return m_font; }
    /// Least distance of two names, one under the other, at which they do not touch: letters are lower than a line.
    [[nodiscard]] double pitch() const;

private:
    QStringList m_shown;
    std::vector<double> m_widths;
    double m_widest = 0;
    QFont m_font;
};

} // namespace headscope::viz
