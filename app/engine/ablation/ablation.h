// SPDX-License-Identifier: GPL-3.0-or-later
// Heads that are off and regrouped keys and values, from what is typed to what the network takes.
#pragma once

#include "app/commands/attention/ablation_choices.h"
#include "model/base/result.h"
#include "model/data/ablation_spec.h"
#include "model/data/model_info.h"
#include "model/net/config/model_config.h"
#include "model/net/forward/model_edit.h"
#include "model/net/run/token_means.h"

#include <cstdint>
#include <vector>

namespace headscope::engine
{

using commands::AblationChoices;

/// What is changed in a model while it runs.
struct Ablation
{
    ChosenHeads heads;        ///< that are off; empty: none
    bool mean = false;        ///< set to their means, which have to be measured
    std::int64_t kvHeads = 0; ///< KV groups, those of the model where they stay
    ModelEdit edit;           ///< without the means
    ModelChanges changes;     ///< for a cache; without the reference

    /// The layers up to `last` whose means are needed.
    [[nodiscard]] std::vector<std::int64_t> layersUpTo(std::int64_t last) const;
    /// Sets the heads to their means.
    void take(const TokenMeans& means, std::int64_t headDim);
    /// The same of a model's card: its changes and its groups.
    void describe(ModelInfo& info) const;
};

/// Options that go together, or do not.
/// @param ownReference  whether there are documents of the run, whose mean replaces a reference that is not named
/// @errors WrongUse
[[nodiscard]] Status checkChoices(const AblationChoices& choices, bool ownReference);

/// @errors WrongUse (not understood), InvalidArgument (heads, groups or a number of groups that the model cannot have)
[[nodiscard]] Result<Ablation> chooseAblation(const AblationChoices& choices, const ModelConfig& config);

} // namespace headscope::engine
