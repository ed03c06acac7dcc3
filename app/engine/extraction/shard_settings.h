// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/engine/ablation/ablation.h"
#include "app/engine/extraction/run_extraction.h"
#include "app/engine/opened_model.h"
#include "model/net/run/head_extractor.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace headscope::engine
{

/// What the vectors of an extraction depend on besides the texts, as it is written for people: an interrupted run goes
/// on only where all of it is the same.
/// @param model      with the digests of its files
/// @param maxTokens  of a text
/// @param sample     that was drawn of the documents
/// @param ablation   with its means, where it has some
[[nodiscard]] std::map<std::string, std::string>
shardSettings(const ExtractionRequest& request, const OpenedModel& model, const ExtractionOptions& options,
              std::int64_t maxTokens, const std::optional<DocumentSample>& sample, const Ablation& ablation);

} // namespace headscope::engine
