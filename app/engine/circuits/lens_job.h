// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/circuits/lens_command.h"
#include "app/engine/circuits/traced_documents.h"
#include "app/engine/opened_model.h"
#include "app/shell/common_options.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/circuits/lens_results.h"
#include "model/net/run/head_extractor.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace headscope::engine
{

/// What heads say in tokens of the vocabulary, and what that was made from. L layers and H heads are the chosen ones.
struct LensFindings
{
    std::string model; ///< its name
    std::vector<std::pair<std::string, std::string>> hashes;
    bool outputHead = false;             ///< logits are those of the model's output head, else of its token embeddings
    std::vector<std::int64_t> layers;    ///< [L]
    std::vector<std::int64_t> heads;     ///< [H] from 0
    std::int64_t modelHeads = 0;         ///< all of a layer
    std::int64_t kvHeads = 0;            ///< of which so many share keys and values
    std::int64_t top = 0;                ///< k
    std::int64_t notListed = 0;          ///< ids that no list has: without a token, or special
    std::vector<std::string> tokenTexts; ///< [V]
    std::vector<std::string> notices;

    // Of documents:
    std::string pooling; ///< empty: of weights
    bool centred = false;
    TracedDocuments documents;
    std::vector<std::size_t> shown;    ///< documents whose lists are shown
    std::vector<TokenLists> lists;     ///< [N, L, H]
    std::vector<TokenLists> embedding; ///< [N] of the whole vector

    // Of weights:
    std::vector<std::int64_t> tokens;              ///< [n] that were asked for
    std::vector<std::vector<WeightsLens>> weights; ///< [L], each of the chosen heads
};

/// Whether options go together.
/// @errors WrongUse
[[nodiscard]] Status checkLensChoices(const commands::LensCommand& command);

/// Decodes what heads add to the vectors of documents.
/// @param model      of a family that checkLensFamily() lets pass
/// @param extractor  with embeddingOptions
/// @errors WrongUse (no such document; a mean of one), OutOfMemory; those of traceTexts and VocabularyTable; Cancelled
/// @threads the result does not depend on their number
[[nodiscard]] Result<LensFindings> decodeDocuments(const commands::LensCommand& command,
                                                   const shell::CommonOptions& common, const OpenedModel& model,
                                                   const HeadExtractor& extractor, const ExtractionOptions& options,
                                                   std::int64_t maxTokens, JobContext& job);

/// Decodes the weights of heads; no text is run.
/// @errors as decodeDocuments; those of Weights::load and of the tokenizer
[[nodiscard]] Result<LensFindings> decodeWeights(const commands::LensCommand& command, const OpenedModel& model,
                                                 int threads, JobContext& job);

/// Whether heads of a family can be decoded: an encoder has no output head.
/// @errors Unsupported
[[nodiscard]] Status checkLensFamily(const ModelConfig& config);

} // namespace headscope::engine
