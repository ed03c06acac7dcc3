// SPDX-License-Identifier: GPL-3.0-or-later
// A map of 40 documents x 32 heads on the canvas, and the hands of who uses it.
#pragma once

#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "ui/canvas/legend/legend_widget.h"
#include "ui/canvas/scatter/scatter_widget.h"

#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <memory>

namespace headscope::test
{

/// What tests of the widget share: each has a new one.
class ScatterFixture : public QObject
{
protected:
    std::unique_ptr<ui::ScatterWidget> m_widget;

    /// For init(): the map, coloured by head, is painted and at rest.
    void show()
    {
        m_widget = std::make_unique<ui::ScatterWidget>();
        m_widget->resize(800, 600);
        const auto map = sampleMap();
        m_widget->setMap(map);
        m_widget->setColoring(viz::colorByHead(*map->points, viz::HeadPalette(8, 4), QStringLiteral("head")));
        m_widget->setShownHeads(allIndices(32));
        m_widget->show(); // with all of it: nothing that is not yet seen is animated
        QVERIFY(exposed(m_widget.get()));
        WAIT_FOR(m_widget->paintCount() > 0);
        WAIT_FOR(!m_widget->moving());
    }

    static void wheel(ui::ScatterWidget& widget, QPointF place, int units)
    {
        QWheelEvent event(place, widget.mapToGlobal(place), {}, QPoint(0, units), Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&widget, &event);
    }

    /// Moves the pointer without the window system, which keeps its own idea of where it was.
    static void moveTo(ui::ScatterWidget& widget, QPoint place)
    {
        QMouseEvent event(QEvent::MouseMove, place, widget.mapToGlobal(place), Qt::NoButton, Qt::NoButton,
                          Qt::NoModifier);
        QApplication::sendEvent(&widget, &event);
    }

    [[nodiscard]] static double distance(QPointF a, QPointF b) { return std::hypot(a.x() - b.x(), a.y() - b.y()); }

    [[nodiscard]] QPointF placeOf(std::int64_t point) const
    {
        const MatrixF& xy = m_widget->map()->xy;
        return m_widget->view().screenFromData(QPointF(xy(point, 0), xy(point, 1)));
    }

    void drag(QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton, Qt::KeyboardModifiers keys = {})
    {
        QTest::mousePress(m_widget.get(), button, keys, from);
        QMouseEvent half(QEvent::MouseMove, (from + to) / 2, m_widget->mapToGlobal((from + to) / 2), Qt::NoButton,
                         button, keys);
        QApplication::sendEvent(m_widget.get(), &half);
        QMouseEvent whole(QEvent::MouseMove, to, m_widget->mapToGlobal(to), Qt::NoButton, button, keys);
        QApplication::sendEvent(m_widget.get(), &whole);
        QTest::mouseRelease(m_widget.get(), button, keys, to);
    }

    void clickLegend(const viz::LegendHit& hit, Qt::KeyboardModifiers keys = {})
    {
        const auto box = m_widget->legend()->layoutOfLegend().boxOf(hit);
        QVERIFY(box.has_value());
        QTest::mouseClick(m_widget->legend(), Qt::LeftButton, keys, box->center().toPoint());
    }

    void colorByTopic()
    {
        const auto documents = sampleDocuments();
        m_widget->setColoringSource([documents, this](const std::shared_ptr<const HeadMap>& map, viz::InkTheme theme) {
            const auto order = m_widget->orderOf(viz::legendTitle(documents->labels.front()));
            return [documents, map, theme, order] {
                return viz::colorByLabel(*map->points, documents->labels.front(), theme, order);
            };
        });
        m_widget->recolor();
    }

    [[nodiscard]] std::ptrdiff_t countOf(viz::PointState state) const
    {
        std::ptrdiff_t count = 0;
        for (std::int64_t point = 0; point < m_widget->pointCount(); ++point)
            count += m_widget->points().stateOf(point) == state ? 1 : 0;
        return count;
    }
};

} // namespace headscope::test
