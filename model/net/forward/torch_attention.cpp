// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/torch_attention.h"

#include "model/net/forward/torch_version.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace headscope
{
namespace
{

constexpr std::int64_t kQueryChunk = 256;      ///< rows of scores at once, against T^2 memory of long texts
constexpr std::int64_t kMaxFusedHeadDim = 256; ///< of the kernel for all documents at once, in steps of 8

/// Some queries' probabilities of all heads, [H, Q, T].
void handOut(const at::Tensor& weights, DocumentIndex document, std::int64_t first,
             const ProbabilitySink& probabilities)
{
    const at::Tensor all = weights.to(at::kCPU).contiguous();
    for (std::int64_t head = 0; head < all.size(0); ++head)
        probabilities(document, HeadIndex(head), TokenIndex(first),
                      {all.data_ptr<float>() + head * all.size(1) * all.size(2), all.size(1), all.size(2)});
}

#if HEADSCOPE_TORCH_IS_RECENT
/// q [R, H, Dh], k and v [T, KV, Dh] -> [R, H, Dh]; document s is rows begins[s] .. begins[s + 1], and the queries of
/// it are its last ones.
at::Tensor packedKernel(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& queryBegins,
                        const at::Tensor& begins, std::int64_t mostQueries, std::int64_t longest,
                        const AttentionShape& shape)
{
    const bool windowed = shape.window > 0;
    const std::optional<std::int64_t> before = windowed ? shape.before() : std::nullopt;
    const std::optional<std::int64_t> after = windowed ? shape.behind() : std::nullopt;
    return std::get<0>(at::_flash_attention_forward(q, k, v, queryBegins, begins, mostQueries, longest, 0.0,
                                                    shape.causal, false, static_cast<double>(shape.scale), before,
                                                    after));
}
#endif

} // namespace

/// Whether this GPU has the kernel is asked by a document of one token.
bool TorchAttention::attendsTogether(const Packing& packing, Queries queries, const AttentionShape& shape)
{
#if HEADSCOPE_TORCH_IS_RECENT
    if (m_device.is_cpu() || m_products == at::kFloat || shape.headDim % 8 != 0 || shape.headDim > kMaxFusedHeadDim ||
        shape.softcap > 0 || !shape.distanceBias.empty())
        return false;
    // The kernel takes a document's queries for its last tokens.
    if (queries == Queries::Picked && (shape.causal || shape.window > 0))
        for (std::int64_t s = 0; s < packing.documents(); ++s)
            if (packing.picked[static_cast<std::size_t>(s)] + 1 != packing.offsets[static_cast<std::size_t>(s) + 1])
                return false;
    if (!m_hasKernel)
    {
        const auto numbers = at::TensorOptions(m_products).device(m_device);
        const at::Tensor one = at::zeros({1, 1, 64}, numbers);
        const at::Tensor begins = at::arange(2, numbers.dtype(at::kInt));
        try
        {
            (void)packedKernel(one, one, one, begins, begins, 1, 1, {.heads = 1, .kvHeads = 1, .headDim = 64});
            m_hasKernel = true;
        }
        catch (const c10::OutOfMemoryError&)
        {
            throw;
        }
        catch (const c10::Error&)
        {
            m_hasKernel = false; // an older GPU
        }
    }
    return *m_hasKernel;
#else
    (void)packing, (void)queries, (void)shape;
    return false;
#endif
}

at::Tensor TorchAttention::together(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                                    const Packing& packing, Queries queries, const AttentionShape& shape)
{
#if HEADSCOPE_TORCH_IS_RECENT
    if (m_bounds.offsets != packing.offsets)
    {
        m_bounds.offsets = packing.offsets;
        const std::vector<std::int32_t> begins(packing.offsets.begin(), packing.offsets.end());
        m_bounds.begins = at::tensor(at::ArrayRef<std::int32_t>(begins), at::kInt).to(m_device);
        m_bounds.ones = at::arange(packing.documents() + 1, at::TensorOptions(at::kInt).device(m_device));
        m_bounds.longest = 0;
        for (std::int64_t s = 0; s < packing.documents(); ++s)
            m_bounds.longest = std::max(m_bounds.longest, packing.length(s));
    }
    const bool all = queries == Queries::All;
    const auto heads = [&](const at::Tensor& x, std::int64_t count) { // the rows of k and v may lie in wider ones
        return x.to(m_products).unflatten(1, {count, shape.headDim});
    };
    return packedKernel(heads(q, shape.heads), heads(k, shape.kvHeads), heads(v, shape.kvHeads),
                        all ? m_bounds.begins : m_bounds.ones, m_bounds.begins, all ? m_bounds.longest : 1,
                        m_bounds.longest, shape)
        .reshape({q.size(0), q.size(1)});
#else
    (void)k, (void)v, (void)packing, (void)queries, (void)shape;
    return q;
#endif
}

at::Tensor TorchAttention::run(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                               const at::Tensor& distanceBias, const Packing& packing, Queries queries,
                               const AttentionShape& shape, const ProbabilitySink& probabilities)
{
    if (!probabilities && attendsTogether(packing, queries, shape))
        return together(q, k, v, packing, queries, shape);
    std::vector<at::Tensor> outputs;
    for (std::int64_t s = 0; s < packing.documents(); ++s)
    {
        if (m_stop.stop_requested())
            return at::zeros_like(q);
        const std::int64_t begin = packing.offsets[static_cast<std::size_t>(s)];
        const std::int64_t length = packing.length(s);
        const bool all = queries == Queries::All;
        const at::Tensor own = q.narrow(0, all ? begin : s, all ? length : 1);
        const at::Tensor keys = k.narrow(0, begin, length);
        const at::Tensor values = v.narrow(0, begin, length);
        const std::int64_t position = all ? 0 : packing.picked[static_cast<std::size_t>(s)] - begin;
        // The fused kernel keeps no scores; its causal mask is that of as many queries as keys, and one query needs
        // none, as it sees the keys up to its own.
        const bool single = own.size(0) == 1;
        const bool canFuse = TORCH_VERSION_MAJOR >= 2 && !probabilities && shape.window == 0 && shape.softcap == 0 &&
                             !distanceBias.defined() && (single || own.size(0) == length || !shape.causal);
        outputs.push_back(
            canFuse ? fused(own, keys, values, shape.causal && single ? position + 1 : length, shape)
                    : byScores(own, keys, values, distanceBias, position, DocumentIndex(s), shape, probabilities));
    }
    return at::cat(outputs, 0); // [R, H Dh]
}

/// q [Q, H Dh], k and v [T, KV Dh] of one document, of which `seen` are seen -> [Q, H Dh].
at::Tensor TorchAttention::fused(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, std::int64_t seen,
                                 const AttentionShape& shape) const
{
#if TORCH_VERSION_MAJOR >= 2
    const std::int64_t group = shape.heads / shape.kvHeads;
    const std::int64_t dims = shape.headDim;
    const auto expanded = [&](const at::Tensor& x) { // [T, KV Dh] -> [1, H, seen, Dh]
        return x.narrow(0, 0, seen)
            .reshape({1, seen, shape.kvHeads, 1, dims})
            .expand({1, seen, shape.kvHeads, group, dims})
            .reshape({1, seen, shape.heads, dims})
            .transpose(1, 2)
            .to(m_products);
    };
    const at::Tensor queries = q.reshape({1, q.size(0), shape.heads, dims}).transpose(1, 2).to(m_products);
    const bool masked = shape.causal && q.size(0) > 1;
    return at::scaled_dot_product_attention(queries, expanded(k), expanded(v), {}, 0.0, masked,
                                            static_cast<double>(shape.scale))
        .transpose(1, 2)
        .reshape({q.size(0), -1});
#else
    (void)k, (void)v, (void)seen, (void)shape;
    return q;
#endif
}

/// Which keys the queries from `first` on may see: [Q, T], true = not.
at::Tensor TorchAttention::hiddenKeys(std::int64_t first, std::int64_t numQueries, std::int64_t tokens,
                                      const AttentionShape& shape) const
{
    const auto longs = at::TensorOptions(at::kLong).device(m_device);
    const at::Tensor query = at::arange(first, first + numQueries, longs).unsqueeze(1); // [Q, 1]
    const at::Tensor key = at::arange(tokens, longs).unsqueeze(0);                      // [1, T]
    at::Tensor hidden = at::zeros({numQueries, tokens}, longs.dtype(at::kBool));
    if (const auto behind = shape.behind())
        hidden = hidden | (key > query + *behind);
    if (const auto before = shape.before())
        hidden = hidden | (key < query - *before);
    return hidden;
}

/// What is added to the scores of the queries from `first` on, [H, Q T], of distanceBias [H, 2 D + 1].
at::Tensor TorchAttention::biasOfKeys(const at::Tensor& distanceBias, std::int64_t first, std::int64_t numQueries,
                                      std::int64_t tokens) const
{
    const std::int64_t farthest = distanceBias.size(1) / 2;
    const auto longs = at::TensorOptions(at::kLong).device(m_device);
    const at::Tensor query = at::arange(first, first + numQueries, longs).unsqueeze(1); // [Q, 1]
    const at::Tensor key = at::arange(tokens, longs).unsqueeze(0);                      // [1, T]
    const at::Tensor distance = at::clamp(key - query, -farthest, farthest) + farthest; // [Q, T]
    return distanceBias.index_select(1, distance.reshape({-1}));
}

/// q [Q, H Dh], k and v [T, KV Dh] of one document -> [Q, H Dh]; scores and softmax in float32.
at::Tensor TorchAttention::byScores(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                                    const at::Tensor& distanceBias, std::int64_t firstPosition, DocumentIndex document,
                                    const AttentionShape& shape, const ProbabilitySink& probabilities) const
{
    const std::int64_t tokens = k.size(0);
    const std::int64_t group = shape.heads / shape.kvHeads;
    const std::int64_t dims = shape.headDim;
    // Query heads of one group see the same keys: [KV, G, Q, Dh] against [KV, 1, Dh, T].
    const at::Tensor keys = k.to(at::kFloat).reshape({tokens, shape.kvHeads, dims}).permute({1, 2, 0}).unsqueeze(1);
    const at::Tensor values = v.to(at::kFloat).reshape({tokens, shape.kvHeads, dims}).transpose(0, 1).unsqueeze(1);
    std::vector<at::Tensor> outputs;
    for (std::int64_t first = 0; first < q.size(0) && !m_stop.stop_requested(); first += kQueryChunk)
    {
        const std::int64_t numQueries = std::min(kQueryChunk, q.size(0) - first);
        const at::Tensor heads = q.narrow(0, first, numQueries)
                                     .to(at::kFloat)
                                     .reshape({numQueries, shape.kvHeads, group, dims})
                                     .permute({1, 2, 0, 3});                            // [KV, G, Q, Dh]
        at::Tensor scores = at::matmul(heads, keys) * static_cast<double>(shape.scale); // [KV, G, Q, T]
        if (shape.softcap > 0)
            scores = at::tanh(scores / static_cast<double>(shape.softcap)) * static_cast<double>(shape.softcap);
        if (distanceBias.defined())
            scores = scores + biasOfKeys(distanceBias, firstPosition + first, numQueries, tokens).view(scores.sizes());
        if (shape.causal || shape.window > 0)
            scores.masked_fill_(hiddenKeys(firstPosition + first, numQueries, tokens, shape),
                                -std::numeric_limits<float>::infinity());
        const at::Tensor weights = at::softmax(scores, -1); // [KV, G, Q, T]
        outputs.push_back(at::matmul(weights, values).permute({2, 0, 1, 3}).reshape({numQueries, -1}));
        if (probabilities)
            handOut(weights.reshape({shape.heads, numQueries, tokens}), document, first, probabilities);
    }
    return outputs.empty() ? at::zeros_like(q) : at::cat(outputs, 0);
}

} // namespace headscope
