// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/attention/attention_job.h"

#include "app/engine/encode_options.h"
#include "app/engine/extraction_steps.h"
#include "app/engine/options.h"
#include "model/base/text/split_text.h"
#include "model/data/head_ranges.h"
#include "model/net/forward/positions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace headscope::engine
{
namespace
{

using commands::AttentionCommand;

/// Hands rows and vectors to the file and to the statistics.
class MeasuringSink : public AttentionSink
{
public:
    MeasuringSink(const AttentionJob& job, const ModelConfig& config, AttentionFile* file)
        : m_job(job), m_config(config), m_file(file)
    {
        if (job.paths)
            m_paths.emplace(config.heads, job.shapes.tokens, job.options.threads);
    }

    Status addRows(LayerIndex layer, HeadIndex head, TokenIndex first, ConstMatrixView rows) override
    {
        if (m_job.statistics)
            measure(layer, head, first, rows);
        if (m_paths)
            m_paths->add(head, first, rows);
        if (m_file == nullptr)
            return {};
        if (m_job.shapes.thumbnailSide > 0)
            HEADSCOPE_CHECK(draw(layer, head, first, rows));
        const bool kept = m_job.shapes.weights && m_job.shapes.placeOf(head);
        return kept ? m_file->addRows(layer, head, first, rows) : Status();
    }
    Status addVectors(LayerIndex /*layer*/, const AttentionVectorRows& vectors) override
    {
        if (m_file == nullptr)
            return {};
        HEADSCOPE_CHECK(m_file->addVectors("q", vectors.q.view()));
        HEADSCOPE_CHECK(m_file->addVectors("k", vectors.k.view()));
        HEADSCOPE_CHECK(m_file->addVectors("v", vectors.v.view()));
        HEADSCOPE_CHECK(m_file->addVectors("z", vectors.z.view()));
        return vectors.distanceBias == nullptr ? Status() : m_file->addDistanceBias(vectors.distanceBias->view());
    }

    /// Once all rows came.
    Status finish() { return m_thumbnails ? m_file->addThumbnails(m_drawn, m_thumbnails->take().view()) : Status(); }

    [[nodiscard]] AttentionFindings take() const
    {
        AttentionFindings found{tables(), {}};
        if (m_paths) // to the token that the text's vector is taken at, more often than not
            found.paths = m_paths->take(m_config.causal ? m_job.shapes.tokens - 1 : 0);
        return found;
    }

private:
    /// Every measure, [Ls, H].
    [[nodiscard]] std::vector<AttentionTable> tables() const
    {
        std::vector<AttentionTable> tables;
        if (!m_job.statistics)
            return tables;
        for (const AttentionMeasure& measure : attentionMeasures(m_job.textOf(m_config, LayerIndex(0))))
        {
            MatrixD values(std::ssize(m_statistics), m_config.heads);
            for (std::int64_t layer = 0; layer < values.rows(); ++layer)
                for (HeadIndex head; head.value() < m_config.heads; ++head)
                    values(layer, head.value()) = m_statistics[static_cast<std::size_t>(layer)].of(head).*measure.value;
            tables.push_back({std::string(measure.name), std::move(values)});
        }
        return tables;
    }
    void measure(LayerIndex layer, HeadIndex head, TokenIndex first, ConstMatrixView rows)
    {
        if (m_layer != layer)
            m_statistics.emplace_back(m_job.textOf(m_config, layer), m_config.heads, m_job.options.threads);
        m_layer = layer;
        m_statistics.back().add(head, first, rows);
    }

    /// A layer goes into the file when the next one comes.
    Status draw(LayerIndex layer, HeadIndex head, TokenIndex first, ConstMatrixView rows)
    {
        if (!m_thumbnails || m_drawn != layer)
        {
            HEADSCOPE_CHECK(finish());
            m_thumbnails.emplace(m_job.textOf(m_config, layer), m_config.heads, m_job.shapes.thumbnailSide);
            m_drawn = layer;
        }
        m_thumbnails->add(head, first, rows);
        return {};
    }

    const AttentionJob& m_job;
    const ModelConfig& m_config;
    AttentionFile* m_file;
    LayerIndex m_drawn;
    std::optional<AttentionThumbnails> m_thumbnails; ///< of the layer m_drawn
    std::optional<LayerIndex> m_layer;
    std::optional<PathMeasures> m_paths;
    std::vector<AttentionStatistics> m_statistics; ///< of the layers so far
};

Status wrong(const char* message, const char* place)
{
    return Error{ErrorCode::WrongUse, message, {}, place};
}

Status checkCorpus(const AttentionCommand& command)
{
    if (!command.text.empty() || !command.ids.empty())
        return wrong("expected either a text or --corpus, found both", "--corpus");
    if (command.paths)
        return wrong("this option needs a text and cannot be used with --corpus", "--paths");
    if (command.qkv)
        return wrong("this option needs a text and cannot be used with --corpus", "--qkv");
    if (!command.query.empty() || !command.span.empty())
        return wrong("this option needs a text and cannot be used with --corpus", "--query");
    if (command.thumbnails)
        return wrong("this option needs a text and cannot be used with --corpus", "--thumbnails");
    if (!command.heads.empty())
        return wrong("this option needs a text and cannot be used with --corpus", "--heads");
    return checkChoices(command.ablation, true);
}

/// Ids as typed; what no model could make right was refused before.
std::vector<std::int32_t> idsOf(const std::string& text)
{
    std::vector<std::int32_t> ids;
    for (const std::string& piece : splitText(text, ','))
    {
        std::int32_t id = 0;
        std::from_chars(piece.data(), piece.data() + piece.size(), id);
        ids.push_back(id);
    }
    return ids;
}

Result<std::optional<TokenRange>> rangeOf(const std::string& text, std::string_view option, std::int64_t tokens)
{
    if (text.empty())
        return std::optional<TokenRange>();
    HEADSCOPE_TRY(const auto range, parseRange(text, option));
    if (range.end > tokens)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected a range within the {0} tokens of the text (0:{0}), found {1}", tokens, text),
                     {},
                     std::string(option)};
    return std::optional(TokenRange{range.begin, range.end});
}

Status takeTokens(const AttentionCommand& options, const std::string& text, const OpenedModel& model, AttentionJob& job)
{
    HEADSCOPE_TRY(auto encode, encodeOptions(options.encode));
    HEADSCOPE_TRY(const auto most, model.maxTokens(options.maxTokens));
    encode.maxTokens = static_cast<std::size_t>(most);
    HEADSCOPE_TRY(auto encoding, model.tokenizer.encode(options.prompt + text, encode));
    job.ids = std::move(encoding.ids);
    job.truncated = encoding.truncated;
    return {};
}

} // namespace

