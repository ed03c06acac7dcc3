// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/checked_size.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <array>
#include <limits>

using namespace headscope;

class TestCheckedSize : public QObject
{
    Q_OBJECT

    static constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

private Q_SLOTS:
    void addsAndRefusesOverflow()
    {
        QCOMPARE(checkedAdd(2, 3).value(), 5U);
        QCOMPARE(checkedAdd(kMax, 0).value(), kMax);
        QVERIFY(!checkedAdd(kMax, 1));
    }

    void multipliesAndRefusesOverflow()
    {
        QCOMPARE(checkedMultiply(1ULL << 32, (1ULL << 32) - 1).value(), 0xffffffff00000000ULL);
        QVERIFY(!checkedMultiply(1ULL << 32, 1ULL << 32));
        QCOMPARE(checkedProduct(std::array{3, 4, 5}).value(), 60U);
        QCOMPARE(checkedProduct(std::array<int, 0>{}).value(), 1U);
        QVERIFY(!checkedProduct(std::array<std::uint64_t, 3>{1ULL << 30, 1ULL << 30, 1ULL << 30}));
        QCOMPARE(checkedProduct(std::array<std::uint64_t, 3>{kMax, 0, kMax}).value(), 0U);
    }

    void alignsUpwards()
    {
        QCOMPARE(checkedAlign(0, 32).value(), 0U);
        QCOMPARE(checkedAlign(1, 32).value(), 32U);
        QCOMPARE(checkedAlign(32, 32).value(), 32U);
        QVERIFY(!checkedAlign(kMax - 3, 32)); // the wrap that once gave a size of zero
    }
};

HEADSCOPE_TEST_GUILESS(TestCheckedSize)
#include "tst_checked_size.moc"
