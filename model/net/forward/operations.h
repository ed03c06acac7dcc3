// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/base/strong_index.h"
#include "model/data/matrix.h"
#include "model/data/model_family.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

namespace headscope
{

/// What a backend keeps behind a Tensor.
class TensorStorage
{
public:
    virtual ~TensorStorage() = default;
};

/// The numbers that matrices are multiplied in, and that go from one product to the next. The residual stream, norms,
/// softmax and sums are float32.
enum class Precision
{
    F32,
    Bf16, ///< on a device that multiplies it quickly
    F16,
};

/// A block of numbers [rows, cols] on a backend's device: weights or activations. Copies
/// share the block. Only the backend that made it can read it.
class Tensor
{
public:
    Tensor() = default;
    Tensor(std::int64_t rows, std::int64_t cols, std::shared_ptr<TensorStorage> storage)
        : m_rows(rows), m_cols(cols), m_storage(std::move(storage))
    {}

    [[nodiscard]] std::int64_t rows() const { return m_rows; }
    [[nodiscard]] std::int64_t cols() const { return m_cols; }
    [[nodiscard]] bool empty() const { return m_storage == nullptr; }
    [[nodiscard]] TensorStorage* storage() const { return m_storage.get(); }

private:
    std::int64_t m_rows = 0;
    std::int64_t m_cols = 0;
    std::shared_ptr<TensorStorage> m_storage;
};

/// y = x W^T + b.
struct Linear
{
    Tensor weight; ///< [out, in]
    Tensor bias;   ///< [1, out], or empty
};

/// How one layer attends.
struct AttentionShape
{
    std::int64_t heads = 0;   ///< H
    std::int64_t kvHeads = 0; ///< KV; query head h reads key/value head h / (H / KV)
    std::int64_t headDim = 0; ///< Dh
    bool causal = true;       ///< a token sees itself and what comes before it
    /// How many tokens back one sees, itself included; without `causal` half as many (rounded down) to either side and
    /// itself; 0 = all.
    std::int64_t window = 0;
    float scale = 1;   ///< of the products before the softmax, Dh^-0.5 as a rule
    float softcap = 0; ///< c: scaled products become c tanh(product / c); 0 = they stay
    /// [H, 2 D + 1], what is added to scaled products by the distance of key and query, from -D to D; keys beyond count
    /// as D away. Empty: nothing is.
    Tensor distanceBias = {};

    /// How many keys before and behind itself a token sees; none: all of them.
    [[nodiscard]] std::optional<std::int64_t> before() const
    {
        return window > 0 ? std::optional(causal ? window - 1 : window / 2) : std::nullopt;
    }
    [[nodiscard]] std::optional<std::int64_t> behind() const
    {
        if (causal)
            return 0;
        return window > 0 ? std::optional(window / 2) : std::nullopt;
    }
};

/// Documents packed one after another without padding, and the tokens whose results are wanted.
struct Packing
{
    std::vector<std::int64_t> offsets; ///< [S + 1] document s is rows offsets[s] .. offsets[s + 1]
    std::vector<std::int64_t> picked;  ///< [S] one row of each document (last or first pooling), or empty

    [[nodiscard]] std::int64_t documents() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
    [[nodiscard]] std::int64_t tokens() const { return offsets.back(); }
    [[nodiscard]] std::int64_t length(std::int64_t s) const
    {
        return offsets[static_cast<std::size_t>(s) + 1] - offsets[static_cast<std::size_t>(s)];
    }
};

/// Which rows of a packing the queries of an attention are.
enum class Queries
{
    All,   ///< every token
    Picked ///< one a document, in the order of Packing::picked
};

/// Takes some rows of the attention probabilities of one document and head, [queries, keys], row-major, masked entries
/// 0. The rows of a head come in order, those of all heads never at once.
/// @param first  the query of the first row, counted among the queries of the document
using ProbabilitySink =
    std::function<void(DocumentIndex document, HeadIndex head, TokenIndex first, ConstMatrixView probabilities)>;

/// The handful of operations a network is written in. A backend is one implementation of these;
/// the network (transformer_layer.cpp) does not know which. S documents, T tokens of all of them,
/// R rows of either.
///
/// Tensors may be of several backends' objects of one kind (the weights are shared by all workers),
/// activations belong to the object that made them.
/// @threads one object, one thread
/// @errors  failures of a device leave as exceptions of the backend, which guarded() catches
class Operations
{
public:
    virtual ~Operations() = default;

