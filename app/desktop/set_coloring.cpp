// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/set_coloring.h"

#include "ui/wording.h"

#include <QCoreApplication>

#include <cstddef>
#include <variant>

namespace headscope::desktop
{

viz::PointColoring colorBySets(const PointIds& points, const ui::NamedSets& sets, std::int64_t documents,
                               viz::Theme theme)
{
    const LabelColumn column = sets.asColumn(documents);
    viz::PointColoring coloring = viz::colorByLabel(points, column, theme);
    // The same points and entries in the colours that were given to the sets.
    for (std::size_t i = 0; i < points.document.size(); ++i)
    {
        const auto document = static_cast<std::size_t>(points.document[i]);
        const std::int32_t code = document < column.codes.size() ? column.codes[document] : -1;
        if (code >= 0)
            coloring.colors[coloring.index[i]] =
                sets.categoryColor(ui::toQString(column.categories[static_cast<std::size_t>(code)])).rgb();
    }
    if (auto* legend = std::get_if<viz::CategoryLegend>(&coloring.legend.content))
    {
        for (viz::CategoryLegendEntry& entry : legend->entries)
        {
            if (entry.code >= 0)
                entry.color = sets.categoryColor(entry.name).rgb();
            else
                entry.name = QCoreApplication::translate("setColoring", "in no set");
        }
    }
    coloring.legend.title = QCoreApplication::translate("setColoring", "Set");
    return coloring;
}

} // namespace headscope::desktop