AttentionText AttentionJob::textOf(const ModelConfig& config, LayerIndex layer) const
{
    return {.tokens = shapes.tokens,
            .causal = config.causal,
            .window = config.windows[layer.index()],
            .ids = ids,
            .query = query,
            .span = span};
}

std::vector<AttentionArray> AttentionFindings::arrays() const
{
    std::vector<AttentionArray> arrays;
    if (!paths)
        return arrays;
    const std::int64_t heads = paths->distances.front().rows();
    const std::int64_t tokens = paths->rollout.rows();
    AttentionArray distances{"/paths/distances", {std::ssize(paths->distances), heads, heads}, {}};
    for (const MatrixD& layer : paths->distances)
        distances.values.insert(distances.values.end(), layer.values().begin(), layer.values().end());
    arrays.push_back(std::move(distances));
    arrays.push_back({"/paths/rollout", {tokens, tokens}, paths->rollout.values()});
    arrays.push_back({"/paths/rollout_without_first", {tokens, tokens}, paths->rolloutWithoutFirst.values()});
    if (!paths->flow.empty())
        arrays.push_back({"/paths/flow", {tokens}, paths->flow});
    return arrays;
}

Status checkTogether(const AttentionCommand& command, bool needsOutput)
{
    if (command.noResume || command.sampleTokens != AttentionCommand().sampleTokens)
        return wrong("this option needs --activations", command.noResume ? "--no-resume" : "--sample-tokens");
    if (!command.corpus.empty())
        return checkCorpus(command);
    if (command.text.empty() == command.ids.empty())
        return command.text.empty() ? wrong("expected a text or --ids, found neither", "text")
                                    : wrong("expected either a text or --ids, found both", "--ids");
    if (!command.ids.empty() && !command.prompt.empty())
        return wrong("this option needs a text; --ids are used unchanged", "--prompt");
    if (!command.ids.empty() && command.promptName != "auto" && command.promptName != "none")
        return wrong("this option needs a text; --ids are used unchanged", "--prompt-name");
    if (command.query.empty() != command.span.empty())
        return wrong("--query and --span must be used together", command.query.empty() ? "--span" : "--query");
    const bool statistics = command.statistics || command.paths || !command.query.empty();
    const bool named = !needsOutput || !command.output.empty();
    if (command.qkv && !named)
        return wrong("this option needs -o with a file", "--qkv");
    if (command.thumbnails && !named)
        return wrong("this option needs -o with a file", "--thumbnails");
    if (!statistics && !named)
        return wrong("expected -o with a file or --statistics, found neither", "--output");
    if (!statistics && !command.qkv && !command.thumbnails && command.noWeights)
        return wrong("this option needs --statistics, --paths, --thumbnails or --qkv; otherwise nothing is written",
                     "--no-weights");
    if (!command.heads.empty() && (command.noWeights || !named))
        return wrong(named ? "this option selects the weights to save and cannot be used with --no-weights"
                           : "this option needs -o with a file for the weights",
                     "--heads");
    return checkChoices(command.ablation, false);
}

