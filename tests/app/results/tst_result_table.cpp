// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/result_table.h"

#include "tests/support/test_program.h"

#include <cstdint>
#include <limits>
#include <string>

using headscope::ResultTable;

class TestResultTable : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Wherever it stands, a text makes texts of the numbers of its column, as they are shown.
    void aTextAmongNumbers()
    {
        ResultTable table({"p", "q", "n"});
        table.add({0.25, std::string("no test"), std::int64_t{3}});
        table.add({std::string("no test"), 0.5, std::string("none")});
        table.add({std::numeric_limits<double>::quiet_NaN(), std::int64_t{7}, std::int64_t{4}});
        QCOMPARE(table.rowCount(), std::int64_t{3});
        const std::string text = table.text();
        for (const char* cell : {"0.2500", "no test", "0.5000", "none", "-", "7", "3", "4"})
            QVERIFY2(text.find(cell) != std::string::npos, (cell + std::string(" in ") + text).c_str());
    }

    /// What is missing neither makes reals of whole numbers nor the reverse.
    void missingNumbers()
    {
        ResultTable table({"n", "x"});
        table.add({std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()});
        table.add({std::int64_t{5}, 0.125});
        const std::string text = table.text();
        QVERIFY2(text.find("0.1250") != std::string::npos && text.find("5.0") == std::string::npos, text.c_str());
    }
};

HEADSCOPE_TEST_GUILESS(TestResultTable)
#include "tst_result_table.moc"
