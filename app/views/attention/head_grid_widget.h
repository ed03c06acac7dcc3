// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/attention/attention_look.h"
#include "model/data/attention/attention_run.h"
#include "ui/canvas/pan_zoom.h"
#include "viz/attention/head_measure.h"
#include "viz/attention/thumbnail_atlas.h"
#include "viz/attention/thumbnail_grid.h"
#include "viz/color/head_palette.h"

#include <QWidget>

#include <optional>
#include <string>
#include <vector>

namespace headscope::ui
{

class HoverCard;

/// All heads of a run as small pictures, or coloured by a statistic. The wheel zooms, a drag moves; a click, or the
/// arrows, choose a head.
class HeadGridWidget : public QWidget
{
    Q_OBJECT

public:
    explicit HeadGridWidget(QWidget* parent = nullptr);

    /// Copies of one run keep zoom and place.
    void setRun(AttentionRunPtr run);
    void setWithoutFirst(bool withoutFirst);
    /// Name of a statistic; "", and one that the run does not have: pictures.
    void setMeasure(const std::string& measure);
    void setChosen(std::optional<AttentionHead> head);
    void setPinned(const std::vector<AttentionHead>& heads);
    /// Heads that are switched off in the run.
    void setOff(const std::vector<AttentionHead>& heads);

    [[nodiscard]] const viz::ThumbnailGridLayout& gridLayout() const { return m_layout; }
    [[nodiscard]] std::optional<AttentionHead> hovered() const;
    /// Of the statistic that is shown.
    [[nodiscard]] std::optional<viz::MeasureScale> measureScale() const { return m_scale; }
    [[nodiscard]] HoverCard* hoverCard() const { return m_card; }
    /// All heads as large as fit.
    void fitAll();
    [[nodiscard]] QSize minimumSizeHint() const override { return {140, 160}; }
    /// As wide as the cells are at this height: room beside them is better used.
    [[nodiscard]] int widthForHeight(int height) const;

Q_SIGNALS:
    void headChosen(headscope::ui::AttentionHead head);
    void pinAsked(headscope::ui::AttentionHead head);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void layOut();
    void hover(std::optional<viz::ThumbnailCell> cell, QPoint at);
    void zoomAt(QPointF place, double factor);
    void panBy(QPointF pixels);
    void moveChosen(int rows, int heads);
    void showCell(viz::ThumbnailCell cell);
    [[nodiscard]] std::optional<viz::ThumbnailCell> cellOf(AttentionHead place) const;
    [[nodiscard]] AttentionHead placeOf(viz::ThumbnailCell cell) const;
    [[nodiscard]] const MatrixD* measureValues() const;

    AttentionRunPtr m_run;
    viz::HeadPalette m_palette;
    viz::ThumbnailGridStyle m_style;
    viz::ThumbnailGridLayout m_layout;
    viz::ThumbnailAtlas m_atlas;
    bool m_withoutFirst = true;
    std::string m_measure;
    std::optional<viz::MeasureScale> m_scale;
    std::optional<AttentionHead> m_chosen;
    std::vector<AttentionHead> m_pinned;
    std::vector<AttentionHead> m_off;
    std::optional<viz::ThumbnailCell> m_hovered;
    PointerDrag m_drag;
    HoverCard* m_card = nullptr;
};

} // namespace headscope::ui
