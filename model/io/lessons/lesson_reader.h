// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/lesson/lesson.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace headscope
{

/// No lesson file is larger, has more steps, or a longer text.
inline constexpr std::uint64_t kMaxLessonBytes = std::uint64_t{1} << 20;
inline constexpr std::size_t kMaxLessonSteps = 60;
inline constexpr std::size_t kMaxLessonText = 2'000; ///< bytes

/// Reads a lesson (resources/lessons/README.md has the format). Whatever the file holds, nothing but a lesson or an
/// error with the place comes of it: keys that are not known, texts with control characters and pictures with other
/// parameters are refused.
/// @param fileName  for errors
/// @errors BadFormat (no JSON, a key twice or not known, a value of another kind or out of its range), Unsupported
///         (of a newer version)
[[nodiscard]] Result<Lesson> parseLesson(std::string_view text, std::string_view fileName);

/// @errors those of parseLesson; FileNotFound, Resource, BadFormat (larger than kMaxLessonBytes)
[[nodiscard]] Result<Lesson> readLesson(const std::filesystem::path& file);

} // namespace headscope
