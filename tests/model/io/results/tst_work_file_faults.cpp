// SPDX-License-Identifier: GPL-3.0-or-later
// A program that ends, or a disk that takes no more, while kept work is written: what stands there is whole.
#include "model/io/cache/cache_reader.h"
#include "model/io/results/work_file.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/call_faults.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

using namespace headscope;

class TestWorkFileFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        JobContext job;
        HEADSCOPE_VERIFY_OK(writeCache(m_folder.file("c.h5"), test::sampleContents(), NumberType::F32, job));
        const auto cache = CacheReader::open(m_folder.file("c.h5"));
        HEADSCOPE_VERIFY_OK(cache);
        m_info = (*cache)->info();
    }

    void killedAtAnyCallLeavesAWholeFile();
    void anyCallThatFailsLeavesAWholeFile();

private:
    WorkFile sample(std::int64_t savedMs) const
    {
        WorkFile file{m_info.identity, "c.h5", savedMs, {}};
        file.work.sets = {{"ants", 0xE69F00, true, {0, 3}, {"doc-0", "doc-3"}}};
        for (int i = 0; i <= savedMs; ++i)
        {
            auto map = std::make_shared<HeadMap>(test::sampleContents().maps.front());
            map->name = "map " + std::to_string(i);
            file.work.maps.push_back(map);
        }
        return file;
    }
    /// When the file was saved that stands there now; -1: it is not whole.
    std::int64_t savedAt(const std::filesystem::path& path) const
    {
        const auto read = readWorkFile(path, m_info);
        return read && digestsOf(read->work) == digestsOf(sample(read->savedMs).work) ? read->savedMs : -1;
    }

    test::TemporaryFolder m_folder;
    CacheInfo m_info;
};

/// Fault row 16: kill -9 before each of the calls that write it.
void TestWorkFileFaults::killedAtAnyCallLeavesAWholeFile()
{
    if (!test::canFault(test::CallFault::Kill))
        QSKIP("processes may not be traced here");
    const test::TemporaryFolder folder;
    const auto path = folder.file("c.h5.headscope");
    const WorkFile older = sample(1);
    const WorkFile newer = sample(2);
    HEADSCOPE_VERIFY_OK(writeWorkFile(path, older));
    int before = 0;
    int behind = 0;
    for (int call = 0;; ++call)
    {
        const auto run = test::runWithFault(
            test::CallFault::Kill, call, [&] { static_cast<void>(writeWorkFile(path, newer)); }, [] { return 0; });
        if (!run.reached)
            break;
        QVERIFY(!run.exitCode);
        const std::int64_t saved = savedAt(path);
        QVERIFY2(saved == 1 || saved == 2, qPrintable(QStringLiteral("call %1").arg(call)));
        (saved == 1 ? before : behind) += 1;
        if (saved == 2)
            HEADSCOPE_VERIFY_OK(writeWorkFile(path, older));
    }
    QVERIFY2(before > 20 && behind > 1, qPrintable(QStringLiteral("%1 before, %2 behind").arg(before).arg(behind)));
}

/// Each of the calls that write it fails once, as on a full disk: the file is whole, what is said is true, no part
/// is left, and the next attempt of the same program writes it.
void TestWorkFileFaults::anyCallThatFailsLeavesAWholeFile()
{
    if (!test::canFault(test::CallFault::Fail))
        QSKIP("calls cannot be made to fail here");
    const test::TemporaryFolder folder;
    const auto path = folder.file("c.h5.headscope");
    const WorkFile older = sample(1);
    const WorkFile newer = sample(2);
    int refused = 0;
    for (int call = 0;; ++call)
    {
        HEADSCOPE_VERIFY_OK(writeWorkFile(path, older));
        Status first;
        const auto after = [&] {
            if (!first && first.error().code != ErrorCode::Resource)
                return 2;
            if (folder.files() != 1)
                return 3;
            // Only when the folder cannot be synced, the new file is there and yet said to be in danger.
            const std::int64_t saved = savedAt(path);
            if (first ? saved != 2 : saved != 1 && saved != 2)
                return 4;
            if (const Status again = writeWorkFile(path, sample(3)); !again || savedAt(path) != 3)
                return 5;
            return first ? 0 : 1;
        };
        const auto run = test::runWithFault(
            test::CallFault::Fail, call, [&] { first = writeWorkFile(path, newer); }, after);
        const std::string where = "call " + std::to_string(call) + ", " + run.call;
        QVERIFY2(run.exitCode && *run.exitCode < 2, (where + ": " + std::to_string(run.exitCode.value_or(-1))).c_str());
        if (!run.reached)
            break;
        // What was only read, or is on the disk already, is closed in peace.
        QVERIFY2(*run.exitCode == 1 || run.call == "close", where.c_str());
        refused += *run.exitCode;
    }
    QVERIFY2(refused > 20, std::to_string(refused).c_str());
}

HEADSCOPE_TEST_GUILESS(TestWorkFileFaults)
#include "tst_work_file_faults.moc"
