// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/stage.h"
#include "ui/models/probe_table_model.h"
#include "viz/picture/picture.h"

#include <QCoreApplication>

#include <optional>
#include <set>
#include <vector>

namespace headscope::ui
{

/// The layer sweep of the probe: accuracy over layers, one curve a stage, with its interval, the line of
/// chance and, where it was run, the control. Its items are the probes. A point is chosen by click, or by arrow keys
/// and Enter.
class SweepChart : public viz::Picture
{
    Q_DECLARE_TR_FUNCTIONS(SweepChart)

public:
    using Place = ProbeTableModel::Place;

    SweepChart();

    /// @param layers  of the model: the axis has room for all of them
    /// @param held    layers of the cache: a curve is broken where one of them has no point yet
    void setRows(const std::vector<ProbeRow>& rows, std::int64_t layers, const std::set<std::int64_t>& held = {});
    /// The layer whose stage 3 is after the final norm, and is no point of one line with the layers before it: an
    /// open marker that no line joins.
    void setFinalNorm(std::optional<std::int64_t> layer);
    /// The point whose details are shown, and the one that the data panel has chosen.
    void setShown(std::optional<Place> shown);
    void setChosen(std::optional<Place> chosen);

    /// Whether the accuracies begin at 0; otherwise a little below the least of them.
    void setFromZero(bool fromZero);
    /// Where they begin now.
    [[nodiscard]] double floor() const { return m_fromZero ? 0.0 : leastShown(); }
    [[nodiscard]] Place pointOf(std::size_t item) const;
    /// Where a point is drawn.
    [[nodiscard]] std::optional<QPointF> pixelOf(Place place) const;
    /// Number of curve segments, without chance and bands: one for every run of neighbouring layers.
    [[nodiscard]] std::size_t curveCount() const;
    /// What the lines are, in rich text.
    [[nodiscard]] QString key() const;

    void paint(QPainter& painter, const viz::PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override { return m_rows.size(); }
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override;
    [[nodiscard]] QRectF placeOf(std::size_t item) const override;
    [[nodiscard]] viz::ItemText textOf(std::size_t item) const override;
    [[nodiscard]] std::optional<std::size_t> next(std::optional<std::size_t> from, viz::Step step) const override;
    [[nodiscard]] std::optional<std::size_t> standing() const override { return itemOf(m_shown); }
    [[nodiscard]] QString title() const override { return tr("Probe accuracy over layers"); }

protected:
    void arrange() override;

private:
    using Run = std::vector<const ProbeResult*>; ///< of neighbouring layers

    [[nodiscard]] std::optional<std::size_t> itemOf(std::optional<Place> place) const;
    [[nodiscard]] QPointF at(double layer, double accuracy) const;
    [[nodiscard]] std::vector<Run> runs(Stage stage, bool isControl) const;
    [[nodiscard]] bool isAfterFinalNorm(const ProbeResult& result) const;
    [[nodiscard]] double leastShown() const;
    [[nodiscard]] double chance() const;
    void paintAxes(QPainter& painter) const;
    void paintRun(QPainter& painter, const Run& run, Stage stage, bool isControl) const;
    void paintPoint(QPainter& painter, const ProbeResult& result, bool isControl) const;

    std::vector<ProbeRow> m_rows;
    std::int64_t m_layers = 0;
    std::set<std::int64_t> m_held;
    std::optional<std::int64_t> m_finalNorm;
    std::optional<Place> m_shown;
    std::optional<Place> m_chosen;
    bool m_fromZero = false;
    QRectF m_plot;
};

} // namespace headscope::ui
