// SPDX-License-Identifier: GPL-3.0-or-later
// Another cache is opened while work on the first one goes on: what is shown belongs to what is open.
#include "app/views/map/map_view.h"
#include "tests/app/desktop/switch_fixture.h"
#include "tests/support/waiting.h"

#include <QRegularExpression>

#include <atomic>

using namespace headscope;
using namespace headscope::desktop;
using headscope::ui::ViewId;

class TestDesktopSwitch : public QObject, private test::SwitchFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { writeCaches(); }
    void init() { beginTest(); }
    void cleanup() { dropWindow(); }

    void nothingOfTheOldCacheIsShown_data()
    {
        QTest::addColumn<QByteArray>("job");
        QTest::addColumn<bool>("toFewer");
        for (const char* job :
             {"map", "grid", "heatmap", "probe", "layers", "heads", "retrieval", "trust", "nearest", "find", "all"})
            for (const bool toFewer : {true, false})
                QTest::addRow("%s, then %s documents", job, toFewer ? "fewer" : "more") << QByteArray(job) << toFewer;
    }
    void nothingOfTheOldCacheIsShown()
    {
        QFETCH(QByteArray, job);
        QFETCH(bool, toFewer);
        const Cache& first = toFewer ? m_ants : m_bees;
        const Cache& next = toFewer ? m_bees : m_ants;
        openFirst(first);
        if (QTest::currentTestFailed())
            return;
        if (job == "all")
            for (const char* each : {"map", "find", "probe", "grid", "layers", "heads", "heatmap", "retrieval"})
                begin(each);
        else
            begin(job);
        if (QTest::currentTestFailed())
            return;
        const bool mapRan = m_workbench->mapRun().active();
        QCOMPARE(mapRan, job != "trust");
        switchTo(next);
        if (QTest::currentTestFailed())
            return;
        if (mapRan)
        {
            QVERIFY(wasEnded(QStringLiteral("Map of layer"), next.path));
            const QRegularExpression said(QStringLiteral("Opened %1\\. This stopped [^\\n]*the map( and the grid)?\\.")
                                              .arg(QFileInfo(next.path).fileName()));
            QVERIFY2(m_window->jobStrip().logText().contains(said), qPrintable(m_window->jobStrip().logText()));
        }
        expectMapOf(next);
        if (QTest::currentTestFailed())
            return;
        if (job == "all")
            for (const char* each : {"grid", "heatmap", "probe", "heads", "retrieval", "find"})
                expectViewOf(each, next);
        else
            expectViewOf(job, next);
        // Nothing was turned away either: everybody had let go of the old cache in time.
        QCOMPARE(ui::OriginGuard::instance().refused(), m_refused);
    }

    /// A file that is being written when another cache opens is of what was shown.
    void aSaveIsFinished()
    {
        openFirst(m_ants);
        begin("map");
        m_workbench->mapRun().stop();
        WAIT_FOR(!m_workbench->mapRun().active());
        QSignalSpy saved(m_workbench.get(), &Workbench::viewSaved);
        const QString table = m_folder.filePath(QStringLiteral("ants.csv"));
        m_window->views().find(ui::kMapView)->save(table);
        switchTo(m_bees);
        WAIT_COMPARE(saved.count(), 1);
        QFile file(table);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray csv = file.readAll();
        QCOMPARE(csv.count('\n'), static_cast<qsizetype>(kMany * kHeads + 1));
        QVERIFY(csv.contains("Ants 3") && !csv.contains("Bees"));
        expectMapOf(m_bees);
    }

    /// A map that is being stored comes into its own cache, and the one that is open stays open.
    void aStoredMapGoesIntoItsOwnCache()
    {
        const Cache own = write(QStringLiteral("own.h5"), QStringLiteral("Ants"), kFew);
        openFirst(own);
        begin("map");
        m_workbench->mapRun().stop();
        WAIT_FOR(!m_workbench->mapRun().active());
        const Origin before = study().origin();
        action("actionMapStore")->trigger();
        switchTo(m_ants);
        QCOMPARE(QString::fromStdString(study().cache()->reader->path().string()), m_ants.path);
        expectMapOf(m_ants);
        const auto reader = CacheReader::open(own.path.toStdString());
        HEADSCOPE_VERIFY_OK(reader);
        QCOMPARE((*reader)->info().maps.size(), std::size_t{1});
        QCOMPARE((*reader)->origin(), before);
    }

    /// A job that does not listen delivers when another cache is open: nobody hears of it.
    void aLateResultIsDropped()
    {
        openFirst(m_ants);
        std::atomic<bool> go = false;
        bool delivered = false;
        ui::JobRunner runner;
        study().beginJob(QStringLiteral("late"), QStringLiteral("A late one"), runner);
        study().run<int>(
            runner,
            [&go](JobContext&) -> Result<int> {
                go.wait(false);
                return 1;
            },
            [&delivered](const Result<int>&) { delivered = true; });
        m_settings->setNumber(ui::settingNamed("map/iterations"), 60);
        QSignalSpy opened(m_workbench.get(), &Workbench::cacheOpened);
        m_workbench->open(m_bees.path);
        WAIT_COMPARE(opened.count(), 1);
        QVERIFY(!runner.running());
        QSignalSpy idle(&runner, &ui::JobRunner::idle);
        go = true;
        go.notify_all();
        WAIT_COMPARE(idle.count(), 1);
        QCoreApplication::sendPostedEvents();
        QVERIFY(!delivered);
        QVERIFY(wasEnded(QStringLiteral("A late one"), m_bees.path));
        QVERIFY(m_window->jobStrip().logText().contains(QStringLiteral("A late one")));
    }

    /// The reader of a file that is not open takes nobody's place.
    void aReaderOfAnotherCacheIsDropped()
    {
        m_settings->setNumber(ui::settingNamed("map/iterations"), 60);
        openFirst(m_ants);
        auto other = CacheReader::open(m_bees.path.toStdString());
        HEADSCOPE_VERIFY_OK(other);
        study().setReader(*other);
        QCOMPARE(QString::fromStdString(study().cache()->reader->path().string()), m_ants.path);
        auto again = study().cache()->reader->openAgain();
        HEADSCOPE_VERIFY_OK(again);
        QCOMPARE((*again)->origin(), study().origin());
        study().setReader(*again);
        QCOMPARE(study().cache()->reader, *again);
    }

    /// The same cache opened again: its maps and results are of what is open.
    void openingTheSameAgain()
    {
        openFirst(m_ants);
        begin("map");
        const Origin before = study().origin();
        switchTo(m_ants);
        QCOMPARE(study().origin(), before);
        expectMapOf(m_ants);
        QCOMPARE(ui::OriginGuard::instance().refused(), m_refused);
    }
};

HEADSCOPE_TEST(TestDesktopSwitch)
#include "tst_desktop_switch.moc"
