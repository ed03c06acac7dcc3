// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/importance_results.h"
#include "viz/color/head_palette.h"
#include "viz/picture/picture.h"

#include <QCoreApplication>

#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui
{

/// What is lost by the cut of the cache against what is lost in the model, a dot a head with the intervals of both;
/// on the diagonal both say the same. Dots whose intervals exclude each other have a ring. Its items are the dots.
class ImportancePlot : public viz::Picture
{
    Q_DECLARE_TR_FUNCTIONS(ImportancePlot)

public:
    ImportancePlot();

    /// Shows a measure of a comparison; null: nothing.
    void setComparison(std::shared_ptr<const ImportanceComparison> comparison, ImportanceMeasure measure,
                       const viz::HeadPalette& palette);
    [[nodiscard]] std::size_t playerOf(std::size_t dot) const { return m_dots[dot].player; }
    /// A player's dot; nothing where it has none.
    [[nodiscard]] std::optional<std::size_t> dotOf(std::size_t player) const;

    void paint(QPainter& painter, const viz::PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override { return m_dots.size(); }
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override;
    [[nodiscard]] QRectF placeOf(std::size_t dot) const override;
    [[nodiscard]] viz::ItemText textOf(std::size_t dot) const override;
    [[nodiscard]] QString title() const override { return tr("Drop in cache-only and full-model ablation"); }
    [[nodiscard]] QString summary() const override;

private:
    struct Dot
    {
        std::size_t player = 0;
        Estimate cut;
        Estimate leftOut;
        QColor color;
        bool isApart = false;
    };
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] QPointF at(double cut, double leftOut) const;
    [[nodiscard]] QPointF at(const Dot& dot) const { return at(dot.cut.value, dot.leftOut.value); }
    void paintAxes(QPainter& painter) const;
    void paintDot(QPainter& painter, const Dot& dot, bool isPointed) const;
    void paintName(QPainter& painter, const Dot& dot) const;

    std::shared_ptr<const ImportanceComparison> m_comparison;
    ImportanceMeasure m_measure = ImportanceMeasure::Cosine;
    std::vector<Dot> m_dots;
    double m_low = 0; ///< of both axes
    double m_high = 1;
};

} // namespace headscope::ui
