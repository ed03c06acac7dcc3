// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace headscope::report
{

/// A name and what belongs to it, as people read them: "documents", "10,000".
struct PageFact
{
    std::string name{};
    std::string value{};
};

} // namespace headscope::report
