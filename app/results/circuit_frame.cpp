// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/circuit_frame.h"

#include "model/data/circuits/composition_frame.h"
#include "model/data/circuits/contributions_frame.h"
#include "model/data/circuits/lens_frame.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

/// Words as a list of the engine has them, with their texts by id.
class LensLists
{
public:
    explicit LensLists(const LensTables& tables, const CircuitRows& wanted)
    {
        for (const LensWords& row : tables.rows)
            for (const auto& words : {row.up, row.down, row.keys, row.queries})
                for (const LensWord& word : words)
                    m_behind = std::max(m_behind, word.id + 1);
        for (const LensWords& row : tables.rows)
        {
            if ((wanted.layer && row.layer != *wanted.layer) || (!wanted.token.empty() && row.read != wanted.token))
                continue;
            LensHead head;
            head.layer = row.layer;
            head.head = row.head;
            head.read = idOf(row.read);
            for (const auto& [from, to] :
                 {std::pair(&LensWords::up, &LensHead::up), std::pair(&LensWords::down, &LensHead::down),
                  std::pair(&LensWords::keys, &LensHead::keys), std::pair(&LensWords::queries, &LensHead::queries)})
                for (const LensWord& word : row.*from)
                {
                    if (word.id >= 0)
                        spell(word.id, word.text);
                    (head.*to).push_back({{std::max<std::int64_t>(0, word.id), word.logit}, word.documents});
                }
            m_heads.push_back(std::move(head));
        }
    }

    [[nodiscard]] Frame frame(bool weights) const { return lensTokensFrame(m_heads, m_texts, weights); }

private:
    void spell(std::int64_t id, const std::string& text)
    {
        if (std::ssize(m_texts) <= id)
            m_texts.resize(static_cast<std::size_t>(id) + 1);
        m_texts[static_cast<std::size_t>(id)] = text;
    }
    /// A number behind all ids, for a token that is known by its text alone.
    std::int64_t idOf(const std::string& text)
    {
        if (text.empty())
            return -1;
        const auto known = std::ranges::find(m_read, text) - m_read.begin();
        if (known == std::ssize(m_read))
            m_read.push_back(text);
        spell(m_behind + known, text);
        return m_behind + known;
    }

    std::int64_t m_behind = 0;       ///< above all ids
    std::vector<std::string> m_read; ///< tokens that are read
    std::vector<LensHead> m_heads;
    std::vector<std::string> m_texts;
};

} // namespace

Frame circuitFrame(const CircuitResult& result, const CircuitRows& rows)
{
    if (const ContributionsResult* found = result.contributions(); found != nullptr)
        return found->pair ? termsFrame(*found) : partsFrame(*found);
    if (const LensTables* found = result.lens(); found != nullptr)
        return LensLists(*found, rows).frame(found->weights);
    CompositionScores scores = *result.composition();
    for (const CompositionKind kind : kCompositionKinds)
        if (rows.kind && kind != *rows.kind)
            scores.scores[static_cast<std::size_t>(kind)].clear();
    return edgesFrame(strongestEdges(scores, rows.top, scores.baseline));
}

Frame largestCircuitRows(Frame frame, std::int64_t most)
{
    std::vector<std::size_t> order(static_cast<std::size_t>(frame.rows()));
    std::iota(order.begin(), order.end(), 0);
    for (const char* key : {"centered_share", "value"})
        if (const Column* column = frame.find(key); column != nullptr)
            std::ranges::stable_sort(order, std::ranges::greater(), [column](std::size_t row) {
                const double value = column->at(Facet::Value, row);
                return std::isnan(value) ? -1 : std::abs(value);
            });
    order.resize(std::min(order.size(), static_cast<std::size_t>(most)));
    frame.take(order);
    return frame;
}

} // namespace headscope
