// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/torch_module.h"

#include "model/net/forward/torch_guard.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/InferenceMode.h>
#include <torch/version.h>

#include <limits>

namespace headscope
{
namespace
{

constexpr std::int64_t kQueryChunk = 256; ///< rows of scores at once, against T^2 memory of long texts

struct TorchStorage : TensorStorage
{
    explicit TorchStorage(at::Tensor x) : tensor(std::move(x)) {}
    at::Tensor tensor;
};

const at::Tensor& tensorOf(const Tensor& x)
{
    return static_cast<const TorchStorage*>(x.storage())->tensor;
}

Tensor wrap(at::Tensor x)
{
    const std::int64_t rows = x.size(0);
    const std::int64_t cols = x.size(1);
    return {rows, cols, std::make_shared<TorchStorage>(std::move(x))};
}

at::Tensor rowOf(const Tensor& x)
{
    return tensorOf(x).view({-1});
}

class TorchOperations : public Operations
{
public:
    TorchOperations(at::Device device, int threads, std::stop_token stop, at::ScalarType products)
        : m_device(device), m_threads(threads), m_stop(std::move(stop)), m_products(products)
    {}

    Status guarded(const std::function<void()>& work) override
    {
        return torchGuard([&] {
            // Both settings belong to the calling thread, so they are made where the work runs.
            at::set_num_threads(m_threads);
            const c10::InferenceMode inference;
            work();
        });
    }

    Tensor view(ConstMatrixView host) override
    {
        at::Tensor shared = fromHost(host);
        if (host.rows() > 1) // a matrix; biases and the weights of norms have one row, and stay as they are
            shared = shared.to(m_products);
        return wrap(m_device.is_cpu() ? shared : shared.to(m_device));
    }
    Tensor upload(ConstMatrixView host) override
    {
        at::Tensor shared = fromHost(host);
        return wrap(m_device.is_cpu() ? shared.clone() : shared.to(m_device));
    }
    void download(const Tensor& x, std::span<float> into) override
    {
        at::from_blob(into.data(), {x.rows(), x.cols()}, at::kFloat).copy_(tensorOf(x));
    }

    Tensor selectRows(const Tensor& x, std::span<const std::int64_t> rows) override
    {
        return wrap(tensorOf(x).index_select(0, indices(rows)));
    }
    Tensor columns(const Tensor& x, std::int64_t first, std::int64_t count) override
    {
        return wrap(tensorOf(x).narrow(1, first, count));
    }
    Tensor meanRows(const Tensor& x, std::span<const std::int64_t> begins, std::span<const std::int64_t> ends) override
    {
        std::vector<at::Tensor> means;
        for (std::size_t s = 0; s < begins.size(); ++s)
            means.push_back(tensorOf(x).narrow(0, begins[s], ends[s] - begins[s]).mean(0, true, at::kDouble));
        return wrap(at::cat(means, 0).to(at::kFloat));
    }

    Tensor linear(const Tensor& x, std::initializer_list<Linear> matrices) override
    {
        std::vector<at::Tensor> products;
        for (const Linear& matrix : matrices)
            products.push_back(product(x, matrix));
        return wrap(products.size() == 1 ? products.front() : at::cat(products, 1));
    }
    void linearAdd(const Tensor& x, const Linear& matrix, Tensor& into) override
    {
        at::Tensor sum = tensorOf(into);
        sum.add_(product(x, matrix));
    }
    void add(Tensor& into, const Tensor& x) override
    {
        at::Tensor sum = tensorOf(into);
        sum.add_(tensorOf(x));
    }

    void setColumns(Tensor& x, std::int64_t first, const Tensor& row) override
    {
        at::Tensor part = tensorOf(x).narrow(1, first, row.cols());
        part.copy_(tensorOf(row)); // [1, n] for every row
    }

