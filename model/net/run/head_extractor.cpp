// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/run/head_extractor.h"

#include "model/base/hash.h"
#include "model/net/forward/cpu_operations.h"
#include "model/net/forward/embedding_modules.h"
#include "model/net/forward/network.h"
#include "model/net/run/backend_check.h"
#include "model/net/run/edited_runs.h"
#include "model/net/run/extraction_run.h"
#include "model/net/run/head_watch.h"
#include "model/net/run/residual_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <set>
#include <span>

namespace headscope
{

std::uint64_t TokenizedDocument::digest() const
{
    const std::array<std::uint64_t, 3> parts = {xxh3Short(std::as_bytes(std::span(ids))),
                                                static_cast<std::uint64_t>(promptTokens), flags};
    return xxh3Short(std::as_bytes(std::span(parts)));
}

struct HeadExtractor::State
{
    ExtractionOptions options;
    std::shared_ptr<const Weights> weights;
    Network plain;   ///< as the files have it
    Network network; ///< as the options edit it
    std::vector<ExtractionBlock> blocks;
    TapPlan plan;
    std::optional<StreamSource> streamed;
    std::shared_ptr<BackendCheck> check; ///< of libtorch or bfloat16; once for these weights
    std::shared_ptr<SharedPassMemory> memory = std::make_shared<SharedPassMemory>();

