// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/attention/ablation_choices.h"
#include "app/commands/run/text_run.h"

#include <string>
#include <string_view>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// The parameters of the request `embed`, which are those of `extract` for one text.
struct EmbedCommand : VectorRun
{
    static constexpr std::string_view kVerb = "embed";

    std::string model;
    std::string text;
    std::string output; ///< file for the vectors; empty: one in a temporary folder
    std::string stages = "1,2,3";
    std::string layers = "last";
    AblationChoices ablation;

    void declare(Fields& table);
    /// Those that say which model, and how much of it: the parameters of `open`.
    void declareModel(Fields& table);

    friend bool operator==(const EmbedCommand&, const EmbedCommand&) = default;

private:
    void declarePart(Fields& table);
};

} // namespace headscope::commands
