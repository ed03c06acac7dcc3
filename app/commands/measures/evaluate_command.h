// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/input_options.h"

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

/// `headscope evaluate`, as typed.
struct EvaluateCommand
{
    static constexpr std::string_view kVerb = "evaluate";

    InputOptions input;
    std::string queries;
    std::string qrels;
    std::string pairs;
    std::int64_t k = 10;
    int bootstrap = 1000;
    std::vector<std::string> of = {"full", "layers", "groups", "heads"};
    std::vector<std::string> others; ///< caches of the same documents, whose full vectors are compared, too
    std::string sort;
    std::string output;
    bool plainCsv = false;

    /// Whether these vectors are evaluated: "full", "layers", "groups" or "heads".
    [[nodiscard]] bool takes(std::string_view units) const;

    void declare(Fields& table);

    friend bool operator==(const EvaluateCommand&, const EvaluateCommand&) = default;
};

} // namespace headscope::commands
