// SPDX-License-Identifier: GPL-3.0-or-later
// The run of the grid as the rest of the window sees it: few documents, failures, the list of jobs.
#include "app/views/grid/grid_controller.h"
#include "app/views/grid/grid_view.h"
#include "app/views/map/map_view.h"
#include "tests/app/copied_line.h"
#include "tests/app/desktop/desktop_fixture.h"
#include "tests/support/waiting.h"
#include "ui/jobs/job_panel.h"
#include "ui/jobs/job_strip.h"
#include "ui/models/job_list_model.h"
#include "ui/widgets/widgets.h"
#include "ui/window/notice_bar.h"

#include <QPushButton>

using namespace headscope;
using headscope::ui::JobState;

class TestDesktopGridRun : public QObject, private test::DesktopFixture
{
    Q_OBJECT

private:
    ui::GridView* grid() { return m_window->findChild<ui::GridView*>(); }
    QString write(const char* name, std::int64_t documents)
    {
        const QString path = m_folder.filePath(QLatin1StringView(name));
        test::SampleCacheOptions options;
        options.documents = documents;
        return test::writeSampleCache(path.toStdString(), options) ? path : QString();
    }
    void waitForGrid() { WAIT_FOR(grid()->set() != nullptr && !grid()->set()->hash.empty()); }
    /// The newest job of the list whose title begins so; null when there is none.
    const ui::JobRecord* job(const QString& begin)
    {
        const ui::JobListModel& jobs = m_window->jobStrip().jobs();
        for (int row = 0; row < jobs.rowCount(); ++row)
            if (const ui::JobRecord& each = jobs.job(jobs.index(row, 0)); each.title.startsWith(begin))
                return &each;
        return nullptr;
    }
    /// Begins a run that is refused.
    void fail()
    {
        desktop::GridRequest wrong;
        wrong.reader = m_workbench->study().cache()->reader;
        wrong.layers = {LayerIndex(11)};
        wrong.stages = {Stage::HeadOutput};
        wrong.heads = {0};
        wrong.options.perplexities = {5000};
        m_workbench->findChild<desktop::GridController*>()->gridRun().start(std::move(wrong));
    }
    void press(const char* name)
    {
        auto* button = grid()->findChild<QPushButton*>(QLatin1StringView(name));
        QVERIFY2(button->isVisible(), name);
        QTest::mouseClick(button, Qt::LeftButton);
    }

private Q_SLOTS:
    void initTestCase() { writeSample(); }
    void init() { makeWindow({.engine = QString(), .iterations = 100, .size = {1300, 800}}); }
    void cleanup() { dropWindow(); }

    /// Six documents allow no perplexity of 30: the grid takes the largest that they allow, and says so.
    void fewDocumentsLowerThePerplexity()
    {
        m_window->setView(ui::kGridView);
        openAndLoad(write("six.h5", 6));
        waitForGrid();
        QCOMPARE(grid()->set()->maps.front().map.options.perplexities, std::vector<double>{5});
        QCOMPARE(m_window->notices().count(), 0u);
        waitForJobs();
        action("actionRunGrid")->trigger();
        const QString notice = m_window->statusText();
        for (const char* part : {"perplexity 5", "30", "6"})
            QVERIFY2(notice.contains(QLatin1StringView(part)), qPrintable(notice));
        waitForGrid();
    }

    void oneDocumentMakesNoGrid()
    {
        m_window->setView(ui::kGridView);
        openAndLoad(write("one.h5", 1));
        waitForJobs();
        QVERIFY(grid()->set() == nullptr);
        QVERIFY2(grid()->emptyState()->text().contains(QStringLiteral("at least 2 points")),
                 qPrintable(grid()->emptyState()->text()));
        QCOMPARE(job(QStringLiteral("Grid")), nullptr);
    }

