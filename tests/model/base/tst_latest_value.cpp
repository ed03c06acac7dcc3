// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/latest_value.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <atomic>
#include <thread>

using namespace headscope;
using namespace std::chrono_literals;

class TestLatestValue : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wakesOnceUntilTaken()
    {
        int wakes = 0;
        LatestValue<int> latest([&wakes] { ++wakes; }, 0ms);
        latest.publishFinal(std::make_shared<int>(1));
        latest.publishFinal(std::make_shared<int>(2));
        QCOMPARE(wakes, 1);
        QCOMPARE(*latest.take(), 2);
        QVERIFY(latest.take() == nullptr);
        latest.publish(std::make_shared<int>(3));
        QCOMPARE(wakes, 2);
    }

    void dropsValuesInsideTheInterval()
    {
        int wakes = 0;
        LatestValue<int> latest([&wakes] { ++wakes; }, 1h);
        latest.publish(std::make_shared<int>(1));
        QCOMPARE(*latest.take(), 1);
        QVERIFY(!latest.wanted());
        latest.publish(std::make_shared<int>(2));
        QVERIFY(latest.take() == nullptr);
        latest.publishFinal(std::make_shared<int>(3)); // the last one always arrives
        QCOMPARE(*latest.take(), 3);
        QCOMPARE(wakes, 2);
    }

    void theTakerSeesRisingValuesAndTheLast()
    {
        std::atomic<bool> woken = false;
        LatestValue<int> latest([&woken] { woken = true; }, 0ms);
        std::jthread publisher([&latest] {
            for (int i = 1; i <= 10'000; ++i)
                latest.publish(std::make_shared<int>(i));
            latest.publishFinal(std::make_shared<int>(10'001));
        });
        int last = 0;
        while (last != 10'001)
        {
            if (const auto value = latest.take())
            {
                QVERIFY(*value > last);
                last = *value;
            }
        }
        QVERIFY(woken);
    }
};

HEADSCOPE_TEST_GUILESS(TestLatestValue)
#include "tst_latest_value.moc"
