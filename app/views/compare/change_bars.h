// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/map_pair.h"
#include "viz/picture/picture.h"

#include <QCoreApplication>

namespace headscope::ui
{

/// A small histogram: how many points have how many new neighbours, from none on the left. Its items are the bars.
class ChangeBars : public viz::Picture
{
    Q_DECLARE_TR_FUNCTIONS(ChangeBars)

public:
    ChangeBars();

    void setDifference(const MapDifference& difference);

    void paint(QPainter& painter, const viz::PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override { return m_difference.histogram.size(); }
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override;
    [[nodiscard]] QRectF placeOf(std::size_t bar) const override;
    [[nodiscard]] viz::ItemText textOf(std::size_t bar) const override;
    [[nodiscard]] QString title() const override { return tr("How many neighbours changed"); }
    [[nodiscard]] QString summary() const override;

private:
    MapDifference m_difference;
};

} // namespace headscope::ui
