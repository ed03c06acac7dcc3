// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verb.h"

#include <nlohmann/json.hpp>

namespace headscope::cli
{

Answer::Answer() : json(std::make_unique<Json>(Json::object())) {}
Answer::Answer(Answer&&) noexcept = default;
Answer& Answer::operator=(Answer&&) noexcept = default;
Answer::~Answer() = default;

} // namespace headscope::cli
