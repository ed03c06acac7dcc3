// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/resources.h"

#include <QDir>

// Q_INIT_RESOURCE must stand outside of any namespace.
static void initResource()
{
    Q_INIT_RESOURCE(desktop);
}

namespace headscope::ui
{

void registerResources()
{
    initResource();
}

} // namespace headscope::ui
