// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>

namespace headscope
{

/// While it lives, SIGINT and SIGTERM are not delivered to this thread, nor to threads started from
/// it. Matrix kernels made at run time use the stack pointer as they please, so that a handler's frame
/// on a computing thread lands in the heap: a watcher started before takes the signals (or an idle
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
