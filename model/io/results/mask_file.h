// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headscope
{

/// Which heads of a layer stay, and why.
struct HeadMask
{
    std::int64_t heads = 0;         ///< H of the model
    std::vector<std::int64_t> kept; ///< 0-based, ascending, at least one
    std::optional<std::int64_t> layer;
    std::string stage;
    std::string units;     ///< "heads" or "groups" that were removed
    std::string measure;   ///< "match5", ...
    std::string order;     ///< "single", "backward" or "forward"
    std::string inputHash; ///< of what was measured
    double value = 0;      ///< the measure of the kept heads
    double baseline = 0;   ///< of all
};

/// Writes a mask as JSON, heads counted from 1:
///
///     {"format": "headscope-mask", "version": 1, "heads": 32, "kept": [1, 2, ...], "removed": [...],
///      "layer": 31, "stage": "1", "units": "heads", "measure": "match5", "order": "backward",
///      "value": 0.61, "baseline": 0.58, "input_hash": "..."}
/// @errors Resource
[[nodiscard]] Status writeHeadMask(const std::filesystem::path& target, const HeadMask& mask);

/// Reads such a file; only `format`, `version`, `heads` and `kept` need be there.
/// @errors FileNotFound, BadFormat (another format, heads out of 1..heads or twice, none kept),
///         Unsupported (newer version)
[[nodiscard]] Result<HeadMask> readHeadMask(const std::filesystem::path& path);

} // namespace headscope
