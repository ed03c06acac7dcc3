// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/head_measures.h"
#include "viz/atlas/head_grid.h"
#include "viz/atlas/head_scatter.h"
#include "viz/picture/picture.h"

#include <QCoreApplication>
#include <QPolygonF>

#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui
{

/// All heads of the model, as dots over two axes or as a grid of layers and heads. Its items are the dots, or the cells
/// row by row.
class AtlasPicture : public viz::Picture
{
    Q_DECLARE_TR_FUNCTIONS(AtlasPicture)

public:
    AtlasPicture();

    enum class Form
    {
        Dots,
        Grid,
    };

    /// Null: nothing.
    void setMeasures(std::shared_ptr<const HeadMeasures> measures);
    [[nodiscard]] const std::shared_ptr<const HeadMeasures>& measures() const { return m_measures; }
    void setDots(viz::HeadDots dots);
    void setGrid(viz::HeadGrid grid);
    void setForm(Form form);
    void setMarks(const viz::HeadMarks& marks);
    [[nodiscard]] const viz::HeadMarks& marks() const { return m_marks; }
    /// A head under the pointer somewhere else: of the layer that the window shows.
    void setHovered(std::optional<HeadPlace> head);
    /// The outline of a drag; empty: there is none.
    void setLasso(const QPolygonF& outline);

    [[nodiscard]] const viz::HeadScatterLayout& scatter() const { return m_scatter; }
    [[nodiscard]] HeadPlace headOf(std::size_t item) const;
    [[nodiscard]] QColor colorOf(const HeadPlace& head) const;
    /// Ascending.
    [[nodiscard]] std::vector<HeadPlace> headsIn(const QPolygonF& outline) const;

    void paint(QPainter& painter, const viz::PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override;
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override;
    [[nodiscard]] QRectF placeOf(std::size_t item) const override;
    [[nodiscard]] std::optional<viz::ItemHead> itemHead(std::size_t item) const override
    {
        const HeadPlace place = headOf(item);
        return viz::ItemHead{LayerIndex(place.layer), HeadIndex(place.head)};
    }
    [[nodiscard]] viz::ItemText textOf(std::size_t item) const override;
    [[nodiscard]] std::optional<std::size_t> next(std::optional<std::size_t> from, viz::Step step) const override;
    [[nodiscard]] std::optional<std::size_t> standing() const override { return itemOf(m_marks.hovered); }
    [[nodiscard]] QString title() const override { return tr("Heads of the model"); }
    [[nodiscard]] QString summary() const override;

protected:
    void arrange() override;

private:
    [[nodiscard]] std::optional<std::size_t> itemOf(const std::optional<HeadPlace>& head) const;
    [[nodiscard]] std::size_t first() const;

    std::shared_ptr<const HeadMeasures> m_measures;
    viz::HeadDots m_dots;
    viz::HeadGrid m_cells;
    viz::HeadScatterLayout m_scatter;
    viz::HeadGridLayout m_grid;
    viz::HeadMarks m_marks; ///< hovered: somewhere else
    Form m_form = Form::Dots;
    QPolygonF m_lasso;
};

} // namespace headscope::ui
