// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/pass_memory.h"

#include "model/net/forward/network.h"

#include <algorithm>
#include <span>

namespace headscope
{
namespace
{

MatrixF onHost(Operations& ops, const Tensor& x)
{
    MatrixF host(x.rows(), x.cols());
    ops.download(x, {host.data(), static_cast<std::size_t>(host.rows() * host.cols())});
    return host;
}

/// The taps of a layer in the order in which it gives them.
std::vector<Tap> tapsOf(const LayerTaps& taps)
{
    std::vector<Tap> wanted;
    if (taps.headOutput)
        wanted.push_back(Tap::HeadOutput);
    if (taps.contribution)
        wanted.push_back(Tap::Contribution);
    if (taps.projected)
        wanted.push_back(Tap::Projected);
    if (taps.preNorm)
        wanted.push_back(Tap::PreNorm);
    if (taps.output)
        wanted.push_back(Tap::Output);
    return wanted;
}

} // namespace

void PassMemory::begin(const StepInput& input, const TapPlan& plan, std::int64_t modelDim)
{
    if (m_ids != input.ids || m_offsets != input.offsets)
    {
        m_streams.clear();
        m_taps.clear();
    }
    m_ids = input.ids;
    m_offsets = input.offsets;
    const std::uint64_t numbers = input.ids.size() * plan.layers.size() * static_cast<std::uint64_t>(modelDim);
    m_keeps = numbers * sizeof(float) <= m_mostBytes;
    if (plan.lastLayer() < 0) // nothing is pooled
        return;
    const std::vector<std::int64_t> meanFrom =
        plan.pooling == Pooling::Mean ? input.meanFrom : std::vector<std::int64_t>();
    if (m_pooling != plan.pooling || m_meanFrom != meanFrom)
        m_taps.clear();
    m_pooling = plan.pooling;
    m_meanFrom = meanFrom;
}

bool PassMemory::hasTaps(std::int64_t layer, const LayerTaps& taps) const
{
    const auto wanted = tapsOf(taps);
    return std::ranges::all_of(wanted, [&](Tap tap) { return m_taps.contains({layer, tap}); });
}

std::int64_t PassMemory::start(std::int64_t most, const TapPlan& plan) const
{
    std::int64_t reached = 0;
    for (std::int64_t layer = 0; layer < most && hasTaps(layer, plan.layers[static_cast<std::size_t>(layer)]); ++layer)
        if (m_streams.contains(layer + 1))
            reached = layer + 1;
    return reached;
}

void PassMemory::replay(Operations& ops, std::int64_t layer, const TapPlan& plan, const TapSink& sink) const
{
    for (std::int64_t before = 0; before < layer; ++before)
        for (const Tap tap : tapsOf(plan.layers[static_cast<std::size_t>(before)]))
            sink(LayerIndex(before), tap, ops.upload(m_taps.at({before, tap}).view()));
}

void PassMemory::keepStream(Operations& ops, std::int64_t layer, const Tensor& x)
{
    if (m_keeps && layer > 0 && !m_streams.contains(layer))
        m_streams.emplace(layer, onHost(ops, x));
}

void PassMemory::keepTap(Operations& ops, LayerIndex layer, Tap tap, const Tensor& pooled)
{
    if (m_keeps)
        m_taps.insert_or_assign({layer.value(), tap}, onHost(ops, pooled));
}

} // namespace headscope