    /// Runs a piece of work that uses the operations below, and turns what it throws into an Error.
    /// @errors OutOfMemory, Resource (device lost), Internal
    [[nodiscard]] virtual Status guarded(const std::function<void()>& work) = 0;

    /// Rows in host memory, which must outlive the tensor on a backend that shares that memory.
    [[nodiscard]] virtual Tensor view(ConstMatrixView host) = 0;
    /// Packed weights in host memory (weight_product.h) that do the same, for linear and linearAdd alone. Only for
    /// operations that multiply them so (packsWeights).
    [[nodiscard]] virtual Tensor packedView(ConstMatrixView /*host*/)
    {
        throw std::logic_error("expected weights in rows, found packed ones");
    }
    /// A copy of rows in host memory.
    [[nodiscard]] virtual Tensor upload(ConstMatrixView host) = 0;
    /// Copies to host memory, [rows * cols].
    virtual void download(const Tensor& x, std::span<float> into) = 0;

    /// Rows by number: [rows.size(), cols].
    [[nodiscard]] virtual Tensor selectRows(const Tensor& x, std::span<const std::int64_t> rows) = 0;
    /// Columns [first, first + count) of the same block, not copied.
    [[nodiscard]] virtual Tensor columns(const Tensor& x, std::int64_t first, std::int64_t count) = 0;
    /// Rows [first, first + count) of the same block, not copied; of packed weights whole bands.
    [[nodiscard]] virtual Tensor rows(const Tensor& x, std::int64_t first, std::int64_t count) = 0;
    /// Mean over the rows [begin, end) of each range: [ranges, cols]. No range is empty.
    [[nodiscard]] virtual Tensor meanRows(const Tensor& x, std::span<const std::int64_t> begins,
                                          std::span<const std::int64_t> ends) = 0;

    /// The products with several matrices side by side: [R, sum of out].
    [[nodiscard]] virtual Tensor linear(const Tensor& x, std::initializer_list<Linear> matrices) = 0;
    /// into += x W^T + b.
    virtual void linearAdd(const Tensor& x, const Linear& matrix, Tensor& into) = 0;
    /// into += x.
    virtual void add(Tensor& into, const Tensor& x) = 0;
    /// Columns from `first` on of every row become `row`, [1, n].
    virtual void setColumns(Tensor& x, std::int64_t first, const Tensor& row) = 0;

    [[nodiscard]] virtual Tensor rmsNorm(const Tensor& x, const Tensor& weight, float eps) = 0;
    /// The same of what is multiplied next and kept nowhere: a backend may round it to the numbers of the products.
    [[nodiscard]] virtual Tensor rmsNormForProducts(const Tensor& x, const Tensor& weight, float eps)
    {
        return rmsNorm(x, weight, eps);
    }
    /// Without a bias it may be empty.
    [[nodiscard]] virtual Tensor layerNorm(const Tensor& x, const Tensor& weight, const Tensor& bias, float eps) = 0;
    /// RMS norm of each head vector of x [R, heads * Dh] by one weight [1, Dh], in place.
    virtual void headNorm(Tensor& x, const Tensor& weight, float eps) = 0;
    /// Rotary embedding of the first D numbers of each head vector of x [R, heads * Dh], in place; cosines, sines
    /// [R, D / 2].
    virtual void rotate(Tensor& x, const Tensor& cosines, const Tensor& sines, std::int64_t headDim) = 0;

    /// Attention of every document by itself: q [R, H Dh], k and v [T, KV Dh], result [R, H Dh],
    /// the heads' outputs side by side.
    [[nodiscard]] virtual Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, const Packing& packing,
                                           Queries queries, const AttentionShape& shape,
                                           const ProbabilitySink& probabilities) = 0;

    /// activation(gate) * up of gateUp = [gate | up], [R, 2 F] -> [R, F].
    [[nodiscard]] virtual Tensor gated(const Tensor& gateUp, Activation activation) = 0;
    /// activation(x), in place.
    virtual void activate(Tensor& x, Activation activation) = 0;

    /// What each head adds to z W^T: z [R, H Dh], W [Dm, H Dh] -> [R, H Dm], head-major.
    [[nodiscard]] virtual Tensor contributions(const Tensor& z, const Tensor& weight, std::int64_t heads) = 0;
};

} // namespace headscope
