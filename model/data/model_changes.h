// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace headscope
{

/// What was changed in a model while vectors were taken, as a cache keeps it. Its files were as they are.
struct ModelChanges
{
    std::string ablated;   ///< heads that were off, as ablationText() writes them: "12:4-6;29:1-3"; empty: none
    std::string ablation;  ///< what they were set to: "zero" or "mean"; empty: none was off
    std::string reference; ///< of "mean": what it is over, with a digest of the tokens
    std::int64_t regroupedFrom = 0; ///< KV groups of the model's files, where it had others (kvHeads); 0: these

    [[nodiscard]] bool any() const { return !ablated.empty() || regroupedFrom != 0; }
    /// "heads 1-3 of layer 29 ablated (zero); 3 KV groups changed to 1"; empty where nothing was changed.
    [[nodiscard]] std::string words(std::int64_t kvHeads) const;
    friend bool operator==(const ModelChanges&, const ModelChanges&) = default;
};

} // namespace headscope
