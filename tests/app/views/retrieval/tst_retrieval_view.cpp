// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/retrieval/head_mixer.h"
#include "app/views/retrieval/query_row.h"
#include "app/views/retrieval/retrieval_view.h"
#include "tests/support/test_program.h"
#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "ui/models/ranking_model.h"
#include "ui/models/roles.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>

#include <memory>

using namespace headscope;
using namespace headscope::ui;

namespace
{

std::shared_ptr<const RetrievalComparison> sampleComparison()
{
    auto made = std::make_shared<RetrievalComparison>();
    made->query = "d0";
    made->document = DocumentIndex(0);
    made->relevant = {4};
    made->first.strategy = VotingStrategy::Multirag;
    made->first.results = {{DocumentIndex(3), 1.5, {{HeadIndex(0), 0, 1.0}, {HeadIndex(2), 1, 0.5}}},
                           {DocumentIndex(4), 0.75, {{HeadIndex(1), 0, 0.75}}},
                           {DocumentIndex(7), 0.5, {{HeadIndex(2), 0, 0.5}}}};
    made->second.strategy = VotingStrategy::Standard;
    made->second.results = {{DocumentIndex(4), 0.125, {}}, {DocumentIndex(3), 0.25, {}}, {DocumentIndex(9), 0.5, {}}};
    return made;
}

} // namespace

class TestRetrievalView : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<HeadMixer> m_mixer;

