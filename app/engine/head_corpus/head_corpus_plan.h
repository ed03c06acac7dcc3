// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/attention/attention_command.h"
#include "app/engine/document_feed.h"
#include "app/engine/opened_model.h"
#include "app/shell/common_options.h"
#include "model/base/result.h"
#include "model/data/attention/head_corpus.h"
#include "model/io/cache/cache_info.h"
#include "model/net/run/head_extractor.h"

namespace headscope::engine
{

/// What `attention --activations` does, of a model that is open.
struct HeadCorpusPlan
{
    HeadCorpusSource source; ///< its model without digests, until they are known
    TextOptions texts;
    ExtractionOptions options; ///< of an extractor that has the head's layer
};

/// Options that go together, or do not.
/// @errors WrongUse
[[nodiscard]] Status checkTogetherOfHead(const commands::AttentionCommand& command);

/// @param cache  whose documents are asked for; they become tokens as they did for the cache. Null: files of texts
/// @errors WrongUse, InvalidArgument: a head that the model does not have, settings that are not those of the cache;
///         Unsupported: a cache of a model that was changed
[[nodiscard]] Result<HeadCorpusPlan> planHeadCorpus(const commands::AttentionCommand& command,
                                                    const shell::CommonOptions& common, const OpenedModel& model,
                                                    const CacheInfo* cache);

/// Whether a model is that of a cache, by the digests of its files.
/// @errors InvalidArgument, naming a file that differs
[[nodiscard]] Status checkModelOf(const CacheInfo& cache, const ModelInfo& model, const std::string& path);

} // namespace headscope::engine
