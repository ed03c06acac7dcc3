// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/assert.h"

#include "model/base/log.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <utility>

namespace headscope
{

void assertionFailed(const char* condition, const char* file, int line)
{
    std::fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
    std::abort();
}

void expectationFailed(const char* condition, const char* file, int line)
{
    if (const char* strict = std::getenv("HEADSCOPE_STRICT"); strict != nullptr && std::strcmp(strict, "1") == 0)
        assertionFailed(condition, file, line);
    static std::mutex mutex;
    static std::set<std::pair<const char*, int>> seen;
    {
        const std::lock_guard lock(mutex);
        if (!seen.emplace(file, line).second)
            return;
    }
    logMessage(LogLevel::Error, fmt::format("{}:{}: expectation failed: {}", file, line, condition));
}

} // namespace headscope
