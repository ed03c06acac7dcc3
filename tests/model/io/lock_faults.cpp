// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/model/io/lock_faults.h"

#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

std::atomic<int> headscope::test::lockError = 0;

// Found before that of the C library, by HDF5 too.
extern "C" int flock(int descriptor, int operation) noexcept
{
    if (headscope::test::lockError != 0)
    {
        errno = headscope::test::lockError;
        return -1;
    }
    return static_cast<int>(::syscall(SYS_flock, descriptor, operation));
}
