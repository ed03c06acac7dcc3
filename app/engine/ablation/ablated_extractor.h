// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/engine/ablation/ablation.h"
#include "app/engine/document_feed.h"
#include "app/engine/extraction/run_extraction.h"
#include "app/engine/model_source.h"
#include "model/net/run/head_extractor.h"

namespace headscope::engine
{

/// The means of the heads that are off.
/// @param extractor  with optionsForMeans
/// @param request    its reference, else its inputs; and how its texts are read
/// @errors those of DocumentReader and measureTokenMeans
[[nodiscard]] Result<TokenMeans> meansOfReference(const ExtractionRequest& request, const HeadExtractor& extractor,
                                                  const TextEncoder& encoder, JobContext& job);

/// An extractor of the context's model with the heads of the ablation off, their means measured where it asks for them.
/// @param options    those of the extraction; they get the edit
/// @param maxTokens  of a text
/// @return  valid until the next extractor of the context's models
/// @errors those of ModelSource::extractor and of meansOfReference
[[nodiscard]] Result<const HeadExtractor*> ablatedExtractor(const ExtractionRequest& request, const OpenedModel& model,
                                                            ExtractionOptions& options, Ablation& ablation,
                                                            const TextEncoder& encoder, std::int64_t maxTokens,
                                                            Hashes hashes, VerbContext& context);

} // namespace headscope::engine
