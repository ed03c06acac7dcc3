// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/chosen/chosen_panel.h"

#include "tests/support/verify.h"
#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "ui/models/chosen_bars_model.h"
#include "ui/models/chosen_model.h"
#include "ui/models/roles.h"
#include "ui/panels/chosen/chosen_bars.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"

#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>
#include <QVariantList>

#include <algorithm>

using namespace headscope;
using namespace headscope::ui;
using Rows = std::vector<std::int64_t>;
using BarsKind = ChosenBarsModel::Kind;

class TestChosenPanel : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ChosenPanel> m_panel;

    static std::shared_ptr<const ChosenSummary> summary(const PointSet& points, bool byPoints = true,
                                                        std::int64_t groupSize = 4, std::int64_t documents = 40)
    {
        ChosenQuestion question;
        question.documents = test::sampleDocuments(documents);
        question.chosen = points.documents();
        question.points = byPoints ? std::make_shared<const PointSet>(points) : nullptr;
        question.map = test::sampleMap(documents)->points;
        question.heads = allIndices(32);
        question.groupSize = groupSize;
        JobContext job;
        auto made = summarizeChoice(question, job);
        return made ? std::make_shared<const ChosenSummary>(std::move(*made)) : nullptr;
    }

    static PointSet somePoints()
    {
        // Three documents: 2 with heads 4 and 5, 11 with head 5, 30 with heads 5, 6 and 31.
        PointSet points({2}, {4, 5});
        points = combinePoints(points, PointSet({11}, {5}), SetOperation::Add);
        return combinePoints(points, PointSet({30}, {5, 6, 31}), SetOperation::Add);
    }

    void show(const std::shared_ptr<const ChosenSummary>& counted, Stage stage = Stage::HeadOutput)
    {
        const auto table = std::make_shared<const ChosenTable>(counted, stage);
        JobContext job;
        const auto rows = table->arranged(m_panel->order(), job);
        QVERIFY(rows.has_value());
        m_panel->setCounts(std::ssize(counted->chosen), counted->documents->count(),
                           counted->byPoints ? std::optional(counted->points.count()) : std::nullopt);
        m_panel->setTable(table, *rows);
    }

    [[nodiscard]] QStringList barTexts() const
    {
        QStringList texts;
        const ChosenBarsModel* model = m_panel->barsModel();
        for (int row = 0; row < model->rowCount(); ++row)
            texts << model->index(row).data().toString();
        return texts;
    }

    [[nodiscard]] int barRow(const QString& text) const { return static_cast<int>(barTexts().indexOf(text)); }

    void clickBar(const QString& text, Qt::KeyboardModifiers keys = {})
    {
        const int row = barRow(text);
        QVERIFY2(row >= 0, qPrintable(text));
        const QModelIndex index = m_panel->barsModel()->index(row);
        m_panel->bars()->scrollTo(index);
        QTest::mouseClick(m_panel->bars()->viewport(), Qt::LeftButton, keys,
                          m_panel->bars()->visualRect(index).center());
    }

    template <class T>
    T* child(const char* name)
    {
        return m_panel->findChild<T*>(QLatin1StringView(name));
    }

