// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "viz/picture/picture.h"

#include <QCoreApplication>

#include <cstdint>
#include <optional>
#include <set>

namespace headscope::ui
{

/// The layers of a model as a row of bars: those in the cache are tall and can be clicked, the
/// others are low and pale. Left and Right move between the layers of the cache.
class LayerStrip : public viz::Picture
{
    Q_DECLARE_TR_FUNCTIONS(LayerStrip)

public:
    LayerStrip();

    /// @param layers  of the model; `held` those that the cache holds
    void setLayers(std::int64_t layers, const std::set<std::int64_t>& held);
    /// Ignored for a layer that the cache does not hold.
    void setCurrent(LayerIndex layer);
    [[nodiscard]] LayerIndex current() const { return m_current; }

    void paint(QPainter& painter, const viz::PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override { return static_cast<std::size_t>(m_layers); }
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override;
    [[nodiscard]] QRectF placeOf(std::size_t layer) const override;
    [[nodiscard]] viz::ItemText textOf(std::size_t layer) const override;
    [[nodiscard]] bool isClickable(std::size_t layer) const override;
    [[nodiscard]] std::optional<bool> isChecked(std::size_t layer) const override { return standing() == layer; }
    [[nodiscard]] std::optional<std::size_t> next(std::optional<std::size_t> from, viz::Step step) const override;
    [[nodiscard]] std::optional<std::size_t> standing() const override;
    void choose(std::size_t layer) override { setCurrent(LayerIndex(static_cast<std::int64_t>(layer))); }
    [[nodiscard]] QString title() const override { return tr("Layers"); }
    [[nodiscard]] QString summary() const override;

private:
    std::int64_t m_layers = 0;
    std::set<std::int64_t> m_held;
    LayerIndex m_current;
};

} // namespace headscope::ui
