// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/pre_tokenizer.h"

#include "model/base/utf8.h"
#include "model/tokenize/byte_level.h"
#include "model/unicode/unicode.h"

#include <algorithm>

namespace headscope::tokenize
{
namespace
{

/// A part of a piece that is a match, or lies between two.
struct Cut
{
    ByteRange range;
    bool isMatch = false;
};

/// Collects the matches of one piece, in order, and what lies between.
class CutList
{
public:
    void begin(ByteRange piece)
    {
        m_cuts.clear();
        m_piece = piece;
        m_done = piece.begin;
    }
    void addMatch(ByteRange match)
    {
        if (match.begin > m_done)
            m_cuts.push_back({{m_done, match.begin}, false});
        m_cuts.push_back({match, true});
        m_done = match.end;
    }
    void finish(bool invert)
    {
        if (m_done < m_piece.end)
            m_cuts.push_back({{m_done, m_piece.end}, false});
        for (Cut& cut : m_cuts)
            cut.isMatch = cut.isMatch != invert;
    }
    void deliver(SplitBehavior behavior, std::vector<ByteRange>& pieces);

private:
    void mergeWithPrevious();
    void mergeWithNext();
    void mergeContiguous();

    std::vector<Cut> m_cuts;
    ByteRange m_piece;
    std::size_t m_done = 0;
};

void CutList::mergeWithPrevious()
{
    std::vector<Cut> merged;
    bool previousIsMatch = false;
    for (const Cut& cut : m_cuts)
    {
        if (cut.isMatch && !previousIsMatch && !merged.empty())
            merged.back().range.end = cut.range.end;
        else
            merged.push_back(cut);
        previousIsMatch = cut.isMatch;
    }
    m_cuts = std::move(merged);
}

void CutList::mergeWithNext()
{
    std::vector<Cut> merged;
    bool nextIsMatch = false;
    for (auto cut = m_cuts.rbegin(); cut != m_cuts.rend(); ++cut)
    {
        if (cut->isMatch && !nextIsMatch && !merged.empty())
            merged.back().range.begin = cut->range.begin;
        else
            merged.push_back(*cut);
        nextIsMatch = cut->isMatch;
    }
    std::reverse(merged.begin(), merged.end());
    m_cuts = std::move(merged);
}

void CutList::mergeContiguous()
{
    std::vector<Cut> merged;
    for (const Cut& cut : m_cuts)
    {
        if (!merged.empty() && merged.back().isMatch == cut.isMatch)
            merged.back().range.end = cut.range.end;
        else
            merged.push_back(cut);
    }
    m_cuts = std::move(merged);
}

void CutList::deliver(SplitBehavior behavior, std::vector<ByteRange>& pieces)
{
    if (behavior == SplitBehavior::MergedWithPrevious)
        mergeWithPrevious();
    else if (behavior == SplitBehavior::MergedWithNext)
        mergeWithNext();
    else if (behavior == SplitBehavior::Contiguous)
        mergeContiguous();
    for (const Cut& cut : m_cuts)
    {
        const bool dropped = behavior == SplitBehavior::Removed && cut.isMatch;
        if (!dropped && cut.range.size() > 0)
            pieces.push_back(cut.range);
    }
}

Status applyStep(const cut::Words& step, PieceBuffer& buffer)
{
    for (const ByteRange piece : buffer.pieces)
    {
        const std::string_view text = buffer.text.substr(0, piece.end);
        for (std::size_t at = piece.begin; at < piece.end;)
        {
            const std::size_t end = wordEnd(step.pattern, text, at);
            buffer.spare.push_back({at, end});
            at = end;
        }
    }
    return {};
}

Status applyStep(const cut::Matches& step, PieceBuffer& buffer)
{
    CutList cuts;
    for (const ByteRange piece : buffer.pieces)
    {
        cuts.begin(piece);
        Regex::Matches matches = step.pattern.matches(piece.of(buffer.text));
        while (true)
        {
            HEADSCOPE_TRY(const auto match, matches.next());
            if (!match)
                break;
            cuts.addMatch({piece.begin + match->begin, piece.begin + match->end});
        }
        cuts.finish(step.invert);
        cuts.deliver(step.behavior, buffer.spare);
    }
    return {};
}

Status applyStep(const cut::Text& step, PieceBuffer& buffer)
{
    CutList cuts;
    for (const ByteRange piece : buffer.pieces)
    {
        const std::string_view text = buffer.text.substr(0, piece.end);
        cuts.begin(piece);
        std::size_t found = step.pattern.empty() ? std::string_view::npos : text.find(step.pattern, piece.begin);
        while (found != std::string_view::npos)
        {
            cuts.addMatch({found, found + step.pattern.size()});
            found = text.find(step.pattern, found + step.pattern.size());
        }
        cuts.finish(step.invert);
        cuts.deliver(step.behavior, buffer.spare);
    }
    return {};
}

Status applyStep(const cut::Characters& step, PieceBuffer& buffer)
{
    CutList cuts;
    for (const ByteRange piece : buffer.pieces)
    {
        cuts.begin(piece);
        for (std::size_t at = piece.begin; at < piece.end;)
        {
            const Utf8Character c = utf8At(buffer.text, at);
            if (step.belongs(c.codePoint))
                cuts.addMatch({at, at + c.size});
            at += c.size;
        }
        cuts.finish(false);
        cuts.deliver(step.behavior, buffer.spare);
    }
    return {};
}

Status applyStep(const cut::WordRuns& /*step*/, PieceBuffer& buffer)
{
    enum class Kind
    {
        Space,
        Word,
        Other,
    };
    for (const ByteRange piece : buffer.pieces)
    {
        Kind kind = Kind::Space;
        std::size_t begin = piece.begin;
        for (std::size_t at = piece.begin; at <= piece.end;)
        {
            Kind next = Kind::Space;
            std::size_t size = 1;
            if (at < piece.end)
            {
                const Utf8Character c = utf8At(buffer.text, at);
                size = c.size;
                if (isWordCharacter(c.codePoint))
                    next = Kind::Word;
                else if (!isWhitespace(c.codePoint))
                    next = Kind::Other;
            }
            if (next != kind || at == piece.end)
            {
                if (kind != Kind::Space)
                    buffer.spare.push_back({begin, at});
                begin = at;
                kind = next;
            }
            at += size;
        }
    }
    return {};
}

/// Rewrites each piece by write(range, isFirst, text) and keeps the pieces as they are cut.
template <class Write>
void rewrite(PieceBuffer& buffer, const Write& write)
{
    std::string text;
    text.reserve(buffer.text.size() + buffer.text.size() / 4 + 16);
    for (const ByteRange piece : buffer.pieces)
    {
        const std::size_t begin = text.size();
        write(piece.of(buffer.text), buffer.atStart && piece.begin == 0, text);
        buffer.spare.push_back({begin, text.size()});
    }
    buffer.owned = std::move(text);
    buffer.text = buffer.owned;
}

Status applyStep(const cut::Metaspace& step, PieceBuffer& buffer)
{
    using Prefix = cut::Metaspace::Prefix;
    rewrite(buffer, [&](std::string_view piece, bool isFirst, std::string& text) {
        const bool wanted = step.prefix == Prefix::Always || (step.prefix == Prefix::First && isFirst);
        if (wanted && piece.front() != ' ' && !piece.starts_with(step.replacement))
            text.append(step.replacement);
        for (const char c : piece)
        {
            if (c == ' ')
                text.append(step.replacement);
            else
                text.push_back(c);
        }
    });
    return {};
}

Status applyStep(const cut::PrefixSpace& /*step*/, PieceBuffer& buffer)
{
    rewrite(buffer, [](std::string_view piece, bool /*isFirst*/, std::string& text) {
        if (piece.front() != ' ')
            text.push_back(' ');
        text.append(piece);
    });
    return {};
}

Status applyStep(const cut::ByteLevel& /*step*/, PieceBuffer& buffer)
{
    rewrite(buffer, [](std::string_view piece, bool /*isFirst*/, std::string& text) { appendByteLevel(text, piece); });
    return {};
}

} // namespace

void PreTokenizer::add(cut::Step step)
{
    m_steps.push_back(std::move(step));
}

Status PreTokenizer::apply(PieceBuffer& buffer) const
{
    buffer.pieces.clear();
    if (!buffer.text.empty())
        buffer.pieces.push_back({0, buffer.text.size()});
    for (const cut::Step& step : m_steps)
    {
        buffer.spare.clear();
        HEADSCOPE_CHECK(std::visit([&](const auto& s) { return applyStep(s, buffer); }, step));
        buffer.pieces.swap(buffer.spare);
    }
    return {};
}

} // namespace headscope::tokenize
