// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/input_options.h"
#include "model/data/results/retrieval_results.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// `headscope retrieve`, as typed.
struct RetrieveCommand
{
    static constexpr std::string_view kVerb = "retrieve";

    InputOptions input;
    std::string queries;
    std::string queryDocument;
    std::string query;
    std::string model;
    std::string prompt;
    RetrievalOptions retrieval;
    std::string weights;
    std::string mute;
    std::string muteGroups;
    std::string relevant;
    bool includeSelf = false;
    std::string output;
    bool plainCsv = false;

    void declare(Fields& table);

    friend bool operator==(const RetrieveCommand&, const RetrieveCommand&) = default;
};

} // namespace headscope::commands
