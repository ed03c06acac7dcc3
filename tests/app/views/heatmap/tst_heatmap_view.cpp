// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heatmap/heatmap_view.h"

#include "app/views/heatmap/heatmap_bar.h"
#include "app/views/heatmap/heatmap_widget.h"
#include "app/views/heatmap/match_panel.h"
#include "app/views/heatmap/similarity_page.h"
#include "app/views/heatmap/topic_chooser.h"
#include "app/views/heatmap/topic_key.h"
#include "app/views/heatmap/topic_means_page.h"
#include "tests/app/views/heatmap/heatmap_values.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_controls.h"
#include "tests/ui/window_test.h"
#include "ui/canvas/legend/color_bar.h"
#include "ui/canvas/picture_widget.h"
#include "ui/charts/match_chart.h"
#include "ui/models/topic_list_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"
#include "viz/chart/match_bars.h"
#include "viz/heatmap/matrix_tables.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTreeWidget>
#include <QWheelEvent>

#include <set>

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
    void turnWheel(QPointF place, int angle, Qt::KeyboardModifiers keys)
    {
        HeatmapWidget* widget = m_view->heatmap();
        QWheelEvent event(place, widget->mapToGlobal(place), {}, QPoint(0, angle), Qt::NoButton, keys,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(widget, &event);
    }
    void drag(QPointF from, QPointF to) { test::dragIn(m_view->heatmap(), from, to); }

private Q_SLOTS:
    void init()
    {
        m_view = std::make_unique<HeatmapView>();
        m_view->resize(900, 720);
        m_view->show();
        QVERIFY(test::exposed(m_view.get()));
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
        QCOMPARE(clicked.at(0).at(0).value<DocumentIndex>(), DocumentIndex(first->document[7]));
        QCOMPARE(clicked.at(0).at(1).value<std::optional<HeadIndex>>(), std::optional<HeadIndex>(17));
        widget->setPrimary(DocumentIndex(first->document[7]), HeadIndex(17));
        QVERIFY(!widget->grab().isNull());
        moveTo({2, 2});
        QVERIFY(!widget->hoverCard()->isVisible());
    }

    void barSaysHowManyOfHowMany()
    {
        m_view->setHeatmaps({test::sampleHeatmap()}, test::sampleModel(), 25);
        QVERIFY2(m_view->shownText().contains(QStringLiteral("4 of 25 topics")), qPrintable(m_view->shownText()));
        QVERIFY(m_view->shownText().startsWith(QStringLiteral("24")));
    }

    void optionsFollowTheControls()
    {
        m_view->setLabels({"topic", {0, 1, 1, 2, 3}, {"Cooking", "Astronomy", "History", "Music", "Empty"}});
        m_view->setHeads(32, Stage::OutputSegment);
        const QSignalSpy changed(m_view.get(), &HeatmapView::optionsChanged);
        QCOMPARE(m_view->options().order, ColumnOrder());
        QVERIFY(m_view->options().topics.empty());
        auto* sort = m_view->findChild<QComboBox*>(QStringLiteral("heatmapSort"));
        sort->setCurrentIndex(sort->findText(QStringLiteral("Sort: segment 10")));
        QCOMPARE(m_view->options().order, ColumnOrder::byHead(HeadIndex(9)));
        m_view->findChild<QSpinBox*>(QStringLiteral("heatmapPerTopic"))->setValue(24);
        QCOMPARE(m_view->options().perTopic, 24);
        QCOMPARE(changed.count(), 2);
        m_view->setHeads(32, Stage::HeadOutput);
        QCOMPARE(m_view->options().order, ColumnOrder::byHead(HeadIndex(9)));
        m_view->setHeads(4, Stage::HeadOutput);
        QCOMPARE(m_view->options().order, ColumnOrder());
        // Topics: unchecked, moved; a moment later the heatmap is asked for.
        auto* topics = m_view->bar()->chooser()->topics();
        QAbstractItemModelTester tester(topics, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QVERIFY(topics->setData(topics->index(0), Qt::Unchecked, Qt::CheckStateRole));
        topics->moveTopic(3, -1);
        QCOMPARE(m_view->options().topics, (std::vector<std::int32_t>{1, 3, 2}));
        WAIT_COMPARE(changed.count(), 3);
        QVERIFY(!topics->flags(topics->index(4)).testFlag(Qt::ItemIsEnabled));
        topics->sortByFrequency();
        topics->checkAll();
        QCOMPARE(m_view->options().topics.front(), 1);
        topics->sortByCode();
        topics->checkDefault();
        QVERIFY(m_view->options().topics.empty());
    }

    void wheelDragAndKeysZoomColumns()
    {
        m_view->setPanels({test::samplePanel(), test::samplePanel(Stage::OutputSegment)}, test::sampleModel(), 4);
        HeatmapWidget* widget = m_view->heatmap();
        auto* scroll = m_view->findChild<QScrollBar*>(QStringLiteral("heatmapScroll"));
        QVERIFY(!scroll->isVisible());
        const viz::HeatmapCell cell{3, 9};
        const QPointF at = widget->layoutOf(0).cellRect(cell).center();
        turnWheel(at, 240, Qt::NoModifier);
        QVERIFY(widget->window().zoom > 1.5);
        QCOMPARE(widget->window().rowZoom, 1.0); // never the rows unasked
        QVERIFY(widget->layoutOf(0).cellAt(at)->column == 9);
        // Columns are locked.
        QVERIFY(std::abs(widget->layoutOf(1).cellRect({0, 9}).left() - widget->layoutOf(0).cellRect({0, 9}).left()) <
                1e-6);
        QVERIFY(scroll->isVisible());
        turnWheel(at, 120, Qt::ControlModifier);
        QVERIFY(widget->window().rowZoom > 1);
        // Zoomed in, a drag moves.
        const double first = widget->window().firstColumn;
        drag(at, at - QPointF(60, 0));
        QVERIFY(widget->window().firstColumn > first);
        scroll->setValue(0);
        QCOMPARE(widget->window().firstColumn, 0.0);
        widget->setFocus();
        QTest::keyClick(widget, Qt::Key_Home);
        QCOMPARE(widget->window(), viz::HeatmapWindow());
        QTest::keyClick(widget, Qt::Key_Plus);
        QVERIFY(widget->window().zoom > 1);
        QTest::keyClick(widget, Qt::Key_Minus);
        QCOMPARE(widget->window().zoom, 1.0);
        // All shown, a drag chooses the columns to zoom to.
        drag(widget->layoutOf(0).cellRect({2, 6}).center(), widget->layoutOf(0).cellRect({2, 11}).center());
        QVERIFY(std::abs(widget->window().firstColumn - 6) < 1e-6);
        QVERIFY(widget->window().zoom > 3);
        // The same columns computed again keep the window; others do not.
        const auto window = widget->window();
        m_view->setPanels({test::samplePanel(), test::samplePanel(Stage::OutputSegment)}, test::sampleModel(), 4);
        QCOMPARE(widget->window(), window);
        m_view->setPanels({test::samplePanel(Stage::HeadOutput, 9)}, test::sampleModel(), 4);
        QCOMPARE(widget->window().zoom, 1.0);
    }

    void keysMoveTheCrosshair()
    {
        m_view->setPanels({test::samplePanel(), test::samplePanel(Stage::OutputSegment)}, test::sampleModel(), 4);
        HeatmapWidget* widget = m_view->heatmap();
        QSignalSpy hovered(widget, &HeatmapWidget::documentHovered);
        QSignalSpy clicked(widget, &HeatmapWidget::documentClicked);
        QSignalSpy picked(widget, &HeatmapWidget::documentsPicked);
        widget->setFocus();
        QTest::keyClick(widget, Qt::Key_Right);
        QTest::keyClick(widget, Qt::Key_Right);
        QTest::keyClick(widget, Qt::Key_Down);
        const auto document = test::sampleHeatmap()->document[1];
        QCOMPARE(hovered.last().at(0).value<std::optional<DocumentIndex>>(), std::optional<DocumentIndex>(document));
        QTest::keyClick(widget, Qt::Key_Return);
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked.at(0).at(0).value<DocumentIndex>(), DocumentIndex(document));
        QCOMPARE(clicked.at(0).at(1).value<std::optional<HeadIndex>>(), std::optional<HeadIndex>(0));
        QTest::keyClick(widget, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(picked.count(), 1);
        QCOMPARE(picked.at(0).at(1).value<SetOperation>(), SetOperation::Add);
        for (int i = 0; i < 33; ++i)
            QTest::keyClick(widget, Qt::Key_Down); // into the next stage
        QTest::keyClick(widget, Qt::Key_Escape);
        QCOMPARE(hovered.last().at(0).value<std::optional<DocumentIndex>>(), std::optional<DocumentIndex>());
    }

    void namesChooseHeadsGroupsAndTopics()
    {
        m_view->setPanels({test::samplePanel()}, test::sampleModel(), 4);
        HeatmapWidget* widget = m_view->heatmap();
        QSignalSpy heads(widget, &HeatmapWidget::headsClicked);
        QSignalSpy picked(widget, &HeatmapWidget::documentsPicked);
        const viz::HeatmapLayout& layout = widget->layoutOf(0);
        const double y = layout.rowRect(7).center().y();
        QTest::mouseClick(widget, Qt::LeftButton, {}, QPointF(layout.plot().left() - 4, y).toPoint());
        QCOMPARE(heads.count(), 1);
        QCOMPARE(heads.at(0).at(0).value<std::vector<std::int64_t>>(), (std::vector<std::int64_t>{6}));
        QTest::mouseClick(widget, Qt::LeftButton, {}, QPointF(layout.box().left() + 2, y).toPoint());
        QCOMPARE(heads.at(1).at(0).value<std::vector<std::int64_t>>(), (std::vector<std::int64_t>{4, 5, 6, 7}));
        const QPointF letter(layout.topicRect(2).center().x(), layout.plot().bottom() + 10);
        QTest::mouseClick(widget, Qt::LeftButton, Qt::ControlModifier, letter.toPoint());
        QCOMPARE(picked.count(), 1);
        QCOMPARE(picked.at(0).at(0).value<std::vector<std::int64_t>>(), widget->documentsOf(2));
        QCOMPARE(picked.at(0).at(1).value<SetOperation>(), SetOperation::Remove);
        QTest::mouseDClick(widget, Qt::LeftButton, {}, letter.toPoint());
        QVERIFY(widget->window().zoom > 3);
    }

    void rowsAreThoseOfTheChosenHeads()
    {
        m_view->setPanels({test::samplePanel()}, test::sampleModel(), 4);
        m_view->setShownHeads({2, 4, 5});
        HeatmapWidget* widget = m_view->heatmap();
        const auto layout = [widget]() -> const viz::HeatmapLayout& { return widget->layoutOf(0); };
        QCOMPARE(layout().headsShown(), std::int64_t{3});
        QVERIFY(layout().rowRect(1).isEmpty());
        const QPointF inside(layout().plot().left() + 5, layout().rowRect(6).center().y());
        QCOMPARE(layout().cellAt(inside)->row, std::int64_t{6});
        QVERIFY(m_view->shownText().contains(chosenHeadsText(3, 32)));
        widget->setLitHeads({0, 4}); // of one that has no row, too
        widget->setPrimary(DocumentIndex(0), HeadIndex(0));
        QVERIFY(!widget->grab().isNull());
        QSignalSpy stage(widget, &HeatmapWidget::stageClicked);
        QTest::mouseClick(widget, Qt::LeftButton, {},
                          QPointF(layout().plot().left() + 20, layout().box().top() + 6).toPoint());
        QCOMPARE(stage.count(), 1);
        QSignalSpy all(m_view.get(), &HeatmapView::allHeadsRequested);
        m_view->setShownHeads({});
        const auto title = [this] {
            QStringList titles;
            for (const EmptyState* state : m_view->findChildren<EmptyState*>())
                if (state->isVisible())
                    titles << state->title();
            return titles.join(u'|');
        };
        QCOMPARE(title(), QStringLiteral("No head selected"));
        m_view->setHeads(32, Stage::OutputSegment);
        QCOMPARE(title(), QStringLiteral("No segment selected"));
        const auto buttons = m_view->findChildren<QPushButton*>();
        const auto shown = std::find_if(buttons.begin(), buttons.end(), [](auto* each) { return each->isVisible(); });
        QVERIFY(shown != buttons.end());
        QCOMPARE((*shown)->text(), QStringLiteral("Select all segments"));
        QTest::mouseClick(*shown, Qt::LeftButton);
        QCOMPARE(all.count(), 1);
    }

    void rowsFollowTheirOrder()
    {
        m_view->setPanels({test::samplePanel()}, test::sampleModel(), 4);
        HeatmapWidget* widget = m_view->heatmap();
        auto* rows = m_view->findChild<QComboBox*>(QStringLiteral("heatmapRows"));
        const auto first = [&] { return widget->layoutOf(0).rowAtPlace(0); };
        QCOMPARE(first(), 1);
        const auto choose = [&](HeatmapRows order) { rows->setCurrentIndex(rows->findData(static_cast<int>(order))); };
        choose(HeatmapRows::FollowsFull);
        QCOMPARE(first(), 32);
        choose(HeatmapRows::Selectivity);
        QCOMPARE(first(), 1);
        choose(HeatmapRows::GroupMean);
        QCOMPARE(first(), 29); // the last group has the largest mean, its members stay in order
        choose(HeatmapRows::Clusters);
        QCOMPARE(first(), 32);
        QVERIFY(!widget->grab().isNull());
    }

    void chosenColumnsAreMarkedTheOthersPale()
    {
        m_view->setPanels({test::samplePanel()}, test::sampleModel(), 4);
        HeatmapWidget* widget = m_view->heatmap();
        const auto pixel = [&](std::int64_t column) {
            return widget->picture().pixelColor(widget->layoutOf(0).cellRect({5, column}).center().toPoint());
        };
        const QColor lit = pixel(0);
        const QColor other = pixel(1);
        widget->setChosen({test::sampleHeatmap()->document[0]});
        QCOMPARE(pixel(0), lit);
        QVERIFY(pixel(1) != other);
        QVERIFY(pixel(1).lightness() > other.lightness() || other.lightness() > 240);
        const QRectF cell = widget->layoutOf(0).cellRect({0, 0});
        const QColor mark = widget->picture().pixelColor(QPointF(cell.center().x(), cell.top() - 4).toPoint());
        QCOMPARE(mark, viz::inks(viz::InkTheme::Light).accent);
        widget->setChosen({});
        QCOMPARE(pixel(1), other);
    }

    void stagesOneOrAll()
    {
        m_view->setPanels(
            {test::samplePanel(), test::samplePanel(Stage::ProjectedSegment), test::samplePanel(Stage::OutputSegment)},
            test::sampleModel(), 4);
        QCOMPARE(m_view->heatmap()->panels().size(), 3u);
        auto* stages = m_view->findChild<QComboBox*>(QStringLiteral("heatmapStages"));
        QCOMPARE(stages->count(), 4);
        stages->setCurrentIndex(2);
        QCOMPARE(m_view->heatmap()->panels().size(), 1u);
        QCOMPARE(m_view->heatmap()->panels().front()->heatmap->stage, Stage::ProjectedSegment);
        QCOMPARE(m_view->means()->matrix()->picture().tables().size(), 1u);
        // Rows of stages 2 and 3 are no heads: the foot of the means says so too.
        QVERIFY2(m_view->means()->caption().endsWith(QStringLiteral("all 32\u00A0segments")),
                 qPrintable(m_view->means()->caption()));
        stages->setCurrentIndex(0);
        QVERIFY2(m_view->means()->caption().endsWith(QStringLiteral("all 32\u00A0heads or segments")),
                 qPrintable(m_view->means()->caption()));
    }

    /// Whatever the height: rows' numbers come for all stages or for none, and columns stay in line.
    void columnsOfAllStagesStandUnderEachOther()
    {
        m_view->setPanels(
            {test::samplePanel(), test::samplePanel(Stage::ProjectedSegment), test::samplePanel(Stage::OutputSegment)},
            test::sampleModel(), 4);
        std::set<double> lefts;
        for (int height = 420; height <= 1400; height += 4)
        {
            m_view->resize(900, height);
            const HeatmapWidget* widget = m_view->heatmap();
            const QRectF first = widget->layoutOf(0).plot();
            for (const std::size_t other : {1, 2})
            {
                QCOMPARE(widget->layoutOf(other).plot().left(), first.left());
                QCOMPARE(widget->layoutOf(other).plot().right(), first.right());
            }
            lefts.insert(first.left());
        }
        QVERIFY(lefts.size() > 1); // with and without numbers
    }

    void missingCellsAndConstantHeadsAreSaid()
    {
        auto panel = std::make_shared<HeatmapPanel>(*test::samplePanel());
        auto heatmap = std::make_shared<Heatmap>(*panel->heatmap);
        heatmap->values(3, 5) = std::numeric_limits<float>::quiet_NaN();
        panel->heatmap = heatmap;
        panel->statistics.sd[2] = 0;
        panel->statistics.eta2[2] = std::numeric_limits<double>::quiet_NaN();
        panel->statistics.spearmanMean[1] = std::numeric_limits<double>::quiet_NaN();
        m_view->setPanels({panel}, test::sampleModel(), 4);
        QVERIFY2(m_view->shownText().endsWith(QStringLiteral("cell without a value")), qPrintable(m_view->shownText()));
        const auto* shown = m_view->findChild<QLabel*>(QStringLiteral("heatmapShown"));
        QVERIFY2(shown->toolTip().contains(QStringLiteral("without variance")), qPrintable(shown->toolTip()));
        auto* rows = m_view->findChild<QComboBox*>(QStringLiteral("heatmapRows"));
        rows->setCurrentIndex(rows->findData(static_cast<int>(HeatmapRows::Selectivity)));
        QCOMPARE(m_view->heatmap()->layoutOf(0).rowAtPlace(31), 2);
        QVERIFY(!m_view->grab().isNull());
    }

    void manyTopicsHaveLettersAndAKeyThatScrolls()
    {
        auto heatmap = std::make_shared<Heatmap>(*test::sampleHeatmap());
        heatmap->values = MatrixF(33, 120);
        heatmap->topicNames.clear();
        heatmap->topicOrder.clear();
        heatmap->topicStart = {0};
        heatmap->document.assign(120, 0);
        heatmap->topic.assign(120, 0);
        for (std::int32_t topic = 0; topic < 60; ++topic)
        {
            heatmap->topicNames.push_back("Topic with a name of some length " + std::to_string(topic));
            heatmap->topicOrder.push_back(topic);
            heatmap->topicStart.push_back(2 * (topic + 1));
        }
        m_view->setHeatmaps({heatmap}, test::sampleModel(), 60);
        QCOMPARE(m_view->key()->count(), 60);
        QVERIFY(m_view->key()->height() <= 80);
        QVERIFY(m_view->key()->verticalScrollBar()->maximum() > 0);
        QVERIFY(!m_view->grab().isNull());
        const QSignalSpy clicked(m_view->key(), &TopicKey::topicClicked);
        m_view->key()->setCurrentRow(27);
        QTest::keyClick(m_view->key(), Qt::Key_Return);
        QCOMPARE(clicked.at(0).at(0).toLongLong(), 27);
    }

    void similarityMergesLive()
    {
        m_view->setMode(HeatmapView::Mode::Similarity);
        m_view->setMerge(test::sampleMergePath());
        SimilarityPage* page = m_view->similarity();
        QVERIFY(page->isVisible());
        page->setThreshold(0.95);
        QCOMPARE(page->merge().groups.size(), 4u);
        QVERIFY(!page->findChild<QWidget*>(QStringLiteral("mergeApply"))->isEnabled());
        page->setThreshold(0.8);
        QCOMPARE(page->merge().groups.size(), 2u);
        QCOMPARE(page->matrix()->picture().tables().front().style.blocks.size(), 2u);
        auto* groups = page->findChild<QTreeWidget*>(QStringLiteral("mergeGroups"));
        QCOMPARE(groups->topLevelItem(0)->text(0), QStringLiteral("Cooking/Music"));
        groups->topLevelItem(0)->setText(0, QStringLiteral("Leisure"));
        QCOMPARE(page->labelMap().at("Music"), std::string("Leisure"));
        QCOMPARE(page->labelMap().at("History"), std::string("Astronomy/History"));
        // The name holds as long as the group does, and comes back with it.
        page->setThreshold(0.85);
        QCOMPARE(page->labelMap().at("Cooking"), std::string("Leisure"));
        QCOMPARE(page->labelMap().at("History"), std::string("History"));
        groups->topLevelItem(0)->setText(0, QStringLiteral(" "));
        QCOMPARE(page->labelMap().at("Cooking"), std::string("Cooking/Music"));
        const QSignalSpy applied(page, &SimilarityPage::applyRequested);
        QTest::mouseClick(page->findChild<QWidget*>(QStringLiteral("mergeApply")), Qt::LeftButton);
        QCOMPARE(applied.count(), 1);
        QVERIFY(!m_view->grab().isNull());
        m_view->setMerge(nullptr);
        QVERIFY(m_view->emptyState()->isVisible());
    }

    /// Similarities of 0.98 to 1 on a scale with white in the middle looked like opposites, and all were "0.99".
    void similarTopicsHaveOneColourAndTellingDigits()
    {
        auto path = std::make_shared<TopicMergePath>(*test::sampleMergePath());
        MatrixD& values = path->similarity.values;
        for (std::int64_t row = 0; row < values.rows(); ++row)
            for (std::int64_t column = 0; column < values.cols(); ++column)
                values(row, column) = row == column ? 1 : 0.98 + 0.002 * static_cast<double>(row + column);
        m_view->setMode(HeatmapView::Mode::Similarity);
        m_view->setMerge(path);
        const auto& picture = m_view->similarity()->matrix()->picture();
        QCOMPARE(picture.scale().kind, viz::ScaleChoice::Kind::Sequential);
        QCOMPARE(picture.scale().limits.high, 1.0);
        QVERIFY(picture.scale().limits.low <= 0.982 && picture.scale().limits.low > 0.97);
        QCOMPARE(picture.tables().front().style.decimals, 4);
        values(0, 1) = values(1, 0) = -0.2;
        m_view->setMerge(path);
        QCOMPARE(picture.scale().kind, viz::ScaleChoice::Kind::Diverging);
        QCOMPARE(picture.tables().front().style.decimals, 2);
    }

    void meansAndContrasts()
    {
        const auto panel = test::samplePanel();
        m_view->setPanels({panel}, test::sampleModel(), 4);
        m_view->setMode(HeatmapView::Mode::Means);
        TopicMeansPage* page = m_view->means();
        QVERIFY(page->isVisible());
        const auto cell = [&](std::int64_t row, std::int64_t topic) {
            return (*page->matrix()->picture().tables().front().values)(row, topic);
        };
        const MatrixD& means = panel->statistics.topicMean;
        QCOMPARE(cell(5, 2), means(5, 2));
        auto* what = page->findChild<QComboBox*>(QStringLiteral("meansWhat"));
        what->setCurrentIndex(1);
        QVERIFY(std::abs(cell(5, 2) - (means(5, 2) - (means(5, 0) + means(5, 1) + means(5, 3)) / 3)) < 1e-12);
        what->setCurrentIndex(2);
        QVERIFY(std::abs(cell(5, 2) - (means(5, 2) - means(0, 2))) < 1e-12);
        QCOMPARE(cell(0, 1), 0.0);
        QSignalSpy topics(page, &TopicMeansPage::topicClicked);
        const QPointF place = page->matrix()->picture().layoutOf(0).cellRect({4, 3}).center();
        QTest::mouseClick(page->matrix(), Qt::LeftButton, {}, place.toPoint());
        QCOMPARE(topics.count(), 1);
        QCOMPARE(topics.at(0).at(0).toLongLong(), 3);
        QVERIFY(!m_view->grab().isNull());
    }

    /// Before, the button that was chosen by keys kept its ring beside the one that was clicked.
    void aClickedModeHasTheKeyboard()
    {
        m_view->setPanels({test::samplePanel()}, test::sampleModel(), 4);
        auto* documents = m_view->findChild<QAbstractButton*>(QStringLiteral("modeDocuments"));
        auto* means = m_view->findChild<QAbstractButton*>(QStringLiteral("modeMeans"));
        means->setFocus();
        documents->setFocus(Qt::TabFocusReason);
        const auto ring = [](const QWidget* widget) {
            const auto* found = widget->findChild<QWidget*>(QStringLiteral("focusRing"));
            return found != nullptr && found->isVisible();
        };
        QVERIFY(ring(documents));
        QTest::mouseClick(means, Qt::LeftButton);
        QVERIFY(means->hasFocus() && !ring(documents));
    }

    void matchBarsSayAndChoose()
    {
        m_view->setPanels({test::samplePanel()}, test::sampleModel(), 4);
        m_view->setMatch(test::sampleMatch(), viz::HeadPalette(test::sampleModel()));
        PictureOf<MatchChart>* chart = m_view->match();
        QVERIFY(chart->isVisible());
        QVERIFY2(chart->picture().rowText(4).contains(QStringLiteral("24.0% (19.0 to 29.0)")),
                 qPrintable(chart->picture().rowText(4)));
        QVERIFY(chart->picture().rowText(4).contains(QStringLiteral("38 of 40")));
        QSignalSpy clicked(m_view->matchPanel(), &MatchPanel::headClicked);
        static_cast<void>(m_view->grab()); // places the chart
        // The greys of the levels are named above the bars.
        const QImage drawn = chart->grab().toImage();
        const auto& result = chart->picture().match()->result;
        for (std::int64_t k = 0; k < result.share.cols(); ++k)
        {
            const Colors& colors = Theme::instance().colors();
            const QRgb grey = viz::matchLevelColor(k, result.share.cols(), colors.muted, colors.canvas).rgb();
            bool found = false;
            for (int y = 0; y < static_cast<int>(chart->picture().placeOf(0).top()); ++y)
                for (int x = 0; x < drawn.width() && !found; ++x)
                    found = drawn.pixel(x, y) == grey;
            QVERIFY2(found, qPrintable(QString::number(k)));
        }
        const QPoint tenth = chart->picture().placeOf(10).center().toPoint();
        QCOMPARE(chart->picture().itemAt(tenth), std::optional<std::size_t>(10));
        QTest::mouseClick(chart, Qt::LeftButton, {}, tenth);
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked.at(0).at(0).value<HeadIndex>(), HeadIndex(9));
        chart->setFocus();
        QTest::keyClick(chart, Qt::Key_Down);
        QTest::keyClick(chart, Qt::Key_Down);
        QTest::keyClick(chart, Qt::Key_Return);
        QVERIFY(clicked.count() >= 2);
        m_view->findChild<QAbstractButton*>(QStringLiteral("heatmapMatch"))->click();
        QVERIFY(!chart->isVisible());
    }

    /// Before, the bars kept the height that they once had, and pushed the bar below out of the window.
    void matchBarsGiveTheirRoomBack()
    {
        m_view->setPanels({test::samplePanel()}, test::sampleModel(), 4);
        m_view->setMatch(test::sampleMatch(), viz::HeadPalette(test::sampleModel()));
        m_view->resize(900, 700);
        QCoreApplication::processEvents();
        QVERIFY(m_view->match()->isVisible());
        const int least = m_view->layout()->totalMinimumHeightForWidth(900);
        m_view->resize(900, 1400);
        QCoreApplication::processEvents();
        m_view->resize(900, 700);
        QCoreApplication::processEvents();
        QCOMPARE(m_view->layout()->totalMinimumHeightForWidth(900), least);
        QVERIFY2(least < 600, QByteArray::number(least).constData());
    }

    /// In a narrow view the heatmap has the room, and the button says so; pressed, it shows the bars.
    void matchBarsComeInANarrowViewToo()
    {
        m_view->setPanels({test::samplePanel()}, test::sampleModel(), 4);
        auto* button = m_view->findChild<QAbstractButton*>(QStringLiteral("heatmapMatch"));
        QVERIFY(button->isChecked() && m_view->match()->isVisible());
        const QSignalSpy toggled(m_view.get(), &HeatmapView::matchToggled);
        m_view->resize(555, 500);
        test::passMs(5);
        QVERIFY(!button->isChecked() && !m_view->match()->isVisible() && !m_view->matchWanted());
        button->click();
        m_view->setMatch(test::sampleMatch(), viz::HeadPalette(test::sampleModel()));
        test::passMs(5);
        QVERIFY(m_view->matchWanted() && m_view->match()->isVisible());
        QCOMPARE(m_view->width(), 555);
        QVERIFY(m_view->heatmap()->width() > 300);
        QCOMPARE(toggled.count(), 2);
        m_view->resize(900, 720);
        test::passMs(5);
        QVERIFY(button->isChecked());
        button->click();
        m_view->resize(555, 500);
        test::passMs(5);
        QVERIFY(button->isChecked()); // each width keeps its own
    }

    /// The full row is no row of the stage beside which it stands.
    void theFullRowSaysWhatItIs()
    {
        auto match = std::make_shared<TopicMatch>(*test::sampleMatch());
        match->result.fullSource = "the model's embedding (full stage 3 of layer 29)";
        match->stage = Stage::HeadOutput;
        m_view->setPanels({test::samplePanel()}, test::sampleModel(), 4);
        m_view->setMatch(match, viz::HeadPalette(test::sampleModel()));
        QVERIFY(m_view->match()->picture().rowText(0).contains(QStringLiteral("full stage 3 of layer 29")));
        QVERIFY(m_view->findChild<QLabel*>(QStringLiteral("matchHint"))
                    ->text()
                    .contains(QStringLiteral("full: the model's embedding (full stage 3")));
        Heatmap heatmap = *test::sampleHeatmap();
        heatmap.stage = Stage::HeadOutput;
        heatmap.fullSource = match->result.fullSource;
        QCOMPARE(rowSource(heatmap, 0), QStringLiteral("the model's embedding (full stage 3 of layer 29)"));
        QCOMPARE(rowSource(heatmap, 1), QStringLiteral("stage 1"));
    }

    /// Eight topics have room for their names under a narrow heatmap, without a scroll bar of their own.
    void lettersOfEightTopicsNeedNoScrollBar()
    {
        auto heatmap = std::make_shared<Heatmap>(*test::sampleHeatmap());
        heatmap->topicNames.clear();
        heatmap->topicOrder.clear();
        heatmap->topicStart = {0};
        const auto columns = std::ssize(heatmap->document);
        for (std::int32_t topic = 0; topic < 8; ++topic)
        {
            heatmap->topicNames.push_back("Astronomy and the Space Between Stars " + std::to_string(topic));
            heatmap->topicOrder.push_back(topic);
            heatmap->topicStart.push_back(topic == 7 ? columns : (topic + 1) * (columns / 8));
        }
        m_view->setHeatmaps({heatmap}, test::sampleModel(), 8);
        m_view->resize(555, 500);
        test::passMs(5);
        QCOMPARE(m_view->key()->count(), 8);
        QCOMPARE(m_view->key()->verticalScrollBar()->maximum(), 0);
    }

    void lightAndDark()
    {
        m_view->setPanels({test::samplePanel()}, test::sampleModel(), 4);
        const QColor light = m_view->heatmap()->picture().pixelColor(2, 2);
        ui::Theme::instance().setScheme(ui::Theme::Scheme::Dark);
        QVERIFY(m_view->heatmap()->picture().pixelColor(2, 2) != light);
        ui::Theme::instance().setScheme(ui::Theme::Scheme::Light);
    }

    void paintsNothingWhileIdle()
    {
        m_view->setHeatmaps({test::sampleHeatmap()}, test::sampleModel(), 4);
        test::passMs(200);
        const auto before = m_view->heatmap()->paintCount();
        test::passMs(300);
        QCOMPARE(m_view->heatmap()->paintCount(), before);
    }
};

HEADSCOPE_WINDOW_TEST(TestHeatmapView)
#include "tst_heatmap_view.moc"
