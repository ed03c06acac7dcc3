// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace headscope
{

/// "Headscope 0.1.0": what a map is kept with, since another version may place points otherwise.
[[nodiscard]] std::string applicationName();

} // namespace headscope
