// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/words/text_query.h"

#include "ui/words/wording.h"

#include <QStringMatcher>

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

/// Ends a match that would go through all ways to split a text (PCRE2's own option): half a second at most.
const QString kStepLimit = QStringLiteral("(*LIMIT_MATCH=1000000)");

/// A text as it is compared, and where each of its units comes from.
struct Folded
{
    QString text;
    std::vector<qsizetype> from; ///< one more than there are units: the end
};

/// Canonical combining classes of accents begin here.
constexpr int kAccentClass = 200;

bool isHangul(char32_t character)
{
    return character >= 0xAC00 && character <= 0xD7A3;
}

void appendFolded(Folded& folded, char32_t character, qsizetype from)
{
    // Canonical decomposition, so that an accent may be part of a letter or follow it. Hangul stays in
    // syllables: one must not be found inside another.
    const QString parts = isHangul(character) || QChar::decompositionTag(character) != QChar::Canonical
                              ? QString::fromUcs4(&character, 1)
                              : QChar::decomposition(character);
    // Sharp s and ligatures are more than one letter in capitals, and fold to these.
    const QString capitals = parts.toUpper();
    const QString small = (capitals.size() > parts.size() ? capitals : parts).toCaseFolded();
    folded.text += small;
    folded.from.insert(folded.from.end(), static_cast<std::size_t>(small.size()), from);
}

Folded fold(QStringView text)
{
    Folded folded;
    folded.text.reserve(text.size());
    folded.from.reserve(static_cast<std::size_t>(text.size()) + 1);
    bool space = false;
    for (qsizetype i = 0; i < text.size(); ++i)
    {
        const char16_t unit = text[i].unicode();
        if (unit <= 0x20 || (unit >= 0x80 && text[i].isSpace()))
        {
            if (!std::exchange(space, true))
            {
                folded.text += u' ';
                folded.from.push_back(i);
            }
            continue;
        }
        space = false;
        if (unit < 0x80)
        {
            folded.text += QChar(unit >= u'A' && unit <= u'Z' ? static_cast<char16_t>(unit + 32) : unit);
            folded.from.push_back(i);
            continue;
        }
        const bool pair = QChar::isHighSurrogate(unit) && i + 1 < text.size() && text[i + 1].isLowSurrogate();
        const char32_t character = pair ? QChar::surrogateToUcs4(unit, text[i + 1].unicode()) : char32_t(unit);
        appendFolded(folded, character, i);
        i += pair ? 1 : 0;
    }
    folded.from.push_back(text.size());
    return folded;
}

/// The hits of one word; whole characters of the text, also where a part of one matched.
bool addHits(const Folded& folded, const QString& word, std::vector<TextSpan>& hits)
{
    const QStringMatcher matcher(word, Qt::CaseSensitive);
    bool found = false;
    for (qsizetype at = matcher.indexIn(folded.text); at >= 0; at = matcher.indexIn(folded.text, at + 1))
    {
        qsizetype end = at + word.size();
        // "cafe" is not the beginning of "café"; vowel signs (of a lower class) are letters to who types them.
        if (end < folded.text.size() && folded.text[end].combiningClass() >= kAccentClass)
            continue;
        const qsizetype start = folded.from[static_cast<std::size_t>(at)];
        while (end < folded.text.size() &&
               folded.from[static_cast<std::size_t>(end)] == folded.from[static_cast<std::size_t>(end) - 1])
            ++end;
        hits.push_back({start, folded.from[static_cast<std::size_t>(end)] - start});
        found = true;
        at = end - 1;
    }
    return found;
}

/// Sorted, and those that touch or overlap joined.
void join(std::vector<TextSpan>& hits)
{
    std::ranges::sort(hits, {}, &TextSpan::start);
    std::size_t kept = 0;
    for (const TextSpan hit : hits)
    {
        if (kept > 0 && hit.start < hits[kept - 1].start + hits[kept - 1].length)
            hits[kept - 1].length = std::max(hits[kept - 1].length, hit.start + hit.length - hits[kept - 1].start);
        else
            hits[kept++] = hit;
    }
    hits.resize(kept);
}

bool addMatches(const QRegularExpression& pattern, const QString& text, std::vector<TextSpan>& hits)
{
    auto matches = pattern.globalMatch(text);
    // The first match alone can say that the expression gave up.
    if (!matches.isValid())
        return false;
    while (matches.hasNext())
    {
        const QRegularExpressionMatch match = matches.next();
        if (match.capturedLength() > 0)
            hits.push_back({match.capturedStart(), match.capturedLength()});
    }
    return true;
}

bool isAscii(const QString& text)
{
    return std::ranges::all_of(text, [](QChar c) { return c.unicode() < 0x80; });
}

/// What stands between the spaces of a word; nothing where it is not of ASCII alone.
std::vector<std::string> piecesOf(const QString& word)
{
    std::vector<std::string> pieces;
    if (isAscii(word))
        for (const QString& piece : word.split(u' ', Qt::SkipEmptyParts))
            pieces.push_back(piece.toStdString());
    return pieces;
}

/// In small letters; false where a byte is not of ASCII.
bool lowered(std::string_view text, std::string& low)
{
    low.resize(text.size());
    unsigned char all = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        const auto c = static_cast<unsigned char>(text[i]);
        all |= c;
        low[i] = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    }
    return all < 0x80;
}

QStringList wordsOf(const QString& text)
{
    QStringList words;
    QString word;
    bool quoted = false;
    const auto end = [&words, &word] {
        const QString folded = fold(word).text.trimmed();
        if (!folded.isEmpty() && !words.contains(folded))
            words << folded;
        word.clear();
    };
    for (const QChar c : text)
    {
        const bool quote = c == u'"' || c == QChar(0x201C) || c == QChar(0x201D);
        if (quote || (c.isSpace() && !quoted))
        {
            end();
            quoted = quote ? !quoted : quoted;
        }
        else
        {
            word += c;
        }
    }
    end();
    return words;
}

} // namespace

