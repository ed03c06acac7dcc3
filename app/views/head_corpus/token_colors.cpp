// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/head_corpus/token_colors.h"

#include "ui/words/translate.h"
#include "ui/words/wording.h"
#include "viz/color/color_map.h"
#include "viz/tokens/token_text.h"

#include <QString>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace headscope::ui
{
namespace
{

constexpr double kMaxShare = 0.98; ///< of the positions that the scale tells apart: few texts are far longer

using viz::PointColoring;

/// Points as documents of their own, so that any value of a point can colour it.
PointIds eachItsOwn(std::int64_t points)
{
    PointIds ids;
    for (std::int64_t point = 0; point < points; ++point)
        ids.document.push_back(static_cast<std::int32_t>(point));
    return ids;
}

/// Colours by values that are texts: the most frequent have their own.
PointColoring byCategory(const TokenMap& map, const std::function<std::int64_t(std::int64_t token)>& keyOf,
                         const std::function<QString(std::int64_t key)>& nameOf, const QString& title,
                         viz::InkTheme theme)
{
    std::map<std::int64_t, std::int64_t> counts;
    for (std::int64_t point = 0; point < map.pointCount(); ++point)
        ++counts[keyOf(map.tokenOf(point))];
    std::vector<std::pair<std::int64_t, std::int64_t>> frequent(counts.begin(), counts.end());
    std::ranges::stable_sort(frequent, std::greater<>(), &std::pair<std::int64_t, std::int64_t>::second);
    frequent.resize(std::min(frequent.size(), kTokenCategories));
    LabelColumn column;
    column.name = toStdString(title);
    std::map<std::int64_t, std::int32_t> codes;
    for (const auto& [key, count] : frequent)
    {
        codes[key] = static_cast<std::int32_t>(column.categories.size());
        column.categories.push_back(toStdString(nameOf(key)));
    }
    for (std::int64_t point = 0; point < map.pointCount(); ++point)
    {
        const auto code = codes.find(keyOf(map.tokenOf(point)));
        column.codes.push_back(code == codes.end() ? -1 : code->second);
    }
    PointColoring coloring = viz::colorByLabel(eachItsOwn(map.pointCount()), column, theme);
    auto& legend = std::get<viz::CategoryLegend>(coloring.legend.content);
    legend.unit = tr("tokens");
    for (viz::CategoryLegendEntry& entry : legend.entries)
        if (entry.code < 0)
            entry.name = tr("all others");
    return coloring;
}

PointColoring byNumber(const TokenMap& map, const std::function<double(std::int64_t token)>& numberOf, double share,
                       const QString& title, viz::InkTheme theme)
{
    std::vector<float> values;
    for (std::int64_t point = 0; point < map.pointCount(); ++point)
        values.push_back(static_cast<float>(numberOf(map.tokenOf(point))));
    auto sorted = values;
    std::ranges::sort(sorted);
    const auto last = static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1));
    const double low = static_cast<double>(sorted.front());
    const double high = std::max(static_cast<double>(sorted[last]), low + 1e-9);
    return viz::colorByNumber(values, viz::ColorScale(viz::sequentialMap(theme), {low, high}), title, theme);
}

PointColoring byKind(const TokenMap& map, viz::InkTheme theme)
{
    LabelColumn column;
    column.name = toStdString(tr("vector"));
    column.categories = {toStdString(tr("query")), toStdString(tr("key"))};
    for (std::int64_t point = 0; point < map.pointCount(); ++point)
        column.codes.push_back(map.isKey(point) ? 1 : 0);
    PointColoring coloring =
        viz::colorByLabel(eachItsOwn(map.pointCount()), column, theme, std::array<std::int32_t, 2>{0, 1});
    std::get<viz::CategoryLegend>(coloring.legend.content).unit = tr("tokens");
    return coloring;
}

/// Every colour once for queries and once for keys, which differ in shape.
void shapeKeys(const TokenMap& map, PointColoring& coloring)
{
    if (map.kind == TokenMapKind::Outputs)
        return;
    const auto colors = std::exchange(coloring.colors, {});
    coloring.shapes.clear();
    for (const QRgb color : colors)
        for (const viz::MarkerShape shape : {viz::MarkerShape::Circle, viz::MarkerShape::Triangle})
        {
            coloring.colors.push_back(color);
            coloring.shapes.push_back(shape);
        }
    for (std::size_t point = 0; point < coloring.index.size(); ++point)
        coloring.index[point] = static_cast<std::uint16_t>(2 * coloring.index[point] +
                                                           (map.isKey(static_cast<std::int64_t>(point)) ? 1 : 0));
    if (auto* categories = std::get_if<viz::CategoryLegend>(&coloring.legend.content))
        for (viz::CategoryLegendEntry& entry : categories->entries)
            entry.shape = viz::MarkerShape::Circle;
}

} // namespace

viz::PointColoring colorTokens(const TokenMap& map, const TokenColorChoice& choice, const DocumentSet* documents,
                               viz::InkTheme theme)
{
    const HeadCorpus& corpus = *map.corpus;
    PointColoring coloring;
    const LabelColumn* const labels = documents != nullptr ? documents->label(choice.column) : nullptr;
    switch (choice.by)
    {
    case TokenColor::Kind:
        coloring = byKind(map, theme);
        shapeKeys(map, coloring);
        if (auto& entries = std::get<viz::CategoryLegend>(coloring.legend.content).entries; entries.size() == 2)
            entries[1].shape = viz::MarkerShape::Triangle;
        return coloring;
    case TokenColor::Label:
        if (labels != nullptr)
        {
            PointIds points;
            for (std::int64_t point = 0; point < map.pointCount(); ++point)
                points.document.push_back(
                    static_cast<std::int32_t>(corpus.placeOf(map.tokenOf(point)).document.value()));
            coloring = viz::colorByLabel(points, *labels, theme);
            break;
        }
        [[fallthrough]];
    case TokenColor::Activation:
        coloring = byNumber(
            map, [&](std::int64_t token) { return corpus.activations[static_cast<std::size_t>(token)]; }, 1,
            tr("Activation"), theme);
        break;
    case TokenColor::Position:
        coloring = byNumber(
            map, [&](std::int64_t token) { return static_cast<double>(corpus.placeOf(token).token.value()); },
            kMaxShare,
            tr("Position. Tokens after the last position in the legend have the same colour as that position."), theme);
        break;
    case TokenColor::Token:
        coloring = byCategory(
            map, [&](std::int64_t token) { return corpus.ids[static_cast<std::size_t>(token)]; },
            [&](std::int64_t id) {
                return tr("“%1”").arg(viz::tokenInText(toQString(corpus.spellingOf(static_cast<std::int32_t>(id)))));
            },
            tr("token"), theme);
        break;
    case TokenColor::Document:
        coloring = byCategory(
            map, [&](std::int64_t token) { return corpus.placeOf(token).document.value(); },
            [&](std::int64_t document) { return toQString(corpus.documents[static_cast<std::size_t>(document)]); },
            tr("document"), theme);
        break;
    }
    shapeKeys(map, coloring);
    return coloring;
}

} // namespace headscope::ui
