// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/check/time_limit.h"

#include <sys/resource.h>

#include <algorithm>
#include <ctime>

namespace headscope::check
{

void allowTime(std::uint64_t bytes)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    constexpr std::uint64_t kTimes = 8; // they slow everything down
#else
    constexpr std::uint64_t kTimes = 1;
#endif
    constexpr std::uint64_t kBytesASecond = 20'000'000; // of texts and of what is compressed, with guarded memory
    timespec used = {};
    struct rlimit limits = {};
    if (::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0 || ::getrlimit(RLIMIT_CPU, &limits) != 0)
        return;
    // The kernel counts whole seconds: that is one to two of them.
    const std::uint64_t seconds = static_cast<std::uint64_t>(used.tv_sec) + kTimes * (2 + bytes / kBytesASecond);
    const auto wanted = std::min<rlim_t>(seconds, limits.rlim_max - 1); // with its signal, which the last one has not
    if (wanted == limits.rlim_cur)
        return;
    limits.rlim_cur = wanted;
    static_cast<void>(::setrlimit(RLIMIT_CPU, &limits)); // where it fails the limit of the whole stays
}

} // namespace headscope::check
