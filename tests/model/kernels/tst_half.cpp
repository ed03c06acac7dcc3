// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/half.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace headscope;

class TestHalf : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyHalfComesBack()
    {
        std::vector<std::uint16_t> all(65'536);
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = static_cast<std::uint16_t>(i);
        std::vector<float> floats(all.size());
        floatsFromHalf(all, floats);
        std::vector<std::uint16_t> back(all.size());
        halfFromFloats(floats, back);
        for (std::size_t i = 0; i < all.size(); ++i)
        {
            const float single = floatFromHalf(all[i]);
            if (std::isnan(single))
            {
                QVERIFY(std::isnan(floats[i]));
                QVERIFY(std::isnan(floatFromHalf(back[i])));
                continue;
            }
            QCOMPARE(std::bit_cast<std::uint32_t>(single), std::bit_cast<std::uint32_t>(floats[i]));
            QCOMPARE(back[i], all[i]);
            QCOMPARE(halfFromFloat(single), all[i]);
        }
    }

    void knownValues_data()
    {
        QTest::addColumn<float>("value");
        QTest::addColumn<int>("bits");
        QTest::newRow("one") << 1.0F << 0x3c00;
        QTest::newRow("minus two") << -2.0F << 0xc000;
        QTest::newRow("largest") << 65504.0F << 0x7bff;
        QTest::newRow("below the tie to infinity") << 65519.996F << 0x7bff;
        QTest::newRow("tie to infinity") << 65520.0F << 0x7c00;
        QTest::newRow("smallest subnormal") << 0x1.0p-24F << 0x0001;
        QTest::newRow("half of it ties to even") << 0x1.0p-25F << 0x0000;
        QTest::newRow("just above") << 0x1.000002p-25F << 0x0001;
        QTest::newRow("subnormal becomes normal") << 0x1.ffep-15F << 0x0400;
        QTest::newRow("tie to even, down") << 1.00048828125F << 0x3c00;
        QTest::newRow("tie to even, up") << 1.00146484375F << 0x3c02;
        QTest::newRow("minus zero") << -0.0F << 0x8000;
    }

    void knownValues()
    {
        QFETCH(float, value);
        QFETCH(int, bits);
        QCOMPARE(int{halfFromFloat(value)}, bits);
        const std::vector<float> many(9, value); // 8 by SIMD, 1 by the scalar tail
        std::vector<std::uint16_t> packed(9);
        halfFromFloats(many, packed);
        for (const std::uint16_t one : packed)
            QCOMPARE(int{one}, bits);
    }

    void bfloat16RoundsToNearestEven()
    {
        QCOMPARE(bfloat16FromFloat(1.0F), std::uint16_t{0x3f80});
        QCOMPARE(bfloat16FromFloat(std::bit_cast<float>(0x3f808000U)), std::uint16_t{0x3f80});
        QCOMPARE(bfloat16FromFloat(std::bit_cast<float>(0x3f818000U)), std::uint16_t{0x3f82});
        QCOMPARE(bfloat16FromFloat(std::numeric_limits<float>::max()), std::uint16_t{0x7f80});
        QVERIFY(std::isnan(floatFromBfloat16(bfloat16FromFloat(std::bit_cast<float>(0x7f800001U)))));
        std::vector<std::uint16_t> packed(3);
        bfloat16FromFloats(std::vector<float>{1, -2, 3}, packed);
        std::vector<float> back(3);
        floatsFromBfloat16(packed, back);
        QCOMPARE(back, (std::vector<float>{1, -2, 3}));
    }
};

HEADSCOPE_TEST_GUILESS(TestHalf)
#include "tst_half.moc"
