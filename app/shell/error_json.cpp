// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/error_json.h"

#include <nlohmann/json.hpp>

namespace headscope::shell
{

std::string errorJson(const Error& error)
{
    using Json = nlohmann::ordered_json;
    const Json object = {{"error",
                          {{"code", errorCodeName(error.code)},
                           {"message", error.message},
                           {"file", error.file},
                           {"place", error.place}}}};
    return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<Error> errorOf(const nlohmann::json& object)
{
    const auto found = object.find("error");
    if (found == object.end() || !found->is_object())
        return std::nullopt;
    const auto text = [&found](const char* key) {
        const auto value = found->find(key);
        return value != found->end() && value->is_string() ? value->get<std::string>() : std::string();
    };
    Error error{ErrorCode::Internal, text("message"), text("file"), text("place")};
    for (int code = 0; code <= static_cast<int>(ErrorCode::Internal); ++code)
        if (text("code") == errorCodeName(static_cast<ErrorCode>(code)))
            error.code = static_cast<ErrorCode>(code);
    return error;
}

} // namespace headscope::shell
