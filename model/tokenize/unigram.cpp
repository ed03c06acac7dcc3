// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/unigram.h"

#include "model/base/utf8.h"

#include <algorithm>

namespace headscope::tokenize
{
namespace
{

constexpr double kUnknownPenalty = 10;

} // namespace

Unigram::Unigram(const Vocabulary& vocabulary, std::vector<double> scores, const UnigramOptions& options)
    : m_trie(vocabulary), m_scores(std::move(scores)), m_isSpecial(m_scores.size(), false), m_options(options),
      m_unknownScore((m_scores.empty() ? 0 : *std::ranges::min_element(m_scores)) - kUnknownPenalty)
{}

void Unigram::findPaths(std::string_view piece, bool withSpecial, std::vector<Step>& best) const
{
    best.assign(piece.size() + 1, Step());
    const auto offer = [&](std::size_t begin, std::size_t end, TokenId token, double score) {
        Step& step = best[end];
        const double sum = score + best[begin].score;
        if (step.token == kNoToken || sum > step.score)
            step = {sum, static_cast<std::uint32_t>(begin), token};
    };
    for (std::size_t at = 0; at < piece.size();)
    {
        const std::size_t size = utf8SizeFromLead(piece[at]);
        bool isKnown = false;
        m_trie.forEachPrefix(piece.substr(at), [&](std::size_t length, TokenId token) {
            const auto index = static_cast<std::size_t>(token);
            if (m_isSpecial[index] && !withSpecial)
                return;
            offer(at, at + length, token, m_scores[index]);
            isKnown = isKnown || length == size;
        });
        if (!isKnown)
            offer(at, at + size, m_options.unknown, m_unknownScore);
        at += size;
    }
}

void Unigram::appendUnknown(std::string_view text, std::vector<TokenId>& tokens) const
{
    const auto byteToken = [&](char c) { return m_options.bytes[static_cast<unsigned char>(c)]; };
    if (std::ranges::all_of(text, [&](char c) { return byteToken(c) != kNoToken; }))
        std::ranges::transform(text, std::back_inserter(tokens), byteToken);
    else
        tokens.push_back(m_options.unknown);
}

void Unigram::append(std::string_view piece, bool withSpecial, std::vector<TokenId>& tokens, Scratch& scratch) const
{
    findPaths(piece, withSpecial, scratch.best);
    scratch.reverse.clear();
    scratch.path.clear();
    for (std::size_t end = piece.size(); end > 0;)
    {
        const Step& step = scratch.best[end];
        const bool joins =
            step.token == m_options.unknown && !scratch.reverse.empty() && scratch.reverse.back() == m_options.unknown;
        if (joins)
            scratch.path.back().begin = step.begin;
        else
        {
            scratch.path.push_back({step.begin, end});
            scratch.reverse.push_back(step.token);
        }
        end = step.begin;
    }
    for (std::size_t i = scratch.reverse.size(); i-- > 0;)
    {
        if (scratch.reverse[i] == m_options.unknown)
            appendUnknown(scratch.path[i].of(piece), tokens);
        else
            tokens.push_back(scratch.reverse[i]);
    }
}

} // namespace headscope::tokenize
