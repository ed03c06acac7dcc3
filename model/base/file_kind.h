// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <filesystem>

namespace headscope
{

/// Refuses what is read by other means than a file, or never ends: folders, pipes, sockets, devices.
/// @param mode  st_mode of stat
/// @errors BadFormat, with what it is
[[nodiscard]] Status checkIsRegular(unsigned mode, const std::filesystem::path& path);

} // namespace headscope
