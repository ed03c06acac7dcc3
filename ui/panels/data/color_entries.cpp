// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/data/color_entries.h"

#include "model/data/documents/document_numbers.h"
#include "model/data/key_sharing.h"
#include "ui/words/wording.h"

#include <QCoreApplication>

namespace headscope::ui
{
namespace
{

QString tr(const char* text)
{
    return QCoreApplication::translate("colorEntries", text);
}

} // namespace

QString labelColumnText(const LabelColumn& column)
{
    return toQString(column.name) % QStringLiteral(" · ") %
           countText(static_cast<std::int64_t>(column.categories.size()), tr("value"), tr("values"));
}

std::vector<ColorEntry> colorEntries(const CacheOverview& overview, Stage stage)
{
    const QString unit = unitText(stage);
    using Kind = ColorChoice::Kind;
    std::vector<ColorEntry> items = {
        {hasKvGroups(overview.model, stage) ? tr("Head (hue = KV group)") : unitTitle(stage),
         {Kind::Head, {}},
         headColorsText(overview.model, stage)},
        {tr("Strength (faint = weak)"),
         {Kind::Strength, {}},
         tr("Hue is the %1; vectors of small norm fade into the ground: Teimouri et al. 2025, Figure 5a").arg(unit)}};
    for (const LabelColumn& column : overview.documents->labels)
        if (isGroups(column))
            items.push_back({tr("Label: %1").arg(labelColumnText(column)), {Kind::Label, column.name}, {}});
    for (const std::string& name : documentNumberNames(*overview.documents))
        items.push_back({tr("Number: %1").arg(toQString(name)), {Kind::Number, name}, {}});
    items.push_back(
        {tr("Density"), {Kind::Density, {}}, tr("The share of points that lie in thinner places of the map")});
    items.push_back({tr("Nearest %1 centroid").arg(unit),
                     {Kind::NearestHead, {}},
                     tr("The %1 whose mean vector is nearest in full space: another colour than the "
                        "dots around it is a vector that could be taken for another %1’s")
                         .arg(unit)});
    items.push_back({tr("Trust: neighbours kept"),
                     {Kind::Kept, {}},
                     tr("How many of the 10 nearest vectors are among the 10 nearest dots; measured when "
                        "asked for")});
    items.push_back({tr("Trust: divergence"),
                     {Kind::Divergence, {}},
                     tr("The dot’s part of the map’s Kullback–Leibler divergence: the larger, the less the dot is "
                        "to be believed; measured when asked for")});
    return items;
}

} // namespace headscope::ui
