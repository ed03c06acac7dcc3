// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/extraction_steps.h"

#include "app/engine/encode_options.h"
#include "app/engine/memory_check.h"
#include "app/engine/options.h"
#include "app/engine/topic_names.h"
#include "model/io/shards/collecting_sink.h"
#include "model/io/shards/shard_manifest.h"

#include <fmt/format.h>

#include <sys/resource.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace headscope::engine
{
namespace
{

Status warnOfOneToken(const LabelColumn& column, const std::vector<std::string>& texts, const TextEncoder& encoder,
                      VerbContext& context)
{
    std::vector<std::int64_t> tokens;
    for (std::size_t i = 0; i < texts.size(); ++i)
    {
        HEADSCOPE_TRY(const auto text, encoder.tokens(static_cast<std::int64_t>(i), texts[i]));
        tokens.push_back(std::ssize(text.ids));
    }
    if (std::string warning = oneTokenWarning(column.name, column.categories, tokens); !warning.empty())
        sayNotices(context, {std::move(warning)});
    return {};
}

} // namespace

Status TimedSink::add(std::span<const ExtractedDocument> documents)
{
    const auto start = Clock::now();
    auto status = m_sink.add(documents);
    m_seconds += secondsSince(start);
    return status;
}

Result<ExtractionOptions> extractionOptions(const ExtractionRequest& request, const OpenedModel& model, int threads)
{
    ExtractionOptions options;
    options.stages = request.stages;
    HEADSCOPE_TRY(options.layers, parseLayers(request.layers, model.card.info.layers));
    HEADSCOPE_TRY(options.pooling, model.pooling(request.run.pooling));
    options.finalNorm = request.run.lastLayer != "raw";
    options.backend = request.backend;
    options.threads = threads;
    if (request.memory > 0)
    {
        HEADSCOPE_TRY(options.memory.longestDocument, model.maxTokens(request.run.maxTokens));
        options.memory.total = request.memory;
        options.memory.reserved = programBytes(model.files.config) + request.shardBytes;
    }
    return options;
}

Status addEmbedding(std::string_view choice, const OpenedModel& model, ExtractionOptions& options)
{
    const auto has = [](const auto& all, auto one) { return std::ranges::find(all, one) != all.end(); };
    HEADSCOPE_TRY(options.embedding, model.embedding(options.pooling));
    if (choice != "none" && options.embedding != nullptr && has(options.stages, Stage::OutputSegment) &&
        has(options.layers, model.card.info.layers - 1) && !has(options.stages, Stage::Embedding))
        options.stages.push_back(Stage::Embedding);
    return {};
}

std::string embeddingNotice(std::string_view choice, const OpenedModel& model, const ExtractionOptions& options)
{
    const EmbeddingPlan& plan = model.card.sentence.embedding;
    if (choice == "none" || !plan.any() || std::ranges::find(options.stages, Stage::Embedding) != options.stages.end())
        return {};
    if (options.embedding == nullptr)
        return fmt::format(
            "the sentence embedding ({}) is not stored: the model's files set pooling by {}, but this run uses {}",
            plan.words(), poolingName(model.card.defaultPooling()), poolingName(options.pooling));
    return fmt::format("the sentence embedding ({}) is not stored: it is stored only with stage 3 of the last layer",
                       plan.words());
}

EmbeddingSource embeddingSource(const ExtractionOptions& options, const std::vector<ExtractionBlock>& blocks)
{
    if (options.embedding == nullptr ||
        std::ranges::find(blocks, Stage::Embedding, &ExtractionBlock::stage) == blocks.end())
        return {};
    return {options.embedding->words(), options.embedding->digest()};
}

Result<std::vector<std::string>> choosePrompt(commands::PromptChoices& run, const OpenedModel& model)
{
    HEADSCOPE_TRY(std::string text, model.prompt(run.prompt, run.promptName));
    std::vector<std::string> notices;
    if (run.prompt.empty() && run.promptName == "auto" && !text.empty())
        notices.push_back(fmt::format(
            "the prompt \"{}\" is put before every text, as the model files specify; --prompt-name none omits it",
            text));
    run.prompt = std::move(text);
    run.promptName = run.prompt.empty() ? "none" : "auto";
    return notices;
}

Result<TextEncoder> makeEncoder(const commands::TextRun& run, const OpenedModel& model, std::int64_t maxTokens)
{
    TextOptions options;
    HEADSCOPE_TRY(options.encode, encodeOptions(run.encode));
    options.encode.maxTokens = static_cast<std::size_t>(maxTokens);
    options.prompt = run.prompt;
    options.promptBelongsToMean = model.card.sentence.includePrompt;
    return TextEncoder::create(model.tokenizer, std::move(options));
}

std::uint64_t storedBytes(const std::vector<ExtractionBlock>& blocks, NumberType store)
{
    std::uint64_t bytes = 0;
    for (const ExtractionBlock& block : blocks)
        bytes += static_cast<std::uint64_t>(block.heads * block.dims) * numberBytes(store);
    return bytes;
}

Status checkMemoryOf(const ExtractionRequest& request, const OpenedModel& model, const ExtractionOptions& options,
                     std::int64_t maxTokens, std::uint64_t documents)
{
    if (!options.backend.onCpu() || request.memory > 0)
        return {};
    HEADSCOPE_TRY(const auto blocks, extractionBlocks(model.files.config, options));
    const ModelCardOptions choices{.lastLayer = blocks.back().layer.value(),
                                   .threads = options.threads,
                                   .longestDocument = maxTokens,
                                   .vectorBytes =
                                       std::min(request.shardBytes, documents * storedBytes(blocks, request.store))};
    return checkMemory(estimateMemory(model.files, choices), freeMemory());
}

Result<std::vector<TopicVectors>> embedTopicNames(const LabelColumn& column, const ExtractionRequest& request,
                                                  const HeadExtractor& extractor, const TextEncoder& encoder,
                                                  bool causal, double& seconds, VerbContext& context)
{
    std::vector<TopicVectors> topics;
    const auto count = column.categories.size();
    if (count == 0)
        return topics;
    const auto texts = topicTexts(column.categories, request.topicTemplate);
    if (causal)
        HEADSCOPE_CHECK(warnOfOneToken(column, texts, encoder, context));
    CollectingSink sink(extractor.blocks(), static_cast<std::int64_t>(count));
    HEADSCOPE_TRY(const auto report, extractor.run(streamOfTexts(texts, encoder), sink, count, context.job));
    seconds += report.seconds;
    for (auto& vectors : sink.take())
        topics.push_back({column.name, column.categories, std::move(vectors)});
    return topics;
}

Error mergeFailure(Error error, const std::vector<std::filesystem::path>& folders)
{
    if (error.code == ErrorCode::Cancelled)
        return error;
    const bool forgotten = std::any_of(folders.begin(), folders.end(), [&error](const std::filesystem::path& folder) {
        return forgetShard(folder, error.file);
    });
    if (forgotten)
        error.message += "; the same command computes these documents again and keeps the others";
    return error;
}

std::uint64_t peakBytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

} // namespace headscope::engine
