// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace headscope
{

/// What durations are measured by: never set back.
using Clock = std::chrono::steady_clock;

[[nodiscard]] inline double secondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

} // namespace headscope
