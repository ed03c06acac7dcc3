// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/run/streamed_run.h"

#include "model/base/parallel.h"
#include "model/net/run/layer_stream.h"
#include "model/net/run/step_scheduler.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace headscope
{
namespace
{

/// A step between two layers.
struct WaitingStep
{
    Step step;
    MatrixF x; ///< [T, Dm] residual stream; made before the first layer
    std::vector<ExtractedDocument> extracted;
};

/// The steps that pass a layer before the next one is used.
struct Batch
{
    std::vector<WaitingStep> steps;
    BatchShape shape;
    int workers = 1;
    bool ahead = true; ///< the next layer is read beside the current one
};

class StreamedRun
{
public:
    explicit StreamedRun(StepScheduler& exchange)
        : m_exchange(exchange), m_setup(exchange.setup()), m_costs(m_setup.streamed->costs),
          m_limit(m_setup.options.memory.total - m_setup.options.memory.reserved)
    {}

    Status run()
    {
        LayerStream layers(m_setup.streamed->files, m_setup.streamed->opened, m_setup.options.threads,
                           m_exchange.stop(), packsWeights(m_setup.options.backend));
        layers.start(LayerIndex(0));
        HEADSCOPE_TRY(Step waiting, m_exchange.nextStep());
        while (!waiting.documents.empty())
        {
            HEADSCOPE_TRY(Batch batch, nextBatch(waiting));
            HEADSCOPE_CHECK(computeBatch(layers, batch, !waiting.documents.empty()));
            for (WaitingStep& done : batch.steps)
                HEADSCOPE_CHECK(m_exchange.deliver(done.step, std::move(done.extracted)));
        }
        return {};
    }

private:
    [[nodiscard]] bool fits(const BatchShape& shape, int layers, int workers) const
    {
        return m_costs.bytes(shape, layers, workers) <= m_limit;
    }

    /// As many steps as the limit allows, at least one; `waiting` is the first, and then the one that
    /// did not fit.
    Result<Batch> nextBatch(Step& waiting)
    {
        // Workers take at most half of what is free: more documents a batch save readings of the model.
        const std::uint64_t free = m_limit - std::min(m_limit, m_costs.bytes({}, 2, 0));
        const std::uint64_t work = m_costs.workPerToken * static_cast<std::uint64_t>(m_exchange.stepTokens());
        const int workers = std::clamp(static_cast<int>(std::min<std::uint64_t>(free / (2 * work), 1 << 20)), 1,
                                       m_setup.options.threads);
        Batch batch;
        do
        {
            const auto tokens = static_cast<std::int64_t>(waiting.input.ids.size());
            const BatchShape grown = {batch.shape.tokens + tokens,
                                      batch.shape.documents + static_cast<std::int64_t>(waiting.documents.size()),
                                      std::max(batch.shape.largestStep, tokens)};
            if (!batch.steps.empty() && !fits(grown, 2, workers))
                break;
            batch.shape = grown;
            batch.steps.push_back({std::move(waiting), {}, {}});
            HEADSCOPE_TRY(waiting, m_exchange.nextStep());
        } while (!waiting.documents.empty());
        batch.ahead = fits(batch.shape, 2, 1);
        const int layers = batch.ahead ? 2 : 1;
        if (!fits(batch.shape, layers, 1))
            return Error{ErrorCode::OutOfMemory,
                         fmt::format("document {}: a step of {} tokens needs a memory limit of {}, found {}",
                                     batch.steps.front().step.documents.back().index + 1, batch.shape.tokens,
                                     mebibytesText(m_setup.options.memory.reserved + m_costs.bytes(batch.shape, 1, 1)),
                                     mebibytesText(m_setup.options.memory.total)),
                         {},
                         "memory"};
        for (batch.workers = workers; batch.workers > 1; --batch.workers)
            if (fits(batch.shape, layers, batch.workers))
                break;
        return batch;
    }

    /// @param more  another batch follows: its first layer is read beside the last one of this
    Status computeBatch(LayerStream& layers, Batch& batch, bool more)
    {
        const std::stop_token stop = m_exchange.stop();
        const auto last = m_setup.plan.lastLayer();
        for (LayerIndex layer; layer.value() <= last && !stop.stop_requested(); ++layer)
        {
            std::optional<LayerIndex> next;
            if (layer.value() < last)
                next = LayerIndex(layer.value() + 1);
            else if (more)
                next = LayerIndex(0);
            {
                HEADSCOPE_TRY(const Weights weights, layers.take());
                if (next && batch.ahead)
                    layers.start(*next);
                HEADSCOPE_CHECK(passLayer(batch, weights, layer));
            }
            if (next && !batch.ahead)
                layers.start(*next);
        }
        // A batch that was stopped half-way is nobody's result.
        if (stop.stop_requested())
            return JobContext::cancelled();
        return {};
    }

    /// All steps of a batch through one layer.
    Status passLayer(Batch& batch, const Weights& weights, LayerIndex layer)
    {
        const std::stop_token stop = m_exchange.stop();
        HEADSCOPE_TRY(const auto ops, makeOperations(m_setup.options.backend, 1, stop));
        HEADSCOPE_TRY(const LayerTensors tensors, makeLayerTensors(*ops, weights, layer, m_setup.options.edit));
        parallelForBlocks(batch.workers, static_cast<std::int64_t>(batch.steps.size()), 1,
                          [&](const Block& block, int) {
                              if (stop.stop_requested())
                                  return;
                              WaitingStep& step = batch.steps[static_cast<std::size_t>(block.index)];
                              m_exchange.guarded([&] { return computeStep(step, tensors, layer); });
                          });
        return {};
    }

    Status computeStep(WaitingStep& waiting, const LayerTensors& tensors, LayerIndex layer)
    {
        const Step& step = waiting.step;
        // New operations for every step and layer: theirs are the activations, and none stays behind.
        HEADSCOPE_TRY(const auto ops, makeOperations(m_setup.options.backend, 1, m_exchange.stop()));
        if (layer.value() == 0)
        {
            waiting.extracted = m_exchange.emptyResults(step);
            if (!step.packed.empty())
            {
                HEADSCOPE_TRY(waiting.x, embedStep(*ops, m_setup.network, step.input));
            }
        }
        if (!step.packed.empty())
            HEADSCOPE_CHECK(runStepLayer(*ops, m_setup.network, tensors, layer, step.input, m_setup.plan,
                                         m_exchange.resultsSink(*ops, step, waiting.extracted), waiting.x,
                                         m_exchange.stop()));
        m_exchange.passedLayer(step);
        return {};
    }

    StepScheduler& m_exchange;
    const ExtractionSetup& m_setup;
    const StreamCosts& m_costs;
    std::uint64_t m_limit; ///< of what belongs to model and documents
};

} // namespace

Status streamLayers(StepScheduler& exchange)
{
    return StreamedRun(exchange).run();
}

} // namespace headscope
