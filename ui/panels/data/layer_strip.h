// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <set>

namespace headscope::ui
{

/// The layers of a model as a row of bars: those in the cache stand tall and can be clicked, the
/// others are low and pale. Left and Right move between the layers of the cache.
class LayerStrip : public QWidget
{
    Q_OBJECT

public:
    explicit LayerStrip(QWidget* parent = nullptr);

    /// @param layers  of the model; `held` those that the cache holds
    void setLayers(std::int64_t layers, const std::set<std::int64_t>& held);
    /// Ignored for a layer that the cache does not hold.
    void setCurrent(LayerIndex layer);
    [[nodiscard]] LayerIndex current() const { return m_current; }
    [[nodiscard]] QRect barRect(std::int64_t layer) const;

    [[nodiscard]] QSize sizeHint() const override { return {160, 24}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {80, 24}; }

Q_SIGNALS:
    void layerChosen(headscope::LayerIndex layer);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] std::optional<std::int64_t> layerAt(QPoint place) const;
    void choose(std::int64_t layer);

    std::int64_t m_layers = 0;
    std::set<std::int64_t> m_held;
    LayerIndex m_current;
    std::optional<std::int64_t> m_hovered;
};

} // namespace headscope::ui
