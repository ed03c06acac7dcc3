// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/torch_compute.h"

#include "model/net/forward/torch_attention.h"
#include "model/net/forward/torch_guard.h"
#include "model/net/forward/torch_kernels.h"
#include "model/net/forward/torch_stream.h"
#include "model/net/forward/torch_version.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <list>

namespace headscope
{
namespace
{

constexpr std::size_t kMaxIndices = 8; ///< lists of rows that are kept on the device

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

/// Weights in the numbers of the products, biases and the weights of norms in float32. What is multiplied comes out in
/// the numbers of the products and stays so until it is added up: the residual stream, norms and softmax are float32.
class TorchOperations : public Operations
{
public:
    TorchOperations(at::Device device, int threads, std::stop_token stop, at::ScalarType products)
        : m_device(device), m_threads(threads), m_products(products), m_stream(device),
          m_attention(device, products, std::move(stop)), m_kernels(device, products)
    {}

    Status guarded(const std::function<void()>& work) override
    {
        return torchGuard([&] {
            // Both settings belong to the calling thread, so they are made where the work runs.
            at::set_num_threads(m_threads);
            const c10::InferenceMode inference;
            m_stream.run(work);
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
    Tensor rows(const Tensor& x, std::int64_t first, std::int64_t count) override
    {
        return wrap(tensorOf(x).narrow(0, first, count));
    }
    Tensor meanRows(const Tensor& x, std::span<const std::int64_t> begins, std::span<const std::int64_t> ends) override
    {
        std::vector<std::int64_t> rows; // of all ranges, one after another
        std::vector<std::int64_t> lengths;
        for (std::size_t s = 0; s < begins.size(); ++s)
        {
            lengths.push_back(ends[s] - begins[s]);
            for (std::int64_t row = begins[s]; row < ends[s]; ++row)
                rows.push_back(row);
        }
        const at::Tensor taken = tensorOf(x).index_select(0, indices(rows)).to(at::kDouble);
        return wrap(at::segment_reduce(taken, "mean", indices(lengths), {}, {}, 0, true).to(at::kFloat));
    }

    Tensor linear(const Tensor& x, std::initializer_list<Linear> matrices) override
    {
        m_stream.takeTurn(); // what was copied to the device before may have met another's computing
        const at::Tensor input = tensorOf(x).to(m_products);
        if (matrices.size() == 1)
            return wrap(product(input, *matrices.begin()));
        std::int64_t cols = 0;
        for (const Linear& matrix : matrices)
            cols += matrix.weight.rows();
        // Each product is written where it belongs: [R, sum of out].
        at::Tensor all = at::empty({x.rows(), cols}, input.options());
        std::int64_t first = 0;
        for (const Linear& matrix : matrices)
        {
            at::Tensor part = all.narrow(1, first, matrix.weight.rows());
            const at::Tensor weight = tensorOf(matrix.weight).t();
            if (matrix.bias.empty())
                at::mm_out(part, input, weight);
            else
                at::addmm_out(part, rowOf(matrix.bias).to(m_products), input, weight);
            first += matrix.weight.rows();
        }
        return wrap(std::move(all));
    }
    void linearAdd(const Tensor& x, const Linear& matrix, Tensor& into) override
    {
        at::Tensor sum = tensorOf(into);
        const at::Tensor input = tensorOf(x).to(m_products);
#if HEADSCOPE_TORCH_IS_RECENT
        // Added up where the product is made: one pass over the sum less, and nothing is rounded.
        if (m_device.is_cuda() && !at::hasHIP() && m_products != at::kFloat && matrix.bias.empty() &&
            sum.is_contiguous())
        {
            at::addmm_out(sum, sum, input, tensorOf(matrix.weight).t(), at::kFloat);
            return;
        }
#endif
        sum.add_(product(input, matrix));
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
    Tensor rmsNormForProducts(const Tensor& x, const Tensor& weight, float eps) override
    {
        if (auto rounded = m_kernels.rmsNorm(tensorOf(x), rowOf(weight), eps))
            return wrap(std::move(*rounded));
        return rmsNorm(x, weight, eps);
    }
    Tensor layerNorm(const Tensor& x, const Tensor& weight, const Tensor& bias, float eps) override
    {
        return wrap(at::layer_norm(tensorOf(x), {x.cols()}, rowOf(weight), bias.empty() ? at::Tensor() : rowOf(bias),
                                   static_cast<double>(eps)));
    }
    void headNorm(Tensor& x, const Tensor& weight, float eps) override
    {
        const at::Tensor heads = tensorOf(x).reshape({x.rows(), -1, weight.cols()}); // [R, heads, Dh]
        x = wrap(rms(heads.to(at::kFloat), weight, eps).to(heads.scalar_type()).view({x.rows(), x.cols()}));
    }
    void rotate(Tensor& x, const Tensor& cosines, const Tensor& sines, std::int64_t headDim) override
    {
        const std::int64_t half = cosines.cols();
        if (headDim == 2 * half && m_kernels.rotate(tensorOf(x), tensorOf(cosines), tensorOf(sines)))
            return;
        const at::Tensor heads = tensorOf(x).unflatten(1, {x.cols() / headDim, headDim}); // [R, heads, Dh]
        const at::Tensor a = heads.narrow(2, 0, half);
        const at::Tensor b = heads.narrow(2, half, half);
        const at::Tensor c = tensorOf(cosines).unsqueeze(1); // [R, 1, Dh / 2]
        const at::Tensor s = tensorOf(sines).unsqueeze(1);   // [R, 1, Dh / 2]
        // In float32, rounded once; the GPU's kernels of attention take what is rounded.
        at::Tensor rotated =
            at::empty({x.rows(), x.cols()}, heads.options().dtype(m_device.is_cpu() ? at::kFloat : m_products));
        const at::Tensor into = rotated.view(heads.sizes()); // [R, heads, Dh]
        at::Tensor left = into.narrow(2, 0, half);
        at::Tensor right = into.narrow(2, half, half);
        at::sub_out(left, a * c, b * s);
        at::add_out(right, b * c, a * s);
        if (headDim > 2 * half)
            into.narrow(2, 2 * half, headDim - 2 * half).copy_(heads.narrow(2, 2 * half, headDim - 2 * half));
        x = wrap(std::move(rotated));
    }

    Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, const Packing& packing, Queries queries,
                     const AttentionShape& shape, const ProbabilitySink& probabilities) override
    {
        const at::Tensor bias = shape.distanceBias.empty() ? at::Tensor() : tensorOf(shape.distanceBias);
        return wrap(
            m_attention.run(tensorOf(q), tensorOf(k), tensorOf(v), bias, packing, queries, shape, probabilities));
    }

    Tensor gated(const Tensor& gateUp, Activation activation) override
    {
        if (activation == Activation::Silu)
            if (auto gated = m_kernels.gatedSilu(tensorOf(gateUp)))
                return wrap(std::move(*gated));
        const std::int64_t half = gateUp.cols() / 2;
        const at::Tensor wide = tensorOf(gateUp).to(at::kFloat); // rounded once, by the product that follows
        return wrap(activated(wide.narrow(1, 0, half), activation) * wide.narrow(1, half, half));
    }
    void activate(Tensor& x, Activation activation) override
    {
        x = wrap(activated(tensorOf(x), activation));
    }

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
    static at::Tensor fromHost(ConstMatrixView host)
    {
        // libtorch has no tensor of constants; nothing writes to what comes from here.
        return at::from_blob(const_cast<float*>(host.data()), {host.rows(), host.cols()}, {host.stride(), 1},
                             at::kFloat);
    }
    /// A list of rows on the device. The same lists come for every layer of a step, and a copy to the device waits for
    /// all that it has to do.
    const at::Tensor& indices(std::span<const std::int64_t> rows)
    {
        const auto known =
            std::ranges::find_if(m_indices, [&](const Indices& each) { return std::ranges::equal(each.rows, rows); });
        if (known != m_indices.end())
        {
            m_indices.splice(m_indices.begin(), m_indices, known);
            return m_indices.front().onDevice;
        }
        m_indices.push_front(
            {{rows.begin(), rows.end()},
             at::tensor(at::ArrayRef<std::int64_t>(rows.data(), rows.size()), at::kLong).to(m_device)});
        if (m_indices.size() > kMaxIndices)
            m_indices.pop_back();
        return m_indices.front().onDevice;
    }
    [[nodiscard]] at::Tensor product(const at::Tensor& x, const Linear& matrix) const
    {
        const auto bias = matrix.bias.empty() ? c10::optional<at::Tensor>() : rowOf(matrix.bias).to(m_products);
        return at::linear(x, tensorOf(matrix.weight), bias);
    }
    static at::Tensor activated(const at::Tensor& x, Activation activation)
    {
        switch (activation)
        {
        case Activation::Silu:
            return at::silu(x);
        case Activation::Gelu:
            return at::gelu(x);
        case Activation::GeluTanh:
            break;
        }
        return at::gelu(x, "tanh");
    }
    static at::Tensor rms(const at::Tensor& x, const Tensor& weight, float eps)
    {
#if HEADSCOPE_TORCH_IS_RECENT
        return at::rms_norm(x, {weight.cols()}, rowOf(weight), static_cast<double>(eps));
#else
        const at::Tensor scale = at::rsqrt(x.square().mean(-1, true) + static_cast<double>(eps));
        return rowOf(weight) * (x * scale);
#endif
    }

    struct Indices
    {
        std::vector<std::int64_t> rows;
        at::Tensor onDevice; ///< [rows] int64
    };

    at::Device m_device;
    int m_threads;
    at::ScalarType m_products;
    TorchStream m_stream;
    TorchAttention m_attention;
    TorchKernels m_kernels;
    std::list<Indices> m_indices; ///< the last ones first
};

} // namespace

std::unique_ptr<Operations> makeTorchCompute(at::Device device, int threads, std::stop_token stop,
                                             at::ScalarType products)
{
    return std::make_unique<TorchOperations>(device, threads, std::move(stop), products);
}

} // namespace headscope
