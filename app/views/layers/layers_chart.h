// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/results/layer_results.h"
#include "viz/chart/layer_curves.h"
#include "viz/picture/picture.h"

#include <QCoreApplication>
#include <QStringList>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace headscope::ui
{

/// The strip of all layers with its bands: probe accuracy, topic purity and redundancy per stage. Its items are all
/// layers; keys go to those that the cache holds, and a card next to the crosshair has the numbers of the one pointed
/// at.
class LayersChart : public viz::Picture
{
    Q_DECLARE_TR_FUNCTIONS(LayersChart)

public:
    LayersChart();

    /// @param layers  of the model; `held` those that the cache holds
    void setLayers(std::int64_t layers, const std::set<std::int64_t>& held);
    void setMeasures(std::vector<std::shared_ptr<const LayerMeasures>> measures);
    [[nodiscard]] const std::vector<std::shared_ptr<const LayerMeasures>>& measures() const { return m_measures; }
    /// The layer that the data panel shows.
    void setCurrent(LayerIndex layer);

    [[nodiscard]] const viz::LayerCurvesLayout& curves() const { return m_layout; }
    /// What the card says of a layer, one line a stage; for screen readers and tests.
    [[nodiscard]] QStringList linesOf(std::int64_t layer) const;

    void paint(QPainter& painter, const viz::PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override { return static_cast<std::size_t>(m_axis.layers); }
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override;
    [[nodiscard]] QRectF placeOf(std::size_t layer) const override;
    [[nodiscard]] viz::ItemText textOf(std::size_t layer) const override;
    [[nodiscard]] bool isClickable(std::size_t layer) const override;
    [[nodiscard]] std::optional<std::size_t> next(std::optional<std::size_t> from, viz::Step step) const override;
    [[nodiscard]] QString title() const override { return tr("Measures over the layers"); }
    [[nodiscard]] QString summary() const override;

protected:
    void arrange() override;

private:
    void paintCard(QPainter& painter, std::int64_t layer) const;
    void paintNumbers(QPainter& painter, QRectF line, const std::vector<std::shared_ptr<const LayerMeasures>>& measures,
                      bool tested) const;
    [[nodiscard]] std::vector<std::shared_ptr<const LayerMeasures>> ofLayer(std::int64_t layer) const;

    viz::LayerAxis m_axis;
    std::vector<std::shared_ptr<const LayerMeasures>> m_measures;
    viz::LayerCurvesLayout m_layout;
};

} // namespace headscope::ui
