// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/frame/frame.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace headscope
{

/// Statistics of the attention of a head on one text, by the names that files and JSON have, in the order in which
/// they are shown.
// clang-format off
inline constexpr std::array kAttentionColumns = {
    ColumnInfo{"first_token", "First token", "", "Attention weight on the first token, mean over the later tokens",
     "The first token often serves as an attention sink. Near 1, the head attends mostly to it. The value does not "
     "show what the head outputs"},
    ColumnInfo{"previous_token", "Previous token", "", "Attention weight on the previous token, mean over the tokens"},
    ColumnInfo{"self_token", "Self token", "",
     "Attention weight of a token on itself, mean over all tokens except the first"},
    ColumnInfo{"entropy_causal", "Entropy / even", "",
     "Attention entropy divided by the entropy of uniform weights over the tokens that may be attended to: 0 where "
     "one token has all the weight, 1 where all weights are equal; mean over the tokens"},
    ColumnInfo{"entropy", "Attention entropy", "nats",
     "Entropy of a token's attention weights, which are slightly smoothed first; mean over the tokens",
     "It grows with the length of the text"},
    ColumnInfo{"entropy_raw", "Attention entropy, not smoothed", "nats",
     "Entropy of a token's attention weights; mean over the tokens", "It grows with the length of the text"},
    ColumnInfo{"entropy_causal_raw", "Entropy / even, not smoothed", "",
     "Attention entropy, not smoothed, divided by the entropy of uniform weights over the tokens that may be attended "
     "to; mean over the tokens"},
    ColumnInfo{"confidence", "Confidence", "",
     "Largest attention weight of a query token, mean over all tokens (for the first token it is 1)"},
    ColumnInfo{"largest", "Largest weight", "", "Largest attention weight, without the weight on the first token"},
    ColumnInfo{"induction", "Induction", "",
     "Attention weight on the tokens after earlier occurrences of the same token, mean over the tokens that have such "
     "occurrences"},
    ColumnInfo{"duplicate_token", "Duplicate token", "",
     "Attention weight on earlier occurrences of the same token, mean over the tokens that have such occurrences"},
    ColumnInfo{"span_mass", "Marked span", "",
     "Attention weight of the query tokens on the marked span, mean over these tokens",
     "Most heads give more weight to spans that are longer or nearer, or that contain the first token"},
};
// clang-format on

/// Null: no statistic has this name.
[[nodiscard]] constexpr const ColumnInfo* findAttentionColumn(std::string_view name)
{
    const auto found = std::ranges::find(kAttentionColumns, name, &ColumnInfo::key);
    return found == kAttentionColumns.end() ? nullptr : &*found;
}

} // namespace headscope
