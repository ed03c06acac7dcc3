// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/run/documents_run.h"
#include "app/engine/document_feed.h"
#include "app/engine/engine_verb.h"
#include "app/engine/opened_model.h"
#include "app/shell/common_options.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/net/run/head_extractor.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::engine
{

/// Documents as tokens, ready to run; those without a token are left out.
struct CircuitTexts
{
    std::vector<TokenizedDocument> documents;
    std::vector<std::string> ids;        ///< [documents]
    std::vector<std::string> beginnings; ///< [documents] of their texts, on one line
    std::int64_t tokens = 0;
    std::int64_t empty = 0; ///< left out
    std::int64_t truncated = 0;
    std::vector<std::string> notices;
};

/// The options of an extractor of a model's embedding: stage 3 of the last layer after the final norm.
/// @errors WrongUse (a pooling or a device that is none), Unsupported
[[nodiscard]] Result<ExtractionOptions> embeddingOptions(const commands::TextRun& run,
                                                         const shell::CommonOptions& common, const OpenedModel& model);

/// A model that is ready to run the documents of a command.
struct TracedModel
{
    const OpenedModel* opened = nullptr;
    const HeadExtractor* extractor = nullptr; ///< with the options
    ExtractionOptions options;
    std::int64_t maxTokens = 0;
};

/// Opens the model of a command, and loads it.
/// @param command  gets the text of its prompt
/// @param checkFamily  whether models of this family can be taken apart
/// @errors those of ModelSource, of OpenedModel, of checkFamily and of embeddingOptions
[[nodiscard]] Result<TracedModel> openToTrace(commands::TextRun& command, const std::string& path,
                                              Status (*checkFamily)(const ModelConfig&), VerbContext& context);

/// Reads the documents of a command.
/// @param wanted  by their ids; empty: all
/// @errors those of DocumentReader and of the tokenizer; InvalidArgument (no document with a token); Cancelled
[[nodiscard]] Result<CircuitTexts> readCircuitTexts(const commands::DocumentsRun& command,
                                                    const shell::CommonOptions& common, const TextEncoder& encoder,
                                                    const std::function<bool(const std::string& id)>& wanted,
                                                    JobContext& job);

/// Where a verb's output is written, behind links; empty: nowhere.
/// @param model    as typed
/// @param inputs   as typed
/// @errors WrongUse (a name that ends otherwise); those of checkedOutput
[[nodiscard]] Result<std::filesystem::path> circuitOutput(const std::string& output, const std::string& model,
                                                          const std::vector<std::string>& inputs, bool overwrite);

} // namespace headscope::engine
