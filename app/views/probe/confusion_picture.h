// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/results/probe_result.h"
#include "viz/chart/confusion_painter.h"
#include "viz/picture/picture.h"

#include <QCoreApplication>

#include <cstdint>
#include <memory>
#include <optional>

namespace headscope::ui
{

/// The confusion matrix of one probe. Its items are the cells, row by row; the one that was chosen last is framed.
class ConfusionPicture : public viz::Picture
{
    Q_DECLARE_TR_FUNCTIONS(ConfusionPicture)

public:
    ConfusionPicture();

    using Cell = viz::ConfusionLayout::Cell;

    /// Null shows nothing.
    void setResult(std::shared_ptr<const ProbeResult> result, const ModelInfo& info);
    [[nodiscard]] const std::shared_ptr<const ProbeResult>& result() const { return m_result; }
    void setValues(viz::ConfusionValues values);
    [[nodiscard]] const viz::ConfusionStyle& confusionStyle() const { return m_style; }
    void setShades(viz::ShadeScale scale);
    /// A head that another view points at: its row and column are lit.
    void setHoveredHead(std::optional<HeadIndex> head);

    [[nodiscard]] const viz::ConfusionLayout& matrix() const { return m_layout; }
    [[nodiscard]] Cell cellOf(std::size_t item) const;
    /// Of a cell's true class.
    [[nodiscard]] HeadIndex trueHeadOf(std::size_t item) const { return m_layout.headOf(cellOf(item).first); }
    /// "head 3 taken for head 5", "head 3 recognised".
    [[nodiscard]] QString cellTitle(Cell cell) const;

    void paint(QPainter& painter, const viz::PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override;
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override;
    [[nodiscard]] QRectF placeOf(std::size_t item) const override { return m_layout.cellRect(cellOf(item)); }
    [[nodiscard]] std::optional<viz::ItemHead> itemHead(std::size_t item) const override
    {
        return viz::ItemHead{.head = trueHeadOf(item)};
    }
    [[nodiscard]] viz::ItemText textOf(std::size_t item) const override;
    [[nodiscard]] std::optional<std::size_t> next(std::optional<std::size_t> from, viz::Step step) const override;
    void choose(std::size_t item) override { m_chosen = cellOf(item); }
    [[nodiscard]] QString title() const override { return tr("Confusion matrix"); }
    [[nodiscard]] QString summary() const override;

protected:
    void arrange() override;

private:
    [[nodiscard]] std::size_t itemOf(Cell cell) const;
    void paintHead(QPainter& painter, HeadIndex head) const;

    std::shared_ptr<const ProbeResult> m_result;
    ModelInfo m_info;
    viz::ConfusionStyle m_style;
    viz::ConfusionLayout m_layout;
    std::optional<Cell> m_chosen;
    std::optional<HeadIndex> m_hoveredHead;
};

} // namespace headscope::ui
