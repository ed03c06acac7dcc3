// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/pruning_results.h"
#include "viz/picture/picture.h"

#include <QCoreApplication>

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::ui
{

/// The greedy curve: the measure after each head that is removed, from all heads to the last; with it, what orders
/// that half of the documents chose have on that half and on the other. Its items are the steps.
class PruningCurve : public viz::Picture
{
    Q_DECLARE_TR_FUNCTIONS(PruningCurve)

public:
    PruningCurve();

    /// What the model saves when units are removed.
    enum class Saves
    {
        Nothing, ///< segments cannot be removed from a model
        Parameters,
        ParametersAndCache,
    };

    /// @param steps  the starting point first
    /// @param unit   what goes at each step: "head", "segment", "KV group"
    void setSteps(std::vector<PruningStep> steps, const QString& unit, Saves saves);
    /// What the order gains where it is chosen and elsewhere; empty: not known.
    void setValidation(const PruningValidation& validation);
    [[nodiscard]] const PruningValidation& validation() const { return m_validation; }
    /// What the two other curves are; "" where there are none.
    [[nodiscard]] QString legendText() const;
    [[nodiscard]] const std::vector<PruningStep>& steps() const { return m_steps; }
    /// How many of the first units are off, which is ringed on the curve; none: the heads that are off are not its
    /// first.
    void setCurrent(std::optional<std::int64_t> off);
    /// What the filled dots say.
    [[nodiscard]] static QString frontText();
    [[nodiscard]] std::optional<std::int64_t> current() const { return m_current; }
    [[nodiscard]] const QString& unit() const { return m_unit; }
    [[nodiscard]] Saves saves() const { return m_saves; }

    void paint(QPainter& painter, const viz::PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override { return m_steps.size(); }
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override;
    [[nodiscard]] QRectF placeOf(std::size_t step) const override { return {at(step), QSizeF(0, 0)}; }
    [[nodiscard]] viz::ItemText textOf(std::size_t step) const override;
    [[nodiscard]] std::optional<std::size_t> next(std::optional<std::size_t> from, viz::Step step) const override;
    [[nodiscard]] QString summary() const override;

private:
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] QPointF at(std::size_t step) const { return at(step, m_steps[step].value); }
    [[nodiscard]] QPointF at(std::size_t step, double value) const;
    /// The gains of a step's size; null: not known.
    [[nodiscard]] const HeldOutGain* gainOf(std::size_t step) const;
    void fitRange();
    void paintAxes(QPainter& painter) const;
    void paintGains(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;

    std::vector<PruningStep> m_steps;
    PruningValidation m_validation;
    QString m_unit;
    Saves m_saves = Saves::ParametersAndCache;
    double m_low = 0;
    double m_high = 1;
    std::optional<std::int64_t> m_current;
};

} // namespace headscope::ui
