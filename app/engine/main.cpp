// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/engine.h"

int main(int argc, char** argv)
{
    return headscope::engine::run(argc, argv);
}
