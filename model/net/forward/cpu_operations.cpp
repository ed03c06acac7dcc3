// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/cpu_operations.h"

#include "model/base/vanished_pages.h"
#include "model/kernels/gemm.h"
#include "model/kernels/gemm_bf16.h"
#include "model/kernels/half.h"
#include "model/kernels/vector_loops.h"
#include "model/kernels/weight_product.h"
#include "model/net/forward/cpu_attention.h"

#include <algorithm>
#include <exception>
#include <new>

namespace headscope
{
namespace
{

/// About 5 to 10 ms of multiply-adds on one core: the work between two looks at the stop token.
constexpr std::int64_t kBlockMultiplyAdds = std::int64_t{1} << 29;

/// Buffers that are free again. Activations come and go in the same few sizes, layer after layer.
class BufferPool
{
public:
    std::vector<float> take(std::size_t size)
    {
        // The smallest that is large enough, so that a small request does not take a large buffer.
        auto best = m_free.end();
        for (auto it = m_free.begin(); it != m_free.end(); ++it)
            if (it->size() >= size && (best == m_free.end() || it->size() < best->size()))
                best = it;
        if (best == m_free.end() || best->size() > 2 * size)
            return std::vector<float>(size);
        std::vector<float> buffer = std::move(*best);
        m_free.erase(best);
        return buffer;
    }
    void give(std::vector<float> buffer)
    {
        constexpr std::size_t kKept = 8;
        if (m_free.size() == kKept)
            m_free.erase(m_free.begin());
        m_free.push_back(std::move(buffer));
    }

private:
    std::vector<std::vector<float>> m_free;
};

class CpuStorage : public TensorStorage
{
public:
    CpuStorage(float* data, std::int64_t stride, std::shared_ptr<TensorStorage> owner, bool packed = false)
        : m_data(data), m_stride(stride), m_packed(packed), m_owner(std::move(owner))
    {}
    CpuStorage(std::shared_ptr<BufferPool> pool, std::int64_t rows, std::int64_t cols)
        : m_stride(cols), m_pool(std::move(pool)), m_buffer(m_pool->take(static_cast<std::size_t>(rows * cols)))
    {
        m_data = m_buffer.data();
    }
    ~CpuStorage() override
    {
        if (m_pool)
            m_pool->give(std::move(m_buffer));
    }
    CpuStorage(const CpuStorage&) = delete;
    CpuStorage& operator=(const CpuStorage&) = delete;

    [[nodiscard]] float* data() const { return m_data; }
    [[nodiscard]] std::int64_t stride() const { return m_stride; }
    [[nodiscard]] bool packed() const { return m_packed; }

private:
    float* m_data = nullptr;
    std::int64_t m_stride = 0;
    bool m_packed = false;                  ///< weights in bands of rows
    std::shared_ptr<TensorStorage> m_owner; ///< keeps the block of a column view alive
    std::shared_ptr<BufferPool> m_pool;
    std::vector<float> m_buffer;
};

const CpuStorage& storageOf(const Tensor& x)
{
    return *static_cast<const CpuStorage*>(x.storage());
}

MatrixView<float> matrixOf(const Tensor& x)
{
    return {storageOf(x).data(), x.rows(), x.cols(), storageOf(x).stride()};
}

std::span<const float> rowOf(const Tensor& x)
{
    return matrixOf(x).row(0);
}

void activateRow(Activation activation, std::span<float> x)
{
    switch (activation)
    {
    case Activation::Silu:
        return silu(x);
    case Activation::Gelu:
        return gelu(x);
    case Activation::GeluTanh:
        return geluTanh(x);
    }
}

/// out[i] = activation(gate[i]) * up[i]
void activationTimes(Activation activation, std::span<const float> gate, std::span<const float> up,
                     std::span<float> out)
{
    if (activation == Activation::Silu)
        return siluTimes(gate, up, out);
    std::ranges::copy(gate, out.begin());
    activateRow(activation, out);
    multiplyInto(out, up);
}

class CpuOperations : public Operations
{
public:
    CpuOperations(std::stop_token stop, Precision precision)
        : m_stop(std::move(stop)), m_half(precision == Precision::Bf16), m_pool(std::make_shared<BufferPool>())
    {}

    Status guarded(const std::function<void()>& work) override
    {
        const HandlerStack stack; // weights are read from maps that may lose pages
        try
        {
            work();
            return {};
        }
        catch (const std::bad_alloc&)
        {
            return Error{ErrorCode::OutOfMemory, "not enough memory for the activations of these texts", {}, {}};
        }
        catch (const std::exception& exception)
        {
            return Error{ErrorCode::Internal, exception.what(), {}, {}};
        }
    }

