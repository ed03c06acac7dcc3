// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/legend_widget.h"

#include "tests/ui/window_test.h"
#include "viz/scatter/point_coloring.h"

#include <QMenu>
#include <QSignalSpy>

using namespace headscope;
using headscope::ui::LegendWidget;
using headscope::viz::LegendHit;

class TestLegendWidget : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QWidget> m_window;
    LegendWidget* m_legend = nullptr;

    QAction* actionOf(QMenu* menu, const char* text)
    {
        for (QAction* action : menu->actions())
            if (action->text() == QLatin1StringView(text))
                return action;
        return nullptr;
    }

private Q_SLOTS:
    void init()
    {
        m_window = std::make_unique<QWidget>();
        m_window->resize(400, 400);
        m_legend = new LegendWidget(m_window.get());
        const auto documents = test::sampleDocuments();
        const auto map = test::sampleMap();
        m_legend->setLegend(viz::colorByLabel(*map->points, documents->labels.front(), viz::Theme::Light).legend, 360);
        m_legend->show();
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    void cleanup() { m_window.reset(); }

    void keysReachEveryEntry()
    {
        QSignalSpy isolated(m_legend, &LegendWidget::isolateRequested);
        QSignalSpy toggled(m_legend, &LegendWidget::toggleRequested);
        QCOMPARE(m_legend->focusPolicy(), Qt::TabFocus);
        m_legend->setFocus(Qt::TabFocusReason);
        for (int i = 0; i < 4; ++i)
        {
            QCOMPARE(m_legend->current(), (LegendHit{LegendHit::Kind::Category, i}));
            QCOMPARE(m_legend->accessibleDescription(), m_legend->nameOf(*m_legend->current()));
            QTest::keyClick(m_legend, Qt::Key_Return);
            QCOMPARE(isolated.count(), i + 1);
            QTest::keyClick(m_legend, Qt::Key_H);
            QCOMPARE(toggled.count(), i + 1);
            QTest::keyClick(m_legend, Qt::Key_Down);
        }
        QCOMPARE(m_legend->current(), (LegendHit{LegendHit::Kind::Category, 3})); // the last stays the last
        m_legend->setFaded({{LegendHit::Kind::Category, 2}});
        QTest::keyClick(m_legend, Qt::Key_Up);
        QVERIFY(m_legend->accessibleDescription().endsWith(QStringLiteral("not shown")));
        QSignalSpy all(m_legend, &LegendWidget::showAllRequested);
        QTest::keyClick(m_legend, Qt::Key_Escape);
        QCOMPARE(all.count(), 1);
    }

    void theMenuSaysAllOfItInWords()
    {
        QSignalSpy moved(m_legend, &LegendWidget::moveRequested);
        m_legend->setFocus(Qt::TabFocusReason);
        QTest::keyClick(m_legend, Qt::Key_Down);
        m_legend->setReordered(true);
        QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(0, 0), m_legend->mapToGlobal(QPoint(0, 0)));
        QApplication::sendEvent(m_legend, &event);
        auto* menu = m_legend->findChild<QMenu*>(QStringLiteral("legendMenu"));
        QVERIFY(menu != nullptr);
        for (const char* text :
             {"Only this", "Hide", "Show all", "Move up", "Move down", "Move to the top", "Order by frequency again"})
            QVERIFY2(actionOf(menu, text) != nullptr, text);
        actionOf(menu, "Move up")->trigger();
        QCOMPARE(moved.count(), 1);
        QCOMPARE(moved.at(0).at(0).toLongLong(), 1);
        QCOMPARE(moved.at(0).at(1).toInt(), 0);
        actionOf(menu, "Move down")->trigger();
        QCOMPARE(moved.at(1).at(1).toInt(), 3); // before the entry after the next
        menu->close();
    }

    void aPressThatLeavesTheEntryIsNoClick()
    {
        QSignalSpy isolated(m_legend, &LegendWidget::isolateRequested);
        const auto box = m_legend->layoutOfLegend().boxOf({LegendHit::Kind::Category, 0});
        QTest::mousePress(m_legend, Qt::LeftButton, {}, box->center().toPoint());
        QTest::mouseRelease(m_legend, Qt::LeftButton, {}, QPoint(2, 2));
        QCOMPARE(isolated.count(), 0);
        QTest::mouseClick(m_legend, Qt::RightButton, {}, box->center().toPoint());
        QCOMPARE(isolated.count(), 0);
    }
};

HEADSCOPE_WINDOW_TEST(TestLegendWidget)
#include "tst_legend_widget.moc"
