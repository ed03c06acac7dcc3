// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heads/cell_bars.h"
#include "app/views/heads/head_plane.h"
#include "app/views/heads/head_tree.h"
#include "app/views/heads/heads_view.h"
#include "app/views/heads/likeness_matrix.h"
#include "app/views/heads/likeness_panel.h"
#include "app/views/heads/pruning_curve.h"
#include "app/views/heads/pruning_panel.h"
#include "app/views/heads/switch_panel.h"
#include "tests/support/test_program.h"
#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "ui/canvas/picture_widget.h"
#include "ui/models/head_table_model.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QStringListModel>
#include <QStyleOptionHeader>
#include <QTableView>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

using namespace headscope;
using namespace headscope::ui;

namespace
{

/// 32 heads in 8 groups; head h has strength h + 1 and match h / 100, head 5 no usable vector.
std::shared_ptr<const HeadReport> sampleReport()
{
    auto report = std::make_shared<HeadReport>();
    report->documents = report->allDocuments = 40;
    HeadTopicStatistics answers;
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    for (std::int64_t h = 0; h < 32; ++h)
    {
        const auto number = static_cast<double>(h);
        report->statistics.push_back({h, 40, h == 5 ? kNaN : number + 1, 0, 0.5, 0.5, number / 2});
        for (auto* values : {&answers.meanSimilarity, &answers.sdSimilarity, &answers.followsFull, &answers.evenness,
                             &answers.topSimilarity})
            values->push_back(number / (values == &answers.topSimilarity ? 50 : 100));
        answers.followsCi95.push_back({number / 200, 3 * number / 200});
        for (auto* tested : {&answers.etaSquared, &answers.selectivity, &answers.match, &answers.topExcess})
        {
            tested->value.push_back(number / 100);
            tested->ci95.push_back({number / 100 - 0.02, number / 100 + 0.03});
            tested->null.push_back({0.1, 0.2, h < 10 ? 0.6 : 0.005, 200});
            tested->q.push_back(h < 10 ? 0.7 : 0.01);
        }
        answers.topTopic.push_back(0);
        report->topTopic.emplace_back(h % 2 == 0 ? "Music" : "Cooking");
    }
    answers.documents = 40;
    answers.topics = 5;
    answers.matchChance = 0.2;
    report->answers = answers;
    HeadRedundancy alike;
    for (MatrixD* matrix : {&alike.cka, &alike.ckaLow, &alike.ckaHigh, &alike.meanCosine, &alike.neighborOverlap})
        *matrix = MatrixD(32, 32);
    alike.meanCka = 0.27;
    alike.meanCkaCi95 = {0.21, 0.33};
    alike.pairs = 496;
    alike.documents = 40;
    report->planes = {MatrixD(32, 2), MatrixD(32, 2), MatrixD(32, 2)};
    for (std::int64_t i = 0; i < 32; ++i)
    {
        for (std::int64_t j = 0; j < 32; ++j)
        {
            alike.cka(i, j) = i / 4 == j / 4 ? 0.9 : 0.2;
            alike.ckaLow(i, j) = alike.cka(i, j) - 0.05;
            alike.ckaHigh(i, j) = alike.cka(i, j) + 0.05;
        }
        report->planes.cka(i, 0) = std::cos(static_cast<double>(i / 4)) + 0.1 * static_cast<double>(i % 4);
        report->planes.cka(i, 1) = std::sin(static_cast<double>(i / 4)) + 0.1 * static_cast<double>(i % 3);
    }
    report->redundancy = std::move(alike);
    return report;
}

} // namespace

class TestHeadsView : public QObject
{
    Q_OBJECT

private:
    ModelInfo m_info;
    viz::HeadPalette m_palette;

    static QStringList headersOf(const QTableView& table)
    {
        QStringList headers;
        for (int column = 0; column < table.model()->columnCount(); ++column)
            headers << table.model()->headerData(column, Qt::Horizontal).toString();
        return headers;
    }

private Q_SLOTS:
    void initTestCase()
    {
        test::prepareApplication(*qApp);
        m_info = test::sampleModel();
        m_palette = viz::HeadPalette(m_info);
    }

    void modelIsATreeOfGroups()
    {
        HeadTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setModel(m_info, m_palette);
        QCOMPARE(model.rowCount(), 8);
        QCOMPARE(model.rowCount(model.index(3, 0)), 4);
        model.setReport(sampleReport());
        QCOMPARE(model.value(model.indexOfHead(7, HeadTableModel::StrengthColumn)), 8.0);
        // Groups show the mean of their heads that have a number: 5, 7 and 8 of KV2.
        QCOMPARE(model.value(model.index(1, HeadTableModel::StrengthColumn)), (5.0 + 7 + 8) / 3);
        QVERIFY(std::isnan(model.value(model.indexOfHead(5, HeadTableModel::StrengthColumn))));
        QCOMPARE(model.indexOfHead(31, HeadTableModel::StrengthColumn).data(HeadTableModel::BarRole).toPointF(),
                 QPointF(0, 1));
        QVERIFY(!model.indexOfHead(5, HeadTableModel::StrengthColumn).data(HeadTableModel::BarRole).isValid());
    }

