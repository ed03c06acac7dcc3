// SPDX-License-Identifier: GPL-3.0-or-later
// The page of the running model: what its tables and sentences say of given values.
#include "app/views/ablation/ablation_panel.h"
#include "app/views/ablation/importance_panel.h"
#include "app/views/ablation/importance_plot.h"
#include "app/views/ablation/importance_text.h"
#include "app/views/ablation/running_page.h"
#include "app/views/heads/heads_view.h"
#include "model/data/documents/document_numbers.h"
#include "model/data/results/importance_frame.h"
#include "tests/support/test_program.h"
#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "ui/canvas/picture_widget.h"
#include "ui/state/origin_guard.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTableWidget>
#include <QToolButton>

#include <limits>
#include <memory>

using namespace headscope;
using namespace headscope::ui;

namespace
{

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

ModelInfo model()
{
    ModelInfo info;
    info.layers = 30;
    info.heads = 6;
    info.kvHeads = 2;
    info.headDim = 8;
    info.modelDim = 48;
    return info;
}

Estimate about(double value, double half)
{
    return {value, {value - half, value + half}};
}

/// Head h loses h / 100 in the model; the cut says the same but for head 3, of which it says nothing is lost, and head
/// 5, of which it has no interval.
std::shared_ptr<const ImportanceComparison> comparison()
{
    auto made = std::make_shared<ImportanceComparison>();
    ImportanceResult& result = made->inModel;
    result.documents = 100;
    result.allDocuments = 192;
    result.masks = 60;
    result.topics = 8;
    MeasureValues values;
    values.documents = 100;
    values.all = about(0.9, 0.02);
    values.none = about(0.3, 0.05);
    values.r2 = 0.4;
    CacheAblation cut{ImportanceMeasure::Match, 100, {}};
    for (std::int64_t head = 0; head < 6; ++head)
    {
        result.players.push_back({29, head});
        UnitEffect player;
        const double lost = static_cast<double>(head) / 100;
        player.leftOut = about(lost, 0.005);
        player.alone = about(2 * lost, 0.01);
        player.coefficient = about(1.5 * lost, 0.01);
        player.standardError = 0.004;
        player.q = head > 2 ? 0.0312 : head == 2 ? kNan : 0.6;
        player.role = head > 2 ? PlayerRole::Facilitating : PlayerRole::Undecided;
        values.players.push_back(player);
        cut.lost.push_back(head == 3 ? about(0, 0.005) : head == 5 ? Estimate{lost, {}} : about(lost + 0.001, 0.005));
    }
    result.measures.push_back({ImportanceMeasure::Match, values});
    result.measures.push_back({ImportanceMeasure::Cosine, values});
    made->ofCache.push_back(std::move(cut));
    return made;
}

std::shared_ptr<const DocumentSet> documents()
{
    auto made = std::make_shared<DocumentSet>();
    for (int i = 0; i < 6; ++i)
        made->ids.push_back("d" + std::to_string(i));
    return made;
}

/// Documents 0, 2, 3 and 5 were drawn, of which 2 gets other nearest ones.
std::shared_ptr<const SwitchOffResult> result()
{
    auto made = std::make_shared<SwitchOffResult>();
    made->layer = 12;
    made->heads = {0, 1, 2};
    made->ablation = "zero";
    made->documents = {0, 2, 3, 5};
    made->allDocuments = 6;
    VectorChange& change = made->inModel;
    change.what = "stage 3 of the last layer";
    change.cosine = {0.99, 0.5, 0.98, kNan};
    change.kept = {2, 1, 2, 2};
    change.before = Matrix<std::int64_t>(4, 2, {1, 2, 0, 2, 1, 3, 2, 1});
    change.after = Matrix<std::int64_t>(4, 2, {1, 2, 3, 2, 1, 3, 2, 1});
    change.meanCosine = about(0.82, 0.1);
    change.meanKept = about(0.875, 0.1);
    made->cutMissing = "the cache has no stage 1 of layer 12";
    made->movedMissing = "there is no map yet";
    return made;
}

QString cell(const QTableView* table, int row, int column)
{
    return table->model()->index(row, column).data().toString();
}

int columnOf(const QTableView* table, const QString& title)
{
    for (int column = 0; column < table->model()->columnCount(); ++column)
        if (table->model()->headerData(column, Qt::Horizontal).toString() == title)
            return column;
    return -1;
}

} // namespace

class TestRunningPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void estimatesAgreeOrNot()
    {
        QCOMPARE(agreementOf(about(1, 0.5), about(2, 0.5)), EstimateAgreement::Overlap); // they touch
        QCOMPARE(agreementOf(about(1, 0.4), about(2, 0.5)), EstimateAgreement::Excluded);
        QCOMPARE(agreementOf(about(2, 0.5), about(1, 0.4)), EstimateAgreement::Excluded);
        QCOMPARE(agreementOf({1, {}}, about(1, 0.5)), EstimateAgreement::Unknown);
    }

    void theTableSaysWhereBothDisagree()
    {
        ImportancePanel panel;
        panel.setModel(model(), viz::HeadPalette(model()), 192);
        panel.setComparison(comparison());
        const QTableView* table = panel.table();
        QAbstractItemModelTester tester(table->model());
        QCOMPARE(table->model()->rowCount(), 6);
        const int both = columnOf(table, QStringLiteral("Intervals"));
        QVERIFY(both > 0);
        const QStringList expected = {QStringLiteral("overlap"), QStringLiteral("overlap"), QStringLiteral("overlap"),
                                      QStringLiteral("apart"),   QStringLiteral("overlap"), QString()};
        for (int row = 0; row < 6; ++row)
            QCOMPARE(cell(table, row, both), expected[row]);
        QCOMPARE(cell(table, 3, columnOf(table, QStringLiteral("Drop (full model)"))),
                 QStringLiteral("+3.0 (+2.5 to +3.5)"));
        QCOMPARE(cell(table, 5, columnOf(table, QStringLiteral("Drop (cache only)"))),
                 QStringLiteral("+5.0 (no interval)"));
        QCOMPARE(cell(table, 3, columnOf(table, QStringLiteral("Role"))), QStringLiteral("facilitating"));
        QCOMPARE(cell(table, 3, columnOf(table, QStringLiteral("q"))), QStringLiteral("0.031"));
        QCOMPARE(cell(table, 2, columnOf(table, QStringLiteral("q"))), QStringLiteral("–")); // not tested
        QCOMPARE(cell(table, 3, columnOf(table, QStringLiteral("SE"))), QStringLiteral("0.4"));
        // Titles and tips are those of the result.
        for (const char* key : {"left_out", "coefficient", "role"})
        {
            const ColumnInfo& info = *kPlayersFrame.find(key);
            const int column = columnOf(table, toQString(info.title));
            const QString tip = table->model()->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
            QCOMPARE(tip, toQString(info.definition) + QStringLiteral(". ") + toQString(info.caution));
        }
        // Documents and sets are two errors of the coefficient, unless all sets were measured.
        QVERIFY(panel.legendText().contains(QStringLiteral("over documents and random sets")));
        auto all = std::make_shared<ImportanceComparison>(*comparison());
        all->inModel.exhaustive = true;
        panel.setComparison(all);
        QVERIFY(panel.legendText().contains(QStringLiteral("Student’s t over documents.")));
        panel.setComparison(comparison());
        QVERIFY(panel.ofText()
                    .replace(QChar::Nbsp, u' ')
                    .startsWith(QStringLiteral("100 of 192 documents · layer 29 · zero ablation · 60 random")));
        QVERIFY(panel.legendText().contains(QStringLiteral("For 1 of the 6 rows, the intervals")));
        QVERIFY(panel.legendText().contains(QStringLiteral("chance: 1 in 8")));
        QVERIFY(panel.legendText().contains(QStringLiteral("a single value per head describes them poorly"))); // R² 0.4
        // By what the model loses, the most first.
        panel.table()->sortByColumn(columnOf(table, QStringLiteral("Drop (full model)")), Qt::DescendingOrder);
        QCOMPARE(cell(table, 0, 0), QStringLiteral("6"));
    }

    /// In much room, in that which a window of 1600 x 1000 leaves, and in a narrower one: in these the plot goes below.
    void noColumnIsCut()
    {
        ImportancePanel panel;
        panel.setModel(model(), viz::HeadPalette(model()), 192);
        panel.setComparison(comparison());
        panel.show();
        for (const int width : {1300, 1030, 840})
        {
            panel.resize(width, 600);
            test::settle();
            const QTableView& table = *panel.table();
            const QHeaderView& header = *table.horizontalHeader();
            QVERIFY2(header.length() <= table.viewport()->width(),
                     qPrintable(QStringLiteral("%1 of %2").arg(table.viewport()->width()).arg(header.length())));
            for (int column = 0; column < header.count(); ++column)
                QVERIFY(table.columnWidth(column) >= header.sectionSizeHint(column));
            QCOMPARE(panel.plot()->geometry().top() >= table.geometry().bottom(), width < 1100);
        }
        panel.resize(500, 600); // columns scroll, and nothing holds the panel wider
        QCOMPARE(panel.width(), 500);
    }

    void aMeasureWithoutACut()
    {
        ImportancePanel panel;
        panel.setModel(model(), viz::HeadPalette(model()), 192);
        panel.setComparison(comparison());
        QCOMPARE(panel.measure(), ImportanceMeasure::Match);
        QCOMPARE(panel.plot()->picture().count(), std::size_t{6});
        panel.setMeasure(ImportanceMeasure::Cosine);
        QCOMPARE(panel.plot()->picture().count(), std::size_t{0});
        QCOMPARE(columnOf(panel.table(), QStringLiteral("Intervals")), -1);
        QCOMPARE(cell(panel.table(), 4, columnOf(panel.table(), QStringLiteral("Drop (full model)"))),
                 QStringLiteral("0.0400 (0.0350 to 0.0450)"));
        // The cosine with the whole model says how much changes, not whether for the worse.
        QCOMPARE(cell(panel.table(), 4, columnOf(panel.table(), QStringLiteral("Role"))), QStringLiteral("nearer"));
        QVERIFY(panel.legendText().contains(QStringLiteral("do not mean better or worse")));
    }

    void dotsLieWhereTheirValuesAre()
    {
        ImportancePanel panel;
        panel.resize(1200, 500);
        panel.setModel(model(), viz::HeadPalette(model()), 192);
        panel.setComparison(comparison());
        panel.show();
        QVERIFY(test::exposed(&panel));
        PictureOf<ImportancePlot>* plot = panel.plot();
        const ImportancePlot& shown = plot->picture();
        const auto placeOf = [&shown](std::size_t player) {
            return shown.placeOf(shown.dotOf(player).value()).center();
        };
        const QPointF second = placeOf(1);
        const QPointF fourth = placeOf(4);
        const QPointF third = placeOf(3);
        QVERIFY(fourth.x() > second.x() && fourth.y() < second.y()); // more is right and up
        QVERIFY(third.x() < second.x() && third.y() < second.y());   // the cut says nothing of it
        QVERIFY(shown.textOf(shown.dotOf(3).value()).title.contains(QStringLiteral("do not overlap")));
        QSignalSpy clicked(&panel, &ImportancePanel::headsClicked);
        QTest::mouseClick(plot, Qt::LeftButton, {}, fourth.toPoint());
        QCOMPARE(clicked.takeFirst().at(0).value<std::vector<std::int64_t>>(), (std::vector<std::int64_t>{4}));
        plot->setFocus();
        QTest::keyClick(plot, Qt::Key_Right);
        QTest::keyClick(plot, Qt::Key_Right);
        QTest::keyClick(plot, Qt::Key_Return);
        QCOMPARE(clicked.takeFirst().at(0).value<std::vector<std::int64_t>>(), (std::vector<std::int64_t>{1}));
    }

    void whyNothingIsMeasured()
    {
        ImportancePanel panel;
        panel.setModel(model(), viz::HeadPalette(model()), 192);
        auto* run = panel.findChild<QPushButton*>(QStringLiteral("importanceRun"));
        QVERIFY(run->isEnabled());
        QCOMPARE(panel.choices(), (ImportanceChoices{0, "heads", "zero", 100}));
        panel.setLayer(29);
        QCOMPARE(panel.choices().layer, 29);
        panel.findChild<QSpinBox*>(QStringLiteral("importanceLayer"))->setValue(7);
        panel.setLayer(28); // the user has chosen
        QCOMPARE(panel.choices().layer, 7);
        panel.setObstacle(QStringLiteral("No texts."), QStringLiteral("Choose…"));
        QVERIFY(!run->isEnabled());
        QCOMPARE(panel.emptyState()->text(), QStringLiteral("No texts."));
        panel.setObstacle({});
        panel.setBusy(true);
        QVERIFY(!run->isEnabled());
        panel.setBusy(false);
        panel.setModel(model(), viz::HeadPalette(model()), 12); // fewer than the sample
        QCOMPARE(panel.choices().documents, 12);
        // What is asked for is what stands in the form.
        auto* ablation = panel.findChild<QComboBox*>(QStringLiteral("importanceAblation"));
        ablation->setCurrentIndex(ablation->findData(QStringLiteral("mean")));
        panel.findChild<QComboBox*>(QStringLiteral("importanceUnits"))->setCurrentIndex(1);
        panel.findChild<QSpinBox*>(QStringLiteral("importanceDocuments"))->setValue(13); // of 12
        QCOMPARE(panel.choices(), (ImportanceChoices{7, "groups", "mean", 12}));
        // Groups are offered where there are any.
        const auto* units = panel.findChild<QComboBox*>(QStringLiteral("importanceUnits"));
        QVERIFY(!units->parentWidget()->isHidden());
        ModelInfo own = model();
        own.kvHeads = own.heads;
        panel.setModel(own, viz::HeadPalette(own), 12);
        QVERIFY(units->parentWidget()->isHidden());
    }

    void valuesOfAnotherCacheAreRefused()
    {
        ImportancePanel panel;
        panel.setModel(model(), viz::HeadPalette(model()), 192);
        auto other = std::make_shared<ImportanceComparison>(*comparison());
        other->origin = {"of another cache"};
        panel.setComparison(other);
        QVERIFY(panel.comparison() == nullptr);
        AblationPanel off;
        off.setModel(model(), documents());
        auto otherOff = std::make_shared<SwitchOffResult>(*result());
        otherOff->origin = {"of another cache"};
        off.setResult(otherOff);
        QVERIFY(off.result() == nullptr);
    }

    void headsAreReadAsTheyAreWritten()
    {
        AblationPanel panel;
        panel.setModel(model(), documents());
        auto* run = panel.findChild<QPushButton*>(QStringLiteral("switchOffRun"));
        auto* heads = panel.findChild<QLineEdit*>(QStringLiteral("switchOffHeads"));
        QVERIFY(!run->isEnabled()); // no head
        heads->setText(QStringLiteral("1-3,6"));
        QVERIFY(run->isEnabled());
        QCOMPARE(panel.heads(), (std::vector<std::int64_t>{0, 1, 2, 5}));
        QVERIFY(!heads->property("invalid").toBool());
        heads->setText(QStringLiteral("7"));
        QVERIFY(!run->isEnabled());
        QVERIFY(heads->property("invalid").toBool());
        QCOMPARE(panel.ofText(), QStringLiteral("Expected heads from 1 to 6, such as 1-3,9"));
        panel.setHeads(29, {2, 3});
        QCOMPARE(heads->text(), QStringLiteral("3-4"));
        QCOMPARE(panel.choices().layer, 29);
        QSignalSpy asked(&panel, &AblationPanel::runRequested);
        QTest::keyClick(heads, Qt::Key_Return);
        QCOMPARE(asked.count(), 1);
    }

    void whatChangedIsListed()
    {
        AblationPanel panel;
        panel.setModel(model(), documents());
        panel.setResult(result());
        QVERIFY(panel.result() != nullptr);
        QAbstractItemModelTester tester(panel.table()->model());
        QCOMPARE(panel.ofText().replace(QChar::Nbsp, u' '),
                 QStringLiteral("Heads 1-3 of layer 12 set to zero · 4 of 6 documents"));
        QCOMPARE(panel.valueText(0, true), QStringLiteral("0.8200 (0.7200 to 0.9200)"));
        QCOMPARE(panel.valueText(2, true), QStringLiteral("1 of 4"));
        QCOMPARE(panel.valueText(0, false), QStringLiteral("–"));
        QVERIFY(panel.legendText().contains(
            QStringLiteral("No cache-only ablation: the cache has no stage 1 of layer 12.")));
        QVERIFY(panel.legendText().contains(QStringLiteral("Not shown on the map: there is no map yet.")));
        QCOMPARE(panel.table()->model()->rowCount(), 4);
        QCOMPARE(cell(panel.table(), 0, 0), QStringLiteral("d2"));
        QCOMPARE(cell(panel.table(), 0, 1), QStringLiteral("0.5000"));
        QCOMPARE(cell(panel.table(), 0, 2), QStringLiteral("1"));
        QCOMPARE(cell(panel.table(), 3, 0), QStringLiteral("d5")); // no cosine
        panel.setPointed(DocumentIndex(2));
        const QTableWidget* nearest = panel.nearest();
        QCOMPARE(nearest->columnCount(), 2);
        QCOMPARE(nearest->item(0, 0)->text(), QStringLiteral("d0"));
        QCOMPARE(nearest->item(0, 1)->text(), QStringLiteral("● d5"));
        QCOMPARE(nearest->item(1, 1)->text(), QStringLiteral("d3"));
        panel.setPointed(DocumentIndex(4)); // not drawn
        QCOMPARE(nearest->rowCount(), 0);
        QSignalSpy clicked(&panel, &AblationPanel::documentClicked);
        Q_EMIT panel.table()->clicked(panel.table()->model()->index(0, 0));
        QCOMPARE(clicked.takeFirst().at(0).value<DocumentIndex>(), DocumentIndex(2));
    }

    void thePageIsPartOfTheHeadsTab()
    {
        HeadsView view;
        view.resize(1000, 700);
        view.show();
        QVERIFY(test::exposed(&view));
        QVERIFY(!view.isRunningShown());
        QTest::mouseClick(view.findChild<QToolButton*>(QStringLiteral("headsRunning")), Qt::LeftButton);
        QVERIFY(view.isRunningShown());
        QVERIFY(view.running()->isVisible());
        view.setRunningShown(false);
        QVERIFY(view.findChild<QToolButton*>(QStringLiteral("headsCached"))->isChecked());
    }

    void pictures()
    {
        HeadsView view;
        view.resize(1000, 900);
        view.running()->importance()->setModel(model(), viz::HeadPalette(model()), 192);
        view.running()->importance()->setComparison(comparison());
        view.running()->switchOff()->setModel(model(), documents());
        view.running()->switchOff()->setResult(result());
        view.running()->switchOff()->setPointed(DocumentIndex(2));
        view.setRunningShown(true);
        view.show();
        QVERIFY(test::exposed(&view));
        test::savePictures(view, QStringLiteral("running-page"));
    }
};

HEADSCOPE_WINDOW_TEST(TestRunningPage)
#include "tst_running_page.moc"
