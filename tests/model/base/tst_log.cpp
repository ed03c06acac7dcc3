// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/log.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <string>
#include <vector>

using namespace headscope;

class TestLog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sinkTakesWhatTheLevelLetsThrough()
    {
        std::vector<std::string> lines;
        const LogSink former = setLogSink([&lines](LogLevel, std::string_view line) { lines.emplace_back(line); });
        logInfo("not shown");
        logWarning("{} of {} texts truncated", 3, 10);
        setLogLevel(LogLevel::Debug);
        logInfo("shown");
        setLogLevel(LogLevel::Warning);
        setLogSink(former);
        QCOMPARE(lines, (std::vector<std::string>{"3 of 10 texts truncated", "shown"}));
    }
};

HEADSCOPE_TEST_GUILESS(TestLog)
#include "tst_log.moc"
