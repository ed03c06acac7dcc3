// SPDX-License-Identifier: GPL-3.0-or-later
// Tests wait for what is to happen, never for a time: a busy machine makes them slower, not wrong.
#pragma once

#include <QDeadlineTimer>
#ifdef QT_WIDGETS_LIB
#include <QTest>
#include <QWidget>
#endif

namespace headscope::test
{

/// Longer than anything takes on a machine that is up to something else; only a hang lasts longer.
inline constexpr int kHangMs = 120'000;

/// Goes on while there is hope that something comes.
class Patience
{
public:
    /// Runs the event loop for a moment. @return  false: it hangs
    [[nodiscard]] bool goOn();

private:
    QDeadlineTimer m_end{kHangMs};
};

/// Runs the event loop until `condition()`. @return  false: it hangs
template <class Condition>
[[nodiscard]] bool waitFor(const Condition& condition)
{
    for (Patience patience; !condition();)
        if (!patience.goOn())
            return false;
    return true;
}

#ifdef QT_WIDGETS_LIB
/// Whether a window that was just shown comes to be seen.
[[nodiscard]] inline bool exposed(QWidget* window)
{
    return QTest::qWaitForWindowExposed(window, kHangMs);
}

/// Whether it comes to have the keyboard.
[[nodiscard]] inline bool active(QWidget* window)
{
    return QTest::qWaitForWindowActive(window, kHangMs);
}
#endif

/// Lets `ms` milliseconds pass for timers and animations of this thread, and for nothing else: what would fire by then
/// fires, in its order, without waiting for the clock. Work of other threads and programs is waited for by WAIT_FOR.
/// "Nothing happens" is a statement about events, too: after passMs(1000) whatever a second brings has come.
void passMs(int ms);

/// Runs whatever is posted and due, until nothing follows from it.
inline void settle()
{
    passMs(0);
}

} // namespace headscope::test

/// Runs the event loop until `condition`; fails the test where it hangs.
#define WAIT_FOR(condition) \
    do \
    { \
        for (headscope::test::Patience patienceOfWait; !(condition) && patienceOfWait.goOn();) \
        {} \
        QVERIFY(condition); \
    } while (false)

/// The same with words for the hang.
#define WAIT_FOR2(condition, words) \
    do \
    { \
        for (headscope::test::Patience patienceOfWait; !(condition) && patienceOfWait.goOn();) \
        {} \
        QVERIFY2(condition, words); \
    } while (false)

/// Runs the event loop until `actual` is `expected`; fails the test where it hangs.
#define WAIT_COMPARE(actual, expected) \
    do \
    { \
        for (headscope::test::Patience patienceOfWait; !((actual) == (expected)) && patienceOfWait.goOn();) \
        {} \
        QCOMPARE(actual, expected); \
    } while (false)
