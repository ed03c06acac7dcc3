// SPDX-License-Identifier: GPL-3.0-or-later
// Two jobs are under way on the first cache when another one opens.
#include "model/io/hdf5/hdf5_guard.h"
#include "tests/app/desktop/switch_fixture.h"
#include "tests/support/waiting.h"

using namespace headscope;
using namespace headscope::desktop;

class TestDesktopSwitchPairs : public QObject, private test::SwitchFixture
{
    Q_OBJECT

private:
    /// A grid has no row among the jobs.
    bool gridRuns()
    {
        const auto* pause = m_window->findChild<QWidget*>(QStringLiteral("gridPause"));
        return !pause->isHidden() && pause->accessibleName().startsWith(QStringLiteral("Pause"));
    }

private Q_SLOTS:
    void initTestCase() { writeCaches(); }
    void init() { beginTest(); }
    void cleanup() { dropWindow(); }

    /// Two jobs that share something, both under way when another cache opens.
    void nothingOfTwoJobsIsShown_data()
    {
        QTest::addColumn<QList<QByteArray>>("jobs");
        QTest::addColumn<bool>("toFewer");
        bool toFewer = false;
        for (const auto& [one, two] :
             {std::pair{"map", "grid"}, std::pair{"map", "save"}, std::pair{"heatmap", "heads"},
              std::pair{"probe", "layers"}, std::pair{"retrieval", "map"}, std::pair{"grid", "heatmap"},
              std::pair{"layers", "heads"}, std::pair{"probe", "grid"}, std::pair{"retrieval", "heads"}})
            QTest::addRow("%s and %s", one, two) << QList<QByteArray>{one, two} << (toFewer = !toFewer);
    }
    void nothingOfTwoJobsIsShown()
    {
        QFETCH(QList<QByteArray>, jobs);
        QFETCH(bool, toFewer);
        const Cache& first = toFewer ? m_ants : m_bees;
        const Cache& next = toFewer ? m_bees : m_ants;
        openFirst(first);
        if (QTest::currentTestFailed())
            return;
        begin("map"); // whichever the two are, it goes on beside them
        WAIT_COMPARE(runningJobs(), 1);
        if (jobs.contains("grid")) // a run as well, that has no end
        {
            begin("grid");
            QVERIFY(gridRuns());
        }
        m_settings->setNumber(ui::settingNamed("map/iterations"), 60);
        QSignalSpy opened(m_workbench.get(), &Workbench::cacheOpened);
        {
            // Who reads from a cache waits here: both jobs, and the opening of the next one.
            const Hdf5Guard nobodyReads;
            int running = 1;
            for (const QByteArray& job : jobs)
                if (job != "map" && job != "grid")
                {
                    begin(job);
                    ++running;
                    WAIT_FOR2(runningJobs() >= running, job.constData());
                }
            if (jobs.contains("grid"))
                QVERIFY(gridRuns());
            QVERIFY(m_workbench->mapRun().active());
            m_workbench->open(next.path);
        }
        arriveAt(next, opened);
        if (QTest::currentTestFailed())
            return;
        expectMapOf(next);
        for (const QByteArray& job : jobs)
            if (!QTest::currentTestFailed() && job != "map")
                expectViewOf(job, next);
        QCOMPARE(ui::OriginGuard::instance().refused(), m_refused);
    }
};

HEADSCOPE_TEST(TestDesktopSwitchPairs)
#include "tst_desktop_switch_pairs.moc"
