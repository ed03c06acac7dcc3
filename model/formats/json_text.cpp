// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/json_text.h"

#include <nlohmann/json.hpp>

namespace headscope
{

std::string jsonQuoted(std::string_view text)
{
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace headscope