    Tensor rmsNorm(const Tensor& x, const Tensor& weight, float eps) override
    {
        return wrap(rms(tensorOf(x), weight, eps));
    }
    Tensor layerNorm(const Tensor& x, const Tensor& weight, const Tensor& bias, float eps) override
    {
        return wrap(at::layer_norm(tensorOf(x), {x.cols()}, rowOf(weight), rowOf(bias), static_cast<double>(eps)));
    }
    void headNorm(Tensor& x, const Tensor& weight, float eps) override
    {
        const at::Tensor heads = tensorOf(x).reshape({x.rows(), -1, weight.cols()}); // [R, heads, Dh]
        x = wrap(rms(heads, weight, eps).view({x.rows(), x.cols()}));
    }
    void rotate(Tensor& x, const Tensor& cosines, const Tensor& sines) override
    {
        const std::int64_t half = cosines.cols();
        const at::Tensor heads = tensorOf(x).reshape({x.rows(), -1, 2 * half}); // [R, heads, Dh]
        const at::Tensor a = heads.narrow(2, 0, half);
        const at::Tensor b = heads.narrow(2, half, half);
        const at::Tensor c = tensorOf(cosines).unsqueeze(1); // [R, 1, Dh / 2]
        const at::Tensor s = tensorOf(sines).unsqueeze(1);   // [R, 1, Dh / 2]
        x = wrap(at::cat({a * c - b * s, b * c + a * s}, 2).view({x.rows(), x.cols()}));
    }

    Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, const Packing& packing, Queries queries,
                     const AttentionShape& shape, const ProbabilitySink& probabilities) override
    {
        std::vector<at::Tensor> outputs;
        for (std::int64_t s = 0; s < packing.documents(); ++s)
        {
            const auto at = static_cast<std::size_t>(s);
            const std::int64_t begin = packing.offsets[at];
            const std::int64_t length = packing.length(s);
            const bool all = queries == Queries::All;
            outputs.push_back(attendDocument(tensorOf(q).narrow(0, all ? begin : s, all ? length : 1),
                                             tensorOf(k).narrow(0, begin, length), tensorOf(v).narrow(0, begin, length),
                                             all ? 0 : packing.picked[at] - begin, DocumentIndex(s), shape,
                                             probabilities));
            if (m_stop.stop_requested())
                return wrap(at::zeros({q.rows(), q.cols()}, options()));
        }
        return wrap(at::cat(outputs, 0)); // [R, H Dh]
    }

    Tensor gatedSilu(const Tensor& gateUp) override
    {
        const std::int64_t half = gateUp.cols() / 2;
        return wrap(at::silu(tensorOf(gateUp).narrow(1, 0, half)) * tensorOf(gateUp).narrow(1, half, half));
    }
    void gelu(Tensor& x) override { x = wrap(at::gelu(tensorOf(x))); }

    Tensor contributions(const Tensor& z, const Tensor& weight, std::int64_t heads) override
    {
        const std::int64_t dims = z.cols() / heads;
        const at::Tensor perHead = tensorOf(z).reshape({z.rows(), heads, dims}).transpose(0, 1);          // [H, R, Dh]
        const at::Tensor slices = tensorOf(weight).view({weight.rows(), heads, dims}).permute({1, 2, 0}); // [H, Dh, Dm]
        return wrap(at::bmm(perHead.to(slices.scalar_type()), slices)
                        .to(at::kFloat)
                        .transpose(0, 1)
                        .reshape({z.rows(), heads * weight.rows()}));
    }

private:
    [[nodiscard]] at::TensorOptions options() const { return at::TensorOptions(at::kFloat).device(m_device); }

