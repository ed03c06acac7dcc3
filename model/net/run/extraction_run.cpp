// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/run/extraction_run.h"

#include "model/base/parallel.h"
#include "model/net/run/step_exchange.h"
#include "model/net/run/streamed_run.h"

#include <chrono>

namespace headscope
{
namespace
{

constexpr std::int64_t kCpuStepTokens = 512;
constexpr std::int64_t kGpuStepTokens = 16384;

/// One worker: takes steps in turn, computes them, and hands the results over.
Status work(StepExchange& exchange)
{
    const ExtractionSetup& setup = exchange.setup();
    HEADSCOPE_TRY(const auto ops, makeOperations(setup.options.backend, setup.options.threads, exchange.stop()));
    for (;;)
    {
        HEADSCOPE_TRY(Step step, exchange.nextStep());
        if (step.documents.empty())
            return {};
        auto extracted = exchange.emptyResults(step);
        if (!step.packed.empty())
            HEADSCOPE_CHECK(runStep(*ops, setup.network, step.input, setup.plan,
                                    exchange.resultsSink(*ops, step, extracted), {}, exchange.stop()));
        HEADSCOPE_CHECK(exchange.deliver(std::move(extracted)));
    }
}

} // namespace

std::int64_t stepTokensOf(const ExtractionOptions& options)
{
    if (options.stepTokens > 0)
        return options.stepTokens;
    return options.backend.onCpu() ? kCpuStepTokens : kGpuStepTokens;
}

std::int64_t valuesPerDocument(const std::vector<ExtractionBlock>& blocks)
{
    std::int64_t count = 0;
    for (const ExtractionBlock& block : blocks)
        count += block.heads * block.dims;
    return count;
}

Result<ExtractionReport> runExtraction(const ExtractionSetup& setup, const TokenStream& stream, HeadVectorSink& sink,
                                       std::uint64_t documentCount, JobContext& job)
{
    const auto start = std::chrono::steady_clock::now();
    StepExchange exchange(setup, stream, sink, documentCount, job);
    if (setup.streamed != nullptr)
        exchange.guarded([&] { return streamLayers(exchange); });
    else
    {
        // libtorch brings its own threads; our own products run one worker a core.
        const bool ownThreads = setup.options.backend.kind == Backend::Kind::Torch;
        const int workers = ownThreads ? 1 : setup.options.threads;
        parallelForBlocks(workers, workers, 1,
                          [&](const Block&, int) { exchange.guarded([&] { return work(exchange); }); });
    }
    return exchange.finish(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

} // namespace headscope
