// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/attention/attention_look.h"
#include "model/data/attention/attention_run.h"

#include <QString>

#include <string>
#include <string_view>
#include <vector>

namespace headscope::ui
{

/// "Layer 12, head 4".
[[nodiscard]] QString placeText(AttentionHead place);
/// "KV group 2 · keys and values shared with 5, 6"; "keys and values of its own"; "shared by all heads".
[[nodiscard]] QString sharingText(const ModelInfo& model, HeadIndex head);
/// Heads that share keys and values with this one, itself among them, ascending; where there are no groups it alone.
[[nodiscard]] std::vector<HeadIndex> groupHeads(const ModelInfo& model, HeadIndex head);

/// A statistic of AttentionRun by the name that files have: "first token"; the name itself where it is not known.
[[nodiscard]] QString measureTitle(std::string_view name);
/// What it measures, and what it does not say.
[[nodiscard]] QString measureTip(std::string_view name);
/// "0.40"; "–" where it is not defined.
[[nodiscard]] QString measureText(double value);
/// Names of the statistics of a run that any head has a value of, in the order of the table, those that are not known
/// last.
[[nodiscard]] std::vector<std::string> measuresOf(const AttentionRun& run);

/// "17 tokens", "4,096 tokens, cut".
[[nodiscard]] QString tokensText(const AttentionRun& run);
/// "“keys” reads “same”".
[[nodiscard]] QString readsText(const AttentionRun& run, TokenIndex reading, TokenIndex read);
/// "SmolLM2-135M · stored run · 17 tokens · 0.21 s".
[[nodiscard]] QString runText(const AttentionRun& run);

/// The strongest tokens of a row, most first.
struct ReadToken
{
    TokenIndex token;
    double share = 0;
};
/// @param withoutFirst  the first token does not count, and the others are shares of what it leaves
[[nodiscard]] std::vector<ReadToken> strongestRead(const AttentionRun& run, AttentionHead place, TokenIndex reading,
                                                   bool withoutFirst, std::size_t most);

} // namespace headscope::ui
