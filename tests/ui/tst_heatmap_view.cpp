// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/heatmap_view.h"

#include "tests/ui/window_test.h"
#include "ui/plots/heatmap_widget.h"
#include "ui/widgets.h"
#include "ui/wording.h"

#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QSpinBox>

using namespace headscope;
using namespace headscope::ui;

class TestHeatmapView : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<HeatmapView> m_view;

    void moveTo(QPointF place)
    {
        HeatmapWidget* widget = m_view->heatmap();
        QMouseEvent event(QEvent::MouseMove, place, widget->mapToGlobal(place), Qt::NoButton, Qt::NoButton,
                          Qt::NoModifier);
        QApplication::sendEvent(widget, &event);
    }

private Q_SLOTS:
    void init()
    {
        m_view = std::make_unique<HeatmapView>();
        m_view->resize(900, 720);
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    }
    void cleanup() { m_view.reset(); }

    void emptyViewSaysWhatWouldBeHere()
    {
        m_view->setEmpty(QStringLiteral("No heatmap yet"), QStringLiteral("Cosines would be here."),
                         QStringLiteral("Make"));
        QVERIFY(m_view->emptyState()->isVisible());
        const QSignalSpy asked(m_view.get(), &HeatmapView::emptyActionRequested);
        QTest::mouseClick(m_view->emptyState()->findChild<QWidget*>(QStringLiteral("emptyAction")), Qt::LeftButton);
        QCOMPARE(asked.count(), 1);
    }

    void hoverAndClickReachTheDocument()
    {
        const auto first = test::sampleHeatmap();
        m_view->setHeatmaps({first, test::sampleHeatmap(Stage::OutputSegment)}, test::sampleModel(), 4);
        HeatmapWidget* widget = m_view->heatmap();
        QVERIFY(widget->isVisible());
        widget->setCardSource([](const Heatmap& heatmap, viz::HeatmapCell cell) {
            HoverContent content;
            content.title = unitText(heatmap.stage, HeadIndex(cell.row - 1));
            content.value = QString::number(static_cast<double>(heatmap.values(cell.row, cell.column)), 'f', 2);
            return content;
        });
        QSignalSpy clicked(widget, &HeatmapWidget::documentClicked);
        QSignalSpy hovered(widget, &HeatmapWidget::documentHovered);
        const viz::HeatmapCell cell{18, 7};
        const QPointF place = widget->layoutOf(1).cellRect(cell).center();
        moveTo(place);
        QVERIFY(widget->hoverCard()->isVisible());
        QCOMPARE(widget->hoverCard()->content().title, QStringLiteral("Segment 18"));
        QCOMPARE(hovered.count(), 1);
        QTest::mouseClick(widget, Qt::LeftButton, {}, place.toPoint());
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked.at(0).at(0).toLongLong(), first->document[7]);
        QCOMPARE(clicked.at(0).at(1).value<std::optional<std::int64_t>>(), std::optional<std::int64_t>(17));
        widget->setPrimary(first->document[7], 17);
        QVERIFY(!widget->grab().isNull());
        moveTo({2, 2});
        QVERIFY(!widget->hoverCard()->isVisible());
    }

    void barSaysHowManyOfHowMany()
    {
        m_view->setHeatmaps({test::sampleHeatmap()}, test::sampleModel(), 25);
        const auto* shown = m_view->findChild<QLabel*>(QStringLiteral("heatmapShown"));
        QVERIFY2(shown->text().contains(QStringLiteral("4 of 25 topics")), qPrintable(shown->text()));
        QVERIFY(shown->text().startsWith(QStringLiteral("24")));
    }

    void optionsFollowTheControls()
    {
        m_view->setHeads(32, QStringLiteral("segment"));
        const QSignalSpy changed(m_view.get(), &HeatmapView::optionsChanged);
        QCOMPARE(m_view->options().sortBy, -1);
        auto* sort = m_view->findChild<QComboBox*>(QStringLiteral("heatmapSort"));
        sort->setCurrentIndex(sort->findText(QStringLiteral("Sort: segment 10")));
        QCOMPARE(m_view->options().sortBy, 9);
        m_view->findChild<QSpinBox*>(QStringLiteral("heatmapPerTopic"))->setValue(24);
        QCOMPARE(m_view->options().perTopic, 24);
        QCOMPARE(changed.count(), 2);
        m_view->setHeads(32, QStringLiteral("head"));
        QCOMPARE(m_view->options().sortBy, 9);
        m_view->setHeads(4, QStringLiteral("head"));
        QCOMPARE(m_view->options().sortBy, -1);
    }

    void paintsNothingWhileIdle()
    {
        m_view->setHeatmaps({test::sampleHeatmap()}, test::sampleModel(), 4);
        QTest::qWait(200);
        const auto before = m_view->heatmap()->paintCount();
        QTest::qWait(300);
        QCOMPARE(m_view->heatmap()->paintCount(), before);
    }
};

HEADSCOPE_WINDOW_TEST_MAIN(TestHeatmapView)
#include "tst_heatmap_view.moc"
