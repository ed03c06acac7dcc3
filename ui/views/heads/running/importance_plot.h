// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/importance_results.h"
#include "viz/color/head_palette.h"

#include <QRectF>
#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui
{

/// What is lost by the cut of the cache against what is lost in the model, a dot a head with the intervals of both;
/// on the diagonal both say the same. Dots whose intervals exclude each other have a ring. A click marks the head;
/// arrow keys go from dot to dot.
class ImportancePlot : public QWidget
{
    Q_OBJECT

public:
    explicit ImportancePlot(QWidget* parent = nullptr);

    /// Shows a measure of a comparison; null: nothing.
    void setComparison(std::shared_ptr<const ImportanceComparison> comparison, ImportanceMeasure measure,
                       const viz::HeadPalette& palette);
    [[nodiscard]] std::size_t dotCount() const { return m_dots.size(); }
    /// Where a player's dot lies; nothing where it has none.
    [[nodiscard]] std::optional<QPointF> placeOf(std::size_t player) const;
    [[nodiscard]] QString textOf(std::size_t player) const;
    [[nodiscard]] QSize sizeHint() const override { return {280, 240}; }

Q_SIGNALS:
    void playerClicked(std::int64_t player);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Dot
    {
        std::size_t player = 0;
        Estimate cut;
        Estimate leftOut;
        QColor color;
        bool isApart = false;
    };
    [[nodiscard]] QRectF box() const;
    [[nodiscard]] QPointF at(double cut, double leftOut) const;
    [[nodiscard]] std::optional<std::size_t> dotAt(QPointF place) const;
    void paintAxes(QPainter& painter) const;
    void paintDot(QPainter& painter, const Dot& dot, bool isHovered) const;
    void hover(std::optional<std::size_t> dot, QPoint tip);

    std::shared_ptr<const ImportanceComparison> m_comparison;
    ImportanceMeasure m_measure = ImportanceMeasure::Cosine;
    std::vector<Dot> m_dots;
    double m_low = 0; ///< of both axes
    double m_high = 1;
    std::optional<std::size_t> m_hovered; ///< of m_dots
};

} // namespace headscope::ui
