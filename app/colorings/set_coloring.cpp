// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/colorings/coloring_list.h"
#include "app/colorings/words.h"

#include <variant>

namespace headscope::colorings
{
namespace
{

std::vector<Offer> offers(const Offered&)
{
    return {{{}, tr("Named sets"), tr("sets"), tr("The sets that a document belongs to")}};
}

/// Points in the colours of the named sets their documents are in; those of no set are grey, those of several have
/// the mean of their colours and an entry of their own.
viz::PointColoring bySets(const PointIds& points, const SetColors& sets, viz::InkTheme theme)
{
    viz::PointColoring coloring = viz::colorByLabel(points, sets.column, theme);
    // The same points and entries in the colours that were given to the sets; shapes are of labels'.
    coloring.shapes.clear();
    if (auto* legend = std::get_if<viz::CategoryLegend>(&coloring.legend.content))
    {
        for (viz::CategoryLegendEntry& entry : legend->entries)
        {
            entry.shape = viz::MarkerShape::Circle;
            if (entry.code >= 0)
                coloring.colors[entry.colorIndex] = entry.color = sets.colors[static_cast<std::size_t>(entry.code)];
            else
                entry.name = tr("in no set");
        }
    }
    coloring.legend.title = tr("Set");
    return coloring;
}

Task make(const ColoringInput& input)
{
    if (input.sets == nullptr)
        return {};
    return [points = input.points, sets = input.sets, theme = input.theme] { return bySets(*points, *sets, theme); };
}

} // namespace

Coloring setColoring()
{
    return {.key = "set", .needs = Needs::Sets, .offers = offers, .make = make};
}

} // namespace headscope::colorings
