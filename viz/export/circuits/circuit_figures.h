// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/circuits/circuit_result.h"
#include "viz/export/figure_export.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace headscope::viz
{

/// The pictures of circuits.
enum class CircuitPicture
{
    Waterfall, ///< a pair of documents
    Grid,      ///< layers x heads
    Matrix,    ///< composition
    Graph,     ///< composition, the strongest pairs
    Words,     ///< lens
};

/// Which picture, and what of it.
struct CircuitLook
{
    CircuitPicture picture = CircuitPicture::Waterfall;
    std::optional<std::int64_t> layer{};
    std::optional<std::pair<std::int64_t, std::int64_t>> layers{};
    std::optional<CompositionKind> kind{};
    std::size_t top = 30;
    std::string token{};
    bool centred = true;
};

/// The picture that a result is shown in first.
[[nodiscard]] CircuitPicture firstPicture(const CircuitResult& result);
/// Whether a result can be shown so.
[[nodiscard]] bool isPictureOf(CircuitPicture picture, const CircuitResult& result);
/// What a caption must say: of what, what the numbers are, and what they are not.
[[nodiscard]] QString circuitCaption(const CircuitResult& result, const CircuitLook& look);

/// What the picture shows in a sentence: its sum, or its strongest heads.
[[nodiscard]] QString circuitSummary(const CircuitResultPtr& result, const CircuitLook& look);

/// @errors InvalidArgument (a picture of another result, nothing to show)
[[nodiscard]] Figure figureOfCircuit(CircuitResultPtr result, CircuitLook look);

} // namespace headscope::viz
