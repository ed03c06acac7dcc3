// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/topic_results.h"
#include "ui/plots/hover_card.h"
#include "viz/heatmap/heatmap_painter.h"

#include <QImage>
#include <QWidget>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui
{

/// Heatmaps of one or more stages, one under the other. Hover says the value, click chooses the
/// document. The picture is painted once and kept until something changes.
class HeatmapWidget : public QWidget
{
    Q_OBJECT

public:
    explicit HeatmapWidget(QWidget* parent = nullptr);

    void setHeatmaps(std::vector<std::shared_ptr<const Heatmap>> heatmaps, const ModelInfo& info);
    [[nodiscard]] const std::vector<std::shared_ptr<const Heatmap>>& heatmaps() const { return m_heatmaps; }
    /// The card's words for a cell: the document's topic and text are the caller's knowledge.
    void setCardSource(std::function<HoverContent(const Heatmap& heatmap, viz::HeatmapCell cell)> source);
    /// The document that is chosen, framed in every stage.
    void setPrimary(std::optional<std::int64_t> document, std::optional<std::int64_t> head);
    void setHovered(std::optional<std::int64_t> document);
    [[nodiscard]] HoverCard* hoverCard() const { return m_card; }
    [[nodiscard]] const viz::HeatmapLayout& layoutOf(std::size_t heatmap) const { return m_layouts[heatmap]; }
    /// What must be said under the picture (several documents in a pixel), or "".
    [[nodiscard]] QString note() const;
    [[nodiscard]] std::int64_t paintCount() const { return m_paints; }

Q_SIGNALS:
    void documentClicked(std::int64_t document, std::optional<std::int64_t> head);
    void documentHovered(std::optional<std::int64_t> document);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    struct Place
    {
        std::size_t heatmap = 0;
        viz::HeatmapCell cell;
        bool operator==(const Place&) const = default;
    };
    void layOut();
    void dropPicture();
    [[nodiscard]] std::optional<Place> placeAt(QPointF place) const;
    void frameDocument(QPainter& painter, std::int64_t document) const;

    std::vector<std::shared_ptr<const Heatmap>> m_heatmaps;
    ModelInfo m_info;
    std::vector<viz::HeatmapLayout> m_layouts;
    QImage m_picture;
    HoverCard* m_card = nullptr;
    std::function<HoverContent(const Heatmap&, viz::HeatmapCell)> m_cardSource;
    std::optional<Place> m_hover;
    std::optional<std::int64_t> m_primary;
    std::optional<std::int64_t> m_primaryHead;
    std::optional<std::int64_t> m_hoveredDocument;
    std::int64_t m_paints = 0;
};

} // namespace headscope::ui
