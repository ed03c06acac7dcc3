// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/legend/legend_widget.h"

#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "viz/scatter/point_coloring.h"

#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolButton>
#include <QWheelEvent>

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
        m_legend->setLegend(viz::colorByLabel(*map->points, documents->labels.front(), viz::InkTheme::Light).legend,
                            360);
        m_legend->show();
        m_window->show();
        QVERIFY(test::exposed(m_window.get()));
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
        QVERIFY(m_legend->accessibleDescription().endsWith(QStringLiteral(", hidden")));
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
             {"Only this", "Hide", "Show all", "Move up", "Move down", "Move to the top", "Default order"})
            QVERIFY2(actionOf(menu, text) != nullptr, text);
        actionOf(menu, "Move up")->trigger();
        QCOMPARE(moved.count(), 1);
        QCOMPARE(moved.at(0).at(0).toLongLong(), 1);
        QCOMPARE(moved.at(0).at(1).toInt(), 0);
        actionOf(menu, "Move down")->trigger();
        QCOMPARE(moved.at(1).at(1).toInt(), 3); // before the entry after the next
        menu->close();
    }

    void longLegendsScrollAndAreSearched()
    {
        viz::Legend legend = m_legend->layoutOfLegend().legend();
        auto& entries = std::get<viz::CategoryLegend>(legend.content).entries;
        entries.clear();
        for (std::int64_t i = 0; i < 60; ++i)
            entries.push_back({QStringLiteral("label %1").arg(i), i, 10, qRgb(0, 0, 200), 1});
        m_legend->setLegend(legend, 300);
        QVERIFY(m_legend->height() <= 300);
        QVERIFY(m_legend->scrollBar()->isVisible());
        QVERIFY(m_legend->searchField()->isVisible());
        // The wheel scrolls it, and an entry is clicked where it now stands.
        const LegendHit wanted{LegendHit::Kind::Category, 12};
        const QRectF before = *m_legend->placeOfEntry(wanted);
        QWheelEvent wheel(QPointF(40, 200), m_legend->mapToGlobal(QPointF(40, 200)), {}, QPoint(0, -240), Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(m_legend, &wheel);
        QVERIFY(wheel.isAccepted());
        const QRectF after = *m_legend->placeOfEntry(wanted);
        QVERIFY(after.top() < before.top());
        std::vector<LegendHit> isolated;
        connect(m_legend, &LegendWidget::isolateRequested, this,
                [&isolated](const LegendHit& hit) { isolated.push_back(hit); });
        QTest::mouseClick(m_legend, Qt::LeftButton, {}, after.center().toPoint());
        QCOMPARE(isolated, std::vector<LegendHit>{wanted});
        m_legend->disconnect(this);
        // The keys scroll it to what they reach.
        m_legend->setFocus(Qt::TabFocusReason);
        QTest::keyClick(m_legend, Qt::Key_End);
        QCOMPARE(m_legend->current(), (LegendHit{LegendHit::Kind::Category, 59}));
        QVERIFY(m_legend->placeOfEntry(*m_legend->current())->bottom() <= m_legend->height());
        QTest::keyClick(m_legend, Qt::Key_Home);
        QVERIFY(m_legend->placeOfEntry(*m_legend->current())->top() >= m_legend->layoutOfLegend().headBottom());
        // Searched: label 7, 17, 27, 37, 47, 57.
        QSignalSpy resized(m_legend, &LegendWidget::sizeChanged);
        QTest::keyClicks(m_legend->searchField(), QStringLiteral("7"));
        QCOMPARE(m_legend->layoutOfLegend().hits().size(), std::size_t{6});
        QVERIFY(resized.count() > 0);
        QVERIFY(!m_legend->scrollBar()->isVisible());
        QCOMPARE(m_legend->layoutOfLegend().legend().hint, QStringLiteral("6 of 60"));
        m_legend->searchField()->clear();
        QCOMPARE(m_legend->layoutOfLegend().hits().size(), std::size_t{60});
    }

    void itFoldsToItsTitle()
    {
        const QSize whole = m_legend->size();
        QSignalSpy resized(m_legend, &LegendWidget::sizeChanged);
        m_legend->foldButton()->setFocus(Qt::TabFocusReason);
        QTest::keyClick(m_legend->foldButton(), Qt::Key_Space);
        QVERIFY(m_legend->isFolded());
        QCOMPARE(resized.count(), 1);
        QVERIFY(m_legend->height() < whole.height() / 2);
        QVERIFY(m_legend->layoutOfLegend().hits().empty());
        QTest::keyClick(m_legend->foldButton(), Qt::Key_Space);
        QCOMPARE(m_legend->size(), whole);
    }

    void thePaletteIsChosenInTheLegend()
    {
        auto* button = m_legend->findChild<QToolButton*>(QStringLiteral("legendPalette"));
        QVERIFY(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        auto* menu = m_legend->findChild<QMenu*>(QStringLiteral("legendPalettes"));
        QVERIFY(menu != nullptr);
        QVERIFY(actionOf(menu, "Standard")->isChecked());
        QSignalSpy changed(&ui::Theme::instance(), &ui::Theme::changed);
        actionOf(menu, "Greyscale")->trigger();
        menu->close();
        WAIT_COMPARE(ui::Theme::instance().palette(), viz::PaletteKind::Grey);
        QCOMPARE(changed.count(), 1);
        ui::Theme::instance().setPalette(viz::PaletteKind::Standard);
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
