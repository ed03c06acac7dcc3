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

} // namespace headscope::shell
