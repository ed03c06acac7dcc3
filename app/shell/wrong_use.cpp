// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/wrong_use.h"

#include <fmt/format.h>

#include <utility>

namespace headscope::shell
{

Error wrongUse(std::string_view option, std::string message)
{
    return {ErrorCode::WrongUse, std::move(message), {}, std::string(option)};
}

Error wrongUse(std::string_view option, std::string_view wanted, std::string_view found)
{
    return wrongUse(option, fmt::format("expected {}, found \"{}\"", wanted, found));
}

} // namespace headscope::shell
