// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"
#include "ui/canvas/hover_card.h"
#include "viz/heatmap/matrix_painter.h"

#include <QStringList>
#include <QWidget>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui
{

/// Small tables of colours side by side, of one scale and with the same rows: similarities of topics, means
/// of heads. Keys: arrows move, Return clicks.
class MatrixWidget : public QWidget
{
    Q_OBJECT

public:
    struct Table
    {
        std::shared_ptr<const MatrixD> values;
        QStringList rowNames;
        QStringList columnNames;
        viz::MatrixStyle style; ///< theme and scale are the widget's
    };

    explicit MatrixWidget(QWidget* parent = nullptr);

    void setTables(std::vector<Table> tables);
    [[nodiscard]] const std::vector<Table>& tables() const { return m_tables; }
    void setScale(const viz::ScaleChoice& choice);
    [[nodiscard]] const viz::ScaleChoice& scale() const { return m_scale; }
    /// Places on the diagonal of the first table that are framed.
    void setBlocks(std::vector<std::pair<std::int64_t, std::int64_t>> blocks);
    void setCardSource(std::function<HoverContent(std::size_t table, viz::HeatmapCell cell)> source);
    [[nodiscard]] HoverCard* hoverCard() const { return m_card; }
    [[nodiscard]] const viz::MatrixLayout& layoutOf(std::size_t table) const { return m_layouts[table]; }
    /// The tables without the pointer's marks.
    void paintTables(QPainter& painter, double dpr) const;

Q_SIGNALS:
    void cellHovered(std::optional<std::int64_t> row, std::optional<std::int64_t> column);
    void cellClicked(std::int64_t row, std::int64_t column, Qt::KeyboardModifiers keys);
    void rowClicked(std::int64_t row);
    void columnClicked(std::int64_t column, Qt::KeyboardModifiers keys);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Place
    {
        std::size_t table = 0;
        viz::HeatmapCell cell;
        bool operator==(const Place&) const = default;
    };
    void layOut();
    [[nodiscard]] std::optional<Place> placeAt(QPointF place) const;
    void hover(std::optional<Place> place, QPoint at);
    void moveBy(int columns, int rows);

    std::vector<Table> m_tables;
    std::vector<viz::MatrixLayout> m_layouts;
    viz::ScaleChoice m_scale{viz::ScaleChoice::Kind::Diverging, {0, 1}, 0.5};
    std::function<HoverContent(std::size_t, viz::HeatmapCell)> m_cardSource;
    HoverCard* m_card = nullptr;
    std::optional<Place> m_hover;
};

} // namespace headscope::ui
