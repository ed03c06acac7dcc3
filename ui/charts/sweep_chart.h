// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/stage.h"
#include "ui/models/probe_table_model.h"

#include <QWidget>

#include <optional>
#include <set>
#include <utility>
#include <vector>

class QChartView;
class QLabel;
class QXYSeries;

namespace headscope::ui
{

class HoverCard;

/// The layer sweep of the probe: accuracy over layers, one curve a stage, with its interval, the line of
/// chance and, where it was run, the control. A point is chosen by click, or by arrow keys and Enter.
class SweepChart : public QWidget
{
    Q_OBJECT

public:
    using Place = ProbeTableModel::Place;

    explicit SweepChart(QWidget* parent = nullptr);
    ~SweepChart() override;

    /// @param layers  of the model: the axis has room for all of them
    /// @param held    layers of the cache: a curve is broken where one of them has no point yet
    void setRows(const std::vector<ProbeRow>& rows, std::int64_t layers, const std::set<std::int64_t>& held = {});
    /// The layer whose stage 3 stands after the final norm, and is no point of one line with the layers before it: an
    /// open marker that no line joins.
    void setFinalNorm(std::optional<std::int64_t> layer);
    /// The point whose details are shown, and the one that the data panel has chosen.
    void setShown(std::optional<Place> shown);
    void setChosen(std::optional<Place> chosen);

    /// Whether the accuracies begin at 0; otherwise a little below the least of them.
    void setFromZero(bool fromZero);
    /// Where they begin now.
    [[nodiscard]] double floor() const { return m_floor; }
    [[nodiscard]] std::optional<Place> pointed() const { return m_pointed; }
    /// Where a point is drawn, in this widget's pixels.
    [[nodiscard]] std::optional<QPointF> pixelOf(Place place) const;
    /// Number of curve segments, without chance and bands: one for every run of neighbouring layers.
    [[nodiscard]] int curveCount() const { return m_curves; }
    [[nodiscard]] HoverCard* hoverCard() const { return m_card; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {160, 130}; }

Q_SIGNALS:
    void pointChosen(headscope::LayerIndex layer, headscope::Stage stage);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    class Overlay;

    void rebuild();
    [[nodiscard]] const ProbeRow* rowAt(Place place) const;
    [[nodiscard]] std::optional<QPointF> pixelOf(const ProbeResult& result) const;
    [[nodiscard]] std::optional<Place> nearest(QPointF place) const;
    void pointAt(std::optional<Place> place);
    void step(int layers, int stages);

    std::vector<ProbeRow> m_rows;
    std::int64_t m_layers = 0;
    std::set<std::int64_t> m_held;
    std::optional<std::int64_t> m_finalNorm;
    std::optional<Place> m_shown;
    std::optional<Place> m_chosen;
    std::optional<Place> m_pointed;
    QLabel* m_key = nullptr;
    QChartView* m_view = nullptr;
    QXYSeries* m_anchor = nullptr; ///< a series that data places are mapped by; of the chart
    Overlay* m_overlay = nullptr;
    HoverCard* m_card = nullptr;
    int m_curves = 0;
    double m_floor = 0;
    bool m_fromZero = false;
};

} // namespace headscope::ui