private Q_SLOTS:
    void init()
    {
        m_panel = std::make_unique<ChosenPanel>();
        m_panel->resize(280, 760);
        m_panel->setHeadPalette(viz::HeadPalette(8, 4));
        m_panel->show();
        QVERIFY(test::exposed(m_panel.get()));
    }
    void cleanup() { m_panel.reset(); }

    /// The sentence stands inside the panel, whole, and on the panel's own ground.
    void theEmptyPageFitsThePanel()
    {
        m_panel->setCounts(0, 40, {});
        for (const int width : {268, 280, 420, 700})
        {
            m_panel->resize(width, 500);
            test::passMs(5);
            QCOMPARE(m_panel->width(), width);
            const EmptyState* empty = m_panel->emptyState();
            QCOMPARE(empty->width(), width);
            for (const QLabel* label : empty->findChildren<QLabel*>())
            {
                QVERIFY2(empty->rect().contains(label->geometry()), qPrintable(label->text()));
                if (label->wordWrap())
                    QVERIFY(label->height() >= label->heightForWidth(label->width()));
            }
            QCOMPARE(m_panel->grab().toImage().pixelColor(2, 490), Theme::instance().colors().frame);
        }
        QVERIFY(m_panel->minimumSizeHint().width() <= 268);
    }

    void theEmptyPageSaysHowToChoose()
    {
        m_panel->setCounts(0, 40, {});
        QVERIFY(m_panel->isEmptyShown());
        QVERIFY(m_panel->emptyState()->text().contains(QStringLiteral("lasso")));
        QSignalSpy asked(m_panel.get(), &ChosenPanel::lassoRequested);
        QTest::mouseClick(m_panel->emptyState()->findChild<QPushButton*>(), Qt::LeftButton);
        QCOMPARE(asked.count(), 1);
        test::savePictures(*m_panel, QStringLiteral("chosen_empty"));
        m_panel->setCounts(3, 40, 6);
        QVERIFY(!m_panel->isEmptyShown());
        QCOMPARE(m_panel->countsText(), QStringLiteral("6\u00A0points in 3 of 40\u00A0documents"));
        m_panel->setCounts(3, 40, {});
        QCOMPARE(m_panel->countsText(), QStringLiteral("3 of 40\u00A0documents"));
    }

    void theTableSaysWhatIsChosen()
    {
        new QAbstractItemModelTester(m_panel->model(), QAbstractItemModelTester::FailureReportingMode::QtTest,
                                     m_panel.get());
        show(summary(somePoints()));
        const ChosenModel* model = m_panel->model();
        QCOMPARE(model->rowCount(), 3);
        QStringList titles;
        for (int column = 0; column < model->columnCount(); ++column)
            titles << model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        QCOMPARE(titles, (QStringList{QStringLiteral("Document"), QStringLiteral("First line"), QStringLiteral("topic"),
                                      QStringLiteral("Points"), QStringLiteral("Heads")}));
        const auto row = [model](int at) {
            QStringList cells;
            for (int column = 0; column < model->columnCount(); ++column)
                cells << model->index(at, column).data().toString();
            return cells;
        };
        QCOMPARE(row(0), (QStringList{QStringLiteral("doc-2"), QStringLiteral("Text number 2 says something short."),
                                      QStringLiteral("History"), QStringLiteral("2"), QStringLiteral("5-6")}));
        QCOMPARE(row(2).last(), QStringLiteral("6-7,32"));
        QCOMPARE(model->index(0, 0).data(DocumentRole).toLongLong(), 2);
        QCOMPARE(model->index(2, 3).data(SortRole).toLongLong(), 3);
        // Segments are never called heads.
        show(summary(somePoints(), true, 1), Stage::OutputSegment);
        QCOMPARE(model->headerData(4, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("Segments"));
        QVERIFY(!barTexts().filter(QStringLiteral("egment 6")).isEmpty());
        QVERIFY(barTexts().filter(QStringLiteral("ead")).isEmpty());
        QVERIFY(barTexts().filter(QStringLiteral("KV")).isEmpty());
    }

    void isSortedAndFiltered_data()
    {
        QTest::addColumn<int>("column");
        QTest::addColumn<bool>("descending");
        QTest::addColumn<QString>("filter");
        QTest::addColumn<Rows>("documents");
        QTest::newRow("by id") << 0 << false << QString() << Rows{2, 11, 30}; // "doc-2" before "doc-11"
        QTest::newRow("by id, back") << 0 << true << QString() << Rows{30, 11, 2};
        QTest::newRow("by label, ties as they stand") << 2 << false << QString() << Rows{2, 30, 11};
        QTest::newRow("by points") << 3 << true << QString() << Rows{30, 2, 11};
        QTest::newRow("by heads") << 4 << false << QString() << Rows{2, 11, 30};
        QTest::newRow("words of a text") << 0 << false << QStringLiteral("number 30") << Rows{30};
        QTest::newRow("a label") << 0 << false << QStringLiteral("history") << Rows{2, 30};
        QTest::newRow("a label and an id") << 0 << false << QStringLiteral("history doc-2") << Rows{2};
        QTest::newRow("nothing") << 0 << false << QStringLiteral("xyzzy") << Rows{};
    }
    void isSortedAndFiltered()
    {
        QFETCH(int, column);
        QFETCH(bool, descending);
        QFETCH(QString, filter);
        QFETCH(Rows, documents);
        const ChosenTable table(summary(somePoints()), Stage::HeadOutput);
        JobContext job;
        const auto rows = table.arranged({column, descending, *TextQuery::parse(filter, TextQuery::Kind::Words)}, job);
        QVERIFY(rows.has_value());
        Rows found;
        for (const std::int64_t row : *rows)
            found.push_back(table.documentOf(row).value());
        QCOMPARE(found, documents);
    }

    /// Labels that are numbers come by their values, where fractions would mislead a comparison of digits.
    void labelsOfNumbersComeByValue()
    {
        auto counted = std::make_shared<ChosenSummary>(*summary(somePoints()));
        auto documents = std::make_shared<DocumentSet>(*counted->documents);
        std::vector<std::string> values(static_cast<std::size_t>(documents->count()));
        values[2] = "2.5";
        values[11] = "-10";
        values[30] = "2.35";
        documents->labels = {makeLabelColumn("price", values)};
        counted->documents = documents;
        const ChosenTable table(counted, Stage::HeadOutput);
        JobContext job;
        const auto rows = table.arranged({2, false, {}}, job);
        QVERIFY(rows.has_value());
        Rows found;
        for (const std::int64_t row : *rows)
            found.push_back(table.documentOf(row).value());
        QCOMPARE(found, (Rows{11, 30, 2}));
    }

    void headerAndFieldAskForAnOrder()
    {
        show(summary(somePoints()));
        QSignalSpy changed(m_panel.get(), &ChosenPanel::orderChanged);
        m_panel->table()->sortByColumn(3, Qt::DescendingOrder);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(m_panel->order().column, 3);
        QVERIFY(m_panel->order().descending);
        m_panel->filter()->setText(QStringLiteral("history"));
        QCOMPARE(changed.count(), 2);
        QCOMPARE(m_panel->order().filter.text(), QStringLiteral("history"));
        m_panel->setRows({2, 0});
        QCOMPARE(child<QLabel>("chosenListed")->text(), QStringLiteral("2 of 3 listed"));
        QVERIFY(child<QLabel>("chosenListed")->isVisible());
        m_panel->setRows({2, 0, 1});
        QVERIFY(!child<QLabel>("chosenListed")->isVisible());
        // Widths and order stay when the same columns are filled anew.
        m_panel->table()->setColumnWidth(1, 123);
        show(summary(PointSet({1, 2}, {0})));
        QCOMPARE(m_panel->table()->columnWidth(1), 123);
        QCOMPARE(m_panel->order().column, 3);
    }

    /// Before, the ground stayed that of the theme the panel was first shown in, under words of the other one.
    void groundAndWordsFollowTheTheme()
    {
        show(summary(somePoints()));
        m_panel->show();
        auto* bars = m_panel->findChild<QListView*>(QStringLiteral("chosenBars"));
        const auto ground = [bars] {
            const QImage picture = bars->viewport()->grab().toImage();
            return picture.pixelColor(1, picture.height() - 2);
        };
        for (const auto scheme : {Theme::Scheme::Dark, Theme::Scheme::Light, Theme::Scheme::Dark})
        {
            Theme::instance().setScheme(scheme);
            QCOMPARE(ground(), Theme::instance().colors().canvas);
        }
        Theme::instance().setScheme(Theme::Scheme::Light);
    }

    void barsCompareTheChoiceWithAll()
    {
        new QAbstractItemModelTester(m_panel->barsModel(), QAbstractItemModelTester::FailureReportingMode::QtTest,
                                     m_panel.get());
        show(summary(somePoints()));
        const ChosenBarsModel* model = m_panel->barsModel();
        // Head 6 (0-based 5) has three of the six points, and its group five.
        QCOMPARE(barTexts().mid(0, 5),
                 (QStringList{QStringLiteral("Heads by KV group"), QStringLiteral("KV group 2"),
                              QStringLiteral("Head 6"), QStringLiteral("Head 5"), QStringLiteral("Head 7")}));
        const QModelIndex group = model->index(1);
        const QModelIndex head = model->index(2);
        // The share is that of the count beside it: 3 of 6 points are 50%. Of what, the title says once.
        QCOMPARE(head.data(ChosenBarsModel::CountRole).toString(), QStringLiteral("3"));
        QCOMPARE(model->index(0).data(ChosenBarsModel::UnitRole).toString(), QStringLiteral("% of selected points"));
        QVERIFY(!head.data(ChosenBarsModel::UnitRole).isValid());
        // The longest bar is not the whole.
        const QString tip = model->index(0).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(QStringLiteral("longest bar is 83%")), qPrintable(tip));
        QCOMPARE(head.data(ChosenBarsModel::ShareRole).toDouble(), 0.5);
        QCOMPARE(head.data(ChosenBarsModel::AllShareRole).toDouble(), 1.0 / 32);
        QCOMPARE(head.data(ChosenBarsModel::IndentRole).toInt(), 1);
        QCOMPARE(head.data(ChosenBarsModel::ColorRole).value<QColor>(), viz::HeadPalette(8, 4).color(HeadIndex(5)));
        QCOMPARE(group.data(ChosenBarsModel::ShareRole).toDouble(), 5.0 / 6);
        QCOMPARE(group.data(ChosenBarsModel::BarRole).toDouble(), 1.0);
        QCOMPARE(head.data(ChosenBarsModel::BarRole).toDouble(), 0.5 / (5.0 / 6)); // on the scale of its group
        QVERIFY2(
            head.data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("3 of the 6\u00A0points selected")),
            qPrintable(head.data(Qt::AccessibleTextRole).toString()));
        const int history = barRow(QStringLiteral("History"));
        QVERIFY(history > 0);
        QCOMPARE(model->index(history).data(ChosenBarsModel::CountRole).toString(), QStringLiteral("2"));
        QCOMPARE(model->index(barRow(QStringLiteral("topic"))).data(ChosenBarsModel::UnitRole).toString(),
                 QStringLiteral("% of selected documents"));
        QVERIFY(barRow(QStringLiteral("tokens")) > history);
        test::savePictures(*m_panel, QStringLiteral("chosen"));
    }

    void longChartsAreBroughtAndTitlesFold()
    {
        show(summary(somePoints()));
        ChosenBarsModel* model = m_panel->barsModel();
        const auto more = barTexts().filter(QStringLiteral(" more"));
        QCOMPARE(more.size(), 1);
        QCOMPARE(more.first(), QStringLiteral("30 more")); // of 8 groups and 32 heads
        const int rows = model->rowCount();
        clickBar(more.first());
        QCOMPARE(model->rowCount(), rows + 30);
        clickBar(QStringLiteral("fewer"));
        QCOMPARE(model->rowCount(), rows);
        clickBar(QStringLiteral("Heads by KV group"));
        QVERIFY(barTexts().filter(QStringLiteral("Head 6")).isEmpty());
        QVERIFY(model->index(0).data(ChosenBarsModel::FoldedRole).toBool());
        show(summary(PointSet({1}, {2}))); // another choice: it stays folded
        QVERIFY(model->index(0).data(ChosenBarsModel::FoldedRole).toBool());
        clickBar(QStringLiteral("Heads by KV group"));
        QVERIFY(barRow(QStringLiteral("Head 3")) > 0);
    }

    void aBarIsAFilter()
    {
        show(summary(somePoints()));
        QSignalSpy clicked(m_panel.get(), &ChosenPanel::barClicked);
        clickBar(QStringLiteral("History"));
        clickBar(QStringLiteral("History"), Qt::ShiftModifier);
        QCOMPARE(clicked.count(), 2);
        QCOMPARE(clicked.at(0), (QVariantList{barRow(QStringLiteral("History")), false}));
        QCOMPARE(clicked.at(1).at(1).toBool(), true);
        // The same by keys.
        m_panel->bars()->setFocus();
        m_panel->bars()->setCurrentIndex(m_panel->barsModel()->index(2));
        QTest::keyClick(m_panel->bars(), Qt::Key_Return);
        QTest::keyClick(m_panel->bars(), Qt::Key_Delete);
        QTest::keyClick(m_panel->bars(), Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(clicked.count(), 5);
        QCOMPARE(clicked.at(2), (QVariantList{2, false}));
        QCOMPARE(clicked.at(3), (QVariantList{2, true}));
        QCOMPARE(clicked.at(4), (QVariantList{2, true}));
        m_panel->bars()->setCurrentIndex(m_panel->barsModel()->index(0));
        QTest::keyClick(m_panel->bars(), Qt::Key_Space); // a title folds
        QCOMPARE(clicked.count(), 5);
        QVERIFY(m_panel->barsModel()->index(0).data(ChosenBarsModel::FoldedRole).toBool());
    }

    void aRowIsShownOpenedAndFollowed()
    {
        show(summary(somePoints()));
        QSignalSpy clicked(m_panel.get(), &ChosenPanel::documentClicked);
        QSignalSpy opened(m_panel.get(), &ChosenPanel::documentOpened);
        QTableView* table = m_panel->table();
        const auto place = [table](int row) { return table->visualRect(table->model()->index(row, 0)).center(); };
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, place(0));
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked.at(0).at(0).value<DocumentIndex>(), DocumentIndex(2));
        QTest::keyClick(table, Qt::Key_Down);
        QTest::keyClick(table, Qt::Key_Down);
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(clicked.last().at(0).value<DocumentIndex>(), DocumentIndex(30));
        // As a hand does it: the second press counts only where the first one was.
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, place(1));
        QCOMPARE(clicked.last().at(0).value<DocumentIndex>(), DocumentIndex(11));
        QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, place(1));
        QCOMPARE(opened.count(), 1);
        QCOMPARE(opened.at(0).at(0).value<DocumentIndex>(), DocumentIndex(11));
        m_panel->setPrimary(DocumentIndex(30));
        QCOMPARE(table->currentIndex().row(), 2);
        m_panel->setPrimary(DocumentIndex(5)); // not of the choice
        QVERIFY(!table->selectionModel()->hasSelection());
        m_panel->setTable(nullptr, {});
        m_panel->setPrimary(DocumentIndex(30));
        QCOMPARE(m_panel->model()->rowCount(), 0);
    }

    void keepsShowsAndSaves()
    {
        show(summary(somePoints()));
        m_panel->setFreeName(QStringLiteral("Set 4"));
        QCOMPARE(child<QLineEdit>("chosenName")->placeholderText(), QStringLiteral("Set 4"));
        QSignalSpy kept(m_panel.get(), &ChosenPanel::keepRequested);
        QSignalSpy only(m_panel.get(), &ChosenPanel::showOnlyRequested);
        QSignalSpy saved(m_panel.get(), &ChosenPanel::saveRequested);
        QTest::keyClicks(child<QLineEdit>("chosenName"), QStringLiteral("island"));
        QTest::keyClick(child<QLineEdit>("chosenName"), Qt::Key_Return);
        QTest::mouseClick(child<QPushButton>("chosenKeep"), Qt::LeftButton);
        QCOMPARE(kept.count(), 2);
        QCOMPARE(kept.at(0).at(0).toString(), QStringLiteral("island"));
        QVERIFY(kept.at(1).at(0).toString().isEmpty());
        QTest::mouseClick(child<QToolButton>("chosenShowOnly"), Qt::LeftButton);
        QTest::mouseClick(child<QToolButton>("chosenSave"), Qt::LeftButton);
        QCOMPARE(only.count() + saved.count(), 2);
    }

    void wholeDocumentsAndSegments()
    {
        show(summary(PointSet(allIndices(20), allIndices(32)), false, 1), Stage::ProjectedSegment);
        QCOMPARE(barTexts().first(), QStringLiteral("Segments"));
        QCOMPARE(m_panel->barsModel()->index(1).data(ChosenBarsModel::CountRole).toString(), QStringLiteral("20"));
        test::savePictures(*m_panel, QStringLiteral("chosen_segments"));
    }
};

HEADSCOPE_WINDOW_TEST(TestChosenPanel)
#include "tst_chosen_panel.moc"
