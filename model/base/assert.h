// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope
{

/// Prints where and what, then aborts.
[[noreturn]] void assertionFailed(const char* condition, const char* file, int line);
/// Logs a broken expectation, once per place and run; ends the program where HEADSCOPE_STRICT=1.
void expectationFailed(const char* condition, const char* file, int line);

} // namespace headscope

/// A programmer's error ends the program in builds with assertions. Never on user data.
#ifndef NDEBUG
#define HEADSCOPE_ASSERT(condition) \
    ((condition) ? static_cast<void>(0) : ::headscope::assertionFailed(#condition, __FILE__, __LINE__))
#else
#define HEADSCOPE_ASSERT(condition) static_cast<void>(sizeof(!(condition)))
#endif

/// A programmer's error that a user should survive: logs and runs `recovery` (a statement such as `return`).
/// Where HEADSCOPE_STRICT=1 stands in the environment, as in every test, it ends the program.
#define HEADSCOPE_EXPECT(condition, recovery) \
    if (!(condition)) [[unlikely]] \
    { \
        ::headscope::expectationFailed(#condition, __FILE__, __LINE__); \
        recovery; \
    }