    Tensor view(ConstMatrixView host) override
    {
        // Weights are never written to; the storage type is shared with activations.
        return {host.rows(), host.cols(),
                std::make_shared<CpuStorage>(const_cast<float*>(host.data()), host.stride(), nullptr)};
    }
    Tensor packedView(ConstMatrixView host) override
    {
        return {host.rows(), host.cols(),
                std::make_shared<CpuStorage>(const_cast<float*>(host.data()), host.stride(), nullptr, true)};
    }
    Tensor upload(ConstMatrixView host) override
    {
        Tensor copy = make(host.rows(), host.cols());
        for (std::int64_t i = 0; i < host.rows(); ++i)
            std::ranges::copy(host.row(i), matrixOf(copy).row(i).begin());
        return copy;
    }
    void download(const Tensor& x, std::span<float> into) override
    {
        const auto from = matrixOf(x);
        for (std::int64_t i = 0; i < x.rows(); ++i)
            std::ranges::copy(from.row(i), into.begin() + i * x.cols());
    }

    Tensor selectRows(const Tensor& x, std::span<const std::int64_t> rows) override
    {
        Tensor chosen = make(static_cast<std::int64_t>(rows.size()), x.cols());
        for (std::size_t i = 0; i < rows.size(); ++i)
            std::ranges::copy(matrixOf(x).row(rows[i]), matrixOf(chosen).row(static_cast<std::int64_t>(i)).begin());
        return chosen;
    }
    Tensor columns(const Tensor& x, std::int64_t first, std::int64_t count) override
    {
        const auto all = matrixOf(x);
        return {x.rows(), count,
                std::make_shared<CpuStorage>(all.data() + first, all.stride(), std::make_shared<KeepAlive>(x))};
    }
    Tensor rows(const Tensor& x, std::int64_t first, std::int64_t count) override
    {
        // A band of packed rows takes the place of these rows.
        const auto all = matrixOf(x);
        return {count, x.cols(),
                std::make_shared<CpuStorage>(all.data() + first * all.stride(), all.stride(),
                                             std::make_shared<KeepAlive>(x), storageOf(x).packed())};
    }
    Tensor meanRows(const Tensor& x, std::span<const std::int64_t> begins, std::span<const std::int64_t> ends) override
    {
        const auto from = matrixOf(x);
        Tensor means = make(static_cast<std::int64_t>(begins.size()), x.cols());
        std::vector<double> sums(static_cast<std::size_t>(x.cols()));
        for (std::size_t s = 0; s < begins.size(); ++s)
        {
            std::ranges::fill(sums, 0.0);
            for (std::int64_t i = begins[s]; i < ends[s]; ++i)
                std::ranges::transform(sums, from.row(i), sums.begin(), [](double a, float b) { return a + b; });
            const double count = static_cast<double>(ends[s] - begins[s]);
            std::ranges::transform(sums, matrixOf(means).row(static_cast<std::int64_t>(s)).begin(),
                                   [count](double sum) { return static_cast<float>(sum / count); });
        }
        return means;
    }

    Tensor linear(const Tensor& x, std::initializer_list<Linear> matrices) override
    {
        std::int64_t width = 0;
        for (const Linear& matrix : matrices)
            width += matrix.weight.rows();
        Tensor y = make(x.rows(), width);
        const auto out = matrixOf(y);
        std::int64_t column = 0;
        for (auto it = matrices.begin(); it != matrices.end();)
        {
            // Matrices that follow each other in memory are one matrix: larger products run faster.
            const auto first = matrixOf(it->weight);
            const bool packed = storageOf(it->weight).packed();
            std::int64_t rows = 0;
            auto next = it;
            for (; next != matrices.end() && storageOf(next->weight).packed() == packed &&
                   matrixOf(next->weight).data() == first.data() + rows * first.stride();
                 ++next)
                rows += next->weight.rows();
            multiply(matrixOf(x), {first.data(), rows, first.cols(), first.stride()}, packed, ProductOutput::Written,
                     {out.data() + column, out.rows(), rows, out.stride()});
            for (; it != next; column += it->weight.rows(), ++it)
                addBias(it->bias, {out.data() + column, out.rows(), it->weight.rows(), out.stride()});
        }
        return y;
    }
    void linearAdd(const Tensor& x, const Linear& matrix, Tensor& into) override
    {
        multiply(matrixOf(x), matrixOf(matrix.weight), storageOf(matrix.weight).packed(), ProductOutput::Added,
                 matrixOf(into));
        addBias(matrix.bias, matrixOf(into));
    }
    void add(Tensor& into, const Tensor& x) override
    {
        forRows(x.rows(), [&](std::int64_t i) { addInto(matrixOf(into).row(i), matrixOf(x).row(i)); });
    }

