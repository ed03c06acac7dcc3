// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/run/extraction_run.h"

#include "model/base/parallel.h"
#include "model/net/run/backend_check.h"
#include "model/net/run/step_halves.h"
#include "model/net/run/step_scheduler.h"
#include "model/net/run/streamed_run.h"

#include <chrono>
#include <limits>
#include <mutex>

namespace headscope
{
namespace
{

constexpr std::int64_t kCpuStepTokens = 512;
constexpr std::int64_t kGpuStepTokens = 16384;
constexpr int kGpuWorkers = 2;

/// The memory for one step, where no other worker has it.
class MemoryTurn
{
public:
    explicit MemoryTurn(SharedPassMemory* shared) : m_shared(shared)
    {
        if (m_shared != nullptr)
            m_lock = std::unique_lock(m_shared->mutex, std::try_to_lock);
    }
    [[nodiscard]] PassMemory* memory() const { return m_lock.owns_lock() ? &m_shared->memory : nullptr; }

private:
    SharedPassMemory* m_shared;
    std::unique_lock<std::mutex> m_lock;
};

/// One worker: takes steps in turn, computes them, and hands the results over.
Status work(StepScheduler& exchange)
{
    const ExtractionSetup& setup = exchange.setup();
    HEADSCOPE_TRY(const auto ops, makeOperations(setup.options.backend, setup.options.threads, exchange.stop()));
    std::int64_t mostTokens = std::numeric_limits<std::int64_t>::max(); // what a GPU turned out to hold at once
    for (;;)
    {
        HEADSCOPE_TRY(Step step, exchange.nextStep());
        if (step.documents.empty())
            return {};
        if (setup.check != nullptr)
            HEADSCOPE_CHECK(setup.check->run(*ops, exchange, step));
        auto extracted = exchange.emptyResults(step);
        const MemoryTurn turn(setup.memory); // one step's at a time
        PassMemory* const memory = turn.memory();
        const ComputePiece compute = [&](std::int64_t first, const StepInput& piece) {
            Step part;
            const auto packed =
                std::span(step.packed).subspan(static_cast<std::size_t>(first), piece.offsets.size() - 1);
            part.packed.assign(packed.begin(), packed.end());
            return runStep(*ops, setup.network, piece, setup.plan, exchange.resultsSink(*ops, part, extracted),
                           {.memory = memory}, exchange.stop());
        };
        if (!step.packed.empty() && setup.options.backend.onCpu())
            HEADSCOPE_CHECK(compute(0, step.input));
        else if (!step.packed.empty())
            HEADSCOPE_CHECK(computeByHalves(step.input, mostTokens, compute));
        HEADSCOPE_CHECK(exchange.deliver(step, std::move(extracted)));
    }
}

} // namespace

std::int64_t stepTokensOf(const ExtractionOptions& options)
{
    if (options.stepTokens > 0)
        return options.stepTokens;
    return options.backend.onCpu() ? kCpuStepTokens : kGpuStepTokens;
}

int workersOf(const ExtractionOptions& options)
{
    if (options.backend.kind == Backend::Kind::Cpu)
        return options.threads;
    return options.backend.onCpu() ? 1 : kGpuWorkers;
}

std::int64_t startOfOpenStep(std::span<const std::int32_t> tokens, std::int64_t stepTokens)
{
    std::size_t start = 0;
    std::int64_t held = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i)
    {
        held += tokens[i];
        if (held < stepTokens && i + 1 - start < kStepDocuments)
            continue;
        start = i + 1;
        held = 0;
    }
    return static_cast<std::int64_t>(start);
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
    StepScheduler exchange(setup, stream, sink, documentCount, job);
    if (setup.streamed != nullptr)
        exchange.guarded([&] { return streamLayers(exchange); });
    else
    {
        const int workers = workersOf(setup.options);
        parallelForBlocks(workers, workers, 1,
                          [&](const Block&, int) { exchange.guarded([&] { return work(exchange); }); });
    }
    auto report = exchange.finish(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    if (report && setup.check != nullptr)
    {
        report->unchecked = setup.streamed == nullptr
                                ? setup.check->notice()
                                : "the vectors were not compared with float32 vectors: the weights are streamed";
        report->checkSeconds = setup.check->takeSeconds();
        report->seconds -= report->checkSeconds;
    }
    return report;
}

} // namespace headscope
