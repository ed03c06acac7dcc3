// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/color/color_scale.h"

#include <QWidget>

namespace headscope::ui
{

/// A colour scale between its two limits, for the bar under a view.
class ColorBar : public QWidget
{
    Q_OBJECT

public:
    explicit ColorBar(QWidget* parent = nullptr);
    void setScale(const viz::ColorScale& scale);
    [[nodiscard]] QSize sizeHint() const override { return {232, 20}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, 20}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    viz::ColorScale m_scale;
};

} // namespace headscope::ui