    static at::Tensor fromHost(ConstMatrixView host)
    {
        // libtorch has no tensor of constants; nothing writes to what comes from here.
        return at::from_blob(const_cast<float*>(host.data()), {host.rows(), host.cols()}, {host.stride(), 1},
                             at::kFloat);
    }
    [[nodiscard]] at::Tensor indices(std::span<const std::int64_t> rows) const
    {
        return at::tensor(at::ArrayRef<std::int64_t>(rows.data(), rows.size()), at::kLong).to(m_device);
    }
    static at::Tensor product(const Tensor& x, const Linear& matrix)
    {
        const at::Tensor& weight = tensorOf(matrix.weight);
        const auto bias = matrix.bias.empty() ? c10::optional<at::Tensor>() : rowOf(matrix.bias);
        if (weight.scalar_type() == at::kFloat)
            return at::linear(tensorOf(x), weight, bias);
        // The sum with the bias is made in float32.
        const at::Tensor product = at::linear(tensorOf(x).to(weight.scalar_type()), weight).to(at::kFloat);
        return bias ? product + *bias : product;
    }
    static at::Tensor rms(const at::Tensor& x, const Tensor& weight, float eps)
    {
        const at::Tensor scale = at::rsqrt(x.square().mean(-1, true) + static_cast<double>(eps));
        return rowOf(weight) * (x * scale);
    }

    /// Which keys the queries from `first` on may see: [Q, T], true = not.
    [[nodiscard]] at::Tensor hiddenKeys(std::int64_t first, std::int64_t numQueries, std::int64_t tokens,
                                        const AttentionShape& shape) const
    {
        const auto longs = at::TensorOptions(at::kLong).device(m_device);
        const at::Tensor query = at::arange(first, first + numQueries, longs).unsqueeze(1); // [Q, 1]
        const at::Tensor key = at::arange(tokens, longs).unsqueeze(0);                      // [1, T]
        at::Tensor hidden = key > query;
        if (shape.window > 0)
            hidden = hidden | (key <= query - shape.window);
        return hidden;
    }

    /// q [Q, H Dh], k and v [T, KV Dh] of one document -> [Q, H Dh].
    at::Tensor attendDocument(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, std::int64_t firstPosition,
                              DocumentIndex document, const AttentionShape& shape, const ProbabilitySink& probabilities)
    {
        const std::int64_t tokens = k.size(0);
        const std::int64_t group = shape.heads / shape.kvHeads;
        const std::int64_t dims = shape.headDim;
        // Query heads of one group see the same keys: [KV, G, Q, Dh] against [KV, 1, Dh, T].
        const at::Tensor keys = k.reshape({tokens, shape.kvHeads, dims}).permute({1, 2, 0}).unsqueeze(1);
        const at::Tensor values = v.reshape({tokens, shape.kvHeads, dims}).transpose(0, 1).unsqueeze(1);
#if TORCH_VERSION_MAJOR >= 2
        // The fused kernel, which keeps no scores; its causal mask is that of as many queries as keys, and one query
        // needs none, as it sees the keys up to its own.
        const bool single = q.size(0) == 1;
        if (!probabilities && shape.window == 0 && (single || q.size(0) == tokens || !shape.causal))
        {
            const std::int64_t seen = shape.causal && single ? firstPosition + 1 : tokens;
            const auto expanded = [&](const at::Tensor& x) { // [T, KV Dh] -> [1, H, seen, Dh]
                return x.narrow(0, 0, seen)
                    .reshape({1, seen, shape.kvHeads, 1, dims})
                    .expand({1, seen, shape.kvHeads, group, dims})
                    .reshape({1, seen, shape.heads, dims})
                    .transpose(1, 2)
                    .to(m_products);
            };
            const at::Tensor queries = q.reshape({1, q.size(0), shape.heads, dims}).transpose(1, 2).to(m_products);
            return at::scaled_dot_product_attention(queries, expanded(k), expanded(v), {}, 0.0, shape.causal && !single,
                                                    static_cast<double>(shape.scale))
                .transpose(1, 2)
                .reshape({q.size(0), -1})
                .to(at::kFloat);
        }
#endif
        std::vector<at::Tensor> outputs;
        for (std::int64_t first = 0; first < q.size(0) && !m_stop.stop_requested(); first += kQueryChunk)
        {
            const std::int64_t numQueries = std::min(kQueryChunk, q.size(0) - first);
            const at::Tensor heads = q.narrow(0, first, numQueries)
                                         .reshape({numQueries, shape.kvHeads, group, dims})
                                         .permute({1, 2, 0, 3});                            // [KV, G, Q, Dh]
            at::Tensor scores = at::matmul(heads, keys) * static_cast<double>(shape.scale); // [KV, G, Q, T]
            if (shape.causal)
                scores.masked_fill_(hiddenKeys(firstPosition + first, numQueries, tokens, shape),
                                    -std::numeric_limits<float>::infinity());
            const at::Tensor weights = at::softmax(scores, -1); // [KV, G, Q, T]
            outputs.push_back(at::matmul(weights, values).permute({2, 0, 1, 3}).reshape({numQueries, -1}));
            if (probabilities)
                handOut(weights.reshape({shape.heads, numQueries, tokens}), document, first, probabilities);
        }
        return outputs.empty() ? at::zeros_like(q) : at::cat(outputs, 0);
    }

