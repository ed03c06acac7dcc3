// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/hit_list_model.h"
#include "ui/models/nearest_model.h"
#include "ui/models/probe_table_model.h"
#include "ui/models/roles.h"
#include "ui/models/set_list_model.h"

#include "tests/ui/window_test.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

using namespace headscope;
using namespace headscope::ui;

class TestItemModels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void probeTable()
    {
        ProbeTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        QCOMPARE(model.rowCount(), 0);
        // Rows find their places whenever they come.
        model.addRow({test::sampleProbe(Stage::OutputSegment, 0.999, 31), nullptr, {}});
        model.addRow({test::sampleProbe(Stage::HeadOutput, 0.783, 31), test::sampleProbe(Stage::HeadOutput, 0.03), {}});
        model.addRow({test::sampleProbe(Stage::OutputSegment, 0.5, 15), nullptr, {}});
        QCOMPARE(model.rowCount(), 3);
        const auto cell = [&model](int row, int column) { return model.index(row, column).data().toString(); };
        QCOMPARE(cell(0, ProbeTableModel::LayerColumn), QStringLiteral("15"));
        QCOMPARE(cell(1, ProbeTableModel::AccuracyColumn), QStringLiteral("0.783"));
        QCOMPARE(cell(1, ProbeTableModel::ControlColumn), QStringLiteral("0.030"));
        QCOMPARE(cell(2, ProbeTableModel::ControlColumn), QStringLiteral("–"));
        // Segments are in no KV group, whatever numbers a result carries.
        QCOMPARE(cell(2, ProbeTableModel::WithinColumn), QStringLiteral("–"));
        QCOMPARE(cell(2, ProbeTableModel::AcrossColumn), QStringLiteral("–"));
        QCOMPARE(cell(2, ProbeTableModel::RowsColumn), QStringLiteral("25,600 / 6,400"));
        QCOMPARE(cell(2, ProbeTableModel::StageColumn), QStringLiteral("3  segments"));
        QVERIFY(cell(1, ProbeTableModel::IntervalColumn).contains(QStringLiteral("0.773")));
        QCOMPARE(cell(1, ProbeTableModel::FitColumn), QStringLiteral("34\u00a0steps"));
        QCOMPARE(model.index(1, ProbeTableModel::AccuracyColumn).data(SortRole).toDouble(), 0.783);
        // A second fit of the same place takes the first one's.
        auto slow = std::make_shared<ProbeResult>(*test::sampleProbe(Stage::HeadOutput, 0.6, 31));
        slow->converged = false;
        model.addRow({slow, nullptr, {}});
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(cell(1, ProbeTableModel::FitColumn), QStringLiteral("not converged"));
        QVERIFY(model.index(1, ProbeTableModel::FitColumn).data(Qt::ForegroundRole).isValid());
        model.setChosen(ProbeTableModel::Place(LayerIndex(31), Stage::OutputSegment));
        QVERIFY(model.index(2, 0).data(Qt::DecorationRole) != model.index(1, 0).data(Qt::DecorationRole));
        QCOMPARE(model.rowOf({LayerIndex(15), Stage::HeadOutput}), -1);
        for (int column = 0; column < model.columnCount(); ++column)
        {
            QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
            QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
        }
        model.clear();
        QCOMPARE(model.rowCount(), 0);
    }

    void nearestDocuments()
    {
        NearestModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        const auto documents = test::sampleDocuments();
        model.setDocuments(documents, {{DocumentIndex(4), 0.9449}, {DocumentIndex(7), 0.5}});
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(0, 1).data().toString(), QStringLiteral("0.94"));
        QVERIFY(model.index(0, 0).data().toString().startsWith(QStringLiteral("Text number 4")));
        QCOMPARE(model.index(1, 0).data(DocumentRole).toLongLong(), 7);
        // What another list has too is not marked.
        model.setDocuments(documents, {{DocumentIndex(4), 0.9449}, {DocumentIndex(7), 0.5}},
                           {{DocumentIndex(7), 0.8}, {DocumentIndex(9), 0.7}});
        QVERIFY(model.index(0, 0).data(NearestModel::OnlyRole).toBool());
        QVERIFY(!model.index(1, 0).data(NearestModel::OnlyRole).toBool());
        QVERIFY(model.index(0, 0).data(Qt::ToolTipRole).toString().contains(QStringLiteral("only in this list")));
        auto bare = std::make_shared<DocumentSet>(*documents);
        bare->texts.clear();
        model.setDocuments(bare, {{DocumentIndex(4), 0.9}});
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("doc-4"));
        model.setDocuments(nullptr, {});
        QCOMPARE(model.rowCount(), 0);
    }

    void foundDocuments()
    {
        HitListModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        auto result = std::make_shared<SearchResult>();
        result->hits = {{DocumentIndex(3), 2, false, {QStringLiteral("a line"), {{0, 1}}}},
                        {DocumentIndex(9), 1, true, {QStringLiteral("doc-9"), {}}}};
        model.setResult(test::sampleDocuments(), result);
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.rowOf(DocumentIndex(9)), 1);
        QCOMPARE(model.rowOf(DocumentIndex(4)), -1);
        QCOMPARE(model.index(0).data(HitListModel::HitsRole).value<std::vector<TextSpan>>().size(), 1U);
        QCOMPARE(model.index(1).data(HitListModel::IdRole).toString(), QStringLiteral("doc-9"));
        QCOMPARE(model.index(0).data(DocumentRole).toLongLong(), 3);
        QCOMPARE(result->documents(), (std::vector<std::int64_t>{3, 9}));
        model.setResult(nullptr, nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void namedSets()
    {
        SetListModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        NamedSets sets;
        sets.keep(QStringLiteral("night"), {1, 2});
        model.setSets(sets);
        QCOMPARE(model.index(0).data(SortRole).toLongLong(), 2);
        QSignalSpy asked(&model, &SetListModel::renameRequested);
        QVERIFY(!model.setData(model.index(0), QStringLiteral("day")));
        QCOMPARE(asked.count(), 1);
        sets.rename(0, QStringLiteral("day"));
        model.setSets(sets);
        QCOMPARE(model.index(0).data().toString(), QStringLiteral("day"));
        sets.keep(QStringLiteral("x"), {});
        model.setSets(sets);
        QCOMPARE(model.rowCount(), 2);
        model.setSets({});
    }
};

HEADSCOPE_WINDOW_TEST(TestItemModels)
#include "tst_item_models.moc"