Result<AttentionJob> beginAttentionJob(const AttentionCommand& options, const shell::CommonOptions& common,
                                       const OpenedModel& model, const std::string& command)
{
    const ModelConfig& config = model.files.config;
    AttentionJob job;
    HEADSCOPE_TRY(job.shapes.layers, parseLayers(options.layers, config.layers));
    if (options.qkv && *options.qkv >= config.layers)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected layers 0 to {} (the model has {}), found {}", config.layers - 1,
                                 config.layers, *options.qkv),
                     {},
                     "--qkv"};
    job.statistics = options.statistics || !options.query.empty() || !options.corpus.empty();
    job.paths = options.paths;
    if (job.paths && job.shapes.layers.back() + 1 != std::ssize(job.shapes.layers))
        return Error{
            ErrorCode::InvalidArgument,
            fmt::format("--paths needs all layers from 0 to {}, found {}", job.shapes.layers.back(), options.layers),
            {},
            "--layers"};
    HEADSCOPE_TRY(job.ablation, chooseAblation(options.ablation, config));
    job.shapes.heads = config.heads;
    if (!options.heads.empty())
    {
        HEADSCOPE_TRY(auto heads, parseHeadRanges(options.heads, config.heads));
        if (std::ssize(heads) < config.heads) // else all, which is what an empty list says
            job.shapes.weightHeads = std::move(heads);
    }
    job.thumbnails = options.thumbnails.value_or(0);
    job.shapes.kvHeads = job.ablation.kvHeads;
    job.shapes.headDim = config.headDim;
    job.shapes.weights = !options.noWeights && options.corpus.empty();
    job.shapes.vectorLayer = options.qkv;
    job.shapes.distances = config.traits().relativeBias ? 2 * kFarthestDistance + 1 : 0;
    const std::int64_t last = std::max(job.shapes.layers.back(), options.qkv.value_or(0));
    job.options.stages = {Stage::HeadOutput};
    job.options.layers = {last};
    job.options.threads = common.numThreads();
    HEADSCOPE_TRY(job.options.backend, chooseBackend("auto", options.device));
    job.options.edit = job.ablation.edit;
    job.origin = {
        .ids = {},
        .tokens = {},
        .text = {},
        .documents = 0,
        .model = model.card.info,
        .tokenizerSha256 = model.tokenizer.sha256(),
        .command = command,
        .causal = config.causal,
        .scores = {.scalar = config.queryScalar > 0 ? config.queryScalar : static_cast<double>(config.headDim),
                   .softcap = config.softcap}};
    job.ablation.describe(job.origin.model);
    return job;
}

