// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/grid/grid_view.h"

#include "app/views/grid/map_grid.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_controls.h"
#include "tests/ui/window_test.h"
#include "tests/viz/sample_set.h"
#include "ui/canvas/grow_overlay.h"
#include "ui/canvas/legend/legend_panel.h"
#include "ui/canvas/legend/legend_widget.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/widgets/widgets.h"

#include <QComboBox>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>

#include <array>

using namespace headscope;
using headscope::ui::GridChoice;
using headscope::ui::GridView;
using headscope::ui::MapRunState;

namespace
{

viz::PointColoring twoTopics(std::int64_t documents)
{
    LabelColumn column{"topic", {}, {"Cooking", "Music"}};
    PointIds all;
    for (std::int32_t i = 0; i < documents; ++i)
    {
        all.document.push_back(i);
        all.head.push_back(0);
        column.codes.push_back(i % 2);
    }
    return viz::colorByLabel(all, column, viz::InkTheme::Light);
}

} // namespace

class TestGridView : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<GridView> m_view;

    template <class T>
    T* child(const char* name)
    {
        return m_view->findChild<T*>(QLatin1StringView(name));
    }

    void waitForStill()
    {
        auto* overlay = m_view->findChild<ui::GrowOverlay*>();
        WAIT_FOR(!overlay->running());
    }

