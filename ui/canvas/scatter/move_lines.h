// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/map_pair.h"
#include "viz/export/comparison_figure.h"

#include <QPointF>
#include <QString>
#include <QWidget>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace headscope::ui
{

/// Lines from where points are in one map to where they are in the other, over the canvases that
/// show them; lets the mouse through.
class MoveLines : public QWidget
{
    Q_OBJECT

public:
    /// Where a data place of map A (false) or B (true) lies in this widget's pixels.
    using PlaceOf = std::function<QPointF(QPointF data, bool inB)>;

    explicit MoveLines(QWidget* parent);

    void setPair(std::shared_ptr<const MapPair> pair);
    void setPlaces(PlaceOf placeOf) { m_placeOf = std::move(placeOf); }
    /// Points of the pair: many of them pale, a few in the accent colour above.
    void setPoints(std::vector<std::int64_t> pale, std::vector<std::int64_t> strong);
    /// Words at the lower left: how many of how many lines there are. Empty: none.
    void setBadge(const QString& badge);
    [[nodiscard]] const QString& badge() const { return m_badge; }
    /// The lines as a figure draws them.
    [[nodiscard]] std::vector<viz::MoveLine> moves() const;
    [[nodiscard]] std::size_t lineCount() const { return m_pale.size() + m_strong.size(); }
    [[nodiscard]] std::int64_t paintCount() const { return m_paints; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::shared_ptr<const MapPair> m_pair;
    PlaceOf m_placeOf;
    std::vector<std::int64_t> m_pale;
    std::vector<std::int64_t> m_strong;
    QString m_badge;
    std::int64_t m_paints = 0;
};

} // namespace headscope::ui
