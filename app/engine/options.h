// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/stage.h"
#include "model/io/cache/cache_info.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::engine
{

/// "1,3,contribution" as stages, in the order of the enumeration.
/// @errors WrongUse, naming the piece that is not understood
[[nodiscard]] Result<std::vector<Stage>> parseStages(std::string_view text);

/// "last", "all", or 0-based layers such as "0,15,20-31", ascending and without repeats.
/// @param layers  how many the model has
/// @errors WrongUse (not understood), InvalidArgument (a layer that the model does not have)
[[nodiscard]] Result<std::vector<std::int64_t>> parseLayers(std::string_view text, std::int64_t layers);

/// "" or "all", or rows of a cache from 0 such as "0-99,120", ascending and without repeats.
/// @param documents  how many the cache has
/// @errors WrongUse (not understood), InvalidArgument (a row that the cache does not have)
[[nodiscard]] Result<std::vector<std::int64_t>> parseRows(std::string_view text, std::int64_t documents);

/// The names of columns in "a,b,c"; a backslash before a comma or a backslash makes it part of a name.
[[nodiscard]] std::vector<std::string> splitColumns(std::string_view text);

/// A whole number of 1 or more.
/// @param option  its name, for the error
/// @errors WrongUse
[[nodiscard]] Result<std::int64_t> parseCount(std::string_view text, std::string_view option);

/// "A:B" as documents A to B-1.
/// @param option  its name, for the error
/// @errors WrongUse (not understood, no document between them)
[[nodiscard]] Result<DocumentRange> parseRange(std::string_view text, std::string_view option);

/// A number of bytes: "3000000000", "2500M", "3G"; k, M and G stand for 1024, 1024^2 and 1024^3.
/// @param option  its name, for the error
/// @errors WrongUse
[[nodiscard]] Result<std::uint64_t> parseBytes(std::string_view text, std::string_view option);

} // namespace headscope::engine
