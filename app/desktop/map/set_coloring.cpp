// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/map/set_coloring.h"

#include "ui/words/wording.h"

#include <QCoreApplication>

#include <cstddef>
#include <variant>

namespace headscope::desktop
{

SetColors setColors(const ui::NamedSets& sets, std::int64_t documents)
{
    SetColors colors{sets.asColumn(documents), {}};
    for (const std::string& category : colors.column.categories)
        colors.colors.push_back(sets.categoryColor(ui::toQString(category)).rgb());
    return colors;
}

viz::PointColoring colorBySets(const PointIds& points, const SetColors& sets, viz::Theme theme)
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
                entry.name = QCoreApplication::translate("setColoring", "in no set");
        }
    }
    coloring.legend.title = QCoreApplication::translate("setColoring", "Set");
    return coloring;
}

} // namespace headscope::desktop
