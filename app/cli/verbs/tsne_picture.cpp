// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs/tsne_picture.h"

#include "app/colorings/colorings.h"
#include "app/commands/value_checks.h"
#include "model/data/head_ranges.h"
#include "viz/export/figure_text.h"
#include "viz/export/head_views.h"
#include "viz/export/map_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace headscope::cli
{
namespace
{

colorings::ColoringInput coloringInput(const std::shared_ptr<const PointIds>& points, const TsneSource& source,
                                       const std::string& palette)
{
    colorings::ColoringInput input;
    input.points = points;
    input.stage = source.stage;
    input.theme = {viz::InkTheme::Light, viz::paletteFromId(QString::fromStdString(palette))};
    input.palette = viz::HeadPalette(source.model, input.theme);
    if (source.input)
        input.documents = source.input->documents;
    if (source.vectors)
        input.strengths = [points, vectors = source.vectors] { return viz::strengthsOfPoints(*points, *vectors); };
    return input;
}

/// The heads to show, ascending: those that are asked for, else all of the map.
Result<std::vector<std::int64_t>> shownHeads(const TsneSource& source, const commands::TsneCommand& choices)
{
    if (!source.vectors)
        return wrongUse(choices.showHeads.empty() ? "--panels" : "--show-heads",
                        "expected a map of the heads of a cache, found one of a plain matrix");
    const auto& ids = source.points.ids.head;
    const std::set<std::int64_t> present(ids.begin(), ids.end());
    if (choices.showHeads.empty())
        return std::vector<std::int64_t>(present.begin(), present.end());
    auto heads = parseHeadRanges(choices.showHeads, source.vectors->heads());
    if (!heads)
        return std::move(heads).error().atPlace("--show-heads");
    for (const std::int64_t head : *heads)
        if (!present.contains(head))
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("{} {} is not on the map", unitName(source.stage), head + 1),
                         {},
                         "--show-heads"};
    return heads;
}

constexpr std::string_view kInsetHeads = "heads:";

/// The part of the map that --inset names.
Result<std::optional<viz::MapInset>> insetOf(const HeadMap& map, const TsneSource& source,
                                             const commands::TsneCommand& choices)
{
    if (choices.inset.empty())
        return std::optional<viz::MapInset>();
    if (const auto corners = commands::insetCorners(choices.inset))
        return std::optional(viz::MapInset{
            QRectF(QPointF((*corners)[0], (*corners)[1]), QPointF((*corners)[2], (*corners)[3])).normalized(), {}});
    const std::string words = choices.inset.substr(kInsetHeads.size());
    auto heads = parseHeadRanges(words, source.vectors->heads());
    if (!heads)
        return std::move(heads).error().atPlace("--inset");
    auto part = viz::headsOfMap(map, *heads);
    if (!part)
        return std::move(part).error().atPlace("--inset");
    return std::optional(viz::MapInset{part->window, QStringLiteral("around %1 %2")
                                                         .arg(viz::wordsOf(unitName(source.stage)) +
                                                                  (heads->size() > 1 ? QStringLiteral("s") : QString()),
                                                              QString::fromStdString(words))});
}

/// The word of --color: a column that was extracted as numbers is coloured as such.
std::string colorWord(const TsneSource& source, const commands::TsneCommand& choices)
{
    if (!source.input)
        return choices.color;
    const auto numbers = numberColumnsOf(source.input->cache->info(), *source.input->documents);
    return (std::ranges::find(numbers, choices.color) == numbers.end() ? "" : "number:") + choices.color;
}

bool isWhole(const commands::TsneCommand& choices)
{
    return choices.showHeads.empty() && choices.panels == "none";
}

} // namespace

Status checkPicture(const TsneSource& source, const commands::TsneCommand& choices)
{
    HEADSCOPE_CHECK(colorings::checkWord(
        colorWord(source, choices),
        coloringInput(std::make_shared<const PointIds>(source.points.ids), source, choices.figure.palette)));
    if (!isWhole(choices))
        HEADSCOPE_CHECK(shownHeads(source, choices));
    if (!choices.inset.empty() && !isWhole(choices))
        return wrongUse("--inset",
                        "cannot be combined with --show-heads or --panels: an inset needs a figure of the whole map");
    if (choices.inset.starts_with(kInsetHeads) && !source.vectors)
        return wrongUse(
            "--inset",
            "expected a map of the heads of a cache, found a plain matrix; name two corners instead (X,Y,X,Y)");
    return {};
}

Result<viz::Figure> mapPicture(const HeadMap& map, const TsneSource& source, const commands::TsneCommand& choices,
                               int numThreads)
{
    HEADSCOPE_TRY(
        viz::PointColoring coloring,
        colorings::colorByWord(colorWord(source, choices), coloringInput(map.points, source, choices.figure.palette)));
    viz::MapFigure figure{std::move(coloring), {}, {}, true, numThreads};
    if (source.input)
        figure.pooling = source.input->cache->info().header.pooling;
    HEADSCOPE_TRY(figure.inset, insetOf(map, source, choices));
    auto owned = std::make_shared<const HeadMap>(map);
    if (isWhole(choices))
        return viz::figureOfMap(std::move(owned), source.model, std::move(figure));
    HEADSCOPE_TRY(auto heads, shownHeads(source, choices));
    return choices.panels == "none"
               ? viz::figureOfHeadsOnMap(std::move(owned), source.model, std::move(figure), std::move(heads))
               : viz::figureOfHeadPanels(std::move(owned), source.model, std::move(figure), std::move(heads));
}

} // namespace headscope::cli
