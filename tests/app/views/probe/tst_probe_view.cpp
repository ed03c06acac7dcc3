// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/probe/probe_view.h"
#include "ui/canvas/picture_widget.h"

#include "app/views/probe/confusion_pane.h"
#include "app/views/probe/confusion_picture.h"
#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "ui/canvas/hover_card.h"
#include "ui/charts/recall_chart.h"
#include "ui/charts/sweep_chart.h"
#include "ui/models/probe_baseline_model.h"
#include "ui/models/roles.h"
#include "ui/widgets/widgets.h"

#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QToolButton>

#include <set>

using namespace headscope;
using namespace headscope::ui;

namespace
{

constexpr Stage kOne = Stage::HeadOutput;
constexpr Stage kThree = Stage::OutputSegment;

std::unique_ptr<ProbeView> openView()
{
    auto view = std::make_unique<ProbeView>();
    view->resize(1000, 760);
    view->setModelInfo(test::sampleModel(), viz::HeadPalette(8, 4));
    view->setEmpty(QStringLiteral("No probe yet"), QStringLiteral("why"), QStringLiteral("Train probe"));
    view->show();
    return view;
}

/// HEADSCOPE_PICTURES=FOLDER keeps what the test saw.
void keepPicture(QWidget& widget, const char* name)
{
    const QString folder = qEnvironmentVariable("HEADSCOPE_PICTURES");
    if (!folder.isEmpty())
        widget.grab().save(folder + u'/' + QLatin1StringView(name) + QStringLiteral(".png"));
}

} // namespace

