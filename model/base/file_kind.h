// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <filesystem>
#include <string_view>

namespace headscope
{

/// What a file is, for people: "a folder", "a pipe", "a socket", "a device", or "a file".
/// @param mode  st_mode of stat
[[nodiscard]] std::string_view fileKindName(unsigned mode);

/// Refuses what is read by other means than a file, or never ends: folders, pipes, sockets, devices.
/// @param mode  st_mode of stat
/// @errors BadFormat, with what it is
[[nodiscard]] Status checkIsRegular(unsigned mode, const std::filesystem::path& path);

} // namespace headscope
