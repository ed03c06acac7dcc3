// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/waiting.h"

#include "tests/support/live_objects.h"
#include "tests/support/test_program.h"

#include <QDeadlineTimer>
#include <QPointer>
#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <QTimer>
#include <QVariantAnimation>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>

using namespace headscope;

/// How tests wait: time that passes for timers and animations alone.
class TestWaiting : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void timersFireInTheirOrder()
    {
        std::string fired;
        QTimer every; // no child of anything
        connect(&every, &QTimer::timeout, this, [&] { fired += 'e'; });
        every.start(400'000);
        QTimer once;
        once.setSingleShot(true);
        connect(&once, &QTimer::timeout, this, [&] { fired += 'o'; });
        once.start(700'000);
        QTimer::singleShot(500'000, this, [&] { fired += 's'; });
        QTimer::singleShot(2'000'000, this, [&] { fired += 'l'; });
        test::passMs(1'300'000); // of twenty minutes none is waited for
        QCOMPARE(fired, std::string("esoee"));
        QVERIFY(every.isActive() && !once.isActive());
        every.stop();
        test::passMs(2'100'000);
        QCOMPARE(fired, std::string("esoeel"));
        test::passMs(2'000'000);
        QCOMPARE(fired, std::string("esoeel"));
    }

    void whatATimerStartsIsDueLater()
    {
        std::string fired;
        QTimer first;
        QTimer second;
        first.setSingleShot(true);
        second.setSingleShot(true);
        connect(&first, &QTimer::timeout, &second, [&] {
            fired += '1';
            second.start(300'000);
        });
        connect(&second, &QTimer::timeout, this, [&] { fired += '2'; });
        first.start(300'000);
        test::passMs(500'000);
        QCOMPARE(fired, std::string("1"));
        test::passMs(400'000);
        QCOMPARE(fired, std::string("12"));
    }

    void animationsReachTheirEnd()
    {
        QVariantAnimation animation;
        animation.setStartValue(0.0);
        animation.setEndValue(1.0);
        animation.setDuration(500'000);
        QSignalSpy ended(&animation, &QVariantAnimation::finished);
        animation.start();
        test::passMs(300'000);
        QCOMPARE(ended.count(), 0);
        test::passMs(500'000);
        QCOMPARE(ended.count(), 1);
        QCOMPARE(animation.currentValue().toDouble(), 1.0);
        // One without an end holds nobody up.
        animation.setLoopCount(-1);
        animation.start();
        test::passMs(100);
        animation.stop();
    }

    void whatIsPostedIsRunWithWhatFollows()
    {
        int depth = 0;
        std::function<void()> next = [&] {
            if (++depth < 6)
                QMetaObject::invokeMethod(this, next, Qt::QueuedConnection);
        };
        QMetaObject::invokeMethod(this, next, Qt::QueuedConnection);
        int shots = 0;
        QTimer::singleShot(0, this, [&shots] { ++shots; });
        QPointer<QObject> later = new QObject;
        later->deleteLater();
        test::settle();
        QCOMPARE(depth, 6);
        QCOMPARE(shots, 1);
        QVERIFY(later.isNull());
    }

    void aTimerMayDeleteItself()
    {
        auto timer = std::make_unique<QTimer>();
        timer->setSingleShot(true);
        auto* other = new QTimer(timer.get());
        other->start(60'000);
        connect(timer.get(), &QTimer::timeout, this, [&] { timer.release()->deleteLater(); });
        timer->start(30'000);
        test::passMs(100'000);
        QVERIFY(timer == nullptr);
    }

    /// Their clock is their own.
    void timersOfOtherThreadsAreLeftAlone()
    {
        QThread thread;
        QTimer timer;
        std::atomic<int> fired = 0;
        timer.setInterval(200'000);
        connect(&timer, &QTimer::timeout, &timer, [&fired] { ++fired; });
        timer.moveToThread(&thread);
        connect(&thread, &QThread::started, &timer, qOverload<>(&QTimer::start));
        connect(&thread, &QThread::finished, &timer, &QTimer::stop);
        thread.start();
        WAIT_FOR(thread.isRunning());
        test::passMs(1'000'000);
        thread.quit();
        QVERIFY(thread.wait(QDeadlineTimer(test::kHangMs)));
        QCOMPARE(fired.load(), 0);
    }

    void objectsAreCounted()
    {
        const int mark = test::LiveObjects::mark();
        const qsizetype before = test::LiveObjects::count();
        auto timer = std::make_unique<QTimer>();
        QCOMPARE(test::LiveObjects::count(), before + 1);
        QCOMPARE(test::LiveObjects::leftSince(mark), QStringList{QStringLiteral("1 x QTimer")});
        timer.reset();
        QCOMPARE(test::LiveObjects::count(), before);
    }

    void waitsForTheConditionAndNoLonger()
    {
        std::atomic<bool> there = false;
        std::jthread other([&there] { there = true; });
        WAIT_FOR(there.load());
        int turns = 0;
        QVERIFY(test::waitFor([&turns] { return ++turns == 5; }));
        WAIT_COMPARE(turns, 5);
        QCOMPARE(turns, 5);
    }
};

HEADSCOPE_TEST_GUILESS(TestWaiting)
#include "tst_waiting.moc"
