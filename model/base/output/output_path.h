// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <sys/types.h>

#include <filesystem>
#include <span>
#include <string_view>

namespace headscope
{

/// Refuses a target whose folder is not there, by the folder's name.
/// @errors Resource
[[nodiscard]] Status checkFolderOf(const std::filesystem::path& target);

/// Refuses what is no regular file: writing would replace a device, a pipe or a folder by a file.
/// @param mode  st_mode of what is there
/// @errors WrongUse, Resource (a folder)
[[nodiscard]] Status checkRegular(mode_t mode, const std::filesystem::path& target);

/// Refuses a target that is one of the inputs, also by another name (a link): it would be replaced by
/// its own result.
/// @errors WrongUse
[[nodiscard]] Status checkIsNoInput(const std::filesystem::path& target, std::span<const std::filesystem::path> inputs);

/// Whether two names are of one file, or would be; empty names are of none.
[[nodiscard]] bool sameFile(const std::filesystem::path& a, const std::filesystem::path& b);

/// Refuses a target that could not be written, before any work is done for it: it exists (unless overwrite), is
/// a folder, a device or a pipe, is one of the inputs (also with overwrite, also by another name), holds the
/// weights of a model, has too long a name, is a link that leads in a circle, or lies in a folder that is not
/// there or cannot be written.
/// @errors WrongUse (exists, is an input or weights, no regular file), Resource
[[nodiscard]] Status checkOutputPath(const std::filesystem::path& target, bool overwrite,
                                     std::span<const std::filesystem::path> inputs = {});

/// The file that a name leads to behind all links; of a link that leads nowhere, the file that would be made.
/// @errors Resource (links in a circle)
[[nodiscard]] Result<std::filesystem::path> placeBehindLinks(const std::filesystem::path& target);

/// A path in the folder of `place`: its name between `before` and `behind`, shortened where the whole would be too
/// long for the file system.
[[nodiscard]] std::filesystem::path nameBeside(const std::filesystem::path& place, std::string_view before,
                                               std::string_view behind);

} // namespace headscope
