// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/threads/signal_mask.h"

namespace headscope
{

StopSignalMask::StopSignalMask()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, &m_former);
}

StopSignalMask::~StopSignalMask()
{
    pthread_sigmask(SIG_SETMASK, &m_former, nullptr);
}

} // namespace headscope
