// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/latest_value.h"

#include <QMetaObject>
#include <QObject>

#include <functional>
#include <memory>
#include <utility>

namespace headscope::desktop
{

/// Delivers a worker's intermediate results to the GUI thread: only the newest, however fast they come.
/// @threads begin() and end() on the GUI thread; the worker publishes into what begin() gave
template <class T>
class LiveResults
{
public:
    /// Starts a new job; what an earlier one still publishes is dropped.
    /// @param owner  on whose thread `take` is called, and whose member this is
    std::shared_ptr<LatestValue<T>> begin(QObject* owner, std::function<void(const T&)> take)
    {
        m_live = std::make_shared<LatestValue<T>>([this, owner, take = std::move(take)] {
            QMetaObject::invokeMethod(
                owner,
                [this, take] {
                    if (const auto newest = m_live != nullptr ? m_live->take() : nullptr)
                        take(*newest);
                },
                Qt::QueuedConnection);
        });
        return m_live;
    }
    /// The job has ended; its final result is delivered separately.
    void end() { m_live.reset(); }

private:
    std::shared_ptr<LatestValue<T>> m_live;
};

} // namespace headscope::desktop