    void setColumns(Tensor& x, std::int64_t first, const Tensor& row) override
    {
        const auto into = matrixOf(x);
        for (std::int64_t i = 0; i < x.rows(); ++i)
            std::ranges::copy(rowOf(row), into.row(i).begin() + first);
    }

    Tensor rmsNorm(const Tensor& x, const Tensor& weight, float eps) override
    {
        Tensor y = make(x.rows(), x.cols());
        forRows(x.rows(), [&](std::int64_t i) {
            headscope::rmsNorm(matrixOf(x).row(i), rowOf(weight), eps, matrixOf(y).row(i));
        });
        return y;
    }
    Tensor layerNorm(const Tensor& x, const Tensor& weight, const Tensor& bias, float eps) override
    {
        Tensor y = make(x.rows(), x.cols());
        forRows(x.rows(), [&](std::int64_t i) {
            headscope::layerNorm(matrixOf(x).row(i), rowOf(weight),
                                 bias.empty() ? std::span<const float>() : rowOf(bias), eps, matrixOf(y).row(i));
        });
        return y;
    }
    void headNorm(Tensor& x, const Tensor& weight, float eps) override
    {
        const auto dims = static_cast<std::size_t>(weight.cols());
        forRows(x.rows(), [&](std::int64_t i) {
            const auto row = matrixOf(x).row(i);
            for (std::size_t at = 0; at < row.size(); at += dims)
                headscope::rmsNorm(row.subspan(at, dims), rowOf(weight), eps, row.subspan(at, dims));
        });
    }
    void rotate(Tensor& x, const Tensor& cosines, const Tensor& sines, std::int64_t headDim) override
    {
        const auto dims = static_cast<std::size_t>(2 * cosines.cols());
        forRows(x.rows(), [&](std::int64_t i) {
            const auto row = matrixOf(x).row(i);
            for (std::size_t at = 0; at < row.size(); at += static_cast<std::size_t>(headDim))
                rotateHalves(row.subspan(at, dims), matrixOf(cosines).row(i), matrixOf(sines).row(i));
        });
    }

    Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, const Packing& packing, Queries queries,
                     const AttentionShape& shape, const ProbabilitySink& probabilities) override
    {
        Tensor z = make(q.rows(), q.cols());
        const auto rowsOf = [](const Tensor& x, std::int64_t first, std::int64_t count) -> MatrixView<float> {
            const auto all = matrixOf(x);
            return {all.data() + first * all.stride(), count, all.cols(), all.stride()};
        };
        for (std::int64_t s = 0; s < packing.documents() && !m_stop.stop_requested(); ++s)
        {
            const auto at = static_cast<std::size_t>(s);
            const std::int64_t begin = packing.offsets[at];
            const std::int64_t length = packing.length(s);
            const bool all = queries == Queries::All;
            const std::int64_t firstQuery = all ? begin : s;
            const std::int64_t numQueries = all ? length : 1;
            attendDocument(
                {.q = rowsOf(q, firstQuery, numQueries),
                 .k = rowsOf(k, begin, length),
                 .v = rowsOf(v, begin, length),
                 .z = rowsOf(z, firstQuery, numQueries),
                 .firstPosition = all ? 0 : packing.picked[at] - begin,
                 .distanceBias = shape.distanceBias.empty() ? ConstMatrixView() : matrixOf(shape.distanceBias)},
                shape, DocumentIndex(s), probabilities, m_scratch, m_stop);
        }
        return z;
    }

    Tensor gated(const Tensor& gateUp, Activation activation) override
    {
        const auto half = static_cast<std::size_t>(gateUp.cols() / 2);
        Tensor y = make(gateUp.rows(), gateUp.cols() / 2);
        forRows(y.rows(), [&](std::int64_t i) {
            const auto row = matrixOf(gateUp).row(i);
            activationTimes(activation, row.first(half), row.last(half), matrixOf(y).row(i));
        });
        return y;
    }
    void activate(Tensor& x, Activation activation) override
    {
        forRows(x.rows(), [&](std::int64_t i) { activateRow(activation, matrixOf(x).row(i)); });
    }

