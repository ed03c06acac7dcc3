// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/frame_model.h"

#include "tests/ui/window_test.h"
#include "ui/models/result_table.h"
#include "ui/models/roles.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include <cmath>
#include <limits>

using namespace headscope;
using namespace headscope::ui;

namespace
{

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr ColumnInfo kColumns[] = {
    {"head", "Head", "", "Number of the head", "", Shown::Index},
    {"rows", "Rows", "", "Rows that tested it", "", Shown::Count},
    {"accuracy", "Accuracy", "", "Share that is right", "Offsets may be all it needs", Shown::Share},
    {"gain", "Gain", "", "What is gained"},
    {"name", "Name", "", "What it is called", "", Shown::Text},
    {"good", "Good", "", "Whether it is good", "", Shown::Flag},
    {"loss", "Loss", "bits", "What is lost", "", Shown::Fixed},
};
constexpr FrameInfo kInfo = {.key = "tested", .columns = kColumns};

std::vector<FrameColumn> shownColumns()
{
    return {{"head"},
            {"rows"},
            {"accuracy"},
            {"accuracy", Facet::Span, QStringLiteral("With interval")},
            {"accuracy", Facet::Range, QStringLiteral("95% interval")},
            {"accuracy", Facet::P, QStringLiteral("p"), QStringLiteral("Of a test")},
            {"gain"},
            {"name"},
            {"good"},
            {"", Facet::Value, QStringLiteral("Own"), QStringLiteral("Of the window alone")}};
}

Frame sampleFrame()
{
    Frame frame(kInfo);
    frame.add("head", Column::Wholes{9, 10, 11});
    frame.add("rows", Column::Wholes{25'600, kNoCount, 3});
    Column& accuracy = frame.add("accuracy", Column::Reals{0.78349, kNone, 0.00012});
    accuracy.interval(std::vector<Interval>{{0.7, 0.8}, {}, {0.0001, 0.0002}}, "Wilson");
    accuracy.set(Facet::P, Column::Reals{0.005, kNone, 0.41}).set(Facet::Chance, 0.031);
    accuracy.noTest = "no test";
    frame.add("name", Column::Texts{"doc-10", "", "doc-9"});
    frame.add("good", Column::Wholes{1, 0, 1});
    return frame; // and no gain
}

} // namespace

class TestFrameModel : public QObject
{
    Q_OBJECT

    enum ShownColumn
    {
        Head,
        Rows,
        Accuracy,
        Span,
        Range,
        P,
        Gain,
        Name,
        Good,
        Own,
    };

private Q_SLOTS:
    void cellsFollowFromTheColumns()
    {
        FrameModel model(shownColumns(), {});
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        QCOMPARE(model.columnCount(), 10); // before there is anything to show
        model.setFrame(sampleFrame());
        QCOMPARE(model.rowCount(), 3);
        const auto line = [&model](int row) {
            QStringList cells;
            for (int column = 0; column < model.columnCount(); ++column)
                cells << model.index(row, column).data().toString();
            return cells.join(u'|');
        };
        QCOMPARE(line(0), QStringLiteral("9|25,600|0.783|0.783 (0.700 – 0.800)|0.700 – 0.800|0.005|–|doc-10|yes|–"));
        QCOMPARE(line(1), QStringLiteral("10|–|–|–|–|no test|–|||–"));
        QCOMPARE(line(2), QStringLiteral("11|3|0.00012|0.00012 (0.0001 – 0.0002)|0.0001 – 0.0002|0.41|–|doc-9|yes|–"));
        QCOMPARE(model.number(0, Rows), 25'600.0);
        QVERIFY(std::isnan(model.number(1, Accuracy)));
        model.clear();
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(model.headerData(Gain, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("Gain"));
    }

    void headingsAndTipsExplain()
    {
        FrameModel model(shownColumns(), {});
        model.setFrame(sampleFrame());
        const auto heading = [&model](int column, int role) {
            return model.headerData(column, Qt::Horizontal, role).toString();
        };
        QCOMPARE(heading(Accuracy, Qt::DisplayRole), QStringLiteral("Accuracy"));
        QCOMPARE(heading(Accuracy, Qt::ToolTipRole),
                 QStringLiteral("Share that is right. Offsets may be all it needs"));
        QCOMPARE(heading(Gain, Qt::ToolTipRole), QStringLiteral("What is gained")); // of a column that the frame lacks
        QCOMPARE(heading(P, Qt::ToolTipRole), QStringLiteral("Of a test"));
        const auto tip = [&model](int row, int column) {
            return model.index(row, column).data(Qt::ToolTipRole).toString();
        };
        QCOMPARE(tip(0, Accuracy),
                 QStringLiteral("95% interval: 0.700 – 0.800 (Wilson)\np: 0.005\nChance: 0.031\nShare that is right. "
                                "Offsets may be all it needs"));
        QVERIFY(!tip(0, Span).contains(QStringLiteral("95%"))); // the cell says it
        for (const int column : {Span, Range})
            QVERIFY(tip(0, column).startsWith(QStringLiteral("Interval (Wilson)\n")));
        QVERIFY(!tip(1, Span).contains(QStringLiteral("Wilson")));
        QCOMPARE(tip(1, Rows), QStringLiteral("Rows that tested it"));
        QCOMPARE(model.index(0, Rows).data(Qt::AccessibleTextRole).toString(), QStringLiteral("Rows: 25,600"));
        const auto aligned = [&model](int column) {
            return Qt::Alignment(model.index(0, column).data(Qt::TextAlignmentRole).toInt());
        };
        QVERIFY(aligned(Head).testFlag(Qt::AlignLeft) && aligned(Name).testFlag(Qt::AlignLeft));
        QVERIFY(aligned(Accuracy).testFlag(Qt::AlignRight) && aligned(Rows).testFlag(Qt::AlignRight));
        model.setTitle(Head, QStringLiteral("Segment"));
        QCOMPARE(heading(Head, Qt::DisplayRole), QStringLiteral("Segment"));
    }

    void whatIsMissingSortsLast()
    {
        FrameModel model(shownColumns(), {});
        model.setFrame(sampleFrame());
        FrameOrder order(&model, nullptr);
        const auto heads = [&order](int column, Qt::SortOrder how) {
            order.sort(column, how);
            QStringList names;
            for (int row = 0; row < order.rowCount(); ++row)
                names << order.index(row, Head).data().toString();
            return names.join(u' ');
        };
        QCOMPARE(heads(Accuracy, Qt::AscendingOrder), QStringLiteral("11 9 10"));
        QCOMPARE(heads(Accuracy, Qt::DescendingOrder), QStringLiteral("9 11 10"));
        QCOMPARE(heads(Rows, Qt::AscendingOrder), QStringLiteral("11 9 10"));
        QCOMPARE(heads(Range, Qt::DescendingOrder), QStringLiteral("9 11 10")); // by its width
        QCOMPARE(heads(Name, Qt::AscendingOrder), QStringLiteral("11 9 10"));   // doc-9 before doc-10
        QCOMPARE(heads(Name, Qt::DescendingOrder), QStringLiteral("9 11 10"));
        QCOMPARE(heads(Head, Qt::DescendingOrder), QStringLiteral("11 10 9"));
    }

    /// A measure may be a share or a cosine: the table says how its numbers are written.
    void aTableSaysWhatItsNumbersAre()
    {
        FrameModel model({}, {});
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        Frame frame(kInfo);
        frame.add("head", Column::Wholes{1, 2}).named("segment");
        frame.add("gain", Column::Reals{0.03, -0.02}).named("own name");
        frame.columns().back().interval(std::vector<Interval>{{0.025, 0.035}, {}});
        frame.add("loss", Column::Reals{-0.04, 0});
        frame.columns().back().interval(std::vector<Interval>{{-0.05, -0.03}, {-0.00001, 0.00001}});
        const auto styled = [](Facet facet, NumberStyle style) { return FrameColumn{"gain", facet, {}, {}, style}; };
        model.setFrame(frame, {{"head"},
                               styled(Facet::Value, NumberStyle::Percent),
                               styled(Facet::Span, NumberStyle::Points),
                               styled(Facet::Value, NumberStyle::PointsSize),
                               styled(Facet::Value, NumberStyle::Probability),
                               styled(Facet::Value, NumberStyle::Whole),
                               {"own name", Facet::Span},
                               {"loss", Facet::Span},
                               {"loss", Facet::Range}});
        const auto line = [&model](int row) {
            QStringList cells;
            for (int column = 0; column < model.columnCount(); ++column)
                cells << model.index(row, column).data().toString();
            return cells.join(u'|');
        };
        QCOMPARE(line(0), QStringLiteral("1|3.0%|+3.0 (+2.5 to +3.5)|3.0|0.03|0|0.030 (0.025 – 0.035)|"
                                         "−0.0400 (−0.0500 to −0.0300)|−0.0500 to −0.0300"));
        QCOMPARE(line(1), QStringLiteral("2|−2.0%|−2.0 (no interval)|−2.0|-0.02|0|−0.020 (no interval)|"
                                         "0.0000 (0.0000 to 0.0000)|0.0000 to 0.0000"));
        const auto heading = [&model](int column) {
            return model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        };
        QCOMPARE(heading(0), QStringLiteral("Segment"));
        QCOMPARE(heading(1), QStringLiteral("Own name"));
        QCOMPARE(heading(7), QStringLiteral("Loss (bits)"));
        QCOMPARE(heading(8), QStringLiteral("95% interval"));
        FrameOrder order(&model, nullptr);
        order.sort(1, Qt::AscendingOrder);
        QCOMPARE(frameRow(order.index(0, 0)), 1);
        QCOMPARE(frameRow(model.index(1, 0)), 1);
    }

    void rowsComeOneByOne()
    {
        FrameModel model(shownColumns(), {});
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        QSignalSpy headings(&model, &QAbstractItemModel::headerDataChanged);
        const auto one = [](std::int64_t head) {
            Frame frame(kInfo);
            frame.add("head", Column::Wholes{head});
            return frame;
        };
        model.insertFrame(0, one(1));
        QCOMPARE(headings.count(), 1); // titles come with the first frame
        model.insertFrame(1, one(3));
        model.insertFrame(1, one(2));
        model.replaceFrame(0, one(7));
        const auto head = [&model](int row) { return model.index(row, Head).data().toString(); };
        QCOMPARE(head(0) + head(1) + head(2), QStringLiteral("723"));
    }

    void extrasStandInPlaceOfCells()
    {
        FrameModel model(shownColumns(), [](int row, int column, int role) {
            return column == Own && role == Qt::DisplayRole ? QVariant(QStringLiteral("row %1").arg(row)) : QVariant();
        });
        model.setFrame(sampleFrame());
        QCOMPARE(model.index(2, Own).data().toString(), QStringLiteral("row 2"));
        QCOMPARE(model.index(2, Own).data(Qt::AccessibleTextRole).toString(), QStringLiteral("Own: row 2"));
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.refresh();
        QCOMPARE(changed.count(), 1);
    }
};

HEADSCOPE_WINDOW_TEST(TestFrameModel)
#include "tst_frame_model.moc"
