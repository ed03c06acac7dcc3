// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/circuits/circuit_result.h"
#include "model/data/frame/frame.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace headscope
{

/// Which rows of a result a table has.
struct CircuitRows
{
    std::optional<CompositionKind> kind{}; ///< of composition; none: all
    std::size_t top = 30;                  ///< of composition
    std::optional<std::int64_t> layer{};   ///< of a lens; none: all
    std::string token{};                   ///< of decoded weights; empty: all
};

/// The rows of what a verb of circuits found: shares or terms of parts, the strongest pairs, or the tokens of lists.
[[nodiscard]] Frame circuitFrame(const CircuitResult& result, const CircuitRows& rows);
/// Of parts the largest by size, else the first ones.
[[nodiscard]] Frame largestCircuitRows(Frame frame, std::int64_t most);

} // namespace headscope
