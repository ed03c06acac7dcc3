// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/run/documents_run.h"

#include <string>
#include <string_view>

namespace headscope::commands
{

/// `headscope-engine contributions`, as typed.
struct ContributionsCommand : DocumentsRun
{
    static constexpr std::string_view kVerb = "contributions";

    std::string model;
    std::string output;
    std::string pair;    ///< two ids of documents, with a comma between; empty: none
    bool center = false; ///< of a pair: the mean over the documents is subtracted
    bool parts = false;

    void declare(Fields& table);

    friend bool operator==(const ContributionsCommand&, const ContributionsCommand&) = default;
};

} // namespace headscope::commands
