// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/map_coloring.h"

#include "ui/panels/data_panel.h"
#include "ui/wording.h"

#include <vector>

namespace headscope::desktop
{

viz::PointColoring mapColoring(const Study& study, const HeadMap& map, viz::Theme theme)
{
    const PointIds& points = *map.points;
    const QString unit = ui::toQString(unitName(map.stage));
    const ui::CacheOverview& overview = *study.cache()->overview;
    const viz::HeadPalette palette(overview.model, theme);
    const ui::ColorChoice choice = study.window().dataPanel().colorChoice();
    if (choice.kind == ui::ColorChoice::Kind::Label)
    {
        if (const LabelColumn* column = overview.documents->label(choice.column))
            return viz::colorByLabel(points, *column, theme);
    }
    if (choice.kind == ui::ColorChoice::Kind::Strength && study.source().strengths != nullptr)
    {
        std::vector<float> strengths;
        strengths.reserve(static_cast<std::size_t>(points.count()));
        for (std::int64_t i = 0; i < points.count(); ++i)
            strengths.push_back(study.source().strengths->values(points.document[static_cast<std::size_t>(i)],
                                                                 points.head[static_cast<std::size_t>(i)]));
        return viz::colorByStrength(points, strengths, palette, unit);
    }
    return viz::colorByHead(points, palette, unit);
}

} // namespace headscope::desktop