    /// Each number's tip says how it may mislead, and the lines under the table what is not tested.
    void numbersSayHowTheyMislead()
    {
        HeadTableModel model;
        model.setModel(m_info, m_palette);
        const auto tip = [&model](int column) {
            return model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
        };
        for (const auto& [column, key] :
             {std::pair(HeadTableModel::StrengthColumn, "mean_norm"), std::pair(HeadTableModel::SpreadColumn, "spread"),
              std::pair(HeadTableModel::ScoreColumn, "score"),
              std::pair(HeadTableModel::SimilarityColumn, "mean_similarity"),
              std::pair(HeadTableModel::SelectivityColumn, "selectivity_unbiased"),
              std::pair(HeadTableModel::FollowsColumn, "follows_full"), std::pair(HeadTableModel::MatchColumn, "match"),
              std::pair(HeadTableModel::EvennessColumn, "evenness"),
              std::pair(HeadTableModel::TopicColumn, "top_topic")})
        {
            const ColumnInfo& info = *kHeadsFrame.find(key);
            QCOMPARE(model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(), toQString(info.title));
            QVERIFY2(tip(column).contains(toQString(info.definition)) && tip(column).contains(toQString(info.caution)),
                     qPrintable(tip(column)));
        }
        auto report = std::make_shared<HeadReport>(*sampleReport());
        report->answers->majority = 0.22; // about as often as chance
        model.setReport(report);
        QVERIFY2(model.definitions().contains(toQString(kHeadsFrame.find("spread")->definition)) &&
                     model.definitions().contains(toQString(kHeadsFrame.find("score")->caution)),
                 qPrintable(model.definitions()));
        // Tips have the definitions: the line under the table is short.
        QVERIFY2(model.legend().size() < 420, qPrintable(model.legend()));
        QVERIFY(!model.legend().contains(QStringLiteral("differ in size")));
        QVERIFY(!model.legend().contains(QStringLiteral("centroids")));
        report = std::make_shared<HeadReport>(*report);
        report->answers->majority = 0.823;
        report->topicVectors = "centroids of each label's documents, without the compared document";
        model.setReport(report);
        for (const char* part : {"always predicting the largest label gives a match of 82.3%",
                                 "does not mean that the match exceeds this value",
                                 "treat the topic means as known, so they are slightly too narrow"})
            QVERIFY2(model.legend().contains(QString::fromLatin1(part)), qPrintable(model.legend()));
        report = std::make_shared<HeadReport>(*report);
        report->answers.reset(); // without labels spread and score are still there
        model.setReport(report);
        for (const QString& text : {model.definitions(), model.legend()})
            QVERIFY2(text.startsWith(QStringLiteral("Spread")) && !text.contains(QStringLiteral("Match")),
                     qPrintable(text));
        model.setModel(m_info, m_palette, Stage::OutputSegment);
        QVERIFY(tip(HeadTableModel::StrengthColumn).contains(QStringLiteral("All heads write into")));
        QVERIFY(!tip(HeadTableModel::StrengthColumn).contains(toQString(kHeadsFrame.find("mean_norm")->caution)));
        QVERIFY(tip(HeadTableModel::FollowsColumn).contains(QStringLiteral("taken without this segment")));
    }

    /// A number that shuffled labels give as well is marked, and its tip says how it was tested.
    void numbersStandBesideTheirNull()
    {
        HeadTableModel model;
        model.setModel(m_info, m_palette);
        QVERIFY(model.legend().isEmpty());
        model.setReport(sampleReport());
        const auto shown = [&model](std::int64_t head, int column) {
            return model.indexOfHead(head, column).data().toString();
        };
        QVERIFY(shown(3, HeadTableModel::SelectivityColumn).endsWith(QStringLiteral("†")));
        QVERIFY(shown(3, HeadTableModel::MatchColumn).endsWith(QStringLiteral("†")));
        QVERIFY(shown(3, HeadTableModel::TopicColumn).endsWith(QStringLiteral("†")));
        QVERIFY(!shown(20, HeadTableModel::MatchColumn).contains(QStringLiteral("†")));
        QVERIFY(!shown(3, HeadTableModel::SpreadColumn).contains(QStringLiteral("†")));
        const QString tip = model.indexOfHead(20, HeadTableModel::MatchColumn).data(Qt::ToolTipRole).toString();
        for (const char* part : {"18.0% – 23.0% (Wilson)", "null distribution: 10.0%", "Chance: 20.0%", "p: 0.005",
                                 "q: 0.01", kHeadsFrame.find("match")->definition.data()})
            QVERIFY2(tip.contains(QString::fromUtf8(part)), qPrintable(tip));
        QVERIFY(!tip.contains(QStringLiteral("Not distinguishable")) && !tip.contains(QStringLiteral("Not tested")));
        // The name is of the topic with the largest excess, which is what the test is of.
        const QString topic = model.indexOfHead(20, HeadTableModel::TopicColumn).data(Qt::ToolTipRole).toString();
        for (const char* part : {"Excess of the top topic: 0.20", "Similarity of the top topic: 0.40", "q: 0.01"})
            QVERIFY2(topic.contains(QString::fromLatin1(part)), qPrintable(topic));
        // The interval under the bar is on the bar's scale, which the ends of all intervals give: -0.02 to 0.34.
        const QModelIndex match = model.indexOfHead(20, HeadTableModel::MatchColumn);
        const QPointF whisker = match.data(HeadTableModel::WhiskerRole).toPointF();
        QVERIFY(std::abs(whisker.x() - 0.20 / 0.36) < 1e-12 && std::abs(whisker.y() - 0.25 / 0.36) < 1e-12);
        QVERIFY(std::abs(match.data(HeadTableModel::BarRole).toPointF().y() - 0.22 / 0.36) < 1e-12);
        QVERIFY(!model.indexOfHead(20, HeadTableModel::SpreadColumn).data(HeadTableModel::WhiskerRole).isValid());
        QVERIFY(!model.index(2, HeadTableModel::MatchColumn).data(HeadTableModel::WhiskerRole).isValid()); // a mean
        const QString follows = model.indexOfHead(20, HeadTableModel::FollowsColumn).data(Qt::ToolTipRole).toString();
        QVERIFY2(follows.contains(QStringLiteral("0.10 – 0.30")) && follows.contains(QStringLiteral("Not tested")),
                 qPrintable(follows));
        QVERIFY(model.legend().contains(QStringLiteral("Match at 1: Wilson")) &&
                model.legend().contains(
                    QStringLiteral("Not tested: Norm, Spread, Score, Similarity, Follows full, Evenness.")));
        const QString chance = model.indexOfHead(3, HeadTableModel::SelectivityColumn).data(Qt::ToolTipRole).toString();
        QVERIFY2(chance.contains(QStringLiteral("jackknife")), qPrintable(chance));
        QVERIFY2(chance.contains(QStringLiteral("Not distinguishable from permuted labels")), qPrintable(chance));
        for (const char* part : {"q > 0.05", "999 permutations", "seed 1", "32 heads", "Match at chance level: 20.0%"})
            QVERIFY2(model.legend().contains(QString::fromUtf8(part)), qPrintable(model.legend()));
        model.setModel(m_info, m_palette, Stage::OutputSegment);
        model.setReport(sampleReport());
        QVERIFY(model.definitions().contains(QStringLiteral("without this segment")));
    }