    Tensor contributions(const Tensor& z, const Tensor& weight, std::int64_t heads) override
    {
        const auto from = matrixOf(z);
        const auto matrix = matrixOf(weight); // [Dm, H Dh]
        const std::int64_t dims = z.cols() / heads;
        Tensor y = make(z.rows(), heads * weight.rows());
        const auto out = matrixOf(y);
        for (std::int64_t head = 0; head < heads; ++head)
            gemmNT(z.rows(), weight.rows(), dims, 1.0F, from.data() + head * dims, from.stride(),
                   matrix.data() + head * dims, matrix.stride(), 0.0F, out.data() + head * weight.rows(), out.stride());
        return y;
    }

private:
    struct KeepAlive : TensorStorage
    {
        explicit KeepAlive(Tensor x) : tensor(std::move(x)) {}
        Tensor tensor;
    };

    Tensor make(std::int64_t rows, std::int64_t cols)
    {
        return {rows, cols, std::make_shared<CpuStorage>(m_pool, rows, cols)};
    }

    /// out = x W^T, or out += x W^T.
    void multiply(ConstMatrixView x, ConstMatrixView w, bool packed, ProductOutput output, MatrixView<float> out)
    {
        if (packed)
            weightProduct(x.rows(), w.rows(), x.cols(), x.data(), x.stride(), {w.data(), w.stride()}, out.data(),
                          out.stride(), output, m_copied, m_stop);
        else
            multiplyRows(x, w, output == ProductOutput::Added ? 1.0F : 0.0F, out);
    }
    /// out = x W^T + beta out, in blocks of output columns that depend on the shapes alone.
    void multiplyRows(ConstMatrixView x, ConstMatrixView w, float beta, MatrixView<float> out)
    {
        if (m_half)
            roundRows(x, m_roundedInput);
        const std::int64_t perColumn = std::max<std::int64_t>(1, x.rows() * x.cols());
        const std::int64_t wanted = std::max<std::int64_t>(64, kBlockMultiplyAdds / perColumn / 64 * 64);
        for (std::int64_t first = 0; first < w.rows() && !m_stop.stop_requested(); first += wanted)
        {
            const std::int64_t count = std::min(wanted, w.rows() - first);
            const ConstMatrixView block(w.data() + first * w.stride(), count, w.cols(), w.stride());
            if (m_half)
            {
                roundRows(block, m_roundedWeights);
                gemmBfloat16NT(x.rows(), count, x.cols(), m_roundedInput.data(), x.cols(), m_roundedWeights.data(),
                               x.cols(), beta, out.data() + first, out.stride());
            }
            else
                gemmNT(x.rows(), count, x.cols(), 1.0F, x.data(), x.stride(), block.data(), block.stride(), beta,
                       out.data() + first, out.stride());
        }
    }
    /// Rows without gaps in bfloat16.
    static void roundRows(ConstMatrixView from, std::vector<std::uint16_t>& into)
    {
        into.resize(static_cast<std::size_t>(from.rows() * from.cols()));
        const auto width = static_cast<std::size_t>(from.cols());
        for (std::int64_t i = 0; i < from.rows(); ++i)
            bfloat16FromFloats(from.row(i), std::span(into).subspan(static_cast<std::size_t>(i) * width, width));
    }
    void addBias(const Tensor& bias, MatrixView<float> out) const
    {
        if (!bias.empty())
            forRows(out.rows(), [&](std::int64_t i) { addInto(out.row(i), rowOf(bias)); });
    }
    /// body(i) for every row, until a stop is requested.
    template <class Body>
    void forRows(std::int64_t rows, const Body& body) const
    {
        for (std::int64_t i = 0; i < rows && !m_stop.stop_requested(); ++i)
            body(i);
    }

    std::stop_token m_stop;
    bool m_half; ///< factors of products in bfloat16
    std::vector<std::uint16_t> m_roundedInput;
    std::vector<std::uint16_t> m_roundedWeights;
    std::shared_ptr<BufferPool> m_pool;
    std::vector<float> m_scratch;
    std::vector<float> m_copied; ///< of the factors of packed weights
};

} // namespace

std::unique_ptr<Operations> makeCpuOperations(std::stop_token stop, Precision precision)
{
    return std::make_unique<CpuOperations>(std::move(stop), precision);
}

} // namespace headscope
