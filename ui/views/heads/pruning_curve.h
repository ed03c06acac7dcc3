// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/pruning_results.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace headscope::ui
{

/// The greedy curve: the measure after each head that is taken away, from all heads to the last; with it, what orders
/// that half of the documents chose have on that half and on the other. A click on a point switches off what is off
/// there; arrow keys move along it.
class PruningCurve : public QWidget
{
    Q_OBJECT

public:
    /// What the model saves when units are removed.
    enum class Saves
    {
        Nothing, ///< segments cannot be removed from a model
        Parameters,
        ParametersAndCache,
    };

    explicit PruningCurve(QWidget* parent = nullptr);

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
    [[nodiscard]] QPointF placeOf(std::size_t step) const;
    [[nodiscard]] QString textOf(std::size_t step) const;
    [[nodiscard]] QSize sizeHint() const override { return {320, 120}; }

Q_SIGNALS:
    /// This many of the first units of the order are to be off.
    void stepClicked(std::int64_t off);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] QPointF placeOf(std::size_t step, double value) const;
    /// The gains of a step's size; null: not known.
    [[nodiscard]] const HeldOutGain* gainOf(std::size_t step) const;
    void fitRange();
    void paintAxes(QPainter& painter) const;
    void paintGains(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;
    [[nodiscard]] std::optional<std::size_t> stepAt(QPointF place) const;

    std::vector<PruningStep> m_steps;
    PruningValidation m_validation;
    QString m_unit;
    Saves m_saves = Saves::ParametersAndCache;
    double m_low = 0;
    double m_high = 1;
    std::optional<std::int64_t> m_current;
    std::optional<std::size_t> m_hovered;
};

} // namespace headscope::ui
