// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/run/backend_check.h"

#include "model/base/numbers/all_finite.h"
#include "model/base/strong_index.h"
#include "model/net/forward/cpu_operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace headscope
{
namespace
{

constexpr std::size_t kDocuments = 4;
constexpr std::size_t kTokens = 16;

double lengthOf(std::span<const float> values)
{
    double squares = 0;
    for (const float value : values)
        squares += static_cast<double>(value) * static_cast<double>(value);
    return std::sqrt(squares);
}

double cosineOf(std::span<const float> a, std::span<const float> b)
{
    double product = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        product += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    const double lengths = lengthOf(a) * lengthOf(b);
    return lengths > 0 ? product / lengths : lengthOf(a) == lengthOf(b) ? 1 : 0;
}

/// Infinite where a number of `a` is not finite.
double largestDifference(std::span<const float> a, std::span<const float> b)
{
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        const double difference = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
        largest = std::isfinite(difference) ? std::max(largest, difference) : std::numeric_limits<double>::infinity();
    }
    return largest;
}

/// The head of a row [heads, dims] that differs most, with its difference in lengths.
BackendDifference worstHead(const ExtractionBlock& block, std::span<const float> device, std::span<const float> cpu)
{
    const auto dims = static_cast<std::size_t>(block.dims);
    const double meanLength = lengthOf(cpu) / std::sqrt(static_cast<double>(block.heads));
    BackendDifference worst;
    for (HeadIndex head; head.value() < block.heads; ++head)
    {
        const auto own = cpu.subspan(head.index() * dims, dims);
        const double difference = largestDifference(device.subspan(head.index() * dims, dims), own);
        const double length = std::max(lengthOf(own), meanLength);
        const double relative = difference == 0 ? 0 : difference / length;
        if (relative > worst.value)
        {
            worst.value = relative;
            worst.head = head;
        }
    }
    return worst;
}

/// The first documents of a step that have tokens, shortened.
Step sampleOf(const Step& step)
{
    Step sample;
    sample.input.offsets.push_back(0);
    for (std::size_t s = 0; s < std::min(kDocuments, step.packed.size()); ++s)
    {
        TokenizedDocument document = step.documents[step.packed[s]];
        document.ids.resize(std::min(kTokens, document.ids.size()));
        sample.input.ids.insert(sample.input.ids.end(), document.ids.begin(), document.ids.end());
        sample.input.offsets.push_back(std::ssize(sample.input.ids));
        sample.input.meanFrom.push_back(std::min(document.promptTokens, std::ssize(document.ids) - 1));
        sample.packed.push_back(s);
        sample.documents.push_back(std::move(document));
    }
    return sample;
}

Error differs(const ExtractionOptions& options, const ExtractionBlock& block, const BackendDifference& found)
{
    const bool single = options.backend.precision == Precision::F32;
    const std::string how =
        single
            ? fmt::format("by {:.2g} of its length, while rounding causes less than {}", found.value, kBackendTolerance)
            : fmt::format("most; the cosine over all of them is {:.5f}, while rounding to {} leaves at least {}",
                          found.value, precisionName(options.backend.precision), kBackendCosine);
    const bool torch = options.backend.kind == Backend::Kind::Torch;
    return {
        ErrorCode::Resource,
        fmt::format("{} give different results: in the first documents, layer {}, stage {}, {} {} differs {}. None of "
                    "these vectors can be trusted. {}",
                    torch ? fmt::format("libtorch on {} and the CPU", options.backend.device)
                          : fmt::format("{} and f32 on this CPU", precisionName(options.backend.precision)),
                    block.layer.value(), stageName(block.stage), unitName(block.stage), shownNumber(found.head), how,
                    torch ? "--device cpu computes without libtorch; another libtorch or driver may work, and a GPU "
                            "whose results change each time is damaged"
                          : "--dtype f32 computes in float32"),
        {},
        {}};
}

} // namespace

std::optional<BackendDifference> backendDifference(const std::vector<ExtractionBlock>& blocks,
                                                   std::span<const float> device, std::span<const float> cpu,
                                                   Precision precision)
{
    for (std::size_t b = 0; b < blocks.size(); ++b)
    {
        const auto values = static_cast<std::size_t>(blocks[b].heads * blocks[b].dims);
        const auto ofDevice = device.first(values);
        const auto ofCpu = cpu.first(values);
        device = device.subspan(values);
        cpu = cpu.subspan(values);
        if (!allFinite(ofCpu) || (precision != Precision::F32 && !allFinite(ofDevice)))
            continue;
        BackendDifference worst = worstHead(blocks[b], ofDevice, ofCpu);
        worst.block = b;
        if (precision == Precision::F32 && worst.value > kBackendTolerance)
            return worst;
        if (precision == Precision::F32)
            continue;
        worst.value = cosineOf(ofDevice, ofCpu);
        if (worst.value < kBackendCosine)
            return worst;
    }
    return std::nullopt;
}

Status BackendCheck::run(Operations& ops, const StepScheduler& exchange, const Step& step)
{
    const std::lock_guard lock(m_mutex);
    if (m_done || step.packed.empty())
        return {};
    m_done = true;
    const auto start = std::chrono::steady_clock::now();
    Status done = compare(ops, exchange, step);
    m_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return done;
}

Status BackendCheck::compare(Operations& ops, const StepScheduler& exchange, const Step& step)
{
    const ExtractionSetup& setup = exchange.setup();
    const Step sample = sampleOf(step);
    const auto cpuOps = makeCpuOperations(exchange.stop());
    auto onCpu = exchange.emptyResults(sample);
    const Status computed = runStep(*cpuOps, m_reference, sample.input, setup.plan,
                                    exchange.resultsSink(*cpuOps, sample, onCpu), {}, exchange.stop());
    if (!computed && computed.error().code == ErrorCode::OutOfMemory)
    {
        m_notice = fmt::format(
            "the vectors of {} were not compared with float32 vectors on the CPU: not enough memory for both runs",
            setup.options.backend.device);
        return {};
    }
    HEADSCOPE_CHECK(computed);
    auto onDevice = exchange.emptyResults(sample);
    HEADSCOPE_CHECK(runStep(ops, setup.network, sample.input, setup.plan, exchange.resultsSink(ops, sample, onDevice),
                            {}, exchange.stop()));
    // The earliest block of all documents: there it began.
    std::optional<BackendDifference> first;
    for (std::size_t i = 0; i < onCpu.size(); ++i)
    {
        const auto found =
            backendDifference(setup.blocks, onDevice[i].values, onCpu[i].values, setup.options.backend.precision);
        if (found && (!first || found->block < first->block))
            first = found;
    }
    if (first)
        return differs(setup.options, setup.blocks[first->block], *first);
    return {};
}

} // namespace headscope
