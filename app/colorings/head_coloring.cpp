// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/colorings/coloring_list.h"
#include "app/colorings/words.h"
#include "model/data/key_sharing.h"

namespace headscope::colorings
{
namespace
{

/// What the hues of heads or segments say.
QString hues(const ModelInfo& model, Stage stage)
{
    if (hasKvGroups(model, stage))
        return tr("Hue shows the KV group; lightness and shape show the head within it");
    if (unitName(stage) == "head")
        return tr("Every head has its own colour, the same in all views");
    return tr("Every segment has the colour of the head with the same number at stage 1");
}

std::vector<Offer> offers(const Offered& of)
{
    const QString title =
        hasKvGroups(of.model, of.stage) ? tr("Head (hue = KV group)") : capitalised(unitText(of.stage));
    return {{{}, title, tr("head"), hues(of.model, of.stage)}};
}

Task make(const ColoringInput& input)
{
    return byHead(input);
}

} // namespace

Task byHead(const ColoringInput& input, const QString& hint)
{
    return [points = input.points, palette = input.palette, unit = unitText(input.stage), hint] {
        viz::PointColoring coloring = viz::colorByHead(*points, palette, unit);
        coloring.legend.hint = hint;
        return coloring;
    };
}

Coloring headColoring()
{
    return {.key = "head", .needs = Needs::Points, .offers = offers, .make = make, .shellWord = "head"};
}

} // namespace headscope::colorings
