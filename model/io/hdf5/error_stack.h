// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace headscope
{

/// What HDF5 noted of the last failure of this thread.
struct ErrorStack
{
    std::string innermost;    ///< the first reason, in HDF5's words
    int systemNumber = 0;     ///< errno of a failed system call; 0: none, or one that a damaged file causes
    bool outOfMemory = false; ///< HDF5 could not get memory
};

/// Reads HDF5's error stack. Numbers of the system that a wild offset in a damaged file causes (EINVAL,
/// EOVERFLOW, ENXIO) do not count as failures of the system.
[[nodiscard]] ErrorStack readErrorStack();

} // namespace headscope