    /// A number below zero has a bar to the left of zero, and the whole of its interval is drawn.
    void numbersBelowZeroHaveBars()
    {
        const FrameInfo about{.key = "heads", .columns = kHeadsFrame.columns};
        const auto report = sampleReport();
        std::vector<std::int64_t> heads(32);
        std::iota(heads.begin(), heads.end(), 0);
        Frame frame(about);
        const auto follows = [](std::int64_t head) { return head == 4 ? -0.15 : 0.05; };
        const auto around = [](std::int64_t head) { return head == 4 ? Interval{-0.30, 0.01} : Interval{-0.10, 0.20}; };
        frame.add("follows_full", columnValues(heads, follows)).interval(columnValues(heads, around), "by hand");
        HeadTableModel model;
        model.setModel(m_info, m_palette);
        model.setReport(report, frame);
        const QModelIndex below = model.indexOfHead(4, HeadTableModel::FollowsColumn);
        const auto near = [](QPointF a, QPointF b) { return (a - b).manhattanLength() < 1e-12; };
        QVERIFY(near(below.data(HeadTableModel::BarRole).toPointF(), QPointF(0.15 / 0.5, 0.30 / 0.5)));
        QVERIFY(near(below.data(HeadTableModel::WhiskerRole).toPointF(), QPointF(0, 0.31 / 0.5)));
        const QModelIndex above = model.indexOfHead(5, HeadTableModel::FollowsColumn);
        QVERIFY(near(above.data(HeadTableModel::BarRole).toPointF(), QPointF(0.30 / 0.5, 0.35 / 0.5)));
    }

