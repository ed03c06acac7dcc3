// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/map_pair.h"

#include <QWidget>

namespace headscope::ui
{

/// A small histogram: how many points have how many new neighbours, from none at the left.
class ChangeBars : public QWidget
{
    Q_OBJECT

public:
    explicit ChangeBars(QWidget* parent = nullptr);

    void setDifference(const MapDifference& difference);
    [[nodiscard]] QSize sizeHint() const override { return {110, 26}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    MapDifference m_difference;
};

} // namespace headscope::ui
