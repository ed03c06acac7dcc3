// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/stage.h"
#include "ui/models/probe_table_model.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

class QChart;
class QXYSeries;

namespace headscope::ui
{

/// Whether this is stage 3 of the layer whose stage 3 stands after the final norm.
[[nodiscard]] bool isAfterFinalNorm(const ProbeResult& result, std::optional<std::int64_t> finalNorm);

/// The layer sweep as series and axes of Qt Charts: a curve a stage with its interval, the control, chance.
class SweepCurves
{
public:
    /// @param rows      in the order of their layers; must outlive the object, as must `held`
    /// @param layers    of the model: the axis has room for all of them
    /// @param held      layers of the cache: a curve is broken where one of them has no point yet
    /// @param fromZero  whether the accuracies begin at 0; otherwise a little below the least of them
    /// @param finalNorm the layer whose stage 3 stands after the final norm: no line joins it
    SweepCurves(const std::vector<ProbeRow>& rows, std::int64_t layers, const std::set<std::int64_t>& held,
                bool fromZero, std::optional<std::int64_t> finalNorm = {});

    /// Adds all to an empty chart, which owns it.
    void fill(QChart& chart);
    /// Where the accuracies begin.
    [[nodiscard]] double floor() const { return m_floor; }
    /// Lines over layers that were added, chance and bands left out: one for every run of neighbouring layers.
    [[nodiscard]] int count() const { return m_count; }
    /// A series by whose axes places of the chart are found; null before anything was added.
    [[nodiscard]] QXYSeries* anchor() const { return m_anchor; }
    /// What the lines are, in rich text.
    [[nodiscard]] QString key() const;

private:
    void addCurves(QChart& chart, Stage stage, bool control);
    void addRun(QChart& chart, const std::vector<const ProbeResult*>& run, Stage stage, bool control);
    void addChance(QChart& chart);
    void addAxes(QChart& chart);
    [[nodiscard]] double leastShown() const;
    [[nodiscard]] double chance() const;

    const std::vector<ProbeRow>& m_rows;
    std::int64_t m_layers = 0;
    const std::set<std::int64_t>& m_held;
    double m_floor = 0;
    std::optional<std::int64_t> m_finalNorm;
    int m_count = 0;
    QXYSeries* m_anchor = nullptr;
};

} // namespace headscope::ui
