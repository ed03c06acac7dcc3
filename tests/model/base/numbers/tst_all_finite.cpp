// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/numbers/all_finite.h"

#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <limits>
#include <vector>

using namespace headscope;

namespace
{

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Lengths around the widths of registers.
constexpr std::array kLengths = {1UL, 3UL, 4UL, 7UL, 8UL, 15UL, 16UL, 17UL, 31UL, 33UL, 64UL, 100UL, 577UL};

} // namespace

class TestAllFinite : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneValueThatIsNoNumberIsFoundAtAnyPlace();
    void aVectorOfZerosHasNoDirection();
};

void TestAllFinite::oneValueThatIsNoNumberIsFoundAtAnyPlace()
{
    QVERIFY(allFinite({}));
    for (const std::size_t n : kLengths)
    {
        const std::vector<float> finite(n, std::numeric_limits<float>::max());
        QVERIFY(allFinite(finite));
        for (const float bad : {kInfinity, -kInfinity, kNan, -kNan})
            for (std::size_t at = 0; at < n; ++at)
            {
                auto values = finite;
                values[at] = bad;
                QVERIFY(!allFinite(values));
                QVERIFY(!hasDirection(values));
            }
    }
}

void TestAllFinite::aVectorOfZerosHasNoDirection()
{
    QVERIFY(!hasDirection({}));
    std::vector<float> values(17, 0.0F);
    values[3] = -0.0F;
    QVERIFY(!hasDirection(values));
    values[16] = std::numeric_limits<float>::denorm_min();
    QVERIFY(hasDirection(values));
}

HEADSCOPE_TEST_GUILESS(TestAllFinite)
#include "tst_all_finite.moc"
