// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/map/map_coloring.h"

#include "app/colorings/colorings.h"
#include "ui/theme/theme.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"

#include <cstddef>
#include <limits>
#include <utility>

namespace headscope::desktop
{
namespace
{

using colorings::Coloring;
using colorings::Needs;

using ui::tr;

void addEntries(std::vector<ui::ColorEntry>& entries, const Coloring& coloring, const ui::CacheOverview& overview,
                Stage stage)
{
    for (colorings::Offer& offer : coloring.offers({overview.model, *overview.documents, stage}))
        entries.push_back({offer.title, {std::string(coloring.key), std::move(offer.column)}, offer.tip});
}

/// [P]; NaN where no strength is known.
std::vector<float> strengthsOf(const PointIds& points, const ui::Strengths& known)
{
    std::vector<float> strengths;
    strengths.reserve(static_cast<std::size_t>(points.count()));
    for (std::size_t i = 0; i < points.document.size(); ++i)
    {
        const std::int64_t document = points.document[i];
        const std::int64_t head = points.head[i];
        const bool there = document < known.values.rows() && head < known.values.cols();
        strengths.push_back(there ? known.values(document, head) : std::numeric_limits<float>::quiet_NaN());
    }
    return strengths;
}

bool ofChosenSource(const Study& study, const HeadMap& map)
{
    return map.layer == study.layer() && map.stage == study.stage();
}

colorings::ColoredPoints coloredPoints(const Study& study, const HeadMap& map, const MapFindings& findings)
{
    colorings::ColoredPoints of;
    of.points = map.points;
    of.stage = map.stage;
    of.documents = study.cache()->overview->documents;
    of.column = study.choices().now().color.column;
    if (const Coloring& coloring = coloringOf(study.choices().now().color); coloring.finder)
        if (const auto found = findings.find(coloring.finder->key); found != findings.end())
            of.found = found->second;
    return of;
}

} // namespace

std::vector<ui::ColorEntry> colorEntries(const ui::CacheOverview& overview, Stage stage)
{
    std::vector<ui::ColorEntry> entries;
    for (const Coloring& coloring : colorings::all())
        if (coloring.needs != Needs::Sets)
            addEntries(entries, coloring, overview, stage);
    return entries;
}

std::vector<ui::ColorEntry> setColorEntries()
{
    ui::CacheOverview none; // sets are not of the cache
    none.documents = std::make_shared<const DocumentSet>();
    std::vector<ui::ColorEntry> entries;
    for (const Coloring& coloring : colorings::all())
        if (coloring.needs == Needs::Sets)
            addEntries(entries, coloring, none, Stage::HeadOutput);
    return entries;
}

bool ofEachMap(const Coloring& coloring)
{
    return coloring.needs == Needs::Strengths ||
           (coloring.needs == Needs::Points && &coloring != &colorings::all().front());
}

const Coloring& coloringOf(const ui::ColorChoice& choice)
{
    const Coloring* found = colorings::find(choice.coloring);
    return found == nullptr ? colorings::all().front() : *found;
}

colorings::SetColors setColors(const ui::NamedSets& sets, std::int64_t documents)
{
    colorings::SetColors colors{sets.asColumn(documents), {}};
    for (const std::string& category : colors.column.categories)
        colors.colors.push_back(sets.categoryColor(ui::toQString(category)).rgb());
    return colors;
}

colorings::Task mapColoring(const Study& study, const std::shared_ptr<const HeadMap>& map, viz::InkTheme theme,
                            const MapFindings& findings, const std::vector<std::int32_t>& order)
{
    const Coloring& coloring = coloringOf(study.choices().now().color);
    const ui::CacheOverview& overview = *study.cache()->overview;
    colorings::ColoringInput input;
    static_cast<colorings::ColoredPoints&>(input) = coloredPoints(study, *map, findings);
    input.palette = viz::HeadPalette(overview.model, theme);
    input.theme = theme;
    input.order = order;
    // Those of the chosen layer and stage alone are known.
    const bool elsewhere = !ofChosenSource(study, *map);
    if (study.source().strengths != nullptr && !elsewhere)
        input.strengths = [points = map->points, known = study.source().strengths] {
            return strengthsOf(*points, *known);
        };
    if (coloring.needs == Needs::Sets)
        input.sets = std::make_shared<const colorings::SetColors>(
            setColors(study.window().selection().sets(), overview.documents->count()));
    if (auto task = coloring.make(input))
        return task;
    return colorings::byHead(input, coloring.needs == Needs::Strengths && elsewhere
                                        ? tr("no norms: the stored norms belong to another layer or stage")
                                        : coloring.waiting);
}

QString whyByHead(const Study& study, LayerIndex layer, Stage stage)
{
    const Coloring& coloring = coloringOf(study.choices().now().color);
    if (coloring.needs == Needs::Map)
        return tr("the selected colours apply only to a single map: see the Map tab");
    if (coloring.needs != Needs::Strengths)
        return {};
    if (study.source().strengths == nullptr)
        return coloring.waiting;
    return layer == study.layer() && stage == study.stage()
               ? QString()
               : tr("norms belong to layer %1, stage %2")
                     .arg(QString::number(study.layer().value()), ui::toQString(stageName(study.stage())));
}

viz::PointColoring panelColoring(const Study& study, const std::shared_ptr<const PointIds>& points, LayerIndex layer,
                                 Stage stage, viz::InkTheme theme)
{
    if (const QString why = whyByHead(study, layer, stage); !why.isEmpty())
    {
        const viz::HeadPalette palette(study.cache()->overview->model, theme);
        viz::PointColoring coloring = viz::colorByHead(*points, palette, ui::toQString(unitName(stage)));
        coloring.legend.hint = why;
        return coloring;
    }
    auto map = std::make_shared<HeadMap>();
    map->points = points;
    map->layer = layer;
    map->stage = stage;
    return mapColoring(study, map, theme)();
}

QString coloredValue(const Study& study, const HeadMap& map, const MapFindings& findings, std::int64_t point)
{
    const Coloring& coloring = coloringOf(study.choices().now().color);
    return coloring.value == nullptr
               ? QString()
               : coloring.value(coloredPoints(study, map, findings), static_cast<std::size_t>(point));
}

} // namespace headscope::desktop
