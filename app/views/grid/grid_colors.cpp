// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/grid/grid_colors.h"

#include "app/colorings/colorings.h"
#include "app/views/grid/grid_bar.h"
#include "app/views/grid/grid_view.h"
#include "app/views/grid/map_grid.h"
#include "app/views/map/map_coloring.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/grid/grid_contents.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

namespace headscope::desktop
{
namespace
{

/// Every document as a point.
std::shared_ptr<const PointIds> everyDocument(const DocumentSet& documents)
{
    auto all = std::make_shared<PointIds>();
    all->document.resize(static_cast<std::size_t>(documents.count()));
    std::iota(all->document.begin(), all->document.end(), 0);
    all->head.assign(all->document.size(), 0);
    return all;
}

} // namespace

std::vector<ui::ColorOption> documentColors(const Study& study)
{
    const ui::CacheOverview& overview = *study.cache()->overview;
    std::vector<ui::ColorOption> colors;
    for (const colorings::Coloring& coloring : colorings::all())
    {
        const bool byHead = &coloring == &colorings::all().front();
        if (!byHead && coloring.needs != colorings::Needs::Documents)
            continue;
        for (const colorings::Offer& offer : coloring.offers({overview.model, *overview.documents, study.stage()}))
            colors.push_back({ui::toQString(colorings::choiceKey(coloring, offer.column)),
                              GridColors::tr("Colour: %1").arg(offer.shortTitle)});
    }
    colors.push_back({kPanelColors, GridColors::tr("Colour: as in Data panel")});
    // What the data panel has chosen comes first where views start: labels say more than one hue.
    const QString chosen = QStringLiteral("label:") + ui::toQString(study.labelColumn());
    std::stable_partition(colors.begin(), colors.end(),
                          [&chosen](const ui::ColorOption& option) { return option.id == chosen; });
    return colors;
}

std::optional<viz::PointColoring> documentColoring(const Study& study, const QString& id, viz::InkTheme theme)
{
    const auto choice = ui::ColorChoice::fromKey(ui::toStdString(id));
    const colorings::Coloring* coloring = colorings::find(choice.coloring);
    if (coloring == nullptr || coloring->needs != colorings::Needs::Documents)
        return std::nullopt;
    colorings::ColoringInput input;
    input.documents = study.cache()->overview->documents;
    input.points = everyDocument(*input.documents);
    input.column = choice.column;
    input.theme = theme;
    const colorings::Task task = coloring->make(input);
    return task ? std::optional(task()) : std::nullopt;
}

GridColors::GridColors(Study& study, ui::GridView& view, QObject* parent)
    : QObject(parent), m_study(study), m_view(view)
{
    connect(m_view.bar(), &ui::GridBar::colorChanged, this, &GridColors::refresh);
    connect(&m_study, &Study::labelsChanged, this, [this] {
        refreshOffers();
        refresh();
    });
    connect(&m_study.choices(), &ui::Choices::colorChanged, this, &GridColors::takePanelColors);
    connect(&m_study, &Study::sourceLoaded, this, [this] {
        if (m_view.bar()->color() == kPanelColors)
            refresh(); // strengths are there
    });
    connect(&m_study, &Study::paletteChanged, this, &GridColors::refresh);
}

GridColors::Coloring GridColors::coloring(viz::InkTheme theme) const
{
    if (m_view.bar()->color() == kPanelColors)
        return coloringOfPanel(theme);
    return {documentColoring(m_study, m_view.bar()->color(), theme), {}, {}};
}

GridColors::Coloring GridColors::coloringOfPanel(viz::InkTheme theme) const
{
    using colorings::Needs;
    const colorings::Coloring& choice = coloringOf(m_study.choices().now().color);
    const auto shownSet = m_view.set();
    if (choice.needs == Needs::Documents || choice.needs == Needs::Sets)
        return {panelColoring(m_study, everyDocument(*m_study.cache()->overview->documents), m_study.layer(),
                              m_study.stage(), theme),
                {},
                {}};
    if (shownSet == nullptr || (choice.needs != Needs::Map && !ofEachMap(choice)))
        return {};
    Coloring made;
    made.maps.resize(shownSet->maps.size());
    viz::Legend legend;
    legend.title = tr("Colour");
    legend.hint = whyByHead(m_study, m_study.layer(), m_study.stage());
    legend.content = viz::HeadLegend{};
    if (legend.hint.isEmpty())
    {
        const ui::CacheOverview& overview = *m_study.cache()->overview;
        const auto offers = choice.offers({overview.model, *overview.documents, m_study.stage()});
        legend.title = offers.front().shortTitle.left(1).toUpper() + offers.front().shortTitle.mid(1);
        legend.hint = choice.cellsHint;
        for (std::size_t i = 0; i < made.maps.size(); ++i)
        {
            const HeadMap& map = shownSet->maps[i].map;
            if (!viz::isFullMap(map) && whyByHead(m_study, map.layer, map.stage).isEmpty())
                made.maps[i] = panelColoring(m_study, map.points, map.layer, map.stage, theme);
            else if (!viz::isFullMap(map))
                legend.hint = tr("%1 of layer %2, stage %3; other cells are coloured by head")
                                  .arg(choice.cellsHint, QString::number(m_study.layer().value()),
                                       ui::toQString(stageName(m_study.stage())));
        }
    }
    made.legend = std::move(legend);
    return made;
}

void GridColors::open()
{
    refreshOffers();
    m_panelColors = m_study.choices().now().color;
    refresh();
}

void GridColors::takePoints()
{
    if (m_view.bar()->color() == kPanelColors && !m_view.grid()->points().hasMapColorings() &&
        ofEachMap(coloringOf(m_panelColors)))
        refresh();
}

void GridColors::refreshOffers()
{
    if (m_study.cache())
        m_view.bar()->setColors(documentColors(m_study));
}

void GridColors::refresh()
{
    if (!m_study.cache())
        return;
    Coloring made = coloring(ui::Theme::instance().vizTheme());
    if (made.maps.empty())
        m_view.setColoring(std::move(made.documents));
    else
        m_view.setMapColorings(std::move(made.maps), made.legend);
}

void GridColors::takePanelColors()
{
    const ui::ColorChoice now = m_study.choices().now().color;
    const bool other = !(std::exchange(m_panelColors, now) == now);
    // Who changes the box at the left while the grid is looked at means the grid.
    if (other && m_study.window().view() == ui::kGridView && m_view.bar()->color() != kPanelColors)
        return m_view.bar()->setColor(kPanelColors);
    if (m_view.bar()->color() == kPanelColors)
        refresh();
}

} // namespace headscope::desktop
