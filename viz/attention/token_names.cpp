// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/attention/token_names.h"

#include "viz/axis/text.h"

#include <algorithm>
#include <cmath>

namespace headscope::viz
{
namespace
{

/// Of white space, what is written in its place; empty: it is none.
QString signOf(char32_t character)
{
    switch (character)
    {
    case U' ':
    case 0xA0:
    case 0x3000:
        return QStringLiteral("␣");
    case U'\t':
        return QStringLiteral("⇥");
    case U'\n':
    case 0x2028:
    case 0x2029:
        return QStringLiteral("⏎");
    default:
        return {};
    }
}

/// Whether a character leaves no trace on screen, or changes how its neighbours are drawn.
bool isUnseen(char32_t character)
{
    switch (QChar::category(character))
    {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Other_Surrogate:
    case QChar::Other_PrivateUse:
    case QChar::Other_NotAssigned:
    case QChar::Separator_Space:
        return true;
    default:
        return false;
    }
}

/// A character that joins emojis or chooses how they look: between others it is part of what is seen.
bool joinsOthers(char32_t character)
{
    return character == 0x200D || character == 0xFE0F || character == 0x200C;
}

QString codeText(char32_t character)
{
    return QStringLiteral("<U+%1>").arg(static_cast<uint>(character), 4, 16, QLatin1Char('0')).toUpper();
}

QString written(const QString& text)
{
    QString result;
    const QList<uint> characters = text.toUcs4();
    for (qsizetype i = 0; i < characters.size();)
    {
        const char32_t character = characters[i];
        const QString sign = signOf(character);
        qsizetype end = i + 1;
        while (!sign.isEmpty() && end < characters.size() && signOf(characters[end]) == sign)
            ++end;
        const bool between = i > 0 && end < characters.size() && end - i == 1 && character == U' ';
        if (between)
            result += u' ';
        else if (!sign.isEmpty())
            result += end - i > 1 ? sign + QStringLiteral("×%1").arg(end - i) : sign;
        else if (joinsOthers(character) ? characters.size() == 1 : isUnseen(character))
            result += codeText(character);
        else
            result += QString::fromUcs4(&character, 1);
        i = end;
    }
    return result;
}

} // namespace

QString exactToken(std::string_view token)
{
    return written(QString::fromUtf8(token.data(), static_cast<qsizetype>(token.size())));
}

QString shownToken(std::string_view token)
{
    const bool leads = token.size() > 1 && token[0] == ' ' && std::string_view(" \t\n\r").find(token[1]) == token.npos;
    return exactToken(leads ? token.substr(1) : token);
}

QString shownToken(const QString& token)
{
    const QByteArray utf8 = token.toUtf8();
    return shownToken(std::string_view(utf8.constData(), static_cast<std::size_t>(utf8.size())));
}

QString quotedToken(std::string_view token)
{
    constexpr qsizetype kLongest = 24; // letters; of a longer one the middle is left out
    QString shown = shownToken(token);
    if (shown.size() > kLongest)
        shown = shown.left(kLongest / 2) + QChar(0x2026) + shown.right(kLongest / 2 - 1);
    if (shown.isRightToLeft())
        shown = QChar(0x2068) + shown + QChar(0x2069);
    return QStringLiteral("“%1”").arg(shown);
}

TokenNames::TokenNames(std::span<const std::string> tokens, const QFont& font) : m_font(font)
{
    QFont bold = font; // as those are written that are pointed at
    bold.setWeight(QFont::DemiBold);
    m_shown.reserve(static_cast<qsizetype>(tokens.size()));
    m_widths.reserve(tokens.size());
    for (const std::string& token : tokens)
    {
        m_shown.push_back(shownToken(token));
        m_widths.push_back(std::ceil(textWidth(m_shown.back(), bold)) + 1);
        m_widest = std::max(m_widest, m_widths.back());
    }
}

double TokenNames::pitch() const
{
    return 0.8 * lineHeight(m_font);
}

} // namespace headscope::viz
