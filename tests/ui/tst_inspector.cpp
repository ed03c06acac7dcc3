// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector.h"

#include "tests/ui/window_test.h"
#include "ui/panels/strength_bars.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>

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
        m_panel->showDocument(3, 17);
        QCOMPARE(m_panel->headingText(), QStringLiteral("doc-3"));
        QVERIFY(m_panel->bodyText().contains(QStringLiteral("Second line.")));
        QString all;
        for (const QLabel* label : m_panel->findChildren<QLabel*>())
            all += label->text() + u'\n';
        for (const char* part : {"Music", "truncated", "Strength", "Segment 18: 18.0, top"})
            QVERIFY2(all.contains(QLatin1StringView(part)), qPrintable(all));
    }

    void barsAnswerTheMouse()
    {
        m_panel->showDocument(5, {});
        QString all;
        for (const QLabel* label : m_panel->findChildren<QLabel*>())
            all += label->text() + u'\n';
        QVERIFY2(all.contains(QStringLiteral("Strength by segment")), qPrintable(all));
        StrengthBars* bars = m_panel->strengthBars();
        QSignalSpy clicked(m_panel.get(), &Inspector::headClicked);
        QTest::mouseClick(bars, Qt::LeftButton, {}, bars->barRect(20).center().toPoint());
        QCOMPARE(clicked.at(0).at(0).toLongLong(), 20);
        QVERIFY(bars->barText(3).contains(QStringLiteral("not a number")));
        QVERIFY(bars->barText(31).contains(QStringLiteral("top 4 %")));
    }

    void nearestByHeadAndByFullVector()
    {
        m_panel->showDocument(1, 17);
        m_panel->setNearest({{2, 0.94}, {3, 0.93}}, {{7, 0.8}}, QStringLiteral("heads concatenated"));
        const auto* model = m_panel->nearestTable()->model();
        QCOMPARE(model->rowCount(), 2);
        QTest::mouseClick(m_panel->findChild<QToolButton*>(QStringLiteral("nearestFull")), Qt::LeftButton);
        QCOMPARE(model->rowCount(), 1);
        QSignalSpy clicked(m_panel.get(), &Inspector::documentClicked);
        QTest::mouseClick(m_panel->nearestTable()->viewport(), Qt::LeftButton, {}, {20, 8});
        QCOMPARE(clicked.at(0).at(0).toLongLong(), 7);
    }

    void aMegabyteDoesNotStopTheWindow()
    {
        auto documents = std::make_shared<DocumentSet>(*test::sampleDocuments());
        documents->texts[2] = std::string(1'000'000, 'w');
        m_panel->setDocuments(documents);
        m_panel->showDocument(2, {});
        QVERIFY(m_panel->bodyText().size() < 25'000);
        QVERIFY(m_panel->bodyText().contains(QStringLiteral("1 MB")));
        QVERIFY(!m_panel->grab().isNull());
    }

    void nothingIsWiderThanThePanel()
    {
        m_panel->showDocument(1, 17);
        m_panel->setNearest({{2, 0.94}}, {{7, 0.8}}, {});
        m_panel->setSelection(1284, 311, QStringLiteral("Lasso"));
        QTest::qWait(30);
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
        m_panel->showDocument(2, 0);
        QCOMPARE(m_panel->bodyText(), QStringLiteral("The cache holds no texts."));
    }
};

HEADSCOPE_WINDOW_TEST_MAIN(TestInspector)
#include "tst_inspector.moc"
