// SPDX-License-Identifier: GPL-3.0-or-later
// What runs of models are made of; the order of an extraction is in cache_run.h.
#pragma once

#include "app/engine/ablation/ablation.h"
#include "app/engine/document_feed.h"
#include "app/engine/extraction/run_extraction.h"
#include "app/engine/opened_model.h"
#include "model/base/clock.h"
#include "model/data/extraction.h"
#include "model/data/topic_vectors.h"
#include "model/io/cache/cache_info.h"
#include "model/net/run/head_extractor.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::engine
{

/// Measures the time a sink takes.
class TimedSink : public HeadVectorSink
{
public:
    explicit TimedSink(HeadVectorSink& sink) : m_sink(sink) {}
    [[nodiscard]] Status add(std::span<const ExtractedDocument> documents) override;
    [[nodiscard]] double seconds() const { return m_seconds; }

private:
    HeadVectorSink& m_sink;
    double m_seconds = 0;
};

/// The request's options that do not depend on documents.
/// @errors WrongUse, InvalidArgument: layers, a pooling or a number of tokens that the model does not have
[[nodiscard]] Result<ExtractionOptions> extractionOptions(const ExtractionRequest& request, const OpenedModel& model,
                                                          int threads);

/// Adds the sentence embedding to the options where the run may have it: it is next to stage 3 of the last layer.
/// @param choice  of --embedding: "auto" or "none"
/// @errors those of OpenedModel::embedding
[[nodiscard]] Status addEmbedding(std::string_view choice, const OpenedModel& model, ExtractionOptions& options);

/// What a run with these options says of the sentence embedding: that it is not stored though the model has
/// modules that make one. "" = nothing.
[[nodiscard]] std::string embeddingNotice(std::string_view choice, const OpenedModel& model,
                                          const ExtractionOptions& options);

/// What a cache says of the sentence embedding; nothing where these are not among the blocks.
[[nodiscard]] EmbeddingSource embeddingSource(const ExtractionOptions& options,
                                              const std::vector<ExtractionBlock>& blocks);

/// Puts the text of the chosen prompt into a run, which asks for no other then.
/// @return  a notice where the model's files chose it, else none
/// @errors those of OpenedModel::prompt
[[nodiscard]] Result<std::vector<std::string>> choosePrompt(commands::PromptChoices& run, const OpenedModel& model);

/// How texts that are run in this way become tokens of the model.
/// @param maxTokens  of a text
/// @errors those of encodeOptions and TextEncoder::create
[[nodiscard]] Result<TextEncoder> makeEncoder(const commands::TextRun& run, const OpenedModel& model,
                                              std::int64_t maxTokens);

/// Bytes of one document's vectors as they are stored.
[[nodiscard]] std::uint64_t storedBytes(const std::vector<ExtractionBlock>& blocks, NumberType store);

/// A run on the CPU that would not fit is refused before a weight is read.
/// @errors those of checkMemory
[[nodiscard]] Status checkMemoryOf(const ExtractionRequest& request, const OpenedModel& model,
                                   const ExtractionOptions& options, std::int64_t maxTokens, std::uint64_t documents);

/// The vectors of a column's names, those of all blocks of the extractor, by layer, then by stage. Names of one token
/// are warned about where the model is causal.
/// @param seconds  the time of computing is added
[[nodiscard]] Result<std::vector<TopicVectors>>
embedTopicNames(const LabelColumn& column, const ExtractionRequest& request, const HeadExtractor& extractor,
                const TextEncoder& encoder, bool causal, double& seconds, VerbContext& context);

/// What failed while shards became a cache: one of them that turned out to be damaged is taken out.
[[nodiscard]] Error mergeFailure(Error error, const std::vector<std::filesystem::path>& folders);

/// The most memory that the process has taken.
[[nodiscard]] std::uint64_t peakBytes();

} // namespace headscope::engine