    /// A number that the description of the table gains stands behind the others, in its own words.
    void aNewColumnShowsItself()
    {
        std::vector<ColumnInfo> columns(kHeadsFrame.columns.begin(), kHeadsFrame.columns.end());
        columns.push_back(
            {"cells_used", "Cells used", "", "Number of cells that it uses", "Empty ones count", Shown::Count});
        columns.push_back({"half_norm", "Half strength", "", "Half of the mean norm", "Of no use"});
        const FrameInfo about{.key = "heads", .columns = columns};
        const auto report = sampleReport();
        std::vector<std::int64_t> heads(32);
        std::iota(heads.begin(), heads.end(), 0);
        Frame frame(about);
        frame.columns() = headsFrame(headRowsOf(*report), m_info, heads).columns();
        frame.add("cells_used", columnValues(heads, [](std::int64_t head) { return 1000 * (head + 1); }));
        const auto half = [](std::int64_t head) { return static_cast<double>(head + 1) / 2; };
        const auto around = [&half](std::int64_t head) { return Interval{half(head) - 0.5, 2 * half(head)}; };
        frame.add("half_norm", columnValues(heads, half)).interval(columnValues(heads, around), "by hand");

        HeadTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setModel(m_info, m_palette);
        const int known = model.columnCount();
        QCOMPARE(known, HeadTableModel::TopicColumn + 1);
        model.setReport(report, frame);
        QCOMPARE(model.columnCount(), known + 2);
        QCOMPARE(model.headerData(known, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("Cells used"));
        const QModelIndex cells = model.indexOfHead(7, known);
        QCOMPARE(cells.data().toString(), countText(8000));
        QCOMPARE(cells.data(HeadTableModel::BarRole).toPointF(), QPointF(0, 0.25));
        QVERIFY(cells.data(Qt::ToolTipRole)
                    .toString()
                    .endsWith(QStringLiteral("Number of cells that it uses. Empty ones count")));
        const QModelIndex norm = model.indexOfHead(7, known + 1);
        QCOMPARE(model.value(norm), 4.0);
        QCOMPARE(model.value(model.index(1, known + 1)), (2.5 + 3 + 3.5 + 4) / 4);
        QCOMPARE(norm.data(HeadTableModel::WhiskerRole).toPointF(), QPointF(3.5 / 32, 8.0 / 32));
        const QString tip = norm.data(Qt::ToolTipRole).toString();
        for (const char* part : {"3.50 – 8.00 (by hand)", "Not tested", "Half of the mean norm. Of no use"})
            QVERIFY2(tip.contains(QString::fromUtf8(part)), qPrintable(tip));
        for (const char* part : {"Half strength: by hand", "Evenness, Cells used, Half strength."})
            QVERIFY2(model.legend().contains(QString::fromLatin1(part)), qPrintable(model.legend()));
        model.setModel(m_info, m_palette);
        QCOMPARE(model.columnCount(), known);
    }

    void ticksSayWhatIsOn()
    {
        HeadTableModel model;
        model.setModel(m_info, m_palette);
        std::vector<bool> kept(32, true);
        kept[4] = false;
        model.setKept(kept);
        QCOMPARE(model.indexOfHead(4).data(Qt::CheckStateRole).toInt(), static_cast<int>(Qt::Unchecked));
        QCOMPARE(model.index(1, 0).data(Qt::CheckStateRole).toInt(), static_cast<int>(Qt::PartiallyChecked));
        QSignalSpy switched(&model, &HeadTableModel::headsSwitched);
        model.setData(model.index(1, 0), Qt::Checked, Qt::CheckStateRole);
        QCOMPARE(switched.count(), 1);
        QCOMPARE(switched[0][0].value<std::vector<std::int64_t>>(), (std::vector<std::int64_t>{4, 5, 6, 7}));
    }

    /// Before, a tick chose its row too, and every other head was pale in the map without a word.
    void aTickMarksNoHeadAndLeavingLetsGo()
    {
        HeadsView view;
        view.resize(1000, 800);
        view.setModel(m_info, m_palette);
        view.setReport(sampleReport());
        view.show();
        QVERIFY(test::exposed(&view));
        QSignalSpy marked(&view, &HeadsView::headsClicked);
        QSignalSpy switched(&view, &HeadsView::headsSwitched);
        QSignalSpy hovered(&view, &HeadsView::headHovered);
        QTreeView* table = view.table();
        const QModelIndex row = view.proxy()->mapFromSource(view.model()->indexOfHead(1));
        const QRect cell = table->visualRect(row);
        // The tick stands at the left of the cell: the first place that switches.
        int x = cell.left() + 1;
        for (; switched.isEmpty() && x < cell.left() + 40; x += 3)
            QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, {x, cell.center().y()});
        QCOMPARE(switched.count(), 1);
        marked.clear();
        table->clearSelection();
        marked.clear();
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, {x - 3, cell.center().y()});
        QCOMPARE(switched.count(), 2);
        QCOMPARE(marked.count(), 0);
        QVERIFY(!table->selectionModel()->hasSelection());

        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, {cell.right() - 4, cell.center().y()});
        QCOMPARE(marked.count(), 1); // the row itself does
        QCOMPARE(marked.at(0).at(0).value<std::vector<std::int64_t>>(), (std::vector<std::int64_t>{1}));
        view.setLitHeads({}); // let go of elsewhere
        QVERIFY(!table->selectionModel()->hasSelection());
        hovered.clear();
        view.hide();
        QVERIFY(!hovered.isEmpty());
        QVERIFY(!hovered.last().at(0).value<std::optional<HeadIndex>>().has_value());
    }

    /// Before, the first tick made the sentence longer by a line, and all below it jumped.
    void theNoteKeepsItsPlace()
    {
        SwitchPanel panel;
        panel.resize(430, 460);
        panel.setModel(m_info, Stage::OutputSegment);
        panel.show();
        QVERIFY(test::exposed(&panel));
        MaskEffects values;
        values.kept.assign(32, true);
        values.topics = 8;
        values.documents = values.allDocuments = 400;
        panel.setMask(values);
        QCoreApplication::processEvents();
        const QPoint before = panel.curve()->mapTo(&panel, QPoint());
        values.kept[0] = false;
        panel.setMask(values);
        test::passMs(50);
        QCOMPARE(panel.curve()->mapTo(&panel, QPoint()), before);
        // Where there are no more topics, that is said.
        QCOMPARE(panel.valueName(2), QStringLiteral("Match at 10 (all 8 topics)"));
        QCOMPARE(panel.valueName(1), QStringLiteral("Match at 5 (chance 62.5%)"));
        QVERIFY(panel.isMeasured(2) && !panel.isMeasured(3));
    }

    /// Before, the arrow of the order lay on the last letters of the heading.
    void theArrowOfTheOrderLeavesTheHeadingFree()
    {
        QTableView table;
        table.setModel(new QStringListModel({QStringLiteral("a")}, &table));
        QHeaderView* header = table.horizontalHeader();
        QStyleOptionHeader option;
        option.initFrom(header);
        option.rect = QRect(0, 0, 90, header->sizeHint().height());
        option.text = QStringLiteral("Document");
        option.sortIndicator = QStyleOptionHeader::SortDown;
        const QRect arrow = header->style()->subElementRect(QStyle::SE_HeaderArrow, &option, header);
        const int textTop = option.rect.center().y() - header->fontMetrics().capHeight() / 2;
        QVERIFY(arrow.isValid() && arrow.height() <= 6);
        QVERIFY2(arrow.bottom() < textTop, qPrintable(QStringLiteral("%1 %2").arg(arrow.bottom()).arg(textTop)));
    }

    void filterAndSort()
    {
        HeadTableModel model;
        HeadTableProxy proxy;
        model.setModel(m_info, m_palette);
        model.setReport(sampleReport());
        proxy.setSourceModel(&model);
        proxy.setFilter(QStringLiteral("1-4,9"));
        QCOMPARE(proxy.rowCount(), 2); // KV1 and KV3
        QCOMPARE(proxy.rowCount(proxy.index(1, 0)), 1);
        proxy.setFilter(QStringLiteral("cook"));
        QCOMPARE(proxy.rowCount(), 8);
        QCOMPARE(proxy.rowCount(proxy.index(0, 0)), 2);
        proxy.setFilter({});
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder})
        {
            proxy.sort(HeadTableModel::StrengthColumn, order);
            const int row = order == Qt::AscendingOrder ? 1 : 6; // KV2 among the groups
            const QModelIndex group = proxy.index(row, 0);
            const QModelIndex last = proxy.index(3, 0, group);
            QCOMPARE(last.data(HeadTableModel::HeadRole).toLongLong(), 5); // what has no number is last either way
        }
        // Looks at everything once as it is made; at every row that a filter moves it would take a minute.
        const QAbstractItemModelTester tester(&proxy, QAbstractItemModelTester::FailureReportingMode::QtTest);
    }

    void rowsFollowTheChosenHeads()
    {
        HeadsView view;
        view.resize(1100, 760);
        view.setModel(m_info, m_palette);
        view.setReport(sampleReport());
        view.setShownHeads({0, 1, 9});
        view.show();
        QVERIFY(test::exposed(&view));
        QCOMPARE(view.proxy()->rowCount(), 2); // KV1 and KV3
        QCOMPARE(view.proxy()->rowCount(view.proxy()->index(0, 0)), 2);
        QCOMPARE(view.model()->value(view.model()->index(0, HeadTableModel::StrengthColumn)), 1.5); // of 1 and 2 alone
        const LikenessMatrix& square = view.matrix()->picture();
        QVERIFY(square.textOf(square.itemOf(0, 2)).title.contains(QStringLiteral("1 and 10")));
        QSignalSpy clicked(&view, &HeadsView::headsClicked);
        QTest::mouseClick(view.matrix(), Qt::LeftButton, {}, square.placeOf(square.itemOf(0, 2)).center().toPoint());
        QCOMPARE(clicked.last()[0].value<std::vector<std::int64_t>>(), (std::vector<std::int64_t>{0, 9}));
        QTest::mouseClick(view.plane(), Qt::LeftButton, {}, view.plane()->picture().placeOf(2).center().toPoint());
        QCOMPARE(clicked.last()[0].value<std::vector<std::int64_t>>(), (std::vector<std::int64_t>{9}));
        QSignalSpy all(&view, &HeadsView::allHeadsRequested);
        view.setShownHeads({});
        for (QPushButton* button : view.findChildren<QPushButton*>())
            if (button->isVisible())
                QTest::mouseClick(button, Qt::LeftButton); // the one that is offered
        QCOMPARE(all.count(), 1);
        view.setStage(Stage::ProjectedSegment);
        view.setReport(sampleReport());
        QStringList titles;
        for (const EmptyState* state : view.findChildren<EmptyState*>())
            if (state->isVisible())
                titles << state->title();
        QCOMPARE(titles, QStringList(QStringLiteral("No segment selected")));
        view.setStage(Stage::HeadOutput);
        view.setReport(sampleReport());
        view.setShownHeads({5});
        QVERIFY(!view.grab().isNull()); // one head: a map of one disc
    }

    /// Before, a view that was reached by its key while it was being filled kept the keyboard to itself, in a frame.
    void theKeyboardGoesToTheFirstControl()
    {
        QWidget window;
        auto* room = new QWidget(&window);
        auto* layout = new QVBoxLayout(room);
        auto* view = new HeadsView(room);
        layout->addWidget(view);
        window.resize(1100, 760);
        room->resize(1100, 760);
        view->setModel(m_info, m_palette);
        window.show();
        QVERIFY(test::exposed(&window));
        room->setFocus();
        view->setReport(sampleReport());
        QCOMPARE(QApplication::focusWidget(), view->findChild<QWidget*>(QStringLiteral("headTable")));
        // Who is elsewhere stays there.
        auto* elsewhere = new QPushButton(&window);
        elsewhere->show();
        elsewhere->setFocus();
        view->setReport(nullptr);
        view->setReport(sampleReport());
        QCOMPARE(QApplication::focusWidget(), elsewhere);
    }

    void firstClickOnANumberPutsTheLargestOnTop()
    {
        HeadsView view;
        view.resize(1300, 760);
        view.setModel(m_info, m_palette);
        view.setReport(sampleReport());
        view.show();
        QVERIFY(test::exposed(&view));
        QHeaderView* header = view.table()->header();
        const int column = HeadTableModel::MatchColumn;
        const QPoint title(header->sectionViewportPosition(column) + 20, header->height() / 2);
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, title);
        QCOMPARE(header->sortIndicatorOrder(), Qt::DescendingOrder);
        QCOMPARE(view.proxy()->index(0, 0).data().toString(), QStringLiteral("KV8"));
        for (int each = HeadTableModel::StrengthColumn; each < HeadTableModel::TopicColumn; ++each)
            QVERIFY(view.table()->columnWidth(each) >=
                    header->fontMetrics().horizontalAdvance(
                        view.model()->headerData(each, Qt::Horizontal, Qt::DisplayRole).toString()) +
                        24); // and the arrow
    }

    void numbersOnTheMapDoNotCollide()
    {
        PictureOf<HeadPlane> plane;
        plane.resize(260, 220);
        plane.picture().setPlane(sampleReport(), sampleReport()->planes.cka, m_info, m_palette,
                                 {0, 1, 2, 3, 4, 5, 6, 7, 8});
        for (std::int64_t a = 0; a < 9; ++a)
        {
            QVERIFY(QRectF(plane.rect()).contains(plane.picture().labelOf(a)));
            for (std::int64_t b = a + 1; b < 9; ++b)
                QVERIFY2(!plane.picture()
                              .labelOf(a)
                              .adjusted(-4, 0, 4, 0)
                              .intersects(plane.picture().labelOf(b)), // "12 5" is two
                         qPrintable(QStringLiteral("%1 and %2").arg(a + 1).arg(b + 1)));
        }
    }

    void matrixSaysAndGivesPairs()
    {
        PictureOf<LikenessMatrix> widget;
        LikenessMatrix& matrix = widget.picture();
        const auto cell = [&](std::int64_t row, std::int64_t column) {
            return matrix.placeOf(matrix.itemOf(row, column)).center().toPoint();
        };
        const auto said = [&](std::int64_t row, std::int64_t column) {
            return matrix.textOf(matrix.itemOf(row, column)).title;
        };
        widget.resize(260, 260);
        matrix.setLikeness(sampleReport()->redundancy->cka, QStringLiteral("CKA"), Stage::HeadOutput, m_info,
                           m_palette);
        widget.show();
        QVERIFY(test::exposed(&widget));
        QSignalSpy clicked(&widget, &PictureWidget::itemClicked);
        QTest::mouseClick(&widget, Qt::LeftButton, {}, cell(3, 10));
        QCOMPARE(clicked.count(), 1);
        const auto heads = [&](const QList<QVariant>& signal) {
            return matrix.headsOf(signal[0].value<std::size_t>());
        };
        QCOMPARE(heads(clicked[0]), (std::pair<std::int64_t, std::int64_t>(3, 10)));
        QTest::keyClick(&widget, Qt::Key_Down);
        QTest::keyClick(&widget, Qt::Key_Return);
        QCOMPARE(heads(clicked[1]), (std::pair<std::int64_t, std::int64_t>(4, 10)));
        QVERIFY(said(3, 10).contains(QStringLiteral("0.2")));
        matrix.setIntervals(sampleReport()->redundancy->ckaLow, sampleReport()->redundancy->ckaHigh);
        QVERIFY(said(3, 10).endsWith(QStringLiteral("(95% CI: 0.15 to 0.25)")));
        QVERIFY(!said(3, 3).contains(QStringLiteral("95%")));
        // The block of a KV group has the colour of much, the rest that of little.
        const QImage picture = widget.grab().toImage();
        QVERIFY(picture.pixelColor(cell(0, 2)) != picture.pixelColor(cell(0, 9)));
    }

    void planeShowsHeadsAndGivesThem()
    {
        PictureOf<HeadPlane> plane;
        plane.resize(400, 300);
        plane.picture().setPlane(sampleReport(), sampleReport()->planes.cka, m_info, m_palette);
        plane.show();
        QVERIFY(test::exposed(&plane));
        QSignalSpy clicked(&plane, &PictureWidget::itemClicked);
        QTest::mouseClick(&plane, Qt::LeftButton, {}, plane.picture().placeOf(17).center().toPoint());
        QCOMPARE(clicked.count(), 1);
        for (std::size_t head = 0; head < 32; ++head)
            QVERIFY(plane.rect().contains(plane.picture().placeOf(head).center().toPoint()));
    }

    void curveGivesItsSteps()
    {
        PictureOf<PruningCurve> curve;
        curve.resize(360, 140);
        std::vector<PruningStep> steps(5);
        for (std::size_t i = 0; i < steps.size(); ++i)
            steps[i] = {static_cast<std::int64_t>(i) - 1, 0.8 - 0.1 * static_cast<double>(i), 0, 0, 0, i % 2 == 0};
        curve.picture().setSteps(steps, QStringLiteral("head"), PruningCurve::Saves::ParametersAndCache);
        QVERIFY(curve.picture().textOf(2).title.contains(QStringLiteral("bytes of KV cache")));
        curve.picture().setSteps(steps, QStringLiteral("segment"), PruningCurve::Saves::Nothing);
        QVERIFY(!curve.picture().textOf(2).title.contains(QStringLiteral("cache")));
        curve.show();
        QVERIFY(test::exposed(&curve));
        QSignalSpy clicked(&curve, &PictureWidget::itemClicked);
        QTest::mouseClick(&curve, Qt::LeftButton, {}, curve.picture().placeOf(2).center().toPoint());
        QCOMPARE(clicked[0][0].toLongLong(), 2);
        QTest::keyClick(&curve, Qt::Key_Right); // from under the pointer
        QTest::keyClick(&curve, Qt::Key_Return);
        QCOMPARE(clicked.count(), 2);
    }

    void orderIsJudgedElsewhere()
    {
        PruningFindings findings;
        for (std::int64_t at = 0; at < 3; ++at)
            findings.steps.push_back({at - 1, 0.5 + 0.1 * static_cast<double>(at), 0, 100 * at, 0, false, at});
        PruningPanel panel(nullptr);
        panel.resize(520, 300);
        panel.setModel(m_info, Stage::HeadOutput);
        panel.setFindings(findings, false);
        QVERIFY(panel.sentence().isEmpty() && panel.curve()->picture().legendText().isEmpty());
        QVERIFY(!panel.curve()->picture().textOf(2).title.contains(QStringLiteral("held-out half")));
        const QStringList before = headersOf(*panel.table());
        QVERIFY(!before.contains(QStringLiteral("Held-out half")));
        findings.validation.halvings = 100;
        findings.validation.documents = 192;
        findings.validation.byKept = {{1, 0.21, {0.1, 0.3}, -0.02, {-0.06, 0.01}},
                                      {2, 0.12, {0.1, 0.2}, 0.03, {-0.01, 0.05}},
                                      {3, 0, {0, 0}, 0, {0, 0}}};
        findings.validation.best = findings.validation.byKept[0];
        findings.alone = {findings.steps[1], findings.steps[2]};
        constexpr double kNoP = std::numeric_limits<double>::quiet_NaN();
        findings.differences = {{0.1, {0.04, 0.15}, 0.002, 0.004, 40}, {-0.2, {}, kNoP, kNoP, 5}};
        panel.setFindings(findings, false);
        QVERIFY(panel.curve()->picture().textOf(2).title.contains(
            QStringLiteral("selection half +21.0, held-out half −2.0 (−6.0 to +1.0) pp")));
        QVERIFY(panel.curve()->picture().textOf(1).title.contains(
            QStringLiteral("selection half +12.0, held-out half +3.0")));
        QVERIFY(panel.sentence().contains(
            QStringLiteral("+21.0 pp on the selection half and by −2.0 (−6.0 to +1.0) pp on the held-out half")));
        QVERIFY(panel.sentence().contains(QStringLiteral("192")));
        QVERIFY(panel.sentence().contains(QStringLiteral("not a confidence interval")));
        const QStringList headers = headersOf(*panel.table());
        const auto elsewhere = static_cast<int>(headers.indexOf(QStringLiteral("Held-out half")));
        QVERIFY(elsewhere > 0);
        QCOMPARE(panel.table()->model()->index(1, elsewhere).data().toString(), QStringLiteral("−2.0 (−6.0 to +1.0)"));
        panel.setPage(PruningPanel::Page::Alone);
        const QAbstractItemModel& alone = *panel.aloneTable()->model();
        QCOMPARE(alone.rowCount(), 2);
        QCOMPARE(alone.index(0, 2).data().toString(), QStringLiteral("+10.0 (+4.0 to +15.0)"));
        QCOMPARE(alone.index(0, 3).data().toString(), QStringLiteral("0.002"));
        QCOMPARE(alone.index(0, 5).data().toString(), QStringLiteral("40"));
        for (const int column : {3, 4}) // of five documents no p can fall below 0.05
            QCOMPARE(alone.index(1, column).data().toString(), QStringLiteral("no test"));
        QVERIFY(alone.headerData(3, Qt::Horizontal, Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("No p if fewer than 6 documents change")));
    }

    void switchedOffHasAnInterval()
    {
        SwitchPanel panel;
        panel.setModel(m_info, Stage::HeadOutput);
        MaskEffects values;
        values.kept.assign(32, true);
        values.topics = 8;
        values.parametersSaved = values.kvBytesSaved = 0;
        values.matchDifference[1] = PairedDifference{0, {0, 0}, 1, 1};
        panel.setMask(values);
        QVERIFY(panel.differenceText(1).isEmpty()); // all are on
        values.kept[4] = false;
        values.matchDifference[1] = PairedDifference{-0.012, {-0.031, 0.005}, 0.2, 0.2};
        panel.setMask(values);
        QCOMPARE(panel.differenceText(1), QStringLiteral("−1.2 (−3.1 to +0.5)"));
        QVERIFY(panel.differenceText(3).isEmpty());
        values.parametersSaved.reset();
        panel.setMask(values);
        QVERIFY2(panel.noteText().contains(QStringLiteral("unknown")), qPrintable(panel.noteText()));
    }

    void pairsAreRankedAndNamed()
    {
        const auto report = sampleReport();
        auto named = std::make_shared<HeadReport>(*report);
        named->redundancy->cka(2, 9) = named->redundancy->cka(9, 2) = 0.97;
        const auto pairs = likePairs(*named->redundancy, {0, 1, 2, 9});
        QCOMPARE(pairs.size(), std::size_t{6});
        QCOMPARE(pairs.front().first, 2);
        QCOMPARE(pairs.front().second, 9);
        QVERIFY(std::is_sorted(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.cka > b.cka; }));
        HeadsView view;
        view.resize(1100, 760);
        view.setModel(m_info, m_palette);
        view.setReport(named);
        view.show();
        QVERIFY(test::exposed(&view));
        QVERIFY2(view.alike()->sentence().startsWith(
                     QStringLiteral("Most similar heads by CKA, out of 496\u00a0pairs: 3 and 10 (0.97)")),
                 qPrintable(view.alike()->sentence()));
        view.alike()->setTableShown(true);
        const QAbstractItemModel& table = *view.alike()->table()->model();
        QCOMPARE(table.rowCount(), 32 * 31 / 2);
        QCOMPARE(table.index(0, 1).data().toString(), QStringLiteral("3"));
        QCOMPARE(table.index(0, 2).data().toString(), QStringLiteral("10"));
        view.alike()->table()->sortByColumn(3, Qt::AscendingOrder); // the least alike first
        QCOMPARE(table.index(0, 3).data().toString(), QStringLiteral("0.200"));
        QSignalSpy clicked(&view, &HeadsView::headsClicked);
        view.alike()->table()->selectRow(table.rowCount() - 1);
        QCOMPARE(clicked.last()[0].value<std::vector<std::int64_t>>(), (std::vector<std::int64_t>{2, 9}));
    }

    void segmentsHaveNoGroups()
    {
        HeadsView view;
        view.resize(1100, 760);
        view.setModel(m_info, m_palette);
        view.setKept(std::vector<bool>(32, true));
        QVERIFY(view.model()->grouped());
        view.setStage(Stage::OutputSegment);
        QVERIFY(!view.model()->grouped());
        auto report = std::make_shared<HeadReport>(*sampleReport());
        report->stage = Stage::OutputSegment;
        view.setReport(report);
        QCOMPARE(view.model()->rowCount(), 32);
        QCOMPARE(view.model()->index(4, 0).data().toString(), QStringLiteral("Segment 5"));
        QVERIFY(view.alike()->sentence().startsWith(QStringLiteral("Most similar segments")));
        MaskEffects mask;
        mask.kept.assign(32, true);
        mask.kept[3] = false;
        mask.parametersSaved = 100;
        view.setMask(mask);
        const QString saved = view.findChild<QLabel*>(QStringLiteral("maskSaved"))->text();
        QVERIFY2(saved.startsWith(QStringLiteral("1\u00a0segment off")) && !saved.contains(QStringLiteral("100")),
                 qPrintable(saved));
        view.setStage(Stage::HeadOutput);
        QCOMPARE(view.model()->rowCount(), 8);
    }

    void nothingOverlaps_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("beside two panels") << QSize(540, 520);
        QTest::newRow("1100 x 700") << QSize(830, 540);
        QTest::newRow("1366 x 768") << QSize(1100, 600);
        QTest::newRow("large") << QSize(1700, 1000);
    }

    /// No two things of the lower half stand on each other, at any size, and nothing is below its least height.
    void nothingOverlaps()
    {
        QFETCH(const QSize, size);
        HeadsView view;
        view.resize(size);
        view.setModel(m_info, m_palette);
        view.setReport(sampleReport());
        MaskEffects mask;
        mask.kept.assign(32, true);
        mask.kept[3] = false;
        view.setMask(mask);
        PruningFindings findings;
        findings.steps.resize(32);
        findings.validation.halvings = 100;
        findings.validation.byKept.resize(32);
        view.setCurve(findings, false);
        view.show();
        QVERIFY(test::exposed(&view));
        std::vector<std::pair<QRect, QString>> places;
        for (const QWidget* panel : std::initializer_list<QWidget*>{view.alike(), view.switches()})
            for (const QWidget* widget : panel->findChildren<QWidget*>())
            {
                const bool leaf = widget->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly).isEmpty();
                if (!widget->isVisible() || !leaf || widget->size().isEmpty())
                    continue;
                const QRect place(widget->mapTo(&view, QPoint()), widget->size());
                const QString name = QString::fromLatin1(widget->metaObject()->className()) + u' ' +
                                     widget->objectName() + u' ' + widget->property("text").toString();
                QVERIFY2(widget->height() >= widget->minimumHeight(), qPrintable(name));
                QVERIFY2(place.right() <= size.width(), qPrintable(name));
                for (const auto& [other, otherName] : places)
                    QVERIFY2(!place.intersects(other), qPrintable(name + QStringLiteral(" and ") + otherName));
                places.emplace_back(place, name);
            }
        QVERIFY(places.size() > 15);
    }

    /// Of a usual model: six of twelve rows were seen in a table that scrolled within a page that scrolls.
    void allRowsOfAUsualModelAreSeen()
    {
        HeadsView view;
        view.resize(900, 600);
        ModelInfo nine = m_info;
        nine.heads = 9;
        nine.kvHeads = 3;
        view.setModel(nine, viz::HeadPalette(3, 3));
        view.show();
        QVERIFY(test::exposed(&view));
        view.setShownHeads({0, 1, 2, 3, 4, 5, 6, 7, 8});
        const QTreeView& table = *view.table();
        QVERIFY(table.minimumHeight() >= 12 * table.sizeHintForRow(0) + table.header()->height());
        view.setModel(m_info, m_palette); // 32 heads are scrolled to
        QVERIFY(table.minimumHeight() < 20 * table.sizeHintForRow(0));
    }

    /// Bar and interval lie under the number.
    void nothingRunsThroughTheNumbers()
    {
        QStandardItemModel model(1, 2);
        const QModelIndex index = model.index(0, 1);
        model.setData(index, QPointF(0, 1), HeadTableModel::BarRole);
        model.setData(index, QPointF(0.1, 0.9), HeadTableModel::WhiskerRole);
        model.setData(index, QColor(Qt::red), HeadTableModel::ColorRole);
        QImage image(80, 24, QImage::Format_RGB32);
        image.fill(Qt::white);
        QTreeView table;
        QStyleOptionViewItem option;
        option.initFrom(&table);
        option.widget = &table;
        option.rect = image.rect();
        QPainter painter(&image);
        CellBars().paint(&painter, option, index);
        painter.end();
        const int digits = 12 + QFontMetrics(table.font()).capHeight() / 2;
        for (int y = 0; y <= digits; ++y)
            QCOMPARE(image.pixelColor(40, y), QColor(Qt::white));
        QVERIFY(image.pixelColor(40, 20) != QColor(Qt::white));
    }

    void oneLikenessForAllIsOnePlace()
    {
        PictureOf<HeadPlane> plane;
        plane.resize(300, 200);
        plane.picture().setPlane(sampleReport(), MatrixD(32, 2), m_info, m_palette); // all at one place
        QVERIFY(plane.rect().contains(plane.picture().placeOf(0).center().toPoint()));
        QVERIFY(!plane.grab().isNull());
    }
};

HEADSCOPE_TEST(TestHeadsView)
#include "tst_heads_view.moc"
