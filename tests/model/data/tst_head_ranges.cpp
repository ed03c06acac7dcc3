// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/head_ranges.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

using namespace headscope;
using Heads = std::vector<std::int64_t>;

class TestHeadRanges : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reads_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("again");
        QTest::newRow("range and one") << "1-4,9"
                                       << "1-4,9";
        QTest::newRow("spaces") << " 2 , 5 - 6 "
                                << "2,5-6";
        QTest::newRow("out of order, twice") << "9,1-3,2-4"
                                             << "1-4,9";
        QTest::newRow("all") << "all"
                             << "1-9";
        QTest::newRow("nothing") << ""
                                 << "1-9";
    }

    void reads()
    {
        QFETCH(QString, text);
        QFETCH(QString, again);
        const auto heads = parseHeadRanges(text.toStdString(), 9);
        HEADSCOPE_VERIFY_OK(heads);
        QCOMPARE(QString::fromStdString(formatHeadRanges(*heads)), again);
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text : {"0", "4-2", "a", "1-", "-3", "1,,2", "1;2", "1-4-5", "99999999999999999999"})
            QTest::newRow(text) << text;
    }

    void refuses()
    {
        QFETCH(QString, text);
        HEADSCOPE_VERIFY_ERROR(parseHeadRanges(text.toStdString(), 9), ErrorCode::WrongUse, "1-9");
    }

    void noSuchHead()
    {
        HEADSCOPE_VERIFY_ERROR(parseHeadRanges("10", 9), ErrorCode::InvalidArgument, "1-9");
        HEADSCOPE_VERIFY_ERROR(parseHeadRanges("2,8-12", 9), ErrorCode::InvalidArgument, "\"8-12\"");
    }

    void indicesStartAtZero() { QCOMPARE(*parseHeadRanges("1,9", 9), (Heads{0, 8})); }
};

HEADSCOPE_TEST_GUILESS(TestHeadRanges)
#include "tst_head_ranges.moc"
