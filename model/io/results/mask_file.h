// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/results/interval.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headscope
{

/// What masks chosen like one change on documents that had no part in the choice.
struct MaskGain
{
    double kept = 0;         ///< units that stay, mean over the halvings
    double chosen = 0;       ///< mean change against all heads where the heads were chosen: too good
    double elsewhere = 0;    ///< and on the other half of the documents
    Interval elsewhereRange; ///< 2.5 and 97.5% quantiles over the halvings: no confidence interval
    std::int64_t halvings = 0;

    bool operator==(const MaskGain& other) const
    {
        return kept == other.kept && chosen == other.chosen && elsewhere == other.elsewhere &&
               elsewhereRange.low == other.elsewhereRange.low && elsewhereRange.high == other.elsewhereRange.high &&
               halvings == other.halvings;
    }
};

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
    std::optional<MaskGain> validated{};
};

/// Writes a mask as JSON, heads counted from 1:
///
///     {"format": "headscope-mask", "version": 1, "heads": 32, "kept": [1, 2, ...], "removed": [...],
///      "layer": 31, "stage": "1", "units": "heads", "measure": "match5", "order": "backward",
///      "value": 0.61, "baseline": 0.58, "input_hash": "...",
///      "validated": {"kept": 11.2, "chosen": 0.05, "elsewhere": 0.01, "elsewhere_range": [-0.02, 0.04],
///                    "halvings": 100}}
///
/// The last entry is there where it is known.
/// @errors Resource
[[nodiscard]] Status writeHeadMask(const std::filesystem::path& target, const HeadMask& mask);

/// Reads such a file; only `format`, `version`, `heads` and `kept` need be there.
/// @errors FileNotFound, BadFormat (another format, heads out of 1..heads or twice, none kept),
///         Unsupported (newer version)
[[nodiscard]] Result<HeadMask> readHeadMask(const std::filesystem::path& path);

} // namespace headscope
