// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/colorings/coloring_list.h"
#include "app/colorings/words.h"

namespace headscope::colorings
{
namespace
{

std::vector<Offer> offers(const Offered& of)
{
    return {{{},
             tr("Norm (faint = small)"),
             tr("strength"),
             tr("Hue shows the %1; vectors of small norm fade into the background").arg(unitText(of.stage))}};
}

Task make(const ColoringInput& input)
{
    if (!input.strengths)
        return {};
    return [points = input.points, strengths = input.strengths, palette = input.palette, unit = unitText(input.stage)] {
        return viz::colorByStrength(*points, strengths(), palette, unit);
    };
}

} // namespace

Coloring strengthColoring()
{
    return {.key = "strength",
            .needs = Needs::Strengths,
            .offers = offers,
            .make = make,
            .waiting = tr("norms are being read"),
            .shellWord = "strength",
            .cellsHint = tr("pale: small norm, in each cell")};
}

} // namespace headscope::colorings
