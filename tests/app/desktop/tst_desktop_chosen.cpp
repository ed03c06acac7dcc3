// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/find/chosen_controller.h"

#include "app/desktop/find/find_controller.h"
#include "app/views/heatmap/heatmap_view.h"
#include "app/views/heatmap/heatmap_widget.h"
#include "app/views/map/map_view.h"
#include "app/views/retrieval/retrieval_view.h"
#include "tests/app/desktop/desktop_fixture.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_of.h"
#include "ui/canvas/canvas_summary.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/models/chosen_bars_model.h"
#include "ui/models/chosen_model.h"
#include "ui/panels/chosen/chosen_bars.h"
#include "ui/panels/chosen/chosen_panel.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/head_picker.h"
#include "ui/panels/document/inspector.h"
#include "ui/panels/find/find_panel.h"
#include "ui/window/side_panels.h"
#include "ui/words/wording.h"

#include <QFile>
#include <QLineEdit>
#include <QTableView>

#include <algorithm>

using namespace headscope;
using namespace headscope::desktop;
using Documents = std::vector<std::int64_t>;
using ui::ScatterWidget;

/// What is chosen, listed and counted, in the whole window; and where a click is read.
class TestDesktopChosen : public QObject, private test::DesktopFixture
{
    Q_OBJECT

private:
    ScatterWidget& scatter() { return *test::viewOf<ui::MapView>(*m_window).scatter(); }
    ui::ChosenPanel& panel() { return m_workbench->chosen().panel(); }
    QString page() { return m_window->sidePanels().currentPage(); }
    const Selection& selection() { return hub().selection(); }

    [[nodiscard]] QPointF placeOf(std::int64_t point)
    {
        const MatrixF& xy = scatter().map()->xy;
        return scatter().view().screenFromData(QPointF(xy(point, 0), xy(point, 1)));
    }

    /// A point that nothing lies over.
    [[nodiscard]] std::int64_t clickablePoint()
    {
        for (std::int64_t point = 0; point < scatter().pointCount(); ++point)
            if (scatter().childAt(placeOf(point).toPoint()) == nullptr)
                return point;
        return -1;
    }

    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers keys = {})
    {
        QTest::mousePress(&scatter(), Qt::LeftButton, keys, from);
        for (const QPoint& place : {(from + to) / 2, to})
        {
            QMouseEvent move(QEvent::MouseMove, place, scatter().mapToGlobal(place), Qt::NoButton, Qt::LeftButton,
                             keys);
            QApplication::sendEvent(&scatter(), &move);
        }
        QTest::mouseRelease(&scatter(), Qt::LeftButton, keys, to);
    }

    void waitForCounts()
    {
        WAIT_FOR(!m_workbench->chosen().counting());
        WAIT_FOR(panel().model()->table() != nullptr || selection().documents.empty());
    }

    int barRow(const QString& text)
    {
        const ui::ChosenBarsModel* model = panel().barsModel();
        for (int row = 0; row < model->rowCount(); ++row)
            if (model->index(row).data().toString() == text)
                return row;
        return -1;
    }

    void clickBar(const QString& text, Qt::KeyboardModifiers keys = {})
    {
        const int row = barRow(text);
        QVERIFY2(row >= 0, qPrintable(text));
        panel().bars()->scrollTo(panel().barsModel()->index(row));
        QTest::mouseClick(panel().bars()->viewport(), Qt::LeftButton, keys,
                          panel().bars()->visualRect(panel().barsModel()->index(row)).center());
        waitForCounts();
    }

