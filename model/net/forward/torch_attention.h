// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/net/forward/operations.h"

#include <ATen/ATen.h>

#include <optional>
#include <stop_token>
#include <vector>

namespace headscope
{

/// Attention of packed documents by libtorch. Only for the module (torch_module.h).
///
/// In half precision on a GPU one kernel attends for all documents at once; in float32, on the CPU, and where the
/// probabilities are asked for, each document is attended to by itself.
/// @threads one object, one thread
class TorchAttention
{
public:
    /// @param products  what matrices are multiplied in
    TorchAttention(at::Device device, at::ScalarType products, std::stop_token stop)
        : m_device(device), m_products(products), m_stop(std::move(stop))
    {}

    /// As Operations::attention: q [R, H Dh], k and v [T, KV Dh], the result [R, H Dh] in the numbers of the products,
    /// in float32 where probabilities are handed out.
    /// @param distanceBias  that of `shape` as it lies on the device; undefined: none
    [[nodiscard]] at::Tensor run(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                                 const at::Tensor& distanceBias, const Packing& packing, Queries queries,
                                 const AttentionShape& shape, const ProbabilitySink& probabilities);

private:
    [[nodiscard]] bool attendsTogether(const Packing& packing, Queries queries, const AttentionShape& shape);
    [[nodiscard]] at::Tensor together(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                                      const Packing& packing, Queries queries, const AttentionShape& shape);
    [[nodiscard]] at::Tensor fused(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, std::int64_t seen,
                                   const AttentionShape& shape) const;
    [[nodiscard]] at::Tensor byScores(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                                      const at::Tensor& distanceBias, std::int64_t firstPosition,
                                      DocumentIndex document, const AttentionShape& shape,
                                      const ProbabilitySink& probabilities) const;
    [[nodiscard]] at::Tensor biasOfKeys(const at::Tensor& distanceBias, std::int64_t first, std::int64_t numQueries,
                                        std::int64_t tokens) const;
    [[nodiscard]] at::Tensor hiddenKeys(std::int64_t first, std::int64_t numQueries, std::int64_t tokens,
                                        const AttentionShape& shape) const;

    /// Where the documents of one packing begin, on the device.
    struct Bounds
    {
        std::vector<std::int64_t> offsets; ///< of the packing
        at::Tensor begins;                 ///< [S + 1] int32
        at::Tensor ones;                   ///< [S + 1] int32: 0, 1, ..., S; one query a document
        std::int64_t longest = 0;
    };

    at::Device m_device;
    at::ScalarType m_products;
    std::stop_token m_stop;
    std::optional<bool> m_hasKernel; ///< for all documents at once; empty: not tried yet
    Bounds m_bounds;                 ///< of the last packing: the same for every layer of a step
};

} // namespace headscope
