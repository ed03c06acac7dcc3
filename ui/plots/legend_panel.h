// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/axis/legend_painter.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::ui
{

/// The legend of a view beside it: as wide as it must be, and gone where there is none. A click on a
/// category isolates it, a second one shows all again.
class LegendPanel : public QWidget
{
    Q_OBJECT

public:
    explicit LegendPanel(QWidget* parent = nullptr);

    /// Nothing: no legend, no room taken.
    void setLegend(std::optional<viz::Legend> legend);
    [[nodiscard]] const viz::LegendLayout& legendLayout() const { return m_layout; }
    /// Entries that are pale because another is shown alone.
    [[nodiscard]] std::vector<viz::LegendHit> faded() const;
    /// The category that is shown alone.
    [[nodiscard]] std::optional<std::int64_t> isolated() const { return m_isolated; }

Q_SIGNALS:
    /// Another category, or none, is shown alone.
    void isolatedChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    void layOut();

    std::optional<viz::Legend> m_legend;
    viz::LegendLayout m_layout;
    std::optional<std::int64_t> m_isolated;
};

} // namespace headscope::ui
