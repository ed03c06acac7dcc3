// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/error.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace headscope::shell
{

/// What --json prints for a failure: {"error": {"code", "message", "file", "place"}}, one line without its end.
[[nodiscard]] std::string errorJson(const Error& error);
/// The error of such an object; nothing where it has none. What is missing or of another type is left empty.
[[nodiscard]] std::optional<Error> errorOf(const nlohmann::json& object);

} // namespace headscope::shell