private Q_SLOTS:
    void init()
    {
        m_view = std::make_unique<GridView>();
        m_view->resize(1000, 560);
        m_view->setPalette(viz::HeadPalette(3, 2));
        m_view->bar()->setChoices(kStages, Stage::ProjectedSegment, 30, {QStringLiteral("small")});
        m_view->bar()->setColors({{QStringLiteral("head"), QStringLiteral("Colour: head")},
                                  {QStringLiteral("label:topic"), QStringLiteral("Colour: topic")}});
        m_view->setSet(test::sampleSet());
        m_view->bar()->show();
        m_view->show();
        QVERIFY(test::exposed(m_view.get()));
    }

    void cleanup() { m_view.reset(); }

    void emptyStateSaysWhatWouldBeHere()
    {
        m_view->setSet(nullptr);
        m_view->setEmpty(QStringLiteral("No grid yet"), QStringLiteral("28 small maps"), QStringLiteral("Run grid"));
        QVERIFY(m_view->emptyState()->isVisible());
        QSignalSpy wanted(m_view.get(), &GridView::emptyActionRequested);
        QTest::mouseClick(m_view->emptyState()->findChild<QPushButton*>(), Qt::LeftButton);
        QCOMPARE(wanted.count(), 1);
        m_view->setSet(test::sampleSet());
        QVERIFY(m_view->grid()->isVisible());
    }

    void aCellGrowsAndShrinksAgain()
    {
        QSignalSpy changed(m_view.get(), &GridView::openedChanged);
        m_view->grid()->setFocus();
        m_view->grid()->setCurrentCell(3);
        QTest::keyClick(m_view->grid(), Qt::Key_Return);
        QCOMPARE(m_view->openedCell(), std::optional<std::size_t>(3));
        waitForStill();
        WAIT_FOR(m_view->full()->isVisible());
        QVERIFY(m_view->full()->hasFocus());
        QCOMPARE(m_view->full()->pointCount(), 80);
        QCOMPARE(child<QLabel>("gridTitle")->text(), QStringLiteral("Head 4, stage 1, layer 5"));
        QVERIFY(child<QLabel>("gridNumbers")->text().startsWith(QStringLiteral("r 0.")));
        if (qEnvironmentVariableIsSet("HEADSCOPE_TEST_PICTURES"))
            m_view->grab().save(qEnvironmentVariable("HEADSCOPE_TEST_PICTURES") + QStringLiteral("/grid_full.png"));
        QTest::keyClick(m_view->full(), Qt::Key_Escape);
        QCOMPARE(m_view->openedCell(), std::nullopt);
        waitForStill();
        QVERIFY(m_view->grid()->isVisible());
        QVERIFY(m_view->grid()->hasFocus());
        QCOMPARE(m_view->grid()->currentCell(), std::optional<std::size_t>(3));
        QCOMPARE(changed.count(), 2);
    }

    void backButtonAndSteps()
    {
        m_view->openCell(0);
        waitForStill();
        QVERIFY(!child<QPushButton>("gridPrevious")->isEnabled());
        QTest::keyClick(m_view->full(), Qt::Key_PageDown);
        QCOMPARE(m_view->openedCell(), std::optional<std::size_t>(1));
        QTest::mouseClick(child<QPushButton>("gridNext"), Qt::LeftButton);
        QCOMPARE(m_view->openedCell(), std::optional<std::size_t>(2));
        QTest::mouseClick(child<QPushButton>("gridBack"), Qt::LeftButton);
        QCOMPARE(m_view->openedCell(), std::nullopt);
    }

    void theFullVectorGrowsToo()
    {
        const auto full = m_view->grid()->contents().find(1, 0);
        QVERIFY(full);
        QSignalSpy clicked(m_view.get(), &GridView::documentClicked);
        m_view->openCell(*full);
        waitForStill();
        QCOMPARE(m_view->full()->pointCount(), 80);
        const MatrixF& xy = m_view->full()->map()->xy;
        test::passMs(200);
        const QPointF place = m_view->full()->view().screenFromData(QPointF(xy(5, 0), xy(5, 1)));
        QTest::mouseClick(m_view->full(), Qt::LeftButton, {}, place.toPoint());
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked.front()[1].value<std::optional<HeadIndex>>(), std::nullopt);
    }

    void theGrownMapMovesWithTheRun()
    {
        m_view->openCell(2);
        waitForStill();
        auto next = std::make_shared<HeadMapSet>(*m_view->set());
        next->maps[m_view->grid()->contents().cells[2].map].map.xy(0, 0) += 3;
        m_view->setSet(next);
        QCOMPARE(m_view->openedCell(), std::optional<std::size_t>(2));
        QCOMPARE(m_view->full()->map()->xy(0, 0), next->maps[m_view->grid()->contents().cells[2].map].map.xy(0, 0));
        m_view->setSet(nullptr);
        QCOMPARE(m_view->openedCell(), std::nullopt);
    }

    void legendIsolates()
    {
        m_view->setColoring(twoTopics(80));
        QVERIFY(m_view->legend()->isVisible());
        test::passMs(50);
        ui::LegendWidget* card = m_view->legend()->card();
        const auto entry = card->placeOfEntry({viz::LegendHit::Kind::Category, 1});
        QVERIFY(entry);
        const QPoint place = entry->center().toPoint();
        QTest::mouseClick(card, Qt::LeftButton, {}, place);
        QCOMPARE(m_view->legend()->isolated(), std::optional<std::int64_t>(1));
        const auto states = m_view->grid()->points().data(0).states;
        QCOMPARE(states[0], viz::PointState::Dimmed);
        QCOMPARE(states[1], viz::PointState::Shown);
        if (qEnvironmentVariableIsSet("HEADSCOPE_TEST_PICTURES"))
            m_view->grab().save(qEnvironmentVariable("HEADSCOPE_TEST_PICTURES") + QStringLiteral("/grid_view.png"));
        QTest::mouseClick(card, Qt::LeftButton, {}, place);
        QVERIFY(m_view->grid()->points().data(0).states.empty());
        m_view->setColoring(std::nullopt);
        QVERIFY(!m_view->legend()->isVisible());
    }

    void theBarOffersWhatThereIs()
    {
        auto* what = child<QComboBox>("gridWhat");
        QCOMPARE(what->count(), 4);
        QCOMPARE(m_view->bar()->choice(), GridChoice());
        // Segments are no heads; work files know the entries by the text that they had before, too.
        QCOMPARE(what->itemText(0), QStringLiteral("Heads and segments × 3 stages"));
        QCOMPARE(what->itemText(1), QStringLiteral("6 layers × segments"));
        QCOMPARE(what->findData(QStringLiteral("Heads × 3 stages"), ui::kFormerTextRole), 0);
        QCOMPARE(what->findData(QStringLiteral("6 layers × heads"), ui::kFormerTextRole), 1);
        QSignalSpy changed(m_view->bar(), &ui::GridBar::choiceChanged);
        m_view->bar()->setChoice({GridChoice::Kind::Layers, 6, {}});
        QCOMPARE(changed.count(), 1);
        QCOMPARE(m_view->bar()->choice().layers, 6);
        m_view->bar()->setChoices(kStages, Stage::ProjectedSegment, 30, {});
        QCOMPARE(m_view->bar()->choice().layers, 6); // stays
        m_view->bar()->setChoices(kStages, Stage::ProjectedSegment, 30, {QStringLiteral("a:b")});
        m_view->bar()->setChoice({GridChoice::Kind::Stored, 0, QStringLiteral("a:b")});
        QCOMPARE(m_view->bar()->choice().stored, QStringLiteral("a:b"));
        QVERIFY(!child<QPushButton>("gridRun")->isVisible());
        m_view->bar()->setChoices(std::array{Stage::ProjectedSegment, Stage::OutputSegment}, Stage::ProjectedSegment, 1,
                                  {});
        QCOMPARE(m_view->bar()->choice(), GridChoice());
        QCOMPARE(what->count(), 1);
        QCOMPARE(what->itemText(0), QStringLiteral("Segments × 2 stages"));
    }

    void theBarFollowsTheRun()
    {
        ui::MapRunProgress progress;
        progress.iterations = 750;
        progress.stage = QStringLiteral("finding neighbours");
        m_view->bar()->setRun(MapRunState::Running, progress);
        QVERIFY(!child<QPushButton>("gridRun")->isVisible());
        QCOMPARE(child<QLabel>("gridIterations")->text(), QStringLiteral("finding neighbours"));
        progress.iteration = 300;
        progress.eta = 9;
        m_view->bar()->setRun(MapRunState::Running, progress);
        QCOMPARE(child<QLabel>("gridIterations")->text(), QStringLiteral("300 / 750   9 s left"));
        QSignalSpy pause(m_view->bar(), &ui::GridBar::pauseRequested);
        QSignalSpy goOn(m_view->bar(), &ui::GridBar::continueRequested);
        QSignalSpy stop(m_view->bar(), &ui::GridBar::stopRequested);
        QTest::mouseClick(child<QPushButton>("gridPause"), Qt::LeftButton);
        m_view->bar()->setRun(MapRunState::Paused, progress);
        QTest::mouseClick(child<QPushButton>("gridPause"), Qt::LeftButton);
        QTest::mouseClick(child<QPushButton>("gridStop"), Qt::LeftButton);
        QCOMPARE(pause.count(), 1);
        QCOMPARE(goOn.count(), 1);
        QCOMPARE(stop.count(), 1);
        m_view->bar()->setRun(MapRunState::Stopped, progress);
        QCOMPARE(child<QLabel>("gridIterations")->text(),
                 QStringLiteral("750\u00a0iterations")); // of the maps there are
        QVERIFY(child<QPushButton>("gridRun")->isVisible());
        QCOMPARE(m_view->shownText().replace(QChar::Nbsp, u' '), QStringLiteral("13 cells · 80 documents"));
    }

    /// Before, nothing said how far the maps had come once no run was on: a stopped grid looked finished.
    void theBarSaysHowFarTheMapsHaveCome()
    {
        QCOMPARE(child<QLabel>("gridIterations")->text(), QStringLiteral("750\u00a0iterations"));
        auto stopped = std::make_shared<HeadMapSet>(*m_view->set());
        for (MapOfSet& each : stopped->maps)
        {
            each.map.options.iterations = 750;
            each.map.iteration = 223;
        }
        m_view->setSet(stopped);
        QCOMPARE(child<QLabel>("gridIterations")->text(), QStringLiteral("stopped at 223 of 750\u00a0iterations"));
        m_view->setSet(nullptr);
        QVERIFY(!child<QLabel>("gridIterations")->isVisible());
    }

    void manyCellsScroll()
    {
        m_view->setSet(test::sampleSet(10, 60));
        test::passMs(20);
        auto* scroll = child<QScrollArea>("gridScroll");
        QVERIFY(scroll->verticalScrollBar()->maximum() > 0);
        const viz::GridLayout& laidOut = m_view->grid()->gridLayout();
        QVERIFY(laidOut.plotSize().width() >= laidOut.metrics().least);
        m_view->grid()->setCurrentCell(m_view->grid()->contents().cells.size() - 1);
        QVERIFY(scroll->verticalScrollBar()->value() > 0); // the current cell is in view
    }

    void everyControlHasAName()
    {
        const QString nameless = test::namelessControls(*m_view);
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless));
    }
};

HEADSCOPE_WINDOW_TEST(TestGridView)
#include "tst_grid_view.moc"