private Q_SLOTS:
    void initTestCase()
    {
        test::SampleCacheOptions options;
        options.map = true;
        writeSample(options);
    }
    void init()
    {
        makeWindow({});
        openAndSettle(m_cache);
        m_window->choices().setStage(Stage::HeadOutput);
        waitForJobs();
        scatter().setLegendShown(false);
        WAIT_FOR(!scatter().moving());
    }
    void cleanup() { dropWindow(); }

    /// Before, nothing listed what a lasso had caught.
    void aLassoIsListed()
    {
        QCOMPARE(page(), QStringLiteral("document"));
        QTest::keyClick(&scatter(), Qt::Key_R);
        drag({1, 1}, {scatter().width() - 2, scatter().height() / 2});
        QVERIFY(!selection().documents.empty());
        QVERIFY(selection().points == nullptr);
        QCOMPARE(page(), QStringLiteral("chosen"));
        waitForCounts();
        QCOMPARE(panel().model()->rowCount(), static_cast<int>(selection().documents.size()));
        Documents listed;
        for (const std::int64_t row : panel().model()->rows())
            listed.push_back(panel().model()->table()->documentOf(row).value());
        std::ranges::sort(listed);
        QCOMPARE(listed, selection().documents);
        QCOMPARE(panel().model()->table()->pointCount(0), 9); // all its heads
        // Find keeps its place: a lasso there is a step of a search.
        action("actionFind")->trigger();
        drag({1, 1}, {scatter().width() - 2, scatter().height() - 2});
        QCOMPARE(page(), QStringLiteral("find"));
        action("actionChosen")->trigger();
        QCOMPARE(page(), QStringLiteral("chosen"));
        waitForCounts();
        QCOMPARE(panel().model()->rowCount(), static_cast<int>(selection().documents.size()));
        action("actionUndo")->trigger();
        action("actionUndo")->trigger();
        QVERIFY(panel().isEmptyShown());
        test::savePictures(*m_window, QStringLiteral("desktop_chosen_empty"));
    }

    /// Which heads are in this island? Points by themselves, counted by head.
    void pointsAreCountedByHead()
    {
        QTest::keyClick(&scatter(), Qt::Key_R);
        QTest::keyClick(&scatter(), Qt::Key_P);
        drag({1, 1}, {scatter().width() / 2, scatter().height() - 2});
        const auto points = selection().points;
        QVERIFY(points != nullptr && points->count() > 0 && points->count() < scatter().pointCount());
        QCOMPARE(points->documents(), selection().documents);
        QCOMPARE(scatter().points().chosenCount(), points->count());
        waitForCounts();
        QVERIFY(panel().countsText().startsWith(
            ui::countText(points->count(), QStringLiteral("point"), QStringLiteral("points"))));
        const auto& charts = panel().barsModel()->summary()->charts;
        const auto byHead = points->countsByHead();
        for (const ChosenBar& bar : charts.front().bars)
        {
            const auto head = static_cast<std::size_t>(bar.code);
            QCOMPARE(bar.chosen, head < byHead.size() ? byHead[head] : 0);
            QCOMPARE(bar.all, 48);
        }
        // The other views take the documents.
        m_window->setView(ui::kHeatmapView);
        m_window->setView(ui::kMapView);
        test::savePictures(*m_window, QStringLiteral("desktop_chosen_points"));
        // A head's bar keeps its points alone; undone, all are back; Shift takes them out.
        const int most = static_cast<int>(std::ranges::max_element(byHead) - byHead.begin());
        const QString head = ui::unitText(Stage::HeadOutput, HeadIndex(most));
        clickBar(head);
        QCOMPARE(selection().points->count(), byHead[static_cast<std::size_t>(most)]);
        QCOMPARE(selection().points->countsByHead().size(), static_cast<std::size_t>(most) + 1);
        action("actionUndo")->trigger();
        QVERIFY(*selection().points == *points);
        waitForCounts();
        clickBar(head, Qt::ShiftModifier);
        QCOMPARE(selection().points->count(), points->count() - byHead[static_cast<std::size_t>(most)]);
        action("actionUndo")->trigger();
        waitForCounts();
        // A label keeps its documents, with those of their points that were caught.
        clickBar(QStringLiteral("Cooking"));
        for (const std::int64_t document : selection().documents)
            QCOMPARE(document % 4, 1);
        QVERIFY(*selection().points == points->within(selection().documents));
    }

    void barsFilterWholeDocuments()
    {
        hub().setDocuments(allIndices(20));
        action("actionChosen")->trigger();
        waitForCounts();
        clickBar(QStringLiteral("Music"), Qt::ShiftModifier);
        WAIT_COMPARE(selection().documents.size(), 15U);
        QVERIFY(selection().points == nullptr);
        waitForCounts();
        clickBar(QStringLiteral("KV group 2")); // heads 4 to 6
        QVERIFY(selection().points != nullptr);
        QCOMPARE(selection().documents.size(), 15U);
        QCOMPARE(selection().points->count(), 45);
        QCOMPARE(scatter().points().chosenCount(), 45);
    }

    void stagesTwoAndThreeHaveSegments()
    {
        hub().setDocuments({1, 2, 3});
        action("actionChosen")->trigger();
        waitForCounts();
        QCOMPARE(panel().barsModel()->index(0).data().toString(), QStringLiteral("Heads by KV group"));
        m_window->choices().setStage(Stage::OutputSegment);
        waitForJobs();
        waitForCounts();
        WAIT_COMPARE(panel().barsModel()->index(0).data().toString(), QStringLiteral("Segments"));
        for (int row = 0; row < panel().barsModel()->rowCount(); ++row)
        {
            const QString text = panel().barsModel()->index(row).data(Qt::AccessibleTextRole).toString();
            QVERIFY2(!text.contains(QStringLiteral("ead")) && !text.contains(QStringLiteral("KV")), qPrintable(text));
        }
        // Three heads that are shown are three of each document.
        m_window->dataPanel().headPicker()->setHeads({0, 1, 2});
        waitForCounts();
        WAIT_COMPARE(panel().model()->table()->pointCount(0), 3);
    }

    void aRowIsThePrimaryDocument()
    {
        hub().pickPoints(PointSet({5, 9}, {3, 7}), SetOperation::Replace, allIndices(9));
        action("actionChosen")->trigger();
        waitForCounts();
        QTableView* table = panel().table();
        QVERIFY(table->hasFocus());
        table->setCurrentIndex(table->model()->index(1, 0));
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(selection().primary, std::optional<DocumentIndex>(9));
        QCOMPARE(selection().primaryHead, std::optional<HeadIndex>(3)); // the first that was caught
        QCOMPARE(page(), QStringLiteral("chosen"));                     // the list stays, to go on from
        QVERIFY(!scatter().points().marked().empty());
        // As a hand does it: the second press counts only where the first one was.
        const QPoint first = table->visualRect(table->model()->index(0, 0)).center();
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, first);
        QCOMPARE(selection().primary, std::optional<DocumentIndex>(5));
        QCOMPARE(page(), QStringLiteral("chosen"));
        QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, first);
        QCOMPARE(selection().primary, std::optional<DocumentIndex>(5));
        QCOMPARE(page(), QStringLiteral("document"));
    }

    void isKeptShownAndSaved()
    {
        hub().pickPoints(PointSet({5, 9, 12}, {3, 7}), SetOperation::Replace, allIndices(9));
        action("actionChosen")->trigger();
        waitForCounts();
        m_window->findChild<QLineEdit*>(QStringLiteral("chosenName"))->setText(QStringLiteral("island"));
        click("chosenKeep");
        QCOMPARE(hub().sets().count(), 1);
        QCOMPARE(hub().sets().at(0).name, QStringLiteral("island"));
        QCOMPARE(hub().sets().at(0).documents, (Documents{5, 9, 12}));
        QVERIFY(selection().points != nullptr); // keeping changes no choice
        // A set holds no single points, and is said to.
        const QString told = m_window->statusText();
        for (const char* part : {"island", "A set holds documents", "with all their points (here 3"})
            QVERIFY2(told.contains(QString::fromUtf8(part)), qPrintable(told));
        waitForCounts();
        panel().table()->sortByColumn(0, Qt::DescendingOrder);
        waitForCounts();
        WAIT_COMPARE(panel().model()->rows(), (Documents{2, 1, 0})); // doc-12, doc-9, doc-5
        panel().filter()->setText(QStringLiteral("astronomy"));      // documents 12 alone, of 5, 9 and 12
        WAIT_COMPARE(panel().model()->rowCount(), 1);
        panel().filter()->clear();
        WAIT_COMPARE(panel().model()->rowCount(), 3);
        m_dialogs.nextPath = m_folder.filePath(QStringLiteral("chosen")); // an ending is given
        click("chosenSave");
        waitForJobs();
        QFile file(m_folder.filePath(QStringLiteral("chosen.csv")));
        WAIT_FOR(file.exists());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QList<QByteArray> lines = file.readAll().split('\n');
        QCOMPARE(lines.size(), 5); // with the end after the last
        QCOMPARE(lines[0], QByteArray("document,id,text,topic,points,heads"));
        QCOMPARE(lines[2], QByteArray("9,doc-9,The text of document 9.,Cooking,2,\"4,8\""));
        click("chosenShowOnly");
        QCOMPARE(hub().shownDocuments(), (Documents{5, 9, 12}));
    }

    /// A hidden page counts nothing; in sight it is right at once.
    void countsOnlyWhatIsSeen()
    {
        hub().setDocuments({1, 2, 3});
        QVERIFY(!m_workbench->chosen().counting());
        QVERIFY(panel().model()->table() == nullptr);
        action("actionChosen")->trigger();
        QVERIFY(m_workbench->chosen().counting());
        waitForCounts();
        QCOMPARE(panel().model()->rowCount(), 3);
        action("actionShowInspector")->trigger(); // the right side away
        hub().setDocuments({1});
        QVERIFY(!m_workbench->chosen().counting());
        action("actionShowInspector")->trigger();
        waitForCounts();
        QCOMPARE(panel().model()->rowCount(), 1);
        // Another cache: nothing of this one is left.
        openAndSettle(m_cache);
        QVERIFY(panel().isEmptyShown());
        QCOMPARE(panel().model()->rowCount(), 0);
    }

    /// Before, the document lay hidden behind the tab of Find.
    void aClickOnADotIsSeen()
    {
        const std::int64_t point = clickablePoint();
        QVERIFY(point >= 0);
        action("actionFind")->trigger();
        ui::FindPanel& find = m_workbench->find().panel();
        find.search()->field()->setText(QStringLiteral("document 4"));
        WAIT_FOR(!m_workbench->find().searching());
        WAIT_FOR(find.search()->model()->rowCount() > 0);
        const int hits = find.search()->model()->rowCount();
        QTest::mouseClick(&scatter(), Qt::LeftButton, {}, placeOf(point).toPoint());
        QVERIFY(selection().primary.has_value());
        QCOMPARE(page(), QStringLiteral("document"));
        QVERIFY(m_window->inspector().isVisible());
        // Find keeps what it had found; its own list does not leave it.
        action("actionFind")->trigger();
        QCOMPARE(find.search()->field()->text(), QStringLiteral("document 4"));
        QCOMPARE(find.search()->model()->rowCount(), hits);
        QTest::keyClick(find.search()->field(), Qt::Key_Return);
        QCOMPARE(page(), QStringLiteral("find"));
        // The same dot once more, and the run's page instead.
        m_window->showSidePanel(QStringLiteral("run"));
        QTest::mouseClick(&scatter(), Qt::LeftButton, {}, placeOf(point).toPoint());
        QTest::mouseClick(&scatter(), Qt::LeftButton, {}, placeOf(point).toPoint());
        QCOMPARE(page(), QStringLiteral("document"));
        // A dot that keys have stepped on.
        m_window->showSidePanel(QStringLiteral("find"));
        scatter().setFocus();
        QTest::keyClick(&scatter(), Qt::Key_Right);
        QTest::keyClick(&scatter(), Qt::Key_Left); // one of them leads somewhere
        QTest::keyClick(&scatter(), Qt::Key_Return);
        QCOMPARE(page(), QStringLiteral("document"));
        // Whoever has put the right side away is not disturbed.
        action("actionShowInspector")->trigger();
        QTest::mouseClick(&scatter(), Qt::LeftButton, {}, placeOf(point).toPoint());
        QVERIFY(!m_window->sidePanels().isVisible());
    }

    void clicksInOtherViewsAreSeen()
    {
        m_window->setView(ui::kHeatmapView);
        ui::HeatmapWidget* heatmap = test::viewOf<ui::HeatmapView>(*m_window).heatmap();
        WAIT_FOR(!heatmap->panels().empty());
        waitForJobs();
        m_window->showSidePanel(QStringLiteral("find"));
        waitForCalm();
        QTest::mouseClick(heatmap, Qt::LeftButton, {}, heatmap->layoutOf(0).cellRect({2, 3}).center().toPoint());
        QVERIFY(selection().primary.has_value());
        QCOMPARE(page(), QStringLiteral("document"));
        // By keys, cell by cell, each of them told.
        heatmap->setFocus();
        QTest::keyClick(heatmap, Qt::Key_Right);
        QVERIFY(!heatmap->cellText().isEmpty());
        QVERIFY(ui::canvasSummary(heatmap).startsWith(heatmap->cellText()));
        auto* retrieval = m_window->findChild<ui::RetrievalView*>();
        QVERIFY(retrieval != nullptr);
        m_window->showSidePanel(QStringLiteral("chosen"));
        Q_EMIT retrieval->resultClicked(DocumentIndex(7), {1, 2});
        QCOMPARE(selection().primary, std::optional<DocumentIndex>(7));
        QCOMPARE(page(), QStringLiteral("document"));
        // What speaks first of the map is the point that keys stand on.
        m_window->setView(ui::kMapView);
        scatter().setFocus();
        // Two heads are lit, and only their dots are reached: one of the keys leads to one.
        for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Up, Qt::Key_Right, Qt::Key_Left})
            QTest::keyClick(&scatter(), key);
        QVERIFY(!scatter().pointText().isEmpty());
        QVERIFY(ui::canvasSummary(&scatter()).startsWith(scatter().pointText()));
    }
};

HEADSCOPE_WINDOW_TEST(TestDesktopChosen)
#include "tst_desktop_chosen.moc"
