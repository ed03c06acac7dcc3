// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/attention/token_names.h"
#include "viz/attention/weight_matrix.h"
#include "viz/attention/weight_pyramid.h"
#include "viz/picture/picture.h"

#include <QCoreApplication>

#include <memory>
#include <optional>

namespace headscope::ui
{

/// The weights of a head as a table. Its items are the cells, row by row.
class WeightMatrixPicture : public viz::PannedPicture
{
    Q_DECLARE_TR_FUNCTIONS(WeightMatrixWidget)

public:
    WeightMatrixPicture();

    /// Another text shows all of its cells again, another head of the same keeps zoom and place.
    void setTokens(std::shared_ptr<const viz::TokenNames> names);
    void setWeights(std::shared_ptr<const viz::WeightPyramid> weights);
    void setChosen(std::optional<viz::WeightCell> cell);
    [[nodiscard]] std::optional<viz::WeightCell> chosen() const { return m_chosen; }
    [[nodiscard]] viz::WeightCell cellOf(std::size_t item) const;
    [[nodiscard]] const viz::WeightMatrixLayout& table() const { return m_layout; }

    void paint(QPainter& painter, const viz::PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override { return tokens() * tokens(); }
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override;
    [[nodiscard]] QRectF placeOf(std::size_t item) const override { return m_layout.cellRect(cellOf(item)); }
    [[nodiscard]] viz::ItemText textOf(std::size_t item) const override;
    [[nodiscard]] std::optional<std::size_t> next(std::optional<std::size_t> from, viz::Step step) const override;
    [[nodiscard]] QString title() const override { return tr("Attention as a table"); }
    [[nodiscard]] QString summary() const override;
    void zoomAt(QPointF place, double factor) override;
    void panBy(QPointF pixels) override;
    void showAll() override;
    [[nodiscard]] QPointF middle() const override { return m_layout.plot().center(); }

protected:
    void arrange() override;

private:
    [[nodiscard]] std::size_t tokens() const;
    [[nodiscard]] std::size_t itemOf(viz::WeightCell cell) const;
    void show(const viz::MatrixWindow& window);

    std::shared_ptr<const viz::TokenNames> m_names;
    std::shared_ptr<const viz::WeightPyramid> m_weights;
    viz::WeightMatrixLayout m_layout;
    viz::MatrixWindow m_window; ///< its cell is 0 while everything is shown
    std::optional<viz::WeightCell> m_chosen;
};

} // namespace headscope::ui