private Q_SLOTS:
    void initTestCase() { test::prepareApplication(*qApp); }
    void init()
    {
        m_mixer = std::make_unique<HeadMixer>();
        const ModelInfo info = test::sampleModel(); // 32 heads in 8 groups
        m_mixer->setModel(info, viz::HeadPalette(info));
    }

    void modelSaysWhereDocumentsStandInTheOtherList()
    {
        RankingModel first(RankingModel::Side::First);
        const QAbstractItemModelTester tester(&first, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(first.rowCount(), 0);
        first.setComparison(sampleComparison(), test::sampleDocuments(), "topic");
        QCOMPARE(first.rowCount(), 3);
        const auto text = [&first](int row, int column) { return first.index(row, column).data().toString(); };
        QCOMPARE(text(0, RankingModel::RankColumn), QStringLiteral("1"));
        QCOMPARE(text(1, RankingModel::RankColumn), QStringLiteral("2 ✓")); // relevant
        QCOMPARE(text(0, RankingModel::MovedColumn), QStringLiteral("▲ 1"));
        QCOMPARE(text(1, RankingModel::MovedColumn), QStringLiteral("▼ 1"));
        QCOMPARE(text(2, RankingModel::MovedColumn), QStringLiteral("new"));
        const auto alignment = [&first](int column) {
            return Qt::Alignment(first.index(0, column).data(Qt::TextAlignmentRole).toInt());
        };
        QVERIFY(alignment(RankingModel::DocumentColumn).testFlag(Qt::AlignLeft)); // a text, whatever the frame has
        QCOMPARE(first.largestVotes(), 1.5);
        QCOMPARE(first.index(2, 0).data(DocumentRole).toLongLong(), 7);

        RankingModel second(RankingModel::Side::Second);
        second.setComparison(sampleComparison(), test::sampleDocuments(), "topic");
        QVERIFY(!second.votesByHead());
        QCOMPARE(second.index(0, RankingModel::VotesColumn).data().toString(), QLocale().toString(0.875, 'f', 2));
    }

    void mixerBeginsPlain()
    {
        QVERIFY(m_mixer->isPlain());
        QCOMPARE(m_mixer->votingCount(), 32);
        QVERIFY(m_mixer->groupFader(7) != nullptr);
    }

    void scoresMoveFadersAndNoFactor()
    {
        std::vector<double> scores(32, 1.0);
        scores[3] = 0.25;
        scores[4] = 0;
        m_mixer->setScores(scores);
        QVERIFY(m_mixer->isPlain());
        QCOMPARE(m_mixer->fader(0)->maximum(), 200);
        QCOMPARE(m_mixer->fader(3)->maximum(), 800); // a quarter as high
        QVERIFY(m_mixer->fader(4)->maximum() > 800);
    }

    void muteSoloAndGroups()
    {
        QSignalSpy changed(m_mixer.get(), &HeadMixer::factorsChanged);
        m_mixer->muteButton(0)->click();
        QCOMPARE(m_mixer->factors()[0], 0.0);
        QCOMPARE(m_mixer->votingCount(), 31);
        m_mixer->groupFader(0)->setValue(50);
        QCOMPARE(m_mixer->factors()[1], 0.5);
        QCOMPARE(m_mixer->factors()[4], 1.0);
        m_mixer->soloButton(1)->click();
        QCOMPARE(m_mixer->votingCount(), 1);
        m_mixer->soloButton(9)->click();
        QCOMPARE(m_mixer->votingCount(), 2);
        QCOMPARE(m_mixer->factors()[1], 0.5);
        QCOMPARE(changed.count(), 4);
        m_mixer->reset();
        QVERIFY(m_mixer->isPlain());
        QCOMPARE(changed.count(), 5); // once, not once a fader
    }

    void faderFollowsMouseAndKeys()
    {
        m_mixer->show();
        QVERIFY(test::exposed(m_mixer.get()));
        Fader* fader = m_mixer->fader(5);
        QCOMPARE(QAccessible::queryAccessibleInterface(fader)->role(), QAccessible::Slider);
        QTest::mouseClick(fader, Qt::LeftButton, {}, QPoint(fader->width() / 2, 1));
        QCOMPARE(fader->value(), fader->maximum());
        QTest::keyClick(fader, Qt::Key_Home);
        QCOMPARE(fader->value(), 100);
        QTest::keyClick(fader, Qt::Key_Down);
        QCOMPARE(fader->value(), 95);
        QTest::mouseDClick(fader, Qt::LeftButton);
        QCOMPARE(fader->value(), 100);
    }

    void headsThatAreNotChosenDoNotVote()
    {
        m_mixer->fader(2)->setValue(50);
        QSignalSpy changed(m_mixer.get(), &HeadMixer::factorsChanged);
        m_mixer->setShownHeads({0, 2, 9});
        QCOMPARE(changed.count(), 1);
        QCOMPARE(m_mixer->votingCount(), 3);
        QCOMPARE(m_mixer->factors()[1], 0.0);
        QCOMPARE(m_mixer->factors()[2], 0.5); // faders keep their places
        QVERIFY(!m_mixer->fader(1)->isEnabled());
        QVERIFY(m_mixer->fader(1)->toolTip().contains(QStringLiteral("not selected")));
        QVERIFY(m_mixer->fader(0)->isEnabled());
        QVERIFY(!m_mixer->groupFader(5)->isEnabled()); // none of its heads votes
        QVERIFY(!m_mixer->isPlain());
        m_mixer->reset();
        QVERIFY(m_mixer->isPlain()); // the choice at the left is no setting of the desk
        m_mixer->setShownHeads({});
        QCOMPARE(m_mixer->votingCount(), 0);
    }

    void withoutADirectionItSaysWhy()
    {
        RetrievalView view;
        const ModelInfo info = test::sampleModel();
        view.setStudy(info, viz::HeadPalette(info), test::sampleDocuments(), "topic");
        auto made = std::make_shared<RetrievalComparison>(*sampleComparison());
        made->first.silent = {2};
        made->first.notRanked = 2;
        made->second.silent = {0};
        made->second.onFullVector = true;
        made->second.isAnswered = false;
        made->second.results.clear();
        view.setComparison(made);
        const QString two = countText(2, QStringLiteral("document"), QStringLiteral("documents"));
        QCOMPARE(
            view.metricsText(RankingModel::Side::First),
            QStringLiteral("Head 3 has no direction for the query and does not vote: its vector is zero.\n%1 without "
                           "a direction, which cannot be found")
                .arg(two));
        QVERIFY2(view.shownText().contains(chosenHeadsText(31, 32)), qPrintable(view.shownText()));
        QCOMPARE(view.metricsText(RankingModel::Side::Second),
                 QStringLiteral("No results. The full vector of the query is zero and has no direction."));
        made = std::make_shared<RetrievalComparison>(*made);
        made->first.silent = {1, 2, 5};
        made->first.anyNotFinite = true;
        view.setComparison(made);
        QVERIFY2(view.metricsText(RankingModel::Side::First)
                     .startsWith(QStringLiteral("Heads 2-3,6 have no direction for the query and do not vote: their "
                                                "vectors are zero, or contain NaN or infinity.")),
                 qPrintable(view.metricsText(RankingModel::Side::First)));
    }

    void withoutASegmentItSaysSo()
    {
        RetrievalView view;
        const ModelInfo info = test::sampleModel();
        view.setStudy(info, viz::HeadPalette(info), test::sampleDocuments(), "topic");
        view.setComparison(sampleComparison());
        view.setStage(Stage::OutputSegment, info, viz::HeadPalette(info));
        view.setShownHeads({});
        view.show();
        QStringList titles;
        for (const EmptyState* state : view.findChildren<EmptyState*>())
            if (state->isVisible())
                titles << state->title();
        QCOMPARE(titles, QStringList(QStringLiteral("No segment selected")));
    }

    void aTextNeedsItsModel()
    {
        QueryRow row;
        row.resize(700, 120);
        row.show();
        QVERIFY(test::exposed(&row));
        QSignalSpy asked(&row, &QueryRow::textAsked);
        QSignalSpy wanted(&row, &QueryRow::modelRequested);
        row.setOpen(true);
        row.setModel({}, QStringLiteral("needs tiny.gguf"));
        QCOMPARE(row.need(), QStringLiteral("needs tiny.gguf"));
        QTest::keyClicks(row.field(), QStringLiteral("  a question "));
        auto* ask = row.findChild<QPushButton*>(QStringLiteral("queryAsk"));
        QVERIFY(!ask->isEnabled());
        QTest::keyClick(row.field(), Qt::Key_Return);
        QCOMPARE(asked.count(), 0);
        // Sentences are read whole.
        const QString sentence =
            QStringLiteral("To ask with a text, this cache needs the model it was extracted from, which is not known: "
                           "choose its file or folder");
        row.resize(400, 160);
        row.setModel({}, sentence);
        test::passMs(5);
        const auto* need = row.findChild<QLabel*>(QStringLiteral("queryNeed"));
        QCOMPARE(need->text(), sentence);
        QVERIFY(need->wordWrap() && need->height() >= need->heightForWidth(need->width()));
        QTest::mouseClick(row.findChild<QPushButton*>(QStringLiteral("queryModel")), Qt::LeftButton);
        QCOMPARE(wanted.count(), 1);
        row.setModel(QStringLiteral("/models/tiny.gguf"), QStringLiteral("needs tiny.gguf"));
        QCOMPARE(row.need(), QString());
        QTest::mouseClick(ask, Qt::LeftButton);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked[0][0].toString(), QStringLiteral("a question"));
        row.setBusy(QStringLiteral("embedding"));
        QCOMPARE(row.query(), QStringLiteral("embedding"));
        QVERIFY(!ask->isEnabled()); // one at a time
        row.setBusy({});
        row.setProblem(QStringLiteral("no such file"));
        QCOMPARE(row.query(), QStringLiteral("no such file"));
        row.setQuery(QStringLiteral("asked"));
        QCOMPARE(row.query(), QStringLiteral("asked"));
    }

    void modelsWithoutGroupsHaveNone()
    {
        ModelInfo info = test::sampleModel();
        info.kvHeads = info.heads;
        m_mixer->setModel(info, viz::HeadPalette(info));
        QVERIFY(m_mixer->groupFader(0) == nullptr);
        QCOMPARE(m_mixer->votingCount(), 32);
    }

    /// What was found is read in the list, also beside both panels of a common screen.
    void documentsTakeTheRoom()
    {
        RetrievalView view;
        view.setStudy(test::sampleModel(), viz::HeadPalette(test::sampleModel()), test::sampleDocuments(), "topic");
        view.setComparison(sampleComparison());
        view.show();
        for (const int width : {820, 900, 1100, 1400})
        {
            view.resize(width, 640);
            test::passMs(5);
            for (const auto side : {RankingModel::Side::First, RankingModel::Side::Second})
            {
                QTableView& table = *view.table(side);
                QVERIFY2(table.columnWidth(RankingModel::DocumentColumn) >= 120,
                         qPrintable(QString::number(table.columnWidth(RankingModel::DocumentColumn))));
                QVERIFY(table.columnWidth(RankingModel::DocumentColumn) >=
                        table.horizontalHeader()->sectionSizeHint(RankingModel::DocumentColumn));
                QVERIFY(!table.isColumnHidden(RankingModel::VotesColumn));
            }
        }
        QVERIFY(
            !view.table(RankingModel::Side::First)->isColumnHidden(RankingModel::LabelColumn)); // where there is room
    }

    /// Also in the narrow and low view of a small window: headings whole, results rather than long faders.
    void headingsAreWhole()
    {
        RetrievalView view;
        view.setStudy(test::sampleModel(), viz::HeadPalette(test::sampleModel()), test::sampleDocuments(), "topic");
        auto many = std::make_shared<RetrievalComparison>(*sampleComparison());
        for (std::int64_t document = 10; document < 18; ++document)
        {
            many->first.results.push_back({DocumentIndex(document), 0.1, {{HeadIndex(0), 3, 0.1}}});
            many->second.results.push_back({DocumentIndex(document), 0.6, {}});
        }
        view.setComparison(many);
        view.show();
        for (const QSize size : {QSize(555, 510), QSize(640, 560), QSize(820, 640), QSize(1100, 1000)})
        {
            view.resize(size);
            test::passMs(5);
            for (const auto side : {RankingModel::Side::First, RankingModel::Side::Second})
            {
                const QTableView& table = *view.table(side);
                const QHeaderView& header = *table.horizontalHeader();
                for (int column = 0; column < RankingModel::ColumnCount; ++column)
                    QVERIFY2(table.isColumnHidden(column) || column == RankingModel::RankColumn ||
                                 table.columnWidth(column) >= header.sectionSizeHint(column),
                             qPrintable(QStringLiteral("%1 at %2").arg(column).arg(size.width())));
                QVERIFY(table.horizontalScrollBar()->maximum() < 40);
                const int row = table.verticalHeader()->defaultSectionSize();
                const int bar = table.horizontalScrollBar()->isVisible() ? table.horizontalScrollBar()->height() : 0;
                QVERIFY2(table.viewport()->height() + bar >= 4 * row,
                         qPrintable(QString::number(table.viewport()->height())));
            }
        }
        // Where there is room, titles have two lines, and all rows are there.
        QVERIFY(view.table(RankingModel::Side::First)->wordWrap());
        QCOMPARE(view.table(RankingModel::Side::First)->verticalScrollBar()->maximum(), 0);
    }

    /// Before, to pass through a table by Tab already showed its first document everywhere.
    void aTableIsEnteredQuietly()
    {
        RetrievalView view;
        view.resize(900, 640);
        view.setStudy(test::sampleModel(), viz::HeadPalette(test::sampleModel()), test::sampleDocuments(), "topic");
        view.setComparison(sampleComparison());
        view.show();
        QVERIFY(test::exposed(&view));
        const QSignalSpy clicked(&view, &RetrievalView::resultClicked);
        QTableView& table = *view.table(RankingModel::Side::First);
        view.strategyBox(RankingModel::Side::First)->setFocus(Qt::TabFocusReason);
        for (int step = 0; step < 3 && !table.hasFocus(); ++step)
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QVERIFY(table.hasFocus());
        QCOMPARE(clicked.count(), 0);
        QTest::keyClick(&table, Qt::Key_Down);
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked.last()[0].value<DocumentIndex>(), DocumentIndex(4));
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                          table.visualRect(table.model()->index(2, RankingModel::DocumentColumn)).center());
        QCOMPARE(clicked.count(), 2);
        QCOMPARE(clicked.last()[0].value<DocumentIndex>(), DocumentIndex(7));
    }

    void pictureShowsVotesInTheColoursOfHeads()
    {
        RetrievalView view;
        const ModelInfo info = test::sampleModel();
        const viz::HeadPalette palette(info);
        view.setStudy(info, palette, test::sampleDocuments(), "topic");
        view.resize(1100, 760);
        view.setComparison(sampleComparison());
        view.show();
        QVERIFY(test::exposed(&view));
        const QImage picture = view.grab().toImage();
        if (const QString folder = qEnvironmentVariable("HEADSCOPE_PICTURES"); !folder.isEmpty())
            picture.save(folder + QStringLiteral("/retrieval_view.png"));
        int ofFirst = 0;
        int ofThird = 0;
        for (int y = 0; y < picture.height() / 2; ++y)
            for (int x = 0; x < picture.width(); ++x)
            {
                ofFirst += picture.pixelColor(x, y) == palette.color(HeadIndex(0)) ? 1 : 0;
                ofThird += picture.pixelColor(x, y) == palette.color(HeadIndex(2)) ? 1 : 0;
            }
        QVERIFY(ofFirst > 200); // 1.0 of 1.5 on a bar of some hundred pixels
        QVERIFY(ofThird > 100); // 0.5 of 1.5, twice
    }
};

HEADSCOPE_TEST(TestRetrievalView)
#include "tst_retrieval_view.moc"
