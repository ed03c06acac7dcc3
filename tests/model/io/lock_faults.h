// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>

namespace headscope::test
{

/// What locking a file says from now on, in the whole test program: an error number, such as ENOLCK of a file system
/// without locks; 0: what the system says.
extern std::atomic<int> lockError;

} // namespace headscope::test