Result<std::vector<std::string>> chooseTextPrompt(AttentionCommand& command, const OpenedModel& model)
{
    if (command.ids.empty())
        return choosePrompt(command, model);
    command.prompt.clear();
    return std::vector<std::string>();
}

Result<TextEncoder> referenceEncoder(const AttentionCommand& options, const OpenedModel& model)
{
    TextOptions reading;
    HEADSCOPE_TRY(reading.encode, encodeOptions(options.encode));
    HEADSCOPE_TRY(const auto most, model.maxTokens(options.maxTokens));
    reading.encode.maxTokens = static_cast<std::size_t>(most);
    reading.prompt = options.prompt;
    return TextEncoder::create(model.tokenizer, std::move(reading));
}

Status takeText(const AttentionCommand& options, const std::string& text, const OpenedModel& model, AttentionJob& job)
{
    if (options.ids.empty())
        HEADSCOPE_CHECK(takeTokens(options, text, model, job));
    else
        job.ids = idsOf(options.ids);
    job.shapes.tokens = std::ssize(job.ids);
    job.shapes.thumbnailSide = AttentionThumbnails::sideOf(job.thumbnails, job.shapes.tokens);
    HEADSCOPE_TRY(job.query, rangeOf(options.query, "--query", job.shapes.tokens));
    HEADSCOPE_TRY(job.span, rangeOf(options.span, "--span", job.shapes.tokens));
    return {};
}

Result<AttentionJob> makeAttentionJob(const AttentionCommand& options, const std::string& text,
                                      const shell::CommonOptions& common, const OpenedModel& model,
                                      const std::string& command)
{
    HEADSCOPE_TRY(AttentionJob job, beginAttentionJob(options, common, model, command));
    HEADSCOPE_CHECK(takeText(options, text, model, job));
    if (job.ids.empty())
        return Error{ErrorCode::InvalidArgument, "expected a text with at least one token, found none", {}, "text"};
    constexpr std::int64_t kMaxOfPaths = 512; // weights of all heads of a layer are held
    if (job.paths && job.shapes.tokens > kMaxOfPaths)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected a text of at most {} tokens, found {}: --max-tokens truncates it",
                                 kMaxOfPaths, job.shapes.tokens),
                     {},
                     "--paths"};
    job.origin.ids = job.ids;
    if (options.ids.empty())
        job.origin.text = options.prompt + text;
    for (const std::int32_t id : job.ids)
        job.origin.tokens.push_back(model.tokenizer.tokenText(id));
    return job;
}

Result<AttentionFindings> runAttentionJob(const AttentionJob& job, const ModelConfig& config,
                                          const HeadExtractor& extractor, AttentionFile* file, JobContext& context)
{
    MeasuringSink sink(job, config, file);
    const bool rows = job.statistics || job.paths || (job.fillsFromRows() && file != nullptr);
    const AttentionRequest request{.layers = rows ? job.shapes.layers : std::vector<std::int64_t>(),
                                   .vectorLayer = file != nullptr ? job.shapes.vectorLayer : std::nullopt};
    HEADSCOPE_CHECK(extractor.watchAttention(job.ids, request, sink, context));
    HEADSCOPE_CHECK(sink.finish());
    return sink.take();
}

} // namespace headscope::engine
