// SPDX-License-Identifier: GPL-3.0-or-later
// The colours of the grid, and of documents in views that show several maps.
#include "app/desktop/grid/grid_controller.h"
#include "app/desktop/map/map_coloring.h"
#include "model/data/documents/document_numbers.h"
#include "ui/theme/theme.h"
#include "ui/views/grid/grid_view.h"
#include "ui/views/grid/map_grid.h"
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

const QString kNumber = QStringLiteral("number:");
const QString kLabel = QStringLiteral("label:");

} // namespace

std::vector<ui::ColorOption> documentColors(const Study& study)
{
    std::vector<ui::ColorOption> colors = {{QStringLiteral("head"), GridController::tr("Colour: head")}};
    const DocumentSet& documents = *study.cache()->overview->documents;
    for (const LabelColumn& column : documents.labels)
    {
        const QString name = ui::toQString(column.name);
        if (ui::isGroups(column))
            colors.push_back({kLabel + name, GridController::tr("Colour: %1").arg(name)});
    }
    for (const std::string& each : documentNumberNames(documents))
    {
        const QString name = ui::toQString(each);
        colors.push_back({kNumber + name, GridController::tr("Colour: number %1").arg(name)});
    }
    colors.push_back({kPanelColors, GridController::tr("Colour: as at the left")});
    // What the data panel has chosen comes first where views start: labels say more than one hue.
    const QString chosen = kLabel + ui::toQString(study.labelColumn());
    std::stable_partition(colors.begin(), colors.end(),
                          [&chosen](const ui::ColorOption& option) { return option.id == chosen; });
    return colors;
}

std::optional<viz::PointColoring> documentColoring(const Study& study, const QString& id, viz::Theme theme)
{
    const DocumentSet& documents = *study.cache()->overview->documents;
    if (id.startsWith(kLabel))
    {
        PointIds all;
        for (std::int64_t document = 0; document < documents.count(); ++document)
            all.document.push_back(static_cast<std::int32_t>(document));
        all.head.assign(all.document.size(), 0);
        if (const LabelColumn* column = documents.label(ui::toStdString(id.mid(kLabel.size()))))
            return viz::colorByLabel(all, *column, theme, {}, ui::Theme::instance().labelPalette());
    }
    if (!id.startsWith(kNumber))
        return std::nullopt;
    const auto numbers = documentNumbers(documents, ui::toStdString(id.mid(kNumber.size())));
    if (!numbers)
        return std::nullopt;
    const viz::ScaleLimits limits = viz::robustLimits(numbers->values).value_or(viz::ScaleLimits{});
    const QString name = ui::toQString(numbers->name);
    return viz::colorByNumber(numbers->values, viz::ColorScale(viz::sequentialMap(theme), viz::roundedOutwards(limits)),
                              name.left(1).toUpper() + name.mid(1), theme);
}

GridController::Coloring GridController::coloring(viz::Theme theme) const
{
    if (m_view->bar()->color() == kPanelColors)
        return coloringOfPanel(theme);
    return {documentColoring(m_study, m_view->bar()->color(), theme), {}, {}};
}

GridController::Coloring GridController::coloringOfPanel(viz::Theme theme) const
{
    using Kind = ui::ColorChoice::Kind;
    const ui::ColorChoice choice = m_study.choices().now().color;
    const auto shownSet = set();
    if (choice.kind == Kind::Label || choice.kind == Kind::Number || choice.kind == Kind::Set)
    {
        const std::int64_t count = m_study.cache()->overview->documents->count();
        auto all = std::make_shared<PointIds>();
        all->document.resize(static_cast<std::size_t>(count));
        std::iota(all->document.begin(), all->document.end(), 0);
        all->head.assign(all->document.size(), 0);
        return {panelColoring(m_study, all, m_study.layer(), m_study.stage(), theme), {}, {}};
    }
    if (choice.kind == Kind::Head || shownSet == nullptr)
        return {};
    Coloring made;
    made.maps.resize(shownSet->maps.size());
    viz::Legend legend;
    legend.title = tr("Colour");
    legend.hint = whyByHead(m_study, m_study.layer(), m_study.stage());
    legend.content = viz::HeadLegend{};
    if (legend.hint.isEmpty()) // strength
    {
        legend.title = tr("Strength");
        legend.hint = tr("pale: weak, in each cell");
        for (std::size_t i = 0; i < made.maps.size(); ++i)
        {
            const HeadMap& map = shownSet->maps[i].map;
            if (!viz::isFullMap(map) && whyByHead(m_study, map.layer, map.stage).isEmpty())
                made.maps[i] = panelColoring(m_study, map.points, map.layer, map.stage, theme);
            else if (!viz::isFullMap(map))
                legend.hint =
                    tr("pale: weak, in each cell of layer %1, stage %2; the others by head")
                        .arg(QString::number(m_study.layer().value()), ui::toQString(stageName(m_study.stage())));
        }
    }
    made.legend = std::move(legend);
    return made;
}

void GridController::refreshColors()
{
    if (m_study.cache())
        m_view->bar()->setColors(documentColors(m_study));
}

void GridController::refreshColoring()
{
    if (!m_study.cache())
        return;
    Coloring made = coloring(ui::Theme::instance().vizTheme());
    if (made.maps.empty())
        m_view->setColoring(std::move(made.documents));
    else
        m_view->setMapColorings(std::move(made.maps), made.legend);
}

void GridController::takePanelColors()
{
    const ui::ColorChoice now = m_study.choices().now().color;
    const bool other = !(std::exchange(m_panelColors, now) == now);
    // Who changes the box at the left while the grid is looked at means the grid.
    if (other && inFront() && m_view->bar()->color() != kPanelColors)
        return m_view->bar()->setColor(kPanelColors);
    if (m_view->bar()->color() == kPanelColors)
        refreshColoring();
}

} // namespace headscope::desktop
