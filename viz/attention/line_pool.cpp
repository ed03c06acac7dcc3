// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/attention/line_pool.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace headscope::viz
{
namespace
{

/// Whether one line is weaker than another; for equal weights the order of tokens and heads decides.
bool weaker(const TokenLine& one, const TokenLine& other)
{
    return std::tie(one.weight, other.reading, other.read, other.source) <
           std::tie(other.weight, one.reading, one.read, one.source);
}

/// Lines that only pass through say nothing here.
bool endsIn(const TokenLine& line, TokenSpan view)
{
    const auto inside = [view](std::int32_t token) { return token < view.last && token + 1 > view.first; };
    return inside(line.reading) || inside(line.read);
}

} // namespace

LinePool::LinePool(std::vector<LineSource> sources) : m_sources(std::move(sources))
{
    const std::int64_t count = m_sources.empty() ? 0 : m_sources.front().weights.count();
    m_firstOf.reserve(static_cast<std::size_t>(count + 1));
    for (std::int64_t reading = 0; reading < count; ++reading)
    {
        m_firstOf.push_back(m_lines.size());
        for (std::size_t source = 0; source < m_sources.size(); ++source)
        {
            const ShownWeights& weights = m_sources[source].weights;
            const std::int64_t end = weights.causal() ? reading + 1 : count;
            for (std::int64_t read = 0; read < end; ++read)
                if (const float weight = weights(reading, read); weight >= kMinWeight)
                    m_lines.push_back({static_cast<std::int32_t>(reading), static_cast<std::int32_t>(read), weight,
                                       static_cast<std::int32_t>(source)});
        }
    }
    m_firstOf.push_back(m_lines.size());
}

LineChoice LinePool::strongest(TokenSpan view, std::int64_t most) const
{
    LineChoice choice;
    for (const TokenLine& line : m_lines)
        if (endsIn(line, view))
            choice.lines.push_back(line);
    choice.seen = static_cast<std::int64_t>(choice.lines.size());
    if (choice.seen > most)
    {
        choice.left = choice.seen - most;
        std::nth_element(choice.lines.begin(), choice.lines.begin() + choice.left, choice.lines.end(), weaker);
        choice.lines.erase(choice.lines.begin(), choice.lines.begin() + choice.left);
    }
    std::sort(choice.lines.begin(), choice.lines.end(), weaker);
    return choice;
}

std::vector<TokenLine> LinePool::from(std::int64_t reading) const
{
    if (reading < 0 || reading + 1 >= std::ssize(m_firstOf))
        return {};
    const auto at = [this](std::int64_t token) {
        return m_lines.begin() + static_cast<std::ptrdiff_t>(m_firstOf[static_cast<std::size_t>(token)]);
    };
    std::vector<TokenLine> lines(at(reading), at(reading + 1));
    std::sort(lines.begin(), lines.end(), weaker);
    return lines;
}

std::vector<TokenLine> LinePool::to(std::int64_t read) const
{
    std::vector<TokenLine> lines;
    std::copy_if(m_lines.begin(), m_lines.end(), std::back_inserter(lines),
                 [read](const TokenLine& line) { return line.read == read; });
    std::sort(lines.begin(), lines.end(), weaker);
    return lines;
}

} // namespace headscope::viz
