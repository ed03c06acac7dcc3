// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/lesson/regroup_result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace headscope
{

/// What regrouping a model costs, as a file of numbers that comes with the lessons: JSON.
[[nodiscard]] std::string regroupText(const RegroupResult& result);

/// Its result is stored, and of no cache.
/// @param fileName  for errors
/// @errors BadFormat (with the place), Unsupported (of a newer version)
[[nodiscard]] Result<RegroupResult> parseRegroup(std::string_view text, std::string_view fileName);
/// @errors those of parseRegroup and readTextFile
[[nodiscard]] Result<RegroupResult> readRegroup(const std::filesystem::path& file);

} // namespace headscope
