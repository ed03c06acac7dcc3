// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/job_panel.h"

#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "ui/jobs/job_strip.h"
#include "ui/jobs/panel_handle.h"
#include "ui/widgets/widgets.h"

#include <QClipboard>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QVBoxLayout>

using namespace headscope;
using namespace headscope::ui;

class TestJobPanel : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QWidget> m_window;
    JobStrip* m_strip = nullptr;

    QPushButton* button(const char* name) { return m_strip->findChild<QPushButton*>(QLatin1StringView(name)); }
    void click(const char* name) { QTest::mouseClick(button(name), Qt::LeftButton); }

private Q_SLOTS:
    void init()
    {
        m_window = std::make_unique<QWidget>();
        auto* layout = new QVBoxLayout(m_window.get());
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addStretch(1);
        m_strip = new JobStrip(m_window.get());
        layout->addWidget(m_strip);
        layout->addWidget(m_strip->running());
        m_window->resize(1100, 400);
        m_window->show();
        QVERIFY(test::exposed(m_window.get()));
    }
    void cleanup() { m_window.reset(); }

    void panelTakesTheRowsIn()
    {
        JobRow* row = m_strip->begin(QStringLiteral("a"), QStringLiteral("Extracting"));
        QVERIFY(row->isVisible());
        m_strip->setPanelShown(true);
        QVERIFY(!row->isVisible());
        QVERIFY(m_strip->panel().table()->isVisible());
        m_strip->setPanelShown(false);
        QVERIFY(row->isVisible());
        m_strip->end(QStringLiteral("a"));
        QVERIFY(!m_strip->isVisible() && !m_strip->running()->isVisible());
        QCOMPARE(m_strip->jobs().rowCount(), 1); // what has ended is listed on
    }

    void jobsOfViewsHaveNoRow()
    {
        JobRow* row = m_strip->begin(QStringLiteral("map"), QStringLiteral("Map"), true, JobStrip::kPanelOnly);
        QVERIFY(!row->isVisible());
        QVERIFY(!m_strip->running()->isVisible());
        QCOMPARE(m_strip->jobs().activeCount(), 1);
    }

    /// Numbers of a running job go one by one where they have no room, and none is cut.
    void numbersOfARowAreNeverCut()
    {
        JobRow* row = m_strip->begin(QStringLiteral("w"), QStringLiteral("Extracting cache.h5"));
        Progress progress;
        progress.stage = "reading weights";
        progress.done = 209;
        progress.total = 75'210;
        progress.unit = "pieces";
        progress.rate = 31;
        progress.eta = 83;
        row->setProgress(progress);
        const auto* numbers = row->findChild<ElidedLabel*>(QStringLiteral("jobNumbers"));
        for (int width = 900; width > 500; width -= 37)
        {
            row->resize(width, row->height());
            test::passMs(1);
            QVERIFY2(numbers->fontMetrics().horizontalAdvance(numbers->text()) <= numbers->width(),
                     qPrintable(numbers->text()));
            QVERIFY2(numbers->text() == numbers->fullText() || numbers->text().contains(QChar(0x2026)),
                     qPrintable(numbers->text()));
        }
        m_strip->end(QStringLiteral("w"));
    }

    /// In a small window progress, rate and time left give up their room before the names do.
    void namesOfJobsCanBeRead()
    {
        m_strip->begin(QStringLiteral("map"), QStringLiteral("Map of layer 30"), true);
        m_strip->setPanelShown(true);
        QTableView* table = m_strip->panel().table();
        m_window->resize(1400, 400);
        test::passMs(1);
        QVERIFY(!table->isColumnHidden(JobListModel::Rate));
        m_window->resize(900, 400);
        test::passMs(1);
        QVERIFY(table->isColumnHidden(JobListModel::Rate));
        QVERIFY2(table->columnWidth(JobListModel::Title) >= 150,
                 qPrintable(QString::number(table->columnWidth(JobListModel::Title))));
    }

    void keysReachTheJobs()
    {
        m_strip->begin(QStringLiteral("map"), QStringLiteral("Map of layer 30"), true);
        m_strip->setPanelShown(true);
        QWidget before(m_window.get());
        before.setFocusPolicy(Qt::StrongFocus);
        before.show();
        before.setFocus();
        m_strip->panel().takeFocus();
        QVERIFY(m_strip->panel().chosen() != nullptr); // the log is its own
        QCOMPARE(m_window->focusWidget(), m_strip->panel().table());
        QTest::keyClick(m_strip->panel().table(), Qt::Key_Escape);
        QVERIFY(!m_strip->panelShown());
        QCOMPARE(m_window->focusWidget(), &before);
    }

    void pauseAndCancelReachTheJob()
    {
        JobRow* row = m_strip->begin(QStringLiteral("map"), QStringLiteral("Map of layer 30"), true);
        QSignalSpy paused(row, &JobRow::pauseRequested);
        QSignalSpy cancelled(row, &JobRow::cancelRequested);
        m_strip->setPanelShown(true);
        QVERIFY(!button("panelPause")->isEnabled());
        QTableView* table = m_strip->panel().table();
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, {20, 10});
        QVERIFY(m_strip->panel().chosen() != nullptr);
        click("panelPause");
        QCOMPARE(paused.count(), 1);
        QCOMPARE(paused.at(0).at(0).toBool(), true);
        row->setPaused(true);
        QCOMPARE(button("panelPause")->text(), QStringLiteral("Continue"));
        click("panelPause");
        QCOMPARE(paused.at(1).at(0).toBool(), false);
        row->setPaused(false);
        click("panelCancel");
        click("panelCancel");
        QCOMPARE(cancelled.count(), 1);
        QCOMPARE(m_strip->jobs().job(row->id())->state, JobState::Stopping);
        const auto id = row->id();
        m_strip->end(QStringLiteral("map"));
        QCOMPARE(m_strip->jobs().job(id)->state, JobState::Cancelled);
        QVERIFY(!button("panelCancel")->isEnabled());
    }

    void chosenJobTellsItsLogErrorAndCommand()
    {
        JobRow* row = m_strip->begin(QStringLiteral("x"), QStringLiteral("Extracting demo.h5"));
        const auto id = row->id();
        row->setCommandLine(QStringLiteral("headscope extract model texts.jsonl -o demo.h5"));
        row->addLog(QStringLiteral("reading weights\nrunning"));
        m_strip->addLog(QStringLiteral("a line of all"));
        m_strip->begin(QStringLiteral("y"), QStringLiteral("Opening other.h5"));
        m_strip->setPanelShown(true);
        auto* all = m_strip->findChild<QPlainTextEdit*>(QStringLiteral("log"));
        auto* own = m_strip->findChild<QPlainTextEdit*>(QStringLiteral("jobLog"));
        QVERIFY(all->isVisible());
        QVERIFY(!own->isVisible());
        m_strip->panel().choose(id);
        QVERIFY(own->isVisible());
        QCOMPARE(own->toPlainText(), QStringLiteral("reading weights\nrunning"));
        row->addLog(QStringLiteral("more"));
        QCOMPARE(own->toPlainText(), QStringLiteral("reading weights\nrunning\nmore"));
        click("panelCopyCommand");
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 QStringLiteral("headscope extract model texts.jsonl -o demo.h5"));
        row->setError(QStringLiteral("model: no such file"));
        m_strip->end(QStringLiteral("x"));
        auto* error = m_strip->findChild<QLabel*>(QStringLiteral("jobError"));
        QVERIFY(error->isVisible());
        QCOMPARE(error->text(), QStringLiteral("model: no such file"));
        QCOMPARE(m_strip->jobs().job(id)->state, JobState::Failed);
        Progress progress;
        progress.done = 30;
        progress.total = 100;
        progress.unit = "documents";
        progress.rate = 12;
        progress.eta = 80;
        m_strip->row(QStringLiteral("y"))->setProgress(progress);
        test::savePictures(*m_window, QStringLiteral("job-panel"));
        click("panelClear");
        QCOMPARE(m_strip->jobs().rowCount(), 1);
        m_strip->panel().showWholeLog();
        QVERIFY(all->isVisible());
        QVERIFY(m_strip->logShown());
        QCOMPARE(m_strip->logText(), QStringLiteral("a line of all"));
    }

    void aSecondBeginEndsTheFirst()
    {
        const auto first = m_strip->begin(QStringLiteral("k"), QStringLiteral("one"))->id();
        const auto second = m_strip->begin(QStringLiteral("k"), QStringLiteral("two"))->id();
        QCOMPARE(m_strip->jobs().job(first)->state, JobState::Cancelled);
        QCOMPARE(m_strip->jobs().job(second)->state, JobState::Running);
        QCOMPARE(m_strip->runningCount(), 1);
    }

    void emptyPanelSaysWhatWouldBeThere()
    {
        m_strip->setPanelShown(true);
        QVERIFY(!m_strip->panel().table()->isVisible());
        test::savePictures(*m_window, QStringLiteral("job-panel-empty"));
    }

    void heightIsMovedByKeys()
    {
        m_strip->setPanelShown(true);
        auto* handle = m_strip->findChild<PanelHandle*>();
        const int before = m_strip->panel().panelHeight();
        handle->setFocus();
        QTest::keyClick(handle, Qt::Key_Up);
        QVERIFY(m_strip->panel().panelHeight() > before);
        QTest::keyClick(handle, Qt::Key_Down);
        QCOMPARE(m_strip->panel().panelHeight(), before);
        m_strip->panel().setPanelHeight(1);
        QVERIFY(m_strip->panel().panelHeight() > 100);
        const QSignalSpy shown(m_strip, &JobStrip::panelShownChanged);
        QTest::mouseClick(m_strip->findChild<QWidget*>(QStringLiteral("panelClose")), Qt::LeftButton);
        QVERIFY(!m_strip->panelShown());
        QCOMPARE(shown.count(), 1);
    }
};

HEADSCOPE_WINDOW_TEST(TestJobPanel)
#include "tst_job_panel.moc"
