// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/formats/json.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{
class Fields;
}

namespace headscope::engine
{

/// Longest line that is read.
inline constexpr std::size_t kMaxLineBytes = std::size_t{4} << 20;

/// One parameter of a request.
struct Parameter
{
    std::string name;
    JsonKind kind = JsonKind::String;
    /// A text as it is, a number as decimal text, "true" or "false", or the texts of an array.
    std::vector<std::string> values;
};

/// What a line asks for: {"id", "method", "params"}.
struct Request
{
    std::string id; ///< as JSON: 7, "seven"
    std::string method;
    std::vector<Parameter> params;

    /// The parameter of a name, or null.
    [[nodiscard]] const Parameter* find(std::string_view name) const;
};

/// A line as it was understood.
struct RequestLine
{
    std::string id = "null"; ///< as JSON, where it could be read
    Result<Request> request;
};

/// A text as an id in JSON.
[[nodiscard]] std::string idText(std::string_view text);

/// Reads a line.
/// @errors BadFormat (no JSON, no UTF-8, a key twice), WrongUse (no object, a missing, unknown or wrong field)
[[nodiscard]] RequestLine readRequest(std::string_view line, JsonParser& parser);

/// The parameters as the words of a command line, positionals first: "model" is MODEL, "max-tokens" is --max-tokens.
/// Switches take true and false, numbers numbers, all others texts; those that take several also arrays of texts.
/// @errors WrongUse (unknown, missing, of the wrong type, not to be had here)
[[nodiscard]] Result<std::vector<std::string>> wordsOf(const Request& request, const Fields& table);

} // namespace headscope::engine
