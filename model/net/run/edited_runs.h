// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/net/run/head_extractor.h"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace headscope
{

struct ExtractionSetup;
class Weights;

/// The vector of one document by a model with one of the edits.
struct EditedVector
{
    std::size_t edit = 0;          ///< place among the edits
    std::size_t document = 0;      ///< place among the documents
    std::span<const float> values; ///< of the extractor's one block
};

/// Takes the vectors, from any worker, several at once but never two of one document.
using EditedVectorSink = std::function<void(const EditedVector& vector)>;

/// HeadExtractor::runEdits: workers take steps of whole documents in turn and run each with all edits before the next
/// one. Of a step the layers before the first one that an edit changes are computed once (PassMemory).
/// @param setup   of an extractor without an edit and with one block
/// @param plain   its network as the files have it
[[nodiscard]] Status runEditedPasses(const ExtractionSetup& setup, const Network& plain,
                                     std::span<const TokenizedDocument> documents, std::span<const ModelEdit> edits,
                                     const EditedVectorSink& sink, JobContext& job);

} // namespace headscope