    /// A failure stands in its view and over all; it goes when the grid succeeds, and with its cache.
    void aFailureGoesWithSuccessAndWithItsCache()
    {
        openAndLoad(m_cache);
        waitForJobs();
        m_settings->setNumber(ui::settingNamed("map/iterations"), 100'000);
        action("actionRunGrid")->trigger();
        fail(); // before it has shown anything
        WAIT_COMPARE(m_window->notices().count(), 1u);
        QVERIFY2(grid()->emptyState()->isVisible() &&
                     grid()->emptyState()->text().contains(m_window->notices().sentence()) &&
                     grid()->emptyState()->text().contains(QStringLiteral("Map run")),
                 qPrintable(grid()->emptyState()->text()));
        QCOMPARE(job(QStringLiteral("Grid"))->state, JobState::Failed);
        // Looked at again it does not fail again.
        m_window->setView(ui::kMapView);
        m_window->setView(ui::kGridView);
        QVERIFY(!m_workbench->anyJobRuns());
        m_settings->setNumber(ui::settingNamed("map/iterations"), 100);
        press("gridRun");
        waitForGrid();
        WAIT_COMPARE(m_window->notices().count(), 0u);

        fail();
        WAIT_COMPARE(m_window->notices().count(), 1u);
        m_workbench->open(m_folder.filePath(QStringLiteral("not-there.h5")));
        WAIT_COMPARE(m_window->notices().count(), 2u);
        openAndLoad(write("other.h5", 12));
        QCOMPARE(m_window->notices().count(), 1u); // of a file that is not there still
        QVERIFY2(m_window->notices().sentence().contains(QStringLiteral("not-there")),
                 qPrintable(m_window->notices().sentence()));
    }

    /// The list of jobs has the grid's run with all that its bar does.
    void theListOfJobsHasTheRun()
    {
        openAndLoad(m_cache);
        waitForJobs();
        m_settings->setNumber(ui::settingNamed("map/iterations"), 100'000);
        action("actionRunGrid")->trigger();
        WAIT_FOR(grid()->set() != nullptr && grid()->set()->maps[1].map.iteration > 0);
        const QString title = QStringLiteral("Grid: stages of layer 11");
        QVERIFY(job(title) != nullptr);
        QCOMPARE(job(title)->state, JobState::Running);
        WAIT_COMPARE(job(title)->progress.total, std::uint64_t{100'000});
        WAIT_FOR(job(title)->progress.done > 0);
        QVERIFY2(job(title)->commandLine.contains(QStringLiteral(" --aligned")), qPrintable(job(title)->commandLine));
        QCOMPARE(test::copiedLineFault(job(title)->commandLine), std::string());
        const std::uint64_t id = job(title)->id;
        ui::JobPanel& panel = m_window->jobStrip().panel();
        Q_EMIT panel.pauseRequested(id, true);
        WAIT_COMPARE(job(title)->state, JobState::Paused);
        Q_EMIT panel.pauseRequested(id, false);
        WAIT_COMPARE(job(title)->state, JobState::Running);
        m_window->jobStrip().cancel(id);
        WAIT_COMPARE(job(title)->state, JobState::Cancelled);
        QVERIFY(!m_workbench->anyJobRuns());
        press("gridGoOn"); // a run that goes on is listed again
        WAIT_FOR(job(title)->id != id && job(title)->state == JobState::Running);
        m_settings->setNumber(ui::settingNamed("map/iterations"), 60);
        openAndLoad(write("next.h5", 12));
        waitForGrid();
        const ui::JobListModel& jobs = m_window->jobStrip().jobs();
        int ended = 0;
        for (int row = 0; row < jobs.rowCount(); ++row)
            if (const ui::JobRecord& each = jobs.job(jobs.index(row, 0)); each.title == title)
                ended += each.state == JobState::Cancelled ? 1 : 0;
        QCOMPARE(ended, 2); // that of the cache before has ended with it
        WAIT_COMPARE(job(title)->state, JobState::Done);
    }
};

HEADSCOPE_WINDOW_TEST(TestDesktopGridRun)
#include "tst_desktop_grid_run.moc"
