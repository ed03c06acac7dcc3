// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/picture_widget.h"
#include "ui/panels/document/inspector.h"

#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "ui/panels/data/strength_bars.h"
#include "ui/panels/document/document_text.h"
#include "ui/panels/document/nearest_lists.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>

#include <algorithm>

using namespace headscope;
using namespace headscope::ui;

class TestInspector : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<Inspector> m_panel;

    static std::shared_ptr<const Strengths> someStrengths()
    {
        auto strengths = std::make_shared<Strengths>();
        strengths->values = MatrixF(40, 32);
        for (std::int64_t i = 0; i < 40; ++i)
            for (std::int64_t h = 0; h < 32; ++h)
                strengths->values(i, h) = static_cast<float>(h + 1);
        strengths->values(5, 3) = std::nanf("");
        for (int i = 0; i < 40 * 32; ++i)
            strengths->sorted.push_back(static_cast<float>(i / 40 + 1));
        return strengths;
    }

private Q_SLOTS:
    void init()
    {
        m_panel = std::make_unique<Inspector>();
        m_panel->resize(280, 800);
        m_panel->setDocuments(test::sampleDocuments());
        m_panel->setLabelColumn("topic");
        m_panel->setStrengths(someStrengths(), Stage::OutputSegment, viz::HeadPalette(8, 4));
        m_panel->show();
    }
    void cleanup() { m_panel.reset(); }

    void emptyInspectorSaysHow()
    {
        QVERIFY(m_panel->headingText().contains(QStringLiteral("Click")));
        m_panel->setDocuments(nullptr);
        QVERIFY(!m_panel->headingText().isEmpty());
    }

    void showsTheDocument()
    {
        m_panel->showDocument(DocumentIndex(3), HeadIndex(17));
        QCOMPARE(m_panel->headingText(), QStringLiteral("doc-3"));
        QVERIFY(m_panel->bodyText().contains(QStringLiteral("Second line.")));
        QString all;
        for (const QLabel* label : m_panel->findChildren<QLabel*>())
            all += label->text() + u'\n';
        for (const char* part : {"Music", "truncated", "Norm", "Segment 18: 18.0, top"})
            QVERIFY2(all.contains(QLatin1StringView(part)), qPrintable(all));
    }

    void barsAnswerTheMouse()
    {
        m_panel->showDocument(DocumentIndex(5), {});
        QString all;
        for (const QLabel* label : m_panel->findChildren<QLabel*>())
            all += label->text() + u'\n';
        QVERIFY2(all.contains(QStringLiteral("Norm by segment")), qPrintable(all));
        PictureOf<StrengthBars>* bars = m_panel->strengthBars();
        QSignalSpy clicked(m_panel.get(), &Inspector::headClicked);
        QTest::mouseClick(bars, Qt::LeftButton, {}, bars->picture().placeOf(20).center().toPoint());
        QCOMPARE(clicked.at(0).at(0).value<HeadIndex>(), HeadIndex(20));
        QVERIFY(bars->picture().textOf(3).title.contains(QStringLiteral("not a number")));
        QVERIFY(bars->picture().textOf(31).title.contains(QStringLiteral("top 4%")));
    }

    void nearestByHeadAndByFullVector()
    {
        m_panel->showDocument(DocumentIndex(1), HeadIndex(17));
        m_panel->setNearest({{DocumentIndex(2), 0.94}, {DocumentIndex(3), 0.93}},
                            {{DocumentIndex(7), 0.8}, {DocumentIndex(2), 0.7}, {DocumentIndex(9), 0.6}},
                            QStringLiteral("concatenated"));
        NearestLists* lists = m_panel->nearest();
        QCOMPARE(lists->headTable()->model()->rowCount(), 2);
        QCOMPARE(lists->fullTable()->model()->rowCount(), 3);
        QVERIFY(lists->headTable()->isVisible() && lists->fullTable()->isVisible());
        QVERIFY(!lists->headTable()->model()->index(0, 0).data(NearestModel::OnlyRole).toBool());
        QVERIFY(lists->headTable()->model()->index(1, 0).data(NearestModel::OnlyRole).toBool());
        // Beside each other where there is room.
        QVERIFY(!lists->isWide());
        m_panel->resize(640, 800);
        test::passMs(20);
        QVERIFY(lists->isWide());
        QVERIFY(lists->fullTable()->mapTo(lists, QPoint()).x() > lists->headTable()->width());
        QSignalSpy clicked(m_panel.get(), &Inspector::documentClicked);
        QTest::mouseClick(lists->fullTable()->viewport(), Qt::LeftButton, {}, {40, 8});
        QCOMPARE(clicked.at(0).at(0).value<DocumentIndex>(), DocumentIndex(7));
        lists->headTable()->setFocus();
        lists->headTable()->setCurrentIndex(lists->headTable()->model()->index(1, 0));
        QTest::keyClick(lists->headTable(), Qt::Key_Return);
        QCOMPARE(clicked.at(1).at(0).value<DocumentIndex>(), DocumentIndex(3));
        // Without a head the full vector alone.
        m_panel->setNearest({}, {{DocumentIndex(7), 0.8}}, {});
        QVERIFY(lists->headTable()->isHidden() || !lists->headTable()->isVisible());
        QVERIFY(lists->fullTable()->isVisible());
    }

    /// Before, a zero vector had the first documents of the file as its nearest.
    void withoutADirectionItSaysWhy()
    {
        m_panel->showDocument(DocumentIndex(1), HeadIndex(17));
        const QString why = QStringLiteral("Segment 18 has no direction in this document: its vector is zero.");
        m_panel->setNearest({}, {{DocumentIndex(7), 0.8}}, {}, why);
        const auto seen = [this](const QString& sentence) {
            return std::ranges::any_of(m_panel->nearest()->findChildren<QLabel*>(), [&](const QLabel* label) {
                return label->isVisible() && label->text() == sentence;
            });
        };
        QVERIFY(seen(why) && !m_panel->nearest()->headTable()->isVisible());
        QVERIFY(m_panel->nearest()->fullTable()->isVisible());
        QVERIFY(m_panel->accessibleDescription().contains(why));
        m_panel->setNearest({}, {}, {}, {}, why);
        QVERIFY(seen(why) && !m_panel->nearest()->fullTable()->isVisible());
        m_panel->showDocument(DocumentIndex(2), HeadIndex(17));
        QVERIFY(!seen(why) && !m_panel->nearest()->isVisible());
    }

    /// A screen reader is told what the panel shows now.
    void summaryFollowsTheDocument()
    {
        QVERIFY(m_panel->accessibleDescription().contains(QStringLiteral("Click")));
        m_panel->showDocument(DocumentIndex(3), HeadIndex(17));
        for (const char* part : {"doc-3", "topic: ", "Segment 18: 18.0"})
            QVERIFY2(m_panel->accessibleDescription().contains(QLatin1StringView(part)),
                     qPrintable(m_panel->accessibleDescription()));
        m_panel->setNearest({{DocumentIndex(2), 0.94}}, {{DocumentIndex(7), 0.8}}, {});
        QVERIFY(m_panel->accessibleDescription().endsWith(
            QStringLiteral("nearest by head: doc-2, nearest by full vector: doc-7")));
        m_panel->showDocument({}, {});
        QVERIFY(!m_panel->accessibleDescription().contains(QStringLiteral("doc-3")));
    }

    /// What does not fit is taken from the text, then from the lists: no half row at the lower edge.
    void listsShowWholeRows_data()
    {
        QTest::addColumn<int>("height");
        for (const int height : {900, 800, 700, 600})
            QTest::newRow(QByteArray::number(height).constData()) << height;
    }
    void listsShowWholeRows()
    {
        QFETCH(int, height);
        m_panel->resize(280, height);
        m_panel->showDocument(DocumentIndex(3), HeadIndex(17));
        m_panel->setNearest({{DocumentIndex(2), 0.94},
                             {DocumentIndex(4), 0.93},
                             {DocumentIndex(5), 0.9},
                             {DocumentIndex(6), 0.9},
                             {DocumentIndex(7), 0.9},
                             {DocumentIndex(8), 0.9}},
                            {{DocumentIndex(7), 0.8},
                             {DocumentIndex(2), 0.7},
                             {DocumentIndex(9), 0.6},
                             {DocumentIndex(10), 0.6},
                             {DocumentIndex(11), 0.6},
                             {DocumentIndex(12), 0.6}},
                            {});
        test::passMs(30);
        const QTableView* list = m_panel->nearest()->fullTable();
        const int rows = list->viewport()->height() / list->rowHeight(0);
        QVERIFY(rows >= NearestLists::kMinRows && rows <= NearestLists::kMaxRows);
        QCOMPARE(list->viewport()->height() % list->rowHeight(0), 0);
        const int end = list->mapTo(m_panel->viewport(), QPoint(0, list->height())).y();
        QVERIFY2(end <= m_panel->viewport()->height(), qPrintable(QString::number(end)));
        if (height == 900)
            QCOMPARE(rows, NearestLists::kMaxRows);
    }

    void hitsAreMarked()
    {
        m_panel->setQuery(*TextQuery::parse(QStringLiteral("short second"), TextQuery::Kind::Words));
        m_panel->showDocument(DocumentIndex(3), HeadIndex(17));
        QCOMPARE(m_panel->documentText()->hits().size(), 2U);
        QCOMPARE(m_panel->documentText()->markedParts(), 2);
        m_panel->setQuery({});
        QCOMPARE(m_panel->documentText()->markedParts(), 0);
    }

    void placeAndGroupOfAStrength()
    {
        const auto said = [this] {
            m_panel->showDocument(DocumentIndex(3), HeadIndex(17));
            QString all;
            for (const QLabel* label : m_panel->findChildren<QLabel*>())
                all += label->text() + u'\n';
            return all;
        };
        // 40 documents x 14 segments are stronger, and segments are in no group.
        QString all = said();
        QVERIFY2(all.contains(QStringLiteral("Larger than 719 of the 1,280 norms (all documents and all segments)")),
                 qPrintable(all));
        QVERIFY2(!all.contains(QStringLiteral("KV")), qPrintable(all));
        m_panel->setStrengths(someStrengths(), Stage::HeadOutput, viz::HeadPalette(8, 4));
        all = said();
        QVERIFY2(all.contains(QStringLiteral(
                     "In KV group 5, whose heads share one KV head. Larger than 719 of the 1,280 norms")),
                 qPrintable(all));
        QVERIFY2(all.contains(QStringLiteral("4 of 40")), qPrintable(all));
        PictureOf<StrengthBars>* bars = m_panel->strengthBars();
        QSignalSpy clicked(m_panel.get(), &Inspector::headClicked);
        bars->setFocus();
        QTest::keyClick(bars, Qt::Key_Right);
        QCOMPARE(clicked.at(0).at(0).value<HeadIndex>(), HeadIndex(18));
    }

    void allLabelsAreListed()
    {
        auto documents = std::make_shared<DocumentSet>(*test::sampleDocuments());
        const std::string name = "begin" + std::string(290, '-') + "end!!";
        documents->labels.push_back({"language", std::vector<std::int32_t>(40, 0), {name}});
        m_panel->setDocuments(documents);
        m_panel->setLabelColumn("language");
        m_panel->showDocument(DocumentIndex(3), {});
        const QStringList lines = m_panel->labelLines();
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines[0].startsWith(QStringLiteral("language: begin")));
        QCOMPARE(lines[1], QStringLiteral("topic: Music"));
        test::passMs(20);
        QCOMPARE(m_panel->horizontalScrollBar()->maximum(), 0);
        const auto labels = m_panel->findChildren<QLabel*>();
        const auto shown = std::find_if(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->text().startsWith(QStringLiteral("language: b")) && label->text().endsWith(u'!');
        });
        QVERIFY(shown != labels.end()); // elided in the middle
        QVERIFY((*shown)->toolTip().contains(QStringLiteral("begin-----")));
    }

    void aMegabyteDoesNotStopTheWindow_data()
    {
        QTest::addColumn<bool>("oneWord");
        QTest::newRow("lines of words") << false;
        QTest::newRow("one word") << true;
    }
    void aMegabyteDoesNotStopTheWindow()
    {
        QFETCH(bool, oneWord);
        auto documents = std::make_shared<DocumentSet>(*test::sampleDocuments());
        std::string text;
        while (text.size() < 1'000'000)
            text += oneWord ? "w" : text.size() % 7 == 0 ? "needle in a long text " : "and then some words again ";
        documents->texts[2] = text;
        m_panel->setDocuments(documents);
        m_panel->setQuery(*TextQuery::parse(QStringLiteral("needle"), TextQuery::Kind::Words));
        QElapsedTimer clock;
        clock.start();
        m_panel->showDocument(DocumentIndex(2), {});
        QVERIFY(!m_panel->grab().isNull());
        qInfo("the first 200 kB: %lld ms", clock.restart());
        DocumentText* shown = m_panel->documentText();
        QVERIFY(m_panel->bodyText().size() < 210'000);
        QString all;
        for (const QLabel* label : shown->findChildren<QLabel*>())
            all += label->text();
        QVERIFY2(all.contains(QStringLiteral("Showing the first 200 kB of 1 MB")), qPrintable(all));
        clock.restart();
        QTest::mouseClick(shown->allButton(), Qt::LeftButton);
        QVERIFY(!m_panel->grab().isNull());
        qInfo("all of it: %lld ms", clock.elapsed());
        QVERIFY(m_panel->bodyText().size() >= 1'000'000);
        QVERIFY(shown->allButton()->isHidden());
        QCOMPARE(shown->hits().empty(), oneWord);
        // Another document is cut again.
        m_panel->showDocument(DocumentIndex(3), {});
        QVERIFY(m_panel->bodyText().startsWith(QStringLiteral("Text number 3")));
    }

    void textsOfOtherScripts()
    {
        auto documents = std::make_shared<DocumentSet>(*test::sampleDocuments());
        documents->texts[0] = "שלום עולם, זה טקסט.";
        documents->texts[1] = std::string();
        for (int i = 0; i < 40'000; ++i)
            documents->texts[1] += "睡眠对记忆";
        m_panel->setDocuments(documents);
        m_panel->setQuery(*TextQuery::parse(QStringLiteral("עולם"), TextQuery::Kind::Words));
        m_panel->showDocument(DocumentIndex(0), {});
        QCOMPARE(m_panel->documentText()->hits(), (std::vector<TextSpan>{{5, 4}}));
        QVERIFY(!m_panel->grab().isNull());
        m_panel->showDocument(DocumentIndex(1), {}); // no character is cut at the limit
        QVERIFY(!m_panel->bodyText().contains(QChar::ReplacementCharacter));
        QCOMPARE(m_panel->documentText()->allButton()->isHidden(), false);
    }

    void nothingIsWiderThanThePanel()
    {
        m_panel->showDocument(DocumentIndex(1), HeadIndex(17));
        m_panel->setNearest({{DocumentIndex(2), 0.94}}, {{DocumentIndex(7), 0.8}}, {});
        m_panel->setSelection(1284, 311, QStringLiteral("Lasso"));
        test::passMs(30);
        QCOMPARE(m_panel->horizontalScrollBar()->maximum(), 0);
        QVERIFY(m_panel->widget()->width() <= m_panel->viewport()->width());
    }

    void cacheWithoutTexts()
    {
        auto documents = std::make_shared<DocumentSet>(*test::sampleDocuments());
        documents->texts.clear();
        documents->tokens.clear();
        documents->flags.clear();
        documents->labels.clear();
        m_panel->setDocuments(documents);
        m_panel->showDocument(DocumentIndex(2), HeadIndex(0));
        QCOMPARE(m_panel->bodyText(), QStringLiteral("The cache holds no texts."));
    }
};

HEADSCOPE_WINDOW_TEST(TestInspector)
#include "tst_inspector.moc"
