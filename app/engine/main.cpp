// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/engine.h"
#include "app/engine/waiting_threads.h"
#include "app/shell/process.h"
#include "model/base/child_process.h"

int main(int argc, char** argv)
{
    headscope::engine::sleepWhileWaiting(argv);
    headscope::endWithParent();
    return headscope::shell::runProgram(headscope::engine::run, argc, argv);
}
