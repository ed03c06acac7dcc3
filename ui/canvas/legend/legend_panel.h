// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/axis/legend_painter.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::ui
{

class LegendWidget;

/// The legend of a view, placed next to the view: as wide as needed, hidden without a legend. It folds, scrolls and is
/// searched like the legend of the map. A click on a category isolates it, a second one shows all again.
class LegendPanel : public QWidget
{
    Q_OBJECT

public:
    explicit LegendPanel(QWidget* parent = nullptr);

    /// Nothing: no legend, no room taken.
    void setLegend(std::optional<viz::Legend> legend);
    [[nodiscard]] LegendWidget* card() const { return m_card; }
    /// Entries that are pale because another is shown alone.
    [[nodiscard]] const std::vector<viz::LegendHit>& faded() const;
    /// The category that is shown alone.
    [[nodiscard]] std::optional<std::int64_t> isolated() const { return m_isolated; }

Q_SIGNALS:
    /// Another category, or none, is shown alone.
    void isolatedChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void layOut();
    void setIsolated(std::optional<std::int64_t> code);

    LegendWidget* m_card = nullptr;
    std::optional<viz::Legend> m_legend;
    std::optional<std::int64_t> m_isolated;
};

} // namespace headscope::ui
