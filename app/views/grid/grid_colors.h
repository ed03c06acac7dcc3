// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/study.h"
#include "app/views/grid/grid_bar.h"
#include "ui/state/color_choice.h"
#include "viz/scatter/point_coloring.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace headscope::ui
{
class GridView;
}

namespace headscope::desktop
{

/// Colours of documents for views that show several maps: by label column, by any column of numbers,
/// or (nothing) by head.
/// @pre a cache is open
[[nodiscard]] std::optional<viz::PointColoring> documentColoring(const Study& study, const QString& id,
                                                                 viz::InkTheme theme);
/// Id of the choice "as at the left": the colours chosen in the data panel.
inline const QString kPanelColors = QStringLiteral("panel");
/// The ids that such views offer for the open cache, with their titles; by head comes first.
[[nodiscard]] std::vector<ui::ColorOption> documentColors(const Study& study);

/// The colours of the grid: what its box offers, and what the cells show of it; it follows the data panel, the labels
/// and the theme.
/// @threads GUI thread
class GridColors : public QObject
{
    Q_OBJECT

public:
    /// How the grid is coloured: by document, or each map in its own colours.
    struct Coloring
    {
        std::optional<viz::PointColoring> documents;
        std::vector<std::optional<viz::PointColoring>> maps;
        std::optional<viz::Legend> legend; ///< of maps
    };

    /// @param study, view  must outlive the object
    GridColors(Study& study, ui::GridView& view, QObject* parent = nullptr);

    /// Another cache is open.
    void open();
    /// The grid shows other points, which may need colours of their own.
    void takePoints();
    [[nodiscard]] Coloring coloring(viz::InkTheme theme) const;

private:
    void refreshOffers();
    /// Colours what is shown again.
    void refresh();
    [[nodiscard]] Coloring coloringOfPanel(viz::InkTheme theme) const;
    void takePanelColors();

    Study& m_study;
    ui::GridView& m_view;
    ui::ColorChoice m_panelColors; ///< as the data panel had them last
};

} // namespace headscope::desktop
