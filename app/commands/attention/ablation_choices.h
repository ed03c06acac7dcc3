// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// What is changed in a model while it runs, as typed.
struct AblationChoices
{
    std::string ablate; ///< "29:1-3;12:g2"; empty: no head is off
    std::string ablation = "zero";
    std::string reference;    ///< documents whose mean heads are set to; empty: those of the run
    std::int64_t regroup = 0; ///< KV groups; 0: those of the model

    /// Declares --ablate, --ablation, --reference and --regroup.
    void declare(Fields& table);

    friend bool operator==(const AblationChoices&, const AblationChoices&) = default;
};

} // namespace headscope::commands
