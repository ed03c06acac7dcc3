// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/live_objects.h"
#include "tests/support/waiting.h"
#include "ui/jobs/job_runner.h"

#include <QObject>

namespace headscope::test
{

/// Whether no worker has anything to do, of whatever object.
[[nodiscard]] inline bool workersRest()
{
    bool rest = true;
    LiveObjects::visitThisThread([&rest](QObject& object) {
        if (const auto* runner = qobject_cast<ui::JobRunner*>(&object))
            rest = rest && !runner->busy();
    });
    return rest;
}

/// Until all that is under way has arrived: no worker has anything to do, and nothing that is due within half a second
/// makes work again. @return  false: there is no end of it
[[nodiscard]] inline bool calm()
{
    constexpr int kDueMs = 500;
    constexpr int kMaxRounds = 200;
    int quiet = 0; // two rounds: what a worker brought in the first may have set a timer
    for (int round = 0; round < kMaxRounds && quiet < 2; ++round)
    {
        if (!waitFor(&workersRest))
            return false;
        passMs(kDueMs);
        quiet = workersRest() ? quiet + 1 : 0;
    }
    return quiet == 2;
}

} // namespace headscope::test
