// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/waiting_threads.h"

#include <unistd.h>

#include <array>
#include <climits>
#include <cstddef>
#include <cstdlib>

namespace headscope::engine
{

void sleepWhileWaiting(char** argv)
{
    if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr)
        return;
    // By its own path, after which the process is named; one that was replaced meanwhile has none.
    std::array<char, PATH_MAX> path{};
    const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size() - 1);
    if (length <= 0 || ::access(path.data(), X_OK) != 0)
        return;
    // Some ten microseconds of spinning bridge the pause between two loops.
    if (::setenv("OMP_WAIT_POLICY", "passive", 0) == 0 && ::setenv("GOMP_SPINCOUNT", "5000", 0) == 0)
        ::execv(path.data(), argv);
}

} // namespace headscope::engine
