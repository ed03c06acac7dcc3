// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/attention/attention_look.h"
#include "model/data/attention/attention_run.h"
#include "viz/attention/head_measure.h"
#include "viz/attention/thumbnail_atlas.h"
#include "viz/attention/thumbnail_grid.h"
#include "viz/color/head_palette.h"
#include "viz/picture/picture.h"

#include <QCoreApplication>

#include <optional>
#include <string>
#include <vector>

namespace headscope::ui
{

/// All heads of a run as small pictures, or coloured by a statistic. Its items are the heads, layer by layer.
class HeadGridPicture : public viz::PannedPicture
{
    Q_DECLARE_TR_FUNCTIONS(HeadGridWidget)

public:
    HeadGridPicture();

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
    [[nodiscard]] AttentionHead headOf(std::size_t item) const;
    /// Of the statistic that is shown.
    [[nodiscard]] std::optional<viz::MeasureScale> measureScale() const { return m_scale; }
    /// As wide as the cells are at this height: room next to them is better used.
    [[nodiscard]] int widthForHeight(int height) const;

    void paint(QPainter& painter, const viz::PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override;
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override;
    [[nodiscard]] QRectF placeOf(std::size_t item) const override { return m_layout.cellRect(cellOf(item)); }
    [[nodiscard]] std::optional<viz::ItemHead> itemHead(std::size_t item) const override
    {
        const AttentionHead place = headOf(item);
        return viz::ItemHead{place.layer, place.head};
    }
    [[nodiscard]] viz::ItemText textOf(std::size_t item) const override;
    [[nodiscard]] std::optional<std::size_t> next(std::optional<std::size_t> from, viz::Step step) const override;
    [[nodiscard]] std::optional<std::size_t> standing() const override;
    [[nodiscard]] QString title() const override { return tr("Attention of all heads"); }
    [[nodiscard]] QString summary() const override;
    void zoomAt(QPointF place, double factor) override;
    void panBy(QPointF pixels) override;
    void showAll() override;
    [[nodiscard]] QPointF middle() const override { return m_layout.window().center(); }

protected:
    void arrange() override;

private:
    [[nodiscard]] QRectF room() const;
    void showCell(viz::ThumbnailCell cell);
    [[nodiscard]] std::optional<viz::ThumbnailCell> cellOf(AttentionHead place) const;
    [[nodiscard]] viz::ThumbnailCell cellOf(std::size_t item) const;
    [[nodiscard]] std::size_t itemOf(viz::ThumbnailCell cell) const;
    [[nodiscard]] const MatrixD* measureValues() const;

    AttentionRunPtr m_run;
    viz::HeadPalette m_palette;
    viz::ThumbnailGridStyle m_style;
    viz::ThumbnailGridLayout m_layout;
    mutable viz::ThumbnailAtlas m_atlas;
    bool m_withoutFirst = true;
    std::string m_measure;
    std::optional<viz::MeasureScale> m_scale;
    std::optional<AttentionHead> m_chosen;
    std::vector<AttentionHead> m_pinned;
    std::vector<AttentionHead> m_off;
};

} // namespace headscope::ui