class TestProbeView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void emptyThenFilledThenEmpty()
    {
        const auto view = openView();
        QVERIFY(view->emptyState()->isVisible());
        QVERIFY(view->bar()->isVisible()); // options can be chosen before the first training
        QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(view.get());
        QCOMPARE(accessible->text(QAccessible::Description), QStringLiteral("No probe trained."));
        view->addRow({test::sampleProbe(kOne, 0.783), nullptr, {}});
        QCOMPARE(accessible->text(QAccessible::Description).replace(QChar::Nbsp, u' '),
                 QStringLiteral("1 probe. Layer 31, stage 1: accuracy 78.3% (95% CI 77.3% to 79.3%), chance 3.1%."));
        view->addRow({test::sampleProbe(kThree, 0.999), nullptr, {}});
        QVERIFY(view->table()->isVisible());
        QCOMPARE(view->chart()->picture().title(), QStringLiteral("Recall per head"));
        const QModelIndex second = view->table()->model()->index(1, 0);
        QTest::mouseClick(view->table()->viewport(), Qt::LeftButton, {}, view->table()->visualRect(second).center());
        QCOMPARE(view->chart()->picture().title(), QStringLiteral("Recall per segment"));
        QVERIFY(view->confusion()->matrix()->picture().result() == view->model()->rows()[1].result);
        QCOMPARE(view->scores()->rowCount(), 32);
        view->clear();
        QVERIFY(view->emptyState()->isVisible());
        QVERIFY(view->confusion()->matrix()->picture().result() == nullptr);
    }

    /// In the room that a window of 1100 x 700 leaves, nothing goes out of sight: all rows of the table, whose columns
    /// scroll where they must, the bar with the buttons below, a matrix with all its cells.
    void fitsASmallWindow()
    {
        const auto view = openView();
        for (const QSize room : {QSize(555, 510), QSize(723, 508), QSize(820, 600)})
        {
            view->clear();
            view->resize(room);
            test::passMs(5);
            QVERIFY2(view->minimumSizeHint().width() <= room.width(),
                     qPrintable(QString::number(view->minimumSizeHint().width())));
            for (const Stage stage : {kOne, Stage::ProjectedSegment, kThree})
                view->addRow({test::sampleProbe(stage, 0.757), nullptr, {}});
            view->setChosen({LayerIndex(31), kThree});
            test::passMs(20);
            const int least =
                std::max(view->minimumSizeHint().height(), view->layout()->totalMinimumHeightForWidth(room.width()));
            QVERIFY2(view->minimumSizeHint().width() <= room.width() && least <= room.height(),
                     qPrintable(QStringLiteral("%1 x %2").arg(view->minimumSizeHint().width()).arg(least)));
            QTableView& table = *view->table();
            QCOMPARE(table.verticalScrollBar()->maximum(), 0);
            const QHeaderView& header = *table.horizontalHeader();
            QCOMPARE(header.hiddenSectionCount(), 0);
            QVERIFY(table.horizontalScrollBar()->maximum() >= header.length() - table.viewport()->width());
            for (int column = 0; column < ProbeTableModel::ColumnCount; ++column)
                QVERIFY(table.columnWidth(column) >= header.sectionSizeHint(column));
            int top = -1; // the pages' buttons stand in one line
            for (const char* name : {"probePage0", "probePage1", "probePage2", "probePage3"})
            {
                const auto* button = view->findChild<QToolButton*>(QLatin1StringView(name));
                const int y = button->mapTo(view.get(), QPoint()).y();
                QVERIFY2(top < 0 || y == top, name);
                top = y;
            }
            PictureWidget& matrix = *view->confusion()->matrix();
            QVERIFY(view->rect().contains(QRect(matrix.mapTo(view.get(), QPoint()), matrix.size())));
            QVERIFY(view->bar()->geometry().bottom() < room.height());
            for (const QWidget* control : view->findChildren<QWidget*>())
                if (control->isVisible() && control->focusPolicy() != Qt::NoFocus)
                {
                    const QRect place(control->mapTo(view.get(), QPoint()), control->size());
                    QVERIFY2(view->rect().contains(place), qPrintable(control->objectName()));
                }
            keepPicture(*view, qPrintable(QStringLiteral("probe-%1").arg(room.width())));
        }
    }

    /// In the room that a window of 1100 x 700 leaves: the numbers have a line each, and none lies under the matrix.
    void theMatrixCoversNoNumbers()
    {
        const auto view = openView();
        auto tested = std::make_shared<ProbeResult>(*test::sampleProbe(kOne, 0.75));
        tested->baselines.emplace();
        tested->baselines->groups = GroupErrors{80, 83, 80.0 / 83, {0.82, 0.99}, 0.25, 1, 280, true, 1.0 / 280};
        ConfusionPane& pane = *view->confusion();
        const auto placeOf = [&pane](const QWidget* inside) {
            return QRect(inside->mapTo(&pane, QPoint()), inside->size());
        };
        for (const QSize room : {QSize(555, 519), QSize(860, 640)})
        {
            view->clear();
            view->resize(room);
            view->addRow({tested, nullptr, {}});
            for (const Stage stage : {Stage::ProjectedSegment, kThree})
                view->addRow({test::sampleProbe(stage, 0.757), nullptr, {}});
            view->showPlace({LayerIndex(31), kOne});
            test::settle();
            const QRect matrix = placeOf(pane.matrix());
            QVERIFY2(matrix.height() >= 140 && pane.rect().contains(matrix),
                     qPrintable(QString::number(matrix.height())));
            for (const FigureLabel* figure : {pane.accuracy(), pane.within(), pane.across()})
                QVERIFY(placeOf(figure).bottom() < matrix.top());
            QVERIFY(pane.within()->toolTip().contains(QStringLiteral("KV group")));
            QCOMPARE(pane.within()->toolTip().contains(QStringLiteral("80 of 83 errors")), room.width() < 600);
            QCOMPARE(pane.within()->detail(), QStringLiteral("82.0 – 99.0%\n80 of 83 errors"));
            // In the small one the intervals are below the matrix, and scrolled to.
            const auto* details = pane.findChild<QLabel*>(QStringLiteral("confusionDetails"));
            const bool isSmall = room.width() < 600;
            QCOMPARE(details->isVisible(), isSmall);
            QCOMPARE(details->text().contains(QStringLiteral("82.0 – 99.0%, 80 of 83 errors")), isSmall);
            QVERIFY(isSmall || pane.findChild<QScrollArea*>()->verticalScrollBar()->maximum() == 0);
            keepPicture(*view, qPrintable(QStringLiteral("probe-figures-%1").arg(room.width())));
        }
        // A window that is lower still scrolls.
        view->resize(555, 420);
        test::settle();
        for (const FigureLabel* figure : {pane.accuracy(), pane.within(), pane.across()})
            QVERIFY(placeOf(figure).bottom() < placeOf(pane.matrix()).top());
        QVERIFY(pane.matrix()->height() >= 140);
    }

    /// Before, the last column took all that was left, and its numbers stood far from the others.
    void columnsAreAsWideAsTheirWords()
    {
        const auto view = openView();
        view->resize(1700, 900);
        for (const Stage stage : {kOne, Stage::ProjectedSegment, kThree})
            view->addRow({test::sampleProbe(stage, 0.757), nullptr, {}});
        test::passMs(20);
        const QTableView& table = *view->table();
        QVERIFY(table.horizontalHeader()->length() < table.viewport()->width());
        QVERIFY(table.columnWidth(ProbeTableModel::FitColumn) < 2 * table.columnWidth(ProbeTableModel::ControlColumn));
    }

    /// In the room that a window of 1600 x 1000 leaves; the widest cells are those of a probe with baselines.
    void noColumnIsCut()
    {
        const auto view = openView();
        view->resize(1050, 760);
        for (const Stage stage : {kOne, Stage::ProjectedSegment, kThree})
        {
            auto probe = std::make_shared<ProbeResult>(*test::sampleProbe(stage, 0.757));
            probe->baselines.emplace();
            probe->baselines->selectivity = 0.43;
            probe->baselines->selectivityCi95 = {0.356, 0.504};
            view->addRow({probe, probe, {}});
        }
        test::settle();
        const QTableView& table = *view->table();
        const QHeaderView& header = *table.horizontalHeader();
        QVERIFY2(header.length() <= table.viewport()->width(),
                 qPrintable(QStringLiteral("%1 of %2").arg(table.viewport()->width()).arg(header.length())));
        for (int column = 0; column < ProbeTableModel::ColumnCount; ++column)
            QVERIFY(table.columnWidth(column) >= header.sectionSizeHint(column));
        keepPicture(*view, "probe-1050");
    }

    void rowsComeOneByOne()
    {
        const auto view = openView();
        view->setChosen({LayerIndex(31), kThree});
        view->addRow({test::sampleProbe(kOne, 0.7, 31), nullptr, {}});
        QVERIFY(view->shownPlace() == ProbeView::Place(LayerIndex(31), kOne));
        // The one that the data panel shows is looked at as soon as it is there.
        view->addRow({test::sampleProbe(kThree, 0.9, 31), nullptr, {}});
        QVERIFY(view->shownPlace() == ProbeView::Place(LayerIndex(31), kThree));
        for (const std::int64_t layer : {0, 1, 2})
            view->addRow({test::sampleProbe(kOne, 0.5 + 0.1 * static_cast<double>(layer), layer), nullptr, {}});
        QVERIFY(view->shownPlace() == ProbeView::Place(LayerIndex(31), kThree));
        QCOMPARE(view->model()->rowCount(), 5);
        QCOMPARE(view->model()->rowOf({LayerIndex(31), kOne}), 3);
        // Several layers: the sweep comes to the front by itself.
        WAIT_FOR(view->page() == ProbeView::Page::Sweep);
        WAIT_FOR(view->sweep()->picture().pixelOf({LayerIndex(1), kOne}).has_value());
        keepPicture(*view, "probe_sweep");
    }

    void aPointOfTheSweepShowsItsMatrix()
    {
        const auto view = openView();
        for (const std::int64_t layer : {0, 1, 2, 3})
        {
            view->addRow({test::sampleProbe(kOne, 0.4 + 0.1 * static_cast<double>(layer), layer),
                          test::sampleProbe(kOne, 0.031, layer),
                          {}});
            view->addRow({test::sampleProbe(kThree, 0.95, layer), nullptr, {}});
        }
        WAIT_FOR(view->page() == ProbeView::Page::Sweep);
        QVERIFY(!view->grab().isNull()); // lays the chart out
        const auto place = view->sweep()->picture().pixelOf({LayerIndex(2), kThree});
        QVERIFY(place.has_value());
        QTest::mouseMove(view->sweep(), place->toPoint());
        QVERIFY(view->sweep()->picture().pointOf(view->sweep()->pointed().value()) ==
                ProbeView::Place(LayerIndex(2), kThree));
        QTest::mouseClick(view->sweep(), Qt::LeftButton, {}, place->toPoint());
        QVERIFY(view->shownPlace() == ProbeView::Place(LayerIndex(2), kThree));
        QVERIFY(view->confusion()->matrix()->picture().result()->layer == 2);
        // And by keys: to the next layer, then down to the other stage.
        view->sweep()->setFocus();
        QTest::keyClick(view->sweep(), Qt::Key_Right);
        QVERIFY(view->sweep()->picture().pointOf(view->sweep()->pointed().value()) ==
                ProbeView::Place(LayerIndex(3), kThree));
        QTest::keyClick(view->sweep(), Qt::Key_Down);
        QVERIFY(view->sweep()->picture().pointOf(view->sweep()->pointed().value()) ==
                ProbeView::Place(LayerIndex(3), kOne));
        QTest::keyClick(view->sweep(), Qt::Key_Return);
        QVERIFY(view->shownPlace() == ProbeView::Place(LayerIndex(3), kOne));
        keepPicture(*view, "probe_control");
    }

    void missingLayersBreakTheCurve()
    {
        SweepChart chart;
        std::vector<ProbeRow> rows;
        for (const std::int64_t layer : {0, 1, 5, 6})
            rows.push_back({test::sampleProbe(kOne, 0.5, layer), nullptr, {}});
        rows.insert(rows.begin() + 2, {test::sampleProbe(kThree, 0.5, 3), nullptr, {}});
        chart.setRows(rows, 32);
        QCOMPARE(chart.curveCount(), 3U); // 0-1, 5-6, and the other stage's 3
        rows.erase(rows.begin() + 2);
        chart.setRows(rows, 32);
        QCOMPARE(chart.curveCount(), 1U); // for all it knows, the cache holds no others
        chart.setRows(rows, 32, {0, 1, 2, 3, 4, 5, 6});
        QCOMPARE(chart.curveCount(), 2U);
        chart.setRows({}, 32);
        QCOMPARE(chart.curveCount(), 0U);
    }

    void theAxisBeginsALittleBelowTheLeast()
    {
        const auto view = openView();
        for (const std::int64_t layer : {0, 1})
            view->addRow({test::sampleProbe(kOne, 0.8, layer), nullptr, {}});
        WAIT_FOR(view->page() == ProbeView::Page::Sweep);
        QVERIFY(view->sweep()->picture().floor() > 0.5);
        QVERIFY(view->sweep()->picture().floor() < 0.8);
        auto* key = view->findChild<QLabel*>(QStringLiteral("sweepKey"));
        QVERIFY(key->text().contains(QStringLiteral("below"))); // chance is out of sight, and said
        QTest::mouseClick(view->findChild<QToolButton*>(QStringLiteral("sweepFromZero")), Qt::LeftButton);
        QCOMPARE(view->sweep()->picture().floor(), 0.0);
        QVERIFY(!key->text().contains(QStringLiteral("below")));
    }

    void figuresOfTheErrors()
    {
        const auto view = openView();
        view->addRow({test::sampleProbe(kOne, 0.75), nullptr, {QStringLiteral("the probe did not converge")}});
        QCOMPARE(view->confusion()->within()->value(), QStringLiteral("25.0%"));
        QCOMPARE(view->confusion()->within()->detail(), QStringLiteral("1,600 of 6,400 vectors"));
        QCOMPARE(view->confusion()->accuracy()->detail(), QStringLiteral("74.0 – 76.0%\non 40\u00a0documents"));
        QCOMPARE(view->confusion()->across()->value(), QStringLiteral("0.0%"));
        QVERIFY(view->confusion()->across()->tip().contains(QStringLiteral("KV group")));
        QCOMPARE(view->confusion()->note(), QStringLiteral("the probe did not converge"));
        // With its null the share is one of the errors, and chance stands beside it.
        auto tested = std::make_shared<ProbeResult>(*test::sampleProbe(kOne, 0.75));
        tested->baselines.emplace();
        tested->baselines->groups = GroupErrors{80, 83, 80.0 / 83, {0.82, 0.99}, 0.25, 1, 280, true, 1.0 / 280};
        view->addRow({tested, nullptr, {}});
        QCOMPARE(view->confusion()->within()->value(), QStringLiteral("96.4%"));
        QCOMPARE(view->confusion()->within()->detail(), QStringLiteral("82.0 – 99.0%\n80 of 83 errors"));
        QVERIFY(!view->confusion()->within()->accessibleName().contains(QLatin1Char('\n')));
        QCOMPARE(view->confusion()->across()->value(), QStringLiteral("25.0%"));
        QVERIFY(view->confusion()->across()->detail().startsWith(QStringLiteral("p 0.00")));
        QVERIFY(view->confusion()->across()->detail().endsWith(QStringLiteral("\nrank 1 of 280 groupings")));
        QVERIFY(view->confusion()->across()->tip().contains(QStringLiteral("rank 1 among 280")));
        // A model whose heads share nothing has no groups to tell apart.
        ModelInfo plain = test::sampleModel();
        plain.kvHeads = plain.heads;
        view->setModelInfo(plain, viz::HeadPalette(32, 1));
        view->addRow({test::sampleProbe(kOne, 0.75), nullptr, {}});
        QVERIFY(!view->confusion()->within()->isVisible());
        QVERIFY(view->table()->isColumnHidden(ProbeTableModel::WithinColumn));
        QCOMPARE(view->confusion()->across()->value(), QStringLiteral("25.0%"));
        QCOMPARE(view->confusion()->across()->toolTip(), QStringLiteral("Proportion of test vectors misclassified"));
    }

    /// Chance, nulls and baselines of the probe that is looked at, with what may mislead in the tips.
    void whatTheAccuracyIsComparedWith()
    {
        const auto view = openView();
        auto probe = std::make_shared<ProbeResult>(*test::sampleProbe(kOne, 0.75));
        probe->effectiveRows = 812.5;
        ProbeBaselines all;
        all.baselines = {{ProbeBaselineKind::MeansRemoved, 0.031, {0.02, 0.04}, 6400, 6400, true},
                         {ProbeBaselineKind::RandomCut, 0.997, {0.98, 1}, 200, 6400, true},
                         {ProbeBaselineKind::ControlTask, 0.25, {0.2, 0.3}, 900, 6400, true}};
        all.selectivity = 0.5;
        all.selectivityCi95 = {0.45, 0.55};
        all.controlDraws = 5;
        all.controlSd = 0.02;
        all.splits = {{0.75, 0.77}, 0.76, 0.014};
        all.null = {0.031, 0.04, 1.0 / 201, 200};
        GroupErrors groups;
        groups.within = 40;
        groups.errors = 50;
        groups.share = 0.8;
        groups.ci95 = {0.7, 0.9};
        groups.chance = 0.097;
        groups.rank = 1;
        groups.groupings = 10'001;
        groups.p = 0.0001;
        all.groups = groups;
        probe->baselines = all;
        view->addRow({probe, nullptr, {}});
        QTest::mouseClick(view->findChild<QToolButton*>(QStringLiteral("probePage3")), Qt::LeftButton);
        QVERIFY(view->page() == ProbeView::Page::Baselines);
        const QAbstractItemModel& rows = *view->findChild<QTableView*>(QStringLiteral("probeBaselines"))->model();
        QStringList names;
        for (int row = 0; row < rows.rowCount(); ++row)
            names << rows.index(row, ProbeBaselineModel::NameColumn).data().toString();
        QCOMPARE(names,
                 (QStringList{QStringLiteral("The probe"), QStringLiteral("Mean of 2 splits"), QStringLiteral("Chance"),
                              QStringLiteral("Heads permuted"), QStringLiteral("Means subtracted"),
                              QStringLiteral("Random partition"), QStringLiteral("Control task"),
                              QStringLiteral("Control-task gap"), QStringLiteral("Errors within KV group")}));
        const auto tip = [&rows](int row) { return rows.index(row, 0).data(Qt::ToolTipRole).toString(); };
        QVERIFY(tip(4).contains(QStringLiteral("by construction")));
        QVERIFY(tip(8).contains(QStringLiteral("rank 1 among 10,001")));
        QVERIFY2(tip(7).contains(
                     QStringLiteral("mean over 5 samples of the task (standard deviation of the accuracies: 0.020)")) &&
                     tip(7).contains(QStringLiteral("Student's t over the replicates")),
                 qPrintable(tip(7)));
        QCOMPARE(rows.index(4, ProbeBaselineModel::IntervalColumn).data().toString(), QString()); // by construction
        QCOMPARE(rows.index(7, ProbeBaselineModel::IntervalColumn).data().toString(), QStringLiteral("0.450 – 0.550"));
        const auto cell = [&view](int column, int role) {
            return view->model()->index(0, column).data(role).toString();
        };
        QCOMPARE(cell(ProbeTableModel::ControlGapColumn, Qt::DisplayRole), QStringLiteral("0.500 (0.450 – 0.550)"));
        QVERIFY(cell(ProbeTableModel::ControlGapColumn, Qt::ToolTipRole).contains(QStringLiteral("Student's t")));
        QVERIFY(
            cell(ProbeTableModel::WithinColumn, Qt::ToolTipRole).startsWith(QStringLiteral("0.800 (0.700 – 0.900)")));
        QVERIFY(cell(ProbeTableModel::RowsColumn, Qt::ToolTipRole)
                    .contains(QStringLiteral("of 40\u00a0documents in the test")));
        for (int column = 0; column < ProbeTableModel::ColumnCount; ++column) // a word of the statistics of heads
            for (const int role : {int{Qt::DisplayRole}, int{Qt::ToolTipRole}})
                QVERIFY(!view->model()
                             ->headerData(column, Qt::Horizontal, role)
                             .toString()
                             .contains(QStringLiteral("electivity")));
        QVERIFY(cell(ProbeTableModel::IntervalColumn, Qt::ToolTipRole)
                    .contains(QStringLiteral("effective sample size of 812.5")));
        QVERIFY(cell(ProbeTableModel::WithinColumn, Qt::ToolTipRole).contains(QStringLiteral("Rank 1 among")));
        QVERIFY(view->confusion()->accuracy()->toolTip().contains(QStringLiteral("chance is 3.1%")));
        keepPicture(*view, "probe_baselines");
        // One that has none says why, and keeps what needs none.
        view->addRow({test::sampleProbe(kThree, 0.99), nullptr, {}});
        view->showPlace({LayerIndex(31), kThree});
        QCOMPARE(rows.rowCount(), 2);
        const auto* note = view->findChild<QLabel*>(QStringLiteral("probeBaselineNote"));
        QVERIFY(note->text().contains(QStringLiteral("1,000,000")));
        QVERIFY(note->text().contains(QStringLiteral("from an earlier version")));
        QVERIFY(cell(ProbeTableModel::ControlGapColumn, Qt::DisplayRole).startsWith(QStringLiteral("0.500")));
    }

    void scoresOfEachHead()
    {
        const auto view = openView();
        auto probe = std::make_shared<ProbeResult>(*test::sampleProbe(kOne, 0.8));
        probe->perHead[5].recallCi95 = {0.6, 0.9};
        view->addRow({probe, nullptr, {}});
        const FrameModel& model = *view->scores();
        QCOMPARE(model.rowCount(), 32);
        const auto cell = [&model](int column, int role = Qt::DisplayRole) {
            return model.index(5, column).data(role).toString();
        };
        QCOMPARE(cell(0), QStringLiteral("Head 6"));
        QCOMPARE(cell(1), QStringLiteral("KV2"));
        QCOMPARE(cell(2), QStringLiteral("0.800"));
        QVERIFY2(cell(3, Qt::ToolTipRole).startsWith(QStringLiteral("95% interval: 0.600 – 0.900\n")),
                 qPrintable(cell(3, Qt::ToolTipRole)));
        QCOMPARE(cell(5), QStringLiteral("7  (40 vectors)"));
        QCOMPARE(model.index(5, 5).data(SortRole).toDouble(), 40.0);
        QVERIFY(model.index(5, 0).data(Qt::DecorationRole).value<QColor>() ==
                viz::HeadPalette(8, 4).color(HeadIndex(5)));
        for (int column = 0; column < model.columnCount(); ++column)
            for (const int role : {int{Qt::DisplayRole}, int{Qt::ToolTipRole}})
                QVERIFY(!model.headerData(column, Qt::Horizontal, role).toString().isEmpty());
        const auto* table = view->findChild<QTableView*>(QStringLiteral("probeScores"));
        QVERIFY(!table->isColumnHidden(1));
        // Segments are in no KV group, and have their own name.
        view->addRow({test::sampleProbe(kThree, 0.9), nullptr, {}});
        view->showPlace({LayerIndex(31), kThree});
        QCOMPARE(cell(0), QStringLiteral("Segment 6"));
        QCOMPARE(model.headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("Segment"));
        QVERIFY(table->isColumnHidden(1));
    }

    void aCellChoosesItsDocuments()
    {
        const auto view = openView();
        const auto probe = test::sampleProbe(kOne, 0.9);
        view->addRow({probe, nullptr, {}});
        QVERIFY(!view->grab().isNull());
        PictureOf<ConfusionPicture>* matrix = view->confusion()->matrix();
        std::vector<std::int64_t> documents;
        SetOperation how = SetOperation::Remove;
        QString what;
        connect(view.get(), &ProbeView::documentsChosen, this,
                [&](const std::vector<std::int64_t>& chosen, SetOperation operation, const QString& text) {
                    documents = chosen;
                    how = operation;
                    what = text;
                });
        QSignalSpy hovered(view.get(), &ProbeView::headHovered);
        const QPoint cell = matrix->picture().matrix().cellRect({4, 5}).center().toPoint();
        QTest::mouseMove(matrix, cell);
        QVERIFY(matrix->picture().cellOf(matrix->pointed().value()) == ConfusionPicture::Cell(4, 5));
        QCOMPARE(hovered.count(), 1);
        QVERIFY(matrix->accessibleDescription().contains(QStringLiteral("KV")));
        QTest::mouseClick(matrix, Qt::LeftButton, {}, cell);
        QCOMPARE(documents, documentsOfCell(*probe, 4, 5));
        QVERIFY(!documents.empty());
        QVERIFY(how == SetOperation::Replace);
        QCOMPARE(what, QStringLiteral("Head 5 classified as 6"));
        QTest::mouseClick(matrix, Qt::LeftButton, Qt::ShiftModifier, cell);
        QVERIFY(how == SetOperation::Add);
        // By keys: one cell on, where nothing was confused.
        QTest::keyClick(matrix, Qt::Key_Right);
        QVERIFY(matrix->picture().cellOf(matrix->pointed().value()) == ConfusionPicture::Cell(4, 6));
        documents.clear();
        QTest::keyClick(matrix, Qt::Key_Return);
        QVERIFY(documents.empty());
        QVERIFY(view->confusion()->note().contains(QStringLiteral("no test vectors")));
        keepPicture(*view, "probe_cell");
        // Another result: what was said of a cell of the one before is no longer true.
        view->addRow({test::sampleProbe(kThree, 0.9), nullptr, {}});
        QTest::mouseClick(view->table()->viewport(), Qt::LeftButton, {},
                          view->table()->visualRect(view->table()->model()->index(1, 0)).center());
        QCOMPARE(matrix->picture().result()->stage, kThree);
        QCOMPARE(matrix->accessibleDescription(), matrix->picture().summary());
        QVERIFY(matrix->accessibleDescription().contains(QStringLiteral("are classified correctly")));
    }

    void chartShowsTheHeadsColours()
    {
        PictureOf<RecallChart> chart;
        chart.resize(700, 300);
        const viz::HeadPalette palette(8, 4);
        chart.picture().setResult(test::sampleProbe(kOne, 0.9), palette);
        chart.show();
        const QImage picture = chart.grab().toImage();
        std::set<QRgb> seen;
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < picture.width(); ++x)
                seen.insert(picture.pixel(x, y));
        for (std::int64_t head = 0; head < 32; ++head)
            QVERIFY2(seen.contains(palette.color(HeadIndex(head)).rgb()), qPrintable(QString::number(head)));
        QCOMPARE(chart.picture().lineNames(),
                 QStringList({QStringLiteral("all vectors 0.900"), QStringLiteral("chance 0.031")}));
        // An interval is painted over its bar and above it.
        auto sure = std::make_shared<ProbeResult>(*test::sampleProbe(kOne, 0.5));
        for (HeadScore& score : sure->perHead)
            score.recallCi95 = {};
        chart.picture().setResult(sure, palette);
        const QImage without = chart.grab().toImage();
        auto wide = std::make_shared<ProbeResult>(*sure);
        wide->perHead[5].recallCi95 = {0.2, 0.8};
        chart.picture().setResult(wide, palette);
        const QImage with = chart.grab().toImage();
        int top = with.height();
        int bottom = 0;
        for (int y = 0; y < with.height(); ++y)
            for (int x = 0; x < with.width(); ++x)
                if (with.pixel(x, y) != without.pixel(x, y))
                {
                    QVERIFY(chart.picture().placeOf(5).contains(QPointF(x, y)));
                    top = std::min(top, y);
                    bottom = std::max(bottom, y);
                }
        const QRectF slot = chart.picture().placeOf(5);
        QVERIFY(std::abs(top - (slot.bottom() - 0.8 * slot.height())) < 2);
        QVERIFY(std::abs(bottom - (slot.bottom() - 0.2 * slot.height())) < 2);
        chart.picture().setResult(test::sampleProbe(kOne, 0.9), palette);
        // Pointing at a bar says its numbers.
        QTest::mouseMove(&chart, chart.picture().placeOf(5).center().toPoint());
        QCOMPARE(chart.pointed(), std::optional<std::size_t>(5));
        QCOMPARE(chart.hoverCard()->content().title, QStringLiteral("Head 6"));
        QCOMPARE(chart.hoverCard()->content().subtitle, QStringLiteral("precision 0.900 · F1 0.900"));
        chart.picture().setResult(nullptr, palette);
        QVERIFY(!chart.grab().isNull());
    }

    void theOptionsAreAskedFor()
    {
        const auto view = openView();
        ProbeBar& bar = *view->bar();
        bar.setLayers(LayerIndex(31), 2);
        ProbeChoice choice = bar.choice();
        QVERIFY(choice.options.split == ProbeSplit::Documents && choice.options.c == 1 && !choice.control);
        QVERIFY(choice.options.testShare == ProbeOptions().testShare && !choice.allLayers);
        auto* options = bar.findChild<QToolButton*>(QStringLiteral("probeOptions"));
        QTest::mouseClick(options, Qt::LeftButton);
        auto* split = bar.findChild<QComboBox*>(QStringLiteral("probeSplit"));
        QVERIFY(split->isVisible());
        auto* warning = bar.findChild<QLabel*>(QStringLiteral("probeWarning"));
        QVERIFY(!warning->isVisible());
        split->setCurrentIndex(1);
        QVERIFY(warning->isVisible());
        bar.findChild<QSpinBox*>(QStringLiteral("probeTestShare"))->setValue(30);
        bar.findChild<QSpinBox*>(QStringLiteral("probeSeed"))->setValue(7);
        auto* c = bar.findChild<QLineEdit*>(QStringLiteral("probeC"));
        c->selectAll();
        QTest::keyClicks(c, QStringLiteral("0.5"));
        QTest::mouseClick(bar.findChild<QCheckBox*>(QStringLiteral("probeControl")), Qt::LeftButton, {}, {8, 8});
        bar.findChild<QComboBox*>(QStringLiteral("probeLayers"))->setCurrentIndex(1);
        choice = bar.choice();
        QVERIFY(choice.options.split == ProbeSplit::Rows && choice.options.c == 0.5 && choice.options.seed == 7);
        QVERIFY(choice.options.testShare == 0.3 && choice.control && choice.allLayers);
        QCOMPARE(options->text(), QStringLiteral("By vectors · C 0.5 · test 30% · seed 7"));
        keepPicture(*view, "probe_options");
        c->clear();
        QVERIFY(!bar.findChild<QPushButton*>(QStringLiteral("probeTrain"))->isEnabled());
        bar.setLayers(LayerIndex(31), 1); // nothing to sweep over
        QVERIFY(!bar.choice().allLayers);
    }

    void trainAndStopChangePlaces()
    {
        const auto view = openView();
        QSignalSpy train(view.get(), &ProbeView::trainRequested);
        QSignalSpy stop(view.get(), &ProbeView::stopRequested);
        QTest::mouseClick(view->findChild<QPushButton*>(QStringLiteral("probeTrain")), Qt::LeftButton);
        QCOMPARE(train.count(), 1);
        view->bar()->setRunning(true);
        QVERIFY(!view->findChild<QPushButton*>(QStringLiteral("probeTrain"))->isVisible());
        QTest::mouseClick(view->findChild<QPushButton*>(QStringLiteral("probeStop")), Qt::LeftButton);
        QCOMPARE(stop.count(), 1);
    }
};

HEADSCOPE_WINDOW_TEST(TestProbeView)
#include "tst_probe_view.moc"
