// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scatter/scatter_text.h"

#include "model/data/head_ranges.h"
#include "ui/canvas/scatter/point_layers.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"

#include <variant>

namespace headscope::ui
{

QString litText(const viz::PointStates& points, Stage stage)
{
    if (!points.someAreLit())
        return {};
    std::vector<std::int64_t> shown = points.headsShown();
    const auto all = std::ssize(shown);
    std::erase_if(shown, [&points](std::int64_t head) { return !points.isLit(HeadIndex(head)); });
    const QString units = unitsText(stage);
    if (shown.size() == 1)
        return tr("only %1 %2 is highlighted").arg(unitText(stage)).arg(shown.front() + 1);
    const QString ranges = toQString(formatHeadRanges(shown));
    constexpr qsizetype kLongest = 24; // as a list; more are told by their number
    return ranges.size() <= kLongest
               ? tr("only %1 %2 are highlighted").arg(units, ranges)
               : tr("only %1 of %2 %3 are highlighted").arg(countText(std::ssize(shown)), countText(all), units);
}

QString badgeText(const PointLayers& layers, const viz::PointStates& points, Stage stage)
{
    const MapPicture& picture = layers.picture();
    if (picture.isPartial())
    {
        const QString text =
            layers.isMoving() ? tr("%1 of %2 drawn while moving") : tr("%1 of %2 drawn, loading the rest");
        return text.arg(countText(picture.drawnPoints()), countText(points.count(), tr("point"), tr("points")));
    }
    const SetRings::Counts& rings = layers.ringCounts();
    if (rings.drawn < rings.all)
        return tr("outlines for %1 of %2").arg(countText(rings.drawn), countText(rings.all, tr("point"), tr("points")));
    const QString lit = litText(points, stage);
    return lit.isEmpty() ? lit : tr("%1; press Escape to highlight all").arg(lit.left(1).toUpper() + lit.mid(1));
}

QString mapText(const viz::PointStates& points, const viz::Legend& legend, Stage stage)
{
    QString text =
        tr("%1, %2 shown").arg(countText(points.count(), tr("point"), tr("points")), countText(points.shownCount()));
    if (const auto* labels = std::get_if<viz::CategoryLegend>(&legend.content))
        text += tr(", %1").arg(countText(std::ssize(labels->entries), tr("label"), tr("labels")));
    if (points.chosenPoints() != nullptr)
        text += tr(", %1 selected").arg(countText(points.chosenPoints()->count(), tr("point"), tr("points")));
    else if (const std::int64_t chosen = points.chosenDocuments(); chosen > 0)
        text += tr(", %1 selected").arg(countText(chosen, tr("document"), tr("documents")));
    if (const QString lit = litText(points, stage); !lit.isEmpty())
        text += QStringLiteral(", ") % lit;
    return text;
}

} // namespace headscope::ui
