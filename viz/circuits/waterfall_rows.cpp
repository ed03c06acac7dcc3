// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/circuits/waterfall_rows.h"

#include <algorithm>
#include <cmath>

namespace headscope::viz
{
namespace
{

void add(WaterfallRow& row, const PairTerm& term)
{
    double& into = term.part.kind == PartKind::Head ? row.heads : term.part.kind == PartKind::Mlp ? row.mlp : row.other;
    into += term.value;
}

/// Heads first, then as the layer computes: biases of attention, MLP, its norm.
int orderOf(const VectorPart& part)
{
    switch (part.kind)
    {
    case PartKind::OutputBias:
        return 1;
    case PartKind::NormBiasAttention:
        return 2;
    case PartKind::Mlp:
        return 3;
    case PartKind::NormBiasMlp:
        return 4;
    case PartKind::Token:
    case PartKind::Head:
        break;
    }
    return 0;
}

} // namespace

std::vector<WaterfallRow> waterfallRows(const PairContribution& pair, std::int64_t layers,
                                        const std::set<std::int64_t>& unfolded)
{
    using Kind = WaterfallRow::Kind;
    std::vector<WaterfallRow> rows;
    double sum = 0;
    const auto place = [&rows, &sum](WaterfallRow row) {
        row.start = sum;
        sum += row.isUnfolded ? 0 : row.sum();
        rows.push_back(row);
    };
    std::vector<std::vector<PairTerm>> ofLayers(static_cast<std::size_t>(layers));
    WaterfallRow total{.kind = Kind::Total};
    for (const PairTerm& term : pair.terms)
    {
        add(total, term);
        if (term.part.kind == PartKind::Token)
            place({.kind = Kind::Token, .part = term.part, .other = term.value});
        else
            ofLayers[static_cast<std::size_t>(term.part.layer)].push_back(term);
    }
    for (std::int64_t layer = 0; layer < layers; ++layer)
    {
        auto& terms = ofLayers[static_cast<std::size_t>(layer)];
        std::ranges::stable_sort(terms, {}, [](const PairTerm& term) { return orderOf(term.part); });
        WaterfallRow row{.kind = Kind::Layer, .layer = layer, .isUnfolded = unfolded.contains(layer)};
        for (const PairTerm& term : terms)
            add(row, term);
        place(row);
        if (row.isUnfolded)
            for (const PairTerm& term : terms)
            {
                WaterfallRow own{.kind = Kind::Part, .part = term.part, .layer = layer};
                add(own, term);
                place(own);
            }
    }
    rows.push_back(total);
    return rows;
}

std::int64_t busiestLayer(const PairContribution& pair, std::int64_t layers)
{
    std::vector<double> sizes(static_cast<std::size_t>(layers));
    for (const PairTerm& term : pair.terms)
        if (term.part.kind == PartKind::Head)
            sizes[static_cast<std::size_t>(term.part.layer)] += std::abs(term.value);
    return std::ranges::max_element(sizes) - sizes.begin();
}

} // namespace headscope::viz
