// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>

namespace headscope
{

/// While it lives, SIGHUP, SIGINT and SIGTERM are not delivered to this thread, nor to threads started from
/// it. Matrix kernels generated at run time use the stack pointer for other data, so that a handler on a computing
/// thread would write its frame into the heap. The signals go to a watcher thread started before (or to an idle
/// thread that a library made before main).
/// @threads lives and dies on one thread
class StopSignalMask
{
public:
    StopSignalMask();
    ~StopSignalMask();
    StopSignalMask(const StopSignalMask&) = delete;
    StopSignalMask& operator=(const StopSignalMask&) = delete;

private:
    sigset_t m_former = {};
};

} // namespace headscope
