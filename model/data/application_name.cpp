// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/application_name.h"

namespace headscope
{

std::string applicationName()
{
    return "Headscope " HEADSCOPE_VERSION;
}

} // namespace headscope
