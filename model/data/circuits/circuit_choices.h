// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/circuits/composition_results.h"

#include <cstdint>
#include <optional>
#include <string>

namespace headscope
{

class Fields;

/// What the window asks of the circuits of a model.
struct CircuitChoices
{
    std::int64_t documents = 200; ///< that are run at most
    bool center = true;           ///< the mean over the documents is subtracted
    std::string kind = "all";     ///< of composition: "all", "q", "k", "v"
    bool weights = false;         ///< tokens are those of the weights, no document is run
    std::string token;            ///< a text whose tokens the heads read, with `weights`

    /// Nothing: all of them.
    [[nodiscard]] std::optional<CompositionKind> compositionKind() const;

    friend bool operator==(const CircuitChoices&, const CircuitChoices&) = default;
};

/// Declares what a form asks for.
void fields(Fields& f, CircuitChoices& o);

} // namespace headscope
