// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/attention/attention_command.h"
#include "app/engine/ablation/ablation.h"
#include "app/engine/document_feed.h"
#include "app/engine/opened_model.h"
#include "app/shell/common_options.h"
#include "model/analysis/attention/attention_measures.h"
#include "model/analysis/attention/attention_paths.h"
#include "model/analysis/attention/attention_thumbnails.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/io/results/attention/attention_file.h"
#include "model/net/run/head_extractor.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headscope::engine
{

/// What `attention` was asked for, of a model that is open.
struct AttentionJob
{
    std::vector<std::int32_t> ids; ///< [T]
    bool truncated = false;
    AttentionShapes shapes;
    bool statistics = false;
    bool paths = false;
    std::int64_t thumbnails = 0; ///< pixels along a side at most; 0: none
    Ablation ablation;           ///< what is changed in the model
    std::optional<TokenRange> query;
    std::optional<TokenRange> span;
    ExtractionOptions options; ///< of an extractor that has the layers, with heads off and groups but without means
    AttentionOrigin origin;

    /// Whether there is anything for a file.
    [[nodiscard]] bool fills() const { return shapes.weights || shapes.vectorLayer || shapes.thumbnailSide > 0; }
    /// The same of weights and thumbnails.
    [[nodiscard]] bool fillsFromRows() const { return shapes.weights || shapes.thumbnailSide > 0; }
    /// What the attention of a layer is measured over.
    [[nodiscard]] AttentionText textOf(const ModelConfig& config, LayerIndex layer) const;
};

/// What was found in the attention of a text.
struct AttentionFindings
{
    std::vector<AttentionTable> tables; ///< statistics; none where they were not asked for
    std::optional<AttentionPaths> paths;

    /// The paths as a file has them.
    [[nodiscard]] std::vector<AttentionArray> arrays() const;
};

/// Options that go together, or do not; of a head over documents checkTogetherOfHead tells.
/// @param needsOutput  whether arrays need a file that is named
/// @errors WrongUse
[[nodiscard]] Status checkTogether(const commands::AttentionCommand& command, bool needsOutput);

/// All but the text.
/// @param command  as it was typed, for the file
/// @errors WrongUse, InvalidArgument (layers, heads or groups that the model does not have)
[[nodiscard]] Result<AttentionJob> beginAttentionJob(const commands::AttentionCommand& options,
                                                     const shell::CommonOptions& common, const OpenedModel& model,
                                                     const std::string& command);

/// The tokens of a text, of which there may be none, and what is asked of them.
/// @errors WrongUse, InvalidArgument (ranges that the text does not have), those of the tokenizer
[[nodiscard]] Status takeText(const commands::AttentionCommand& options, const std::string& text,
                              const OpenedModel& model, AttentionJob& job);

/// Puts the text of the chosen prompt into a command; ids have none.
/// @return  a notice where it is the default of the model's files; "" = none
/// @errors  those of OpenedModel::prompt
[[nodiscard]] Result<std::vector<std::string>> chooseTextPrompt(commands::AttentionCommand& command,
                                                                const OpenedModel& model);

/// How texts of a mean are read: as the text itself.
/// @errors those of encodeOptions, OpenedModel::maxTokens and TextEncoder::create
[[nodiscard]] Result<TextEncoder> referenceEncoder(const commands::AttentionCommand& options, const OpenedModel& model);

/// Both.
/// @param text     the text itself
/// @param command  as it was typed, for the file
/// @errors WrongUse, InvalidArgument (layers, tokens or ranges that model or text do not have), those of the tokenizer
[[nodiscard]] Result<AttentionJob> makeAttentionJob(const commands::AttentionCommand& options, const std::string& text,
                                                    const shell::CommonOptions& common, const OpenedModel& model,
                                                    const std::string& command);

/// Computes it, and fills the file.
/// @param file  null: no arrays are kept
/// @errors those of HeadExtractor::watchAttention and AttentionFile
[[nodiscard]] Result<AttentionFindings> runAttentionJob(const AttentionJob& job, const ModelConfig& config,
                                                        const HeadExtractor& extractor, AttentionFile* file,
                                                        JobContext& context);

} // namespace headscope::engine