    /// Some queries' probabilities of all heads, [H, Q, T].
    static void handOut(const at::Tensor& weights, DocumentIndex document, std::int64_t first,
                        const ProbabilitySink& probabilities)
    {
        const at::Tensor all = weights.to(at::kCPU).contiguous();
        for (std::int64_t head = 0; head < all.size(0); ++head)
            probabilities(document, HeadIndex(head), TokenIndex(first),
                          {all.data_ptr<float>() + head * all.size(1) * all.size(2), all.size(1), all.size(2)});
    }

    at::Device m_device;
    int m_threads;
    std::stop_token m_stop;
    at::ScalarType m_products; ///< of matrices and of the fused attention
};

at::ScalarType scalarType(Precision precision)
{
    return precision == Precision::Bf16 ? at::kBFloat16 : precision == Precision::F16 ? at::kHalf : at::kFloat;
}

bool hasGpu()
{
    return at::hasCUDA();
}

/// The first line of a text, without what stands before its first letter.
std::string firstLine(const std::string& text)
{
    const auto begin = text.find_first_not_of(" -\n");
    return begin == std::string::npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
}

TorchFacts facts()
{
    TorchFacts found;
    found.version = TORCH_VERSION;
    if (!at::detail::getCUDAHooks().hasCUDART())
    {
        found.missing = "this libtorch was built for the CPU alone";
        return found;
    }
    const Status status = torchGuard([&] {
        found.runtime = firstLine(at::detail::getCUDAHooks().showConfig());
        found.gpus = static_cast<int>(at::getNumGPUs());
    });
    if (!status)
        found.missing = firstLine(status.error().message);
    else if (found.gpus == 0)
        found.missing = "libtorch sees no GPU";
    return found;
}

Status checkGpu(const std::string& device)
{
    if (!hasGpu())
        return Error{
            ErrorCode::Unsupported,
            "expected a GPU that libtorch can use, found none (this build of libtorch may be for the CPU alone)",
            {},
            "device"};
    // The device itself answers whether it is there.
    Status status = torchGuard([&] { (void)at::zeros({1}, at::TensorOptions(at::Device(device))); });
    if (!status)
        return Error{ErrorCode::Unsupported, status.error().message, {}, "device " + device};
    return {};
}

Result<std::unique_ptr<Operations>> makeOperations(const std::string& device, int threads, std::stop_token stop,
                                                   Precision precision)
{
    at::globalContext().setAllowTF32CuBLAS(false);
    return std::unique_ptr<Operations>(
        std::make_unique<TorchOperations>(at::Device(device), threads, std::move(stop), scalarType(precision)));
}

} // namespace
} // namespace headscope

const headscope::TorchModule headscopeTorchModule = {headscope::hasGpu, headscope::facts, headscope::checkGpu,
                                                     headscope::makeOperations};