    /// Fills options, blocks and plan.
    Status plans(const ModelConfig& config, const ExtractionOptions& asked);
    /// Makes the network of the options, and what it is checked by.
    Status edit(Operations& ops);
};

namespace
{

/// What streaming needs; refuses a limit that is too small before anything is read.
Result<StreamSource> makeStreamSource(const ModelFiles& files, const ExtractionOptions& options, std::int64_t lastLayer,
                                      std::int64_t values)
{
    if (options.backend.kind != Backend::Kind::Cpu)
        return Error{
            ErrorCode::WrongUse, "a memory limit works only with the CPU backend, found libtorch", {}, "memory"};
    StreamSource source{files, nullptr, streamCosts(files, lastLayer, values, options.threads)};
    source.files.metadata = {}; // vocabularies: not needed again
    const std::uint64_t smallest = source.costs.smallest(options.memory, stepTokensOf(options));
    if (options.memory.total < smallest)
        return Error{ErrorCode::WrongUse,
                     fmt::format("expected at least {} to stream this model (a layer takes {}, two are in memory), "
                                 "found {}",
                                 mebibytesText(smallest), mebibytesText(source.costs.layer),
                                 mebibytesText(options.memory.total)),
                     {},
                     "memory"};
    HEADSCOPE_TRY(source.opened, WeightFiles::open(files));
    return source;
}

} // namespace

std::vector<std::string> ExtractionReport::warnings(const std::vector<ExtractionBlock>& blocks, std::size_t limit) const
{
    std::vector<std::string> lines;
    if (!unchecked.empty())
        lines.push_back(unchecked);
    if (firstNonFinite)
    {
        const ExtractionBlock& block = blocks[firstNonFinite->block];
        lines.push_back(fmt::format(
            "NaN or infinity in vectors of {} of {} documents, first in layer {}, stage {}, {} {}, document {}; these "
            "documents are flagged. {}; vectors of earlier layers are valid",
            nonFinite, documents, block.layer.value(), stageName(block.stage), unitName(block.stage),
            shownNumber(firstNonFinite->head), firstNonFinite->document.value(),
            precision == Precision::F32
                ? "Everything was computed in float32, the format with the largest range, so the weights overflow or "
                  "are damaged (compare the checksum of the file)"
                : fmt::format(
                      "Matrices were multiplied in {}: --dtype f32 shows whether the format or the weights overflow",
                      precisionName(precision))));
    }
    const std::size_t most = lines.size() + limit;
    std::int64_t more = 0;
    for (std::size_t b = 0; b < nonFiniteVectors.size(); ++b)
        for (std::size_t h = 0; h < nonFiniteVectors[b].size(); ++h)
        {
            if (nonFiniteVectors[b][h] == 0)
                continue;
            if (lines.size() == most)
                ++more;
            else
                lines.push_back(fmt::format(
                    "layer {}, stage {}, {} {}: NaN or infinity in {} of {} documents", blocks[b].layer.value(),
                    stageName(blocks[b].stage), unitName(blocks[b].stage),
                    shownNumber(HeadIndex(static_cast<std::int64_t>(h))), nonFiniteVectors[b][h], documents));
        }
    if (more > 0)
        lines.push_back(fmt::format("NaN or infinity in {} more heads and segments", more));
    return lines;
}

Result<std::vector<ExtractionBlock>> extractionBlocks(const ModelConfig& config, const ExtractionOptions& options)
{
    std::set<std::int64_t> layers(options.layers.begin(), options.layers.end());
    if (layers.empty())
        layers.insert(config.layers - 1);
    if (*layers.begin() < 0 || *layers.rbegin() >= config.layers)
        return Error{ErrorCode::WrongUse,
                     fmt::format("expected layers 0 to {}, found {}", config.layers - 1,
                                 *layers.begin() < 0 ? *layers.begin() : *layers.rbegin()),
                     {},
                     "layers"};
    const std::set<Stage> stages(options.stages.begin(), options.stages.end());
    if (stages.empty())
        return Error{ErrorCode::WrongUse, "expected at least one stage, found none", {}, "stages"};
    const bool cut = config.modelDim % config.heads == 0;
    std::vector<ExtractionBlock> blocks;
    for (const std::int64_t layer : layers)
        for (const Stage stage : stages)
        {
            ExtractionBlock block{LayerIndex(layer), stage, config.heads, config.headDim};
            if (stage == Stage::Contribution)
                block.dims = config.modelDim;
            else if (stage == Stage::Embedding)
            {
                if (options.embedding == nullptr || layer + 1 != config.layers)
                    continue;
                block.heads = 1;
                block.dims = options.embedding->dims();
            }
            else if (stage != Stage::HeadOutput)
            {
                block.heads = cut ? config.heads : 1;
                block.dims = config.modelDim / block.heads;
            }
            blocks.push_back(block);
        }
    return blocks;
}

Status HeadExtractor::State::plans(const ModelConfig& config, const ExtractionOptions& asked)
{
    options = asked;
    options.threads = std::max(1, asked.threads);
    HEADSCOPE_TRY(blocks, extractionBlocks(config, asked));
    HEADSCOPE_CHECK(checkEdit(config, asked.edit));
    plan.pooling = asked.pooling;
    plan.layers.resize(static_cast<std::size_t>(config.layers));
    for (const ExtractionBlock& block : blocks)
    {
        const bool beforeNorm =
            !asked.finalNorm && config.traits().hasFinalNorm() && block.layer.value() + 1 == config.layers;
        LayerTaps& taps = plan.layers[block.layer.index()];
        taps.headOutput = taps.headOutput || block.stage == Stage::HeadOutput;
        taps.projected = taps.projected || block.stage == Stage::ProjectedSegment;
        taps.contribution = taps.contribution || block.stage == Stage::Contribution;
        if (block.stage == Stage::OutputSegment)
            (beforeNorm ? taps.preNorm : taps.output) = true;
        taps.output = taps.output || block.stage == Stage::Embedding;
    }
    return {};
}

Status HeadExtractor::State::edit(Operations& ops)
{
    HEADSCOPE_TRY(network, editedNetwork(ops, plain, options.edit));
    if (options.backend.kind == Backend::Kind::Cpu && options.backend.precision == Precision::F32)
        return {};
    const auto cpu = makeCpuOperations({});                          // float32
    HEADSCOPE_TRY(const Network files, makeNetwork(*cpu, *weights)); // shares their memory
    HEADSCOPE_TRY(Network reference, editedNetwork(*cpu, files, options.edit));
    check = std::make_shared<BackendCheck>(std::move(reference));
    return {};
}

Result<HeadExtractor> HeadExtractor::create(const ModelFiles& files, const ExtractionOptions& options, JobContext& job)
{
    auto state = std::make_unique<State>();
    HEADSCOPE_CHECK(state->plans(files.config, options));
    WeightOptions weightOptions{.lastLayer = state->plan.lastLayer(),
                                .threads = state->options.threads,
                                .packed = packsWeights(options.backend)};
    if (options.memory.total > 0)
    {
        HEADSCOPE_TRY(state->streamed, makeStreamSource(files, state->options, state->plan.lastLayer(),
                                                        valuesPerDocument(state->blocks)));
        weightOptions.firstLayer = files.config.layers; // none
        weightOptions.opened = state->streamed->opened;
    }
    HEADSCOPE_TRY(Weights weights, Weights::load(files, weightOptions, job));
    state->weights = std::make_shared<const Weights>(std::move(weights));
    HEADSCOPE_TRY(const auto ops, makeOperations(options.backend, state->options.threads, {}));
    HEADSCOPE_TRY(state->plain, makeNetwork(*ops, *state->weights));
    HEADSCOPE_CHECK(state->edit(*ops));
    return HeadExtractor(std::move(state));
}

bool HeadExtractor::serves(const ExtractionOptions& options) const
{
    const Backend& own = m_state->options.backend;
    if (m_state->streamed || options.memory.total > 0 || options.backend.kind != own.kind ||
        options.backend.device != own.device || packsWeights(options.backend) != packsWeights(own))
        return false;
    const auto last = options.layers.empty() ? m_state->weights->config().layers - 1
                                             : *std::max_element(options.layers.begin(), options.layers.end());
    return last < m_state->weights->loadedLayers();
}

Result<HeadExtractor> HeadExtractor::withOptions(const ExtractionOptions& options) const
{
    if (!serves(options))
        return Error{ErrorCode::WrongUse,
                     "expected options that the loaded weights support, found options that they do not support",
                     {},
                     "layers"};
    auto state = std::make_unique<State>();
    HEADSCOPE_CHECK(state->plans(m_state->weights->config(), options));
    state->weights = m_state->weights;
    state->plain = m_state->plain; // its tensors are handles of the same weights
    state->memory = m_state->memory;
    if (options.edit == m_state->options.edit)
    {
        state->network = m_state->network;
        state->check = m_state->check;
        return HeadExtractor(std::move(state));
    }
    HEADSCOPE_TRY(const auto ops, makeOperations(options.backend, state->options.threads, {}));
    HEADSCOPE_CHECK(state->edit(*ops));
    return HeadExtractor(std::move(state));
}

Status HeadExtractor::checkUnchanged() const
{
    return m_state->weights->checkUnchanged();
}

HeadExtractor::HeadExtractor(std::unique_ptr<State> state) : m_state(std::move(state)) {}
HeadExtractor::HeadExtractor(HeadExtractor&&) noexcept = default;
HeadExtractor& HeadExtractor::operator=(HeadExtractor&&) noexcept = default;
HeadExtractor::~HeadExtractor() = default;

const std::vector<ExtractionBlock>& HeadExtractor::blocks() const
{
    return m_state->blocks;
}

Result<ExtractionReport> HeadExtractor::run(const TokenStream& stream, HeadVectorSink& sink,
                                            std::uint64_t documentCount, JobContext& job) const
{
    return runExtraction({m_state->options, m_state->network, m_state->plan, m_state->blocks,
                          m_state->streamed ? &*m_state->streamed : nullptr, m_state->check.get(),
                          m_state->options.keepsPass ? m_state->memory.get() : nullptr},
                         stream, sink, documentCount, job);
}

Status HeadExtractor::runEdits(std::span<const TokenizedDocument> documents, std::span<const ModelEdit> edits,
                               const std::function<void(const EditedVector&)>& sink, JobContext& job) const
{
    if (m_state->blocks.size() != 1 || m_state->streamed)
        return Error{ErrorCode::WrongUse,
                     fmt::format("expected an extractor of one layer and stage whose weights are in memory, found {}{}",
                                 m_state->blocks.size(), m_state->streamed ? ", streamed" : ""),
                     {},
                     "layers"};
    return runEditedPasses({m_state->options, m_state->network, m_state->plan, m_state->blocks}, m_state->plain,
                           documents, edits, sink, job);
}

Status HeadExtractor::traceDocuments(std::span<const TokenizedDocument> documents,
                                     const std::function<Status(std::size_t, const ResidualTrace&)>& sink,
                                     JobContext& job) const
{
    const ModelConfig& config = m_state->weights->config();
    const bool embeds = m_state->blocks.size() == 1 && m_state->blocks.front().stage == Stage::OutputSegment &&
                        m_state->blocks.front().layer.value() + 1 == config.layers && m_state->options.finalNorm;
    if (!embeds || m_state->streamed)
        return Error{ErrorCode::WrongUse,
                     "expected an extractor of the embedding whose weights are in memory, found another extractor",
                     {},
                     "layers"};
    return traceResiduals({m_state->options, m_state->network, m_state->plan, m_state->blocks}, documents, sink, job);
}

const Weights& HeadExtractor::weights() const
{
    return *m_state->weights;
}

Status HeadExtractor::watchAttention(std::span<const std::int32_t> ids, const AttentionRequest& request,
                                     AttentionSink& sink, JobContext& job) const
{
    const std::int64_t last = request.lastLayer();
    const auto loaded = std::ssize(m_state->network.layers);
    if (last >= loaded || (!request.layers.empty() && request.layers.front() < 0))
        return Error{ErrorCode::WrongUse,
                     fmt::format("expected layers 0 to {}, which are loaded, found {}", loaded - 1,
                                 last >= loaded ? last : request.layers.front()),
                     {},
                     "layers"};
    std::stop_source stop;
    const std::stop_callback forward(job.stopToken(), [&stop] { stop.request_stop(); });
    HEADSCOPE_TRY(const auto ops, makeOperations(m_state->options.backend, m_state->options.threads, stop.get_token()));
    std::unique_lock lock(m_state->memory->mutex, std::defer_lock);
    const bool keeps = m_state->options.keepsPass && lock.try_lock();
    return runAttention(*ops, m_state->network, ids, request, sink, keeps ? &m_state->memory->memory : nullptr, job,
                        stop);
}

Status HeadExtractor::watchDocuments(const TokenStream& stream, LayerIndex layer, HeadIndex head, const WatchSink& sink,
                                     JobContext& job) const
{
    const Network& network = m_state->network;
    if (layer.value() < 0 || layer.index() >= network.layers.size())
        return Error{ErrorCode::WrongUse,
                     fmt::format("expected layers 0 to {}, which are loaded, found {}", std::ssize(network.layers) - 1,
                                 layer.value()),
                     {},
                     "layer"};
    if (head.value() < 0 || head.value() >= network.config().heads)
        return Error{ErrorCode::WrongUse,
                     fmt::format("expected heads 1 to {}, found {}", network.config().heads, shownNumber(head)),
                     {},
                     "head"};
    return watchHead({m_state->options, network, layer, head}, stream, sink, job.stopToken());
}

Result<std::vector<float>> HeadExtractor::attention(std::span<const std::int32_t> ids, JobContext& job) const
{
    const ModelConfig& config = m_state->network.config();
    if (static_cast<std::int64_t>(m_state->network.layers.size()) < config.layers)
        return Error{ErrorCode::WrongUse,
                     fmt::format("attention needs all {} layers, but only {} are loaded", config.layers,
                                 m_state->network.layers.size()),
                     {},
                     {}};
    HEADSCOPE_TRY(const auto ops, makeOperations(m_state->options.backend, m_state->options.threads, job.stopToken()));
    return attentionProbabilities(*ops, m_state->network, ids, job.stopToken());
}

std::uint64_t HeadExtractor::weightBytes() const
{
    return m_state->weights->allocatedBytes() + m_state->weights->mappedBytes();
}

} // namespace headscope
