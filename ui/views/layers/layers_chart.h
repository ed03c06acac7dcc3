// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/results/layer_results.h"
#include "viz/chart/layer_curves.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace headscope::ui
{

/// The strip of all layers with its bands: probe accuracy, topic purity and redundancy per stage. Hover and arrow
/// keys show a layer's numbers; click and Enter choose it.
class LayersChart : public QWidget
{
    Q_OBJECT

public:
    explicit LayersChart(QWidget* parent = nullptr);

    /// @param layers  of the model; `held` those that the cache holds
    void setLayers(std::int64_t layers, const std::set<std::int64_t>& held);
    void setMeasures(std::vector<std::shared_ptr<const LayerMeasures>> measures);
    [[nodiscard]] const std::vector<std::shared_ptr<const LayerMeasures>>& measures() const { return m_measures; }
    /// The layer that the data panel shows.
    void setCurrent(LayerIndex layer);

    [[nodiscard]] const viz::LayerCurvesLayout& curves() const { return m_layout; }
    /// The layer under the pointer or the keys.
    [[nodiscard]] std::optional<std::int64_t> pointed() const { return m_pointed; }
    /// What the card says of a layer, one line a stage; for screen readers and tests.
    [[nodiscard]] QStringList linesOf(std::int64_t layer) const;
    [[nodiscard]] QSize minimumSizeHint() const override { return {320, 260}; }

Q_SIGNALS:
    void layerChosen(headscope::LayerIndex layer);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void layOut();
    void pointAt(std::optional<std::int64_t> layer);
    void choose(std::int64_t layer);
    void paintCard(QPainter& painter, std::int64_t layer) const;
    void paintNumbers(QPainter& painter, QRectF line, const std::vector<std::shared_ptr<const LayerMeasures>>& measures,
                      bool tested) const;
    [[nodiscard]] std::vector<std::shared_ptr<const LayerMeasures>> ofLayer(std::int64_t layer) const;

    viz::LayerAxis m_axis;
    std::vector<std::shared_ptr<const LayerMeasures>> m_measures;
    viz::LayerCurvesLayout m_layout;
    std::optional<std::int64_t> m_pointed;
};

} // namespace headscope::ui
