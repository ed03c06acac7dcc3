// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// `headscope report`, as typed.
struct ReportCommand
{
    static constexpr std::string_view kVerb = "report";

    std::string cache;
    std::string model;     ///< with documents: the cache is made at first
    std::string documents; ///< a file of texts
    std::string layers = "last";
    std::string output; ///< a folder
    std::string layer = "last";
    std::string compare; ///< another cache, or the same one; empty: none
    std::string compareLayer = "last";
    std::string label;
    std::string labelMap;
    std::vector<std::string> circuits; ///< what contributions, composition and lens wrote
    std::string preset = "acl-page";
    std::string palette = "standard"; ///< of labels and heads
    std::string title;

    void declare(Fields& table);

    friend bool operator==(const ReportCommand&, const ReportCommand&) = default;
};

} // namespace headscope::commands
