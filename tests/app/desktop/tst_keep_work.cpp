// SPDX-License-Identifier: GPL-3.0-or-later
// The file beside a cache while the program ends or the disk takes no more: no work is lost, and none comes twice.
#include "app/desktop/shell/keep_work.h"
#include "tests/app/sample_cache.h"
#include "tests/model/io/foreign_cache.h"
#include "tests/support/call_faults.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTemporaryDir>
#include <QTest>

using namespace headscope;
using namespace headscope::desktop;

class TestKeepWork : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_cache = folder() / "c.h5";
        HEADSCOPE_VERIFY_OK(test::writeSampleCache(m_cache));
        auto reader = CacheReader::open(m_cache);
        HEADSCOPE_VERIFY_OK(reader);
        m_reader = *reader;
    }

    /// Fault row 16: kill -9 before each of its calls.
    void killedAtAnyCallLosesNothing()
    {
        if (!test::canFault(test::CallFault::Kill))
            QSKIP("processes may not be traced here");
        const WorkPlaces places{true, folder() / "home"};
        const auto one = digestsOf(sets(1));
        const auto two = digestsOf(sets(2));
        int after = 0;
        for (int call = 0;; ++call)
        {
            WorkBook book = findWork(*m_reader, places).book;
            HEADSCOPE_VERIFY_OK(keepWork(*m_reader, sets(1), places, book));
            const auto run = test::runWithFault(
                test::CallFault::Kill, call, [&] { static_cast<void>(keepWork(*m_reader, sets(2), places, book)); },
                [] { return 0; });
            const FoundWork found = findWork(*m_reader, places);
            const auto digests = digestsOf(found.work);
            QVERIFY2(found.problems.empty(), qPrintable(QString::number(call)));
            QVERIFY2(digests == one || digests == two, qPrintable(QString::number(call)));
            after += digests == two ? 1 : 0;
            if (!run.reached)
                break;
        }
        QVERIFY(after > 1);
        // The next who writes there leaves no part of a killed one.
        WorkBook book = findWork(*m_reader, places).book;
        HEADSCOPE_VERIFY_OK(keepWork(*m_reader, sets(3), places, book));
        QCOMPARE(names(), (QStringList{QStringLiteral("c.h5"), QStringLiteral("c.h5.headscope")}));
    }

    void anyCallThatFailsIsToldAndDoneAgain_data()
    {
        QTest::addColumn<bool>("home");
        QTest::addColumn<int>("next");
        QTest::newRow("beside alone") << false << 2;
        QTest::newRow("beside or at home") << true << 2;
        QTest::newRow("beside, forgotten") << false << 0;
        QTest::newRow("beside or at home, forgotten") << true << 0;
    }
    void anyCallThatFailsIsToldAndDoneAgain()
    {
        QFETCH(bool, home);
        QFETCH(int, next);
        if (!test::canFault(test::CallFault::Fail))
            QSKIP("calls cannot be made to fail here");
        const WorkPlaces places{true, home ? folder() / "home" : std::filesystem::path()};
        const ResultStore work = sets(next);
        for (int call = 0;; ++call)
        {
            WorkBook book = findWork(*m_reader, places).book;
            HEADSCOPE_VERIFY_OK(keepWork(*m_reader, sets(1), places, book));
            Result<std::filesystem::path> kept = std::filesystem::path();
            const auto holds = [&](int count) {
                const FoundWork found = findWork(*m_reader, places);
                return found.problems.empty() && digestsOf(found.work) == digestsOf(sets(count));
            };
            const auto after = [&] {
                // Where only the folder could not be synced, the new work is there and yet called in danger.
                if (kept ? !holds(next) : !holds(1) && !holds(next))
                    return 2;
                kept = keepWork(*m_reader, work, places, book);
                return !kept ? 3 : !holds(next) ? 4 : 0;
            };
            const auto run = test::runWithFault(
                test::CallFault::Fail, call, [&] { kept = keepWork(*m_reader, work, places, book); }, after);
            const std::string where = "call " + std::to_string(call) + ", " + run.call + ": ";
            QVERIFY2(run.exitCode == 0, (where + std::to_string(run.exitCode.value_or(-1))).c_str());
            if (!run.reached)
                break;
        }
    }

    /// What is kept beside a cache whose vectors have no checksums is theirs alone.
    void workOfAnotherCacheOfTheSameName()
    {
        const std::filesystem::path cache = folder() / "foreign.h5";
        const WorkPlaces places{true, folder() / "home"};
        HEADSCOPE_VERIFY_OK(test::writeForeignCache(cache));
        const auto found = [&] {
            auto reader = CacheReader::open(cache);
            return findWork(**reader, places);
        };
        {
            auto reader = CacheReader::open(cache);
            HEADSCOPE_VERIFY_OK(reader);
            WorkBook book = findWork(**reader, places).book;
            HEADSCOPE_VERIFY_OK(keepWork(**reader, sets(2), places, book));
        }
        QVERIFY(digestsOf(found().work) == digestsOf(sets(2)));
        HEADSCOPE_VERIFY_OK(test::changeForeignCacheUnseen(cache));
        const FoundWork now = found();
        QVERIFY(now.work.isEmpty());
        QCOMPARE(now.problems.size(), std::size_t{1});
        QVERIFY(names().contains(QStringLiteral("foreign.h5.headscope.aside")));
        QVERIFY(!names().contains(QStringLiteral("foreign.h5.headscope")));
    }

private:
    std::filesystem::path folder() const { return m_folder.path().toStdString(); }
    QStringList names() const { return QDir(m_folder.path()).entryList(QDir::Files, QDir::Name); }
    /// The first so many of three named sets, the last of them another for each count.
    static ResultStore sets(int count)
    {
        ResultStore work;
        for (int i = 0; i < count; ++i)
            work.sets.push_back({"set " + std::to_string(i), 0, false, {i, i + count}, {"a", "b"}});
        return work;
    }

    QTemporaryDir m_folder;
    std::filesystem::path m_cache;
    std::shared_ptr<CacheReader> m_reader;
};

HEADSCOPE_TEST_GUILESS(TestKeepWork)
#include "tst_keep_work.moc"
