// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/job_context.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <vector>

using namespace headscope;

class TestJobContext : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void asksTheStopToken()
    {
        std::stop_source source;
        const JobContext job(source.get_token());
        HEADSCOPE_VERIFY_OK(job.checkStop());
        source.request_stop();
        QVERIFY(job.stopRequested());
        QCOMPARE(job.checkStop().error().code, ErrorCode::Cancelled);
    }

    void aJobWithoutWatcherNeverStops()
    {
        JobContext job;
        job.report("reading", 1, 2);
        QVERIFY(!job.stopRequested());
    }

    void dropsSmallStepsButNeverAStageOrItsEnd()
    {
        std::vector<Progress> seen;
        JobContext job({}, [&seen](const Progress& progress) { seen.push_back(progress); });
        for (std::uint64_t i = 0; i <= 100'000; ++i)
            job.report("counting", i, 100'000, "items");
        QVERIFY(seen.size() >= 900 && seen.size() <= 1'002);
        QCOMPARE(seen.back().done, std::uint64_t{100'000});
        QCOMPARE(seen.back().unit, std::string("items"));
        job.report("writing", 0, 100'000);
        QCOMPARE(seen.back().stage, std::string("writing"));
        QVERIFY(seen.back().eta < 0); // nothing done yet: the time left is not known
    }
};

HEADSCOPE_TEST_GUILESS(TestJobContext)
#include "tst_job_context.moc"
