// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/chart/activation_chart.h"

#include <QColor>
#include <QWidget>

#include <cstddef>
#include <optional>

namespace headscope::ui
{

/// How long a head's output is, and how often, with its deciles: a click, or an arrow key, goes to one.
class ActivationHistogram : public QWidget
{
    Q_OBJECT

public:
    explicit ActivationHistogram(QWidget* parent = nullptr);

    void setCounts(viz::ActivationCounts counts, const QColor& color);
    [[nodiscard]] const viz::ActivationChart& chart() const { return m_chart; }
    /// The activation of the current example; none: no line.
    void setMarked(std::optional<double> activation);
    [[nodiscard]] QSize sizeHint() const override { return {360, 116}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 100}; }

Q_SIGNALS:
    void decileChosen(std::size_t decile);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void layOut();
    void pointAt(std::optional<std::size_t> decile);
    [[nodiscard]] QString textOf(std::size_t decile) const;

    viz::ActivationCounts m_counts;
    QColor m_color;
    viz::ActivationChart m_chart;
    std::optional<double> m_marked;
    std::optional<std::size_t> m_decile; ///< under the pointer, or that keys lead to
};

} // namespace headscope::ui
