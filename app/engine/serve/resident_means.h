// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/engine/ablation/ablation.h"
#include "app/engine/document_feed.h"
#include "app/engine/serve/resident_model.h"
#include "model/base/job_context.h"
#include "model/base/result.h"

#include <cstdint>
#include <string>

namespace headscope::engine
{

/// The documents that heads of a resident model are set to their means over, and how their texts are read.
struct MeansReading
{
    const AblationChoices& choices;
    const TextEncoder& encoder;
    std::string encoding; ///< all that the encoder was made of, as one text
    std::int64_t maxTokens = 0;
};

/// Sets the heads that are off to their means over the reference, which are not measured twice in a row.
/// @param options  of the extraction; their layers are as deep as those of the means
/// @errors those of ResidentModel::extractor and meansOfReference
[[nodiscard]] Status measureMeans(const MeansReading& reading, const ExtractionOptions& options,
                                  ResidentModel& resident, Ablation& ablation, JobContext& job);

} // namespace headscope::engine