Result<TextQuery> TextQuery::parse(const QString& text, Kind kind)
{
    TextQuery query;
    query.m_kind = kind;
    query.m_text = text;
    if (kind == Kind::Words)
    {
        query.m_words = wordsOf(text);
        if (query.m_words.isEmpty())
            query.m_text.clear();
        for (const QString& word : query.m_words)
            query.m_pieces.push_back(piecesOf(word));
        return query;
    }
    if (text.isEmpty())
        return query;
    query.m_pattern.setPattern(kStepLimit % text);
    query.m_pattern.setPatternOptions(QRegularExpression::CaseInsensitiveOption |
                                      QRegularExpression::UseUnicodePropertiesOption |
                                      QRegularExpression::MultilineOption);
    if (!query.m_pattern.isValid())
        return Error{
            ErrorCode::InvalidArgument,
            toStdString(QStringLiteral("the regular expression has an error at character %1: %2")
                            .arg(std::max<qsizetype>(0, query.m_pattern.patternErrorOffset() - kStepLimit.size()) + 1)
                            .arg(query.m_pattern.errorString())),
            {},
            {}};
    query.m_pattern.optimize();
    return query;
}

bool TextQuery::rulesOut(std::string_view text, std::string_view id) const
{
    if (m_kind != Kind::Words || isEmpty())
        return false;
    // Only where a letter is a byte: anything else may fold to ASCII, as ligatures do.
    std::string lowText;
    std::string lowId;
    if (!lowered(text, lowText) || !lowered(id, lowId))
        return false;
    const auto holds = [](const std::string& low, const std::vector<std::string>& pieces) {
        return !pieces.empty() && std::ranges::all_of(pieces, [&low](const std::string& piece) {
            return low.find(piece) != std::string::npos;
        });
    };
    return !std::ranges::all_of(m_pieces, [&](const std::vector<std::string>& pieces) {
        return holds(lowText, pieces) || holds(lowId, pieces);
    });
}

bool TextQuery::narrows(const TextQuery& wider) const
{
    // A word of ASCII is followed by no accent where a longer one was found, so each part of it was found.
    if (m_kind != Kind::Words || wider.m_kind != Kind::Words || wider.isEmpty())
        return false;
    return std::ranges::all_of(wider.m_words, [this](const QString& part) {
        return std::ranges::any_of(m_words,
                                   [&part](const QString& word) { return isAscii(word) && word.contains(part); });
    });
}

TextQuery::Match TextQuery::match(const QString& text, const QString& id) const
{
    Match match;
    if (isEmpty())
        return match;
    if (m_kind == Kind::Pattern)
    {
        const bool done = addMatches(m_pattern, text, match.inText);
        match.gaveUp = !(addMatches(m_pattern, id, match.inId) && done);
        match.found = !match.inText.empty() || !match.inId.empty();
        return match;
    }
    const Folded foldedText = fold(text);
    const Folded foldedId = fold(id);
    for (const QString& word : m_words)
    {
        const bool inText = addHits(foldedText, word, match.inText);
        const bool inId = addHits(foldedId, word, match.inId);
        if (!inText && !inId)
            return {};
    }
    join(match.inText);
    join(match.inId);
    match.found = true;
    return match;
}

std::vector<TextSpan> TextQuery::hitsIn(const QString& text) const
{
    std::vector<TextSpan> hits;
    if (isEmpty())
        return hits;
    if (m_kind == Kind::Pattern)
    {
        (void)addMatches(m_pattern, text, hits);
        return hits;
    }
    const Folded folded = fold(text);
    for (const QString& word : m_words)
        addHits(folded, word, hits);
    join(hits);
    return hits;
}

HitLine lineAround(const QString& text, const std::vector<TextSpan>& hits, qsizetype maxLength)
{
    if (hits.empty())
        return {};
    const TextSpan first = hits.front();
    qsizetype start = first.start > 0 ? text.lastIndexOf(u'\n', first.start - 1) + 1 : 0;
    qsizetype end = text.indexOf(u'\n', first.start + first.length);
    end = end < 0 ? text.size() : end;
    while (start < first.start && text[start].isSpace())
        ++start;
    // A third of the room before the hit, so that it is seen in a narrow list too.
    const qsizetype before = maxLength / 3;
    const bool cutStart = first.start - start > before;
    if (cutStart)
    {
        start = first.start - before;
        const qsizetype word = text.indexOf(u' ', start);
        if (word >= 0 && word < first.start)
            start = word + 1;
        else if (text[start].isLowSurrogate())
            ++start;
    }
    const bool cutEnd = end - start > maxLength;
    if (cutEnd)
    {
        end = std::min(end, start + maxLength);
        if (end < text.size() && text[end].isLowSurrogate())
            --end;
    }
    HitLine line;
    const qsizetype shift = cutStart ? 1 : 0;
    line.text = cutStart ? QString(QChar(0x2026)) : QString();
    for (const QChar c : QStringView(text).mid(start, end - start))
        line.text += c.isSpace() || c.category() == QChar::Other_Control ? QChar(u' ') : c;
    if (cutEnd)
        line.text += QChar(0x2026);
    for (const TextSpan hit : hits)
    {
        const qsizetype from = std::max(hit.start, start);
        const qsizetype to = std::min(hit.start + hit.length, end);
        if (from < to)
            line.hits.push_back({from - start + shift, to - from});
    }
    return line;
}

} // namespace headscope::ui
