// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/error.h"

#include <string_view>

namespace headscope
{

/// The exception that is being handled as an Error: OutOfMemory, Resource (a thread that could not be started), or else
/// Internal. To be called in a catch block.
/// @param before  put in front of what an unexpected one says
[[nodiscard]] Error thrownError(std::string_view before = {});

} // namespace headscope
