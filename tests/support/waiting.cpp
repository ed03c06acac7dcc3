// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/waiting.h"

#include "tests/support/live_objects.h"

#include <QAbstractAnimation>
#include <QAbstractEventDispatcher>
#include <QCoreApplication>
#include <QThread>
#include <QTimerEvent>

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace headscope::test
{
namespace
{

/// A timer of an object, or (without an id) an animation that runs.
using Key = std::pair<QObject*, int>;
constexpr int kAnimation = -1;

struct Waiting
{
    Key key;
    int leftMs = 0;
    int intervalMs = 0;
};

/// All that waits for time to pass on this thread.
std::vector<Waiting> allWaiting()
{
    std::vector<Waiting> found;
    auto* const dispatcher = QAbstractEventDispatcher::instance();
    LiveObjects::visitThisThread([&](QObject& object) {
        for (const auto& timer : dispatcher->registeredTimers(&object)) // coarse ones may be late by a twentieth
            found.push_back({{&object, timer.timerId},
                             qBound(0, dispatcher->remainingTime(timer.timerId), timer.interval),
                             timer.interval});
        if (const auto* animation = qobject_cast<QAbstractAnimation*>(&object);
            animation != nullptr && animation->state() == QAbstractAnimation::Running &&
            animation->totalDuration() >= 0)
            found.push_back({{&object, kAnimation}, animation->totalDuration() - animation->currentTime(), 0});
    });
    return found;
}

/// Runs what is posted, and what follows from it at once.
void runPosted()
{
    // Each turn runs all that was posted before it; layouts and their paint events need a handful.
    constexpr int kTurns = 8;
    for (int turn = 0; turn < kTurns; ++turn)
    {
        QCoreApplication::processEvents();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
}

void fire(const Key& key)
{
    if (key.second != kAnimation)
    {
        QTimerEvent event(key.second);
        QCoreApplication::sendEvent(key.first, &event);
        return;
    }
    auto* const animation = static_cast<QAbstractAnimation*>(key.first);
    animation->setCurrentTime(animation->totalDuration());
}

/// A clock of its own, which jumps from one event to the next.
class Clock
{
public:
    /// The next one that is due by `end`.
    [[nodiscard]] std::optional<Key> next(int end)
    {
        std::map<Key, int> due;
        std::optional<Waiting> first;
        for (const Waiting& each : allWaiting())
        {
            const auto known = m_due.find(each.key);
            const int when = known != m_due.end() ? known->second : m_now + each.leftMs;
            due[each.key] = when;
            if (when <= end && (!first || when < due[first->key]))
                first = each;
        }
        m_due = std::move(due);
        if (!first)
            return std::nullopt;
        m_now = qMax(m_now, m_due[first->key]);
        // One that goes on; a timer of no interval comes once for each millisecond, or this never ended.
        m_due[first->key] = m_now + qMax(1, first->intervalMs);
        return first->key;
    }

private:
    int m_now = 0;
    std::map<Key, int> m_due;
};

} // namespace

bool Patience::goOn()
{
    constexpr int kMomentMs = 2;
    if (m_end.hasExpired())
        return false;
    QCoreApplication::processEvents(QEventLoop::AllEvents, kMomentMs);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QThread::msleep(1); // others want the processor, too
    return true;
}

void passMs(int ms)
{
    Clock clock;
    runPosted();
    while (const auto key = clock.next(ms))
    {
        fire(*key);
        runPosted();
    }
}

} // namespace headscope::test
