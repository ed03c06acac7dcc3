// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"
#include "model/data/model_info.h"
#include "model/data/stage.h"
#include "viz/color/head_palette.h"
#include "viz/picture/picture.h"

#include <QCoreApplication>
#include <QImage>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace headscope::ui
{

/// How similar the heads are, as a square of cells with the KV groups framed and its colour scale from 0 to 1 next to
/// it; what lies below 0 has the colour of 0. Its items are the cells, row by row.
class LikenessMatrix : public viz::Picture
{
    Q_DECLARE_TR_FUNCTIONS(LikenessMatrix)

public:
    LikenessMatrix();

    /// @param likeness  [H, H], at most 1 where it is known; not a number is left blank
    /// @param name      what a value is, for the tip: "CKA"
    /// @param heads     those that are shown, 0-based, ascending; empty: all
    /// @param grouped   the model as rows of the stage fall into groups (groupedAt)
    void setLikeness(const MatrixD& likeness, const QString& name, Stage stage, const ModelInfo& grouped,
                     const viz::HeadPalette& palette, const std::vector<std::int64_t>& heads = {});
    /// Of the similarity that was set last, [H, H]; said where the value is said.
    void setIntervals(const MatrixD& low, const MatrixD& high);
    void clear();
    /// A head under the pointer of another view.
    void setHoveredHead(std::optional<HeadIndex> head);
    /// The cell of two places among the heads shown.
    [[nodiscard]] std::size_t itemOf(std::int64_t row, std::int64_t column) const;
    /// The two heads of a cell.
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> headsOf(std::size_t item) const;

    void paint(QPainter& painter, const viz::PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override { return m_heads.size() * m_heads.size(); }
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override;
    [[nodiscard]] QRectF placeOf(std::size_t item) const override;
    [[nodiscard]] std::optional<viz::ItemHead> itemHead(std::size_t item) const override
    {
        return viz::ItemHead{.head = HeadIndex(headsOf(item).first)};
    }
    [[nodiscard]] viz::ItemText textOf(std::size_t item) const override;
    [[nodiscard]] std::optional<std::size_t> next(std::optional<std::size_t> from, viz::Step step) const override;
    [[nodiscard]] std::optional<std::size_t> standing() const override;
    void choose(std::size_t item) override { m_standing = item; }
    [[nodiscard]] QString summary() const override;
    [[nodiscard]] int heightForWidth(int width) const override { return width; }

protected:
    void arrange() override;

private:
    [[nodiscard]] QRectF square() const;
    [[nodiscard]] QRectF cellRect(std::int64_t row, std::int64_t column) const;
    void paintScale(QPainter& painter) const;
    void paintHeads(QPainter& painter) const;
    void paintMarks(QPainter& painter, const viz::PictureMarks& marks) const;

    [[nodiscard]] std::int64_t shown() const { return static_cast<std::int64_t>(m_heads.size()); }
    [[nodiscard]] std::int64_t headAt(std::int64_t place) const { return m_heads[static_cast<std::size_t>(place)]; }
    [[nodiscard]] std::int64_t groupAt(std::int64_t place) const;

    MatrixD m_likeness; ///< of all heads
    MatrixD m_low;      ///< intervals of it; empty: none
    MatrixD m_high;
    std::vector<std::int64_t> m_heads; ///< shown
    QString m_name;
    Stage m_stage = Stage::HeadOutput;
    ModelInfo m_info;
    viz::HeadPalette m_palette;
    QImage m_cells;             ///< one pixel a cell
    std::size_t m_standing = 0; ///< from where keys continue
    std::optional<HeadIndex> m_hoveredHead;
};

} // namespace headscope::ui
