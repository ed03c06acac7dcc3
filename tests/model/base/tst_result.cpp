// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/result.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <memory>

using namespace headscope;

namespace
{

Result<int> half(int number)
{
    if (number % 2 != 0)
        return Error{ErrorCode::InvalidArgument, "expected an even number", {}, {}};
    return number / 2;
}

Result<int> quarter(int number)
{
    HEADSCOPE_TRY(const int once, half(number));
    HEADSCOPE_TRY(const int twice, half(once));
    return twice;
}

Status mustBeEven(int number)
{
    HEADSCOPE_TRY([[maybe_unused]] const int ignored, half(number));
    return {};
}

Result<int> checkedDouble(int number)
{
    HEADSCOPE_CHECK(mustBeEven(number));
    return number * 2;
}

} // namespace

class TestResult : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void holdsValueOrError()
    {
        QCOMPARE(half(8).value(), 4);
        QVERIFY(!half(7).has_value());
        HEADSCOPE_VERIFY_ERROR(half(7), ErrorCode::InvalidArgument, "even");
        QCOMPARE(half(7).value_or(-1), -1);
    }

    void tryPassesTheErrorOn()
    {
        QCOMPARE(quarter(8).value(), 2);
        QVERIFY(!quarter(6).has_value());
    }

    void checkPassesTheErrorOn()
    {
        QCOMPARE(checkedDouble(4).value(), 8);
        QVERIFY(!checkedDouble(3).has_value());
    }

    void movesWhatCannotBeCopied()
    {
        Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
        const std::unique_ptr<int> taken = std::move(result).value();
        QCOMPARE(*taken, 5);
    }
};

HEADSCOPE_TEST_GUILESS(TestResult)
#include "tst_result.moc"
