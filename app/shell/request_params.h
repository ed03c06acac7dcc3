// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/fields/fields.h"

#include <nlohmann/json.hpp>

#include <string>

namespace headscope::shell
{

/// What requests call an option (app/engine/PROTOCOL.md): "model" of MODEL, "max-tokens" of --max-tokens.
[[nodiscard]] std::string parameterName(const Field& row);

/// The parameters of a request that change the values of `usual` into those of `wanted`. What has no value is left out.
[[nodiscard]] nlohmann::json paramsThatChange(const Fields& usual, const Fields& wanted);

/// The parameters of a request for a command: one for every member that differs from its default.
/// @tparam Line  a commands::CommandLine
template <class Line>
[[nodiscard]] nlohmann::json requestParams(Line line)
{
    Line fresh;
    Fields usual;
    fresh.declareServed(usual);
    Fields wanted;
    line.declareServed(wanted);
    return paramsThatChange(usual, wanted);
}

} // namespace headscope::shell
