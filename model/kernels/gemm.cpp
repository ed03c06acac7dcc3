// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/gemm.h"

#include "model/base/free_memory.h"
#include "model/base/parallel.h"

#include <oneapi/dnnl/dnnl.h>

#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace headscope
{
namespace
{

void expectProduct(dnnl_status_t status)
{
    if (status == dnnl_success)
        return;
    if (status == dnnl_out_of_memory)
        throw std::bad_alloc();
    throw std::runtime_error("the matrix library failed to multiply, with status " + std::to_string(status));
}

/// Has oneDNN write its machine code while there is room for it.
///
/// It writes the code of all forms of a family of kernels at the first product that needs one, and does not look
/// whether it got the memory for it (2.6: 121 allocations, each of which crashes when it fails; 18 MB in all). The
/// memory of a later product is another matter: where that fails, the product says so.
void prepareProducts()
{
    constexpr std::size_t kRoom = std::size_t{48} << 20;
    static std::once_flag prepared;
    std::call_once(prepared, [] {
        expectAddresses(kRoom);
        // Small products and large ones, and those of one column or row, have families of their own.
        constexpr std::int64_t kLargest = 256;
        const std::vector<float> a(static_cast<std::size_t>(kLargest * kLargest), 1.F);
        std::vector<float> c(a.size());
        for (const std::int64_t size : {std::int64_t{1}, std::int64_t{64}, kLargest})
            for (const std::int64_t columns : {std::int64_t{1}, size})
                for (const char transA : {'N', 'T'})
                    for (const char transB : {'N', 'T'})
                        expectProduct(dnnl_sgemm(transA, transB, size, columns, size, 1.F, a.data(), kLargest, a.data(),
                                                 kLargest, 0.F, c.data(), kLargest));
    });
}

void gemm(char transA, char transB, std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const float* a,
          std::int64_t lda, const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc)
{
    if (m == 0 || n == 0)
        return;
    // oneDNN's blocking, hence the order of its sums, follows the team size.
    const SingleThreadScope onThisThread;
    prepareProducts();
    expectProduct(dnnl_sgemm(transA, transB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc));
}

} // namespace

void gemmNT(std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const float* a, std::int64_t lda,
            const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc)
{
    gemm('N', 'T', m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

void gemmNN(std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const float* a, std::int64_t lda,
            const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc)
{
    gemm('N', 'N', m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

void gemmTN(std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const float* a, std::int64_t lda,
            const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc)
{
    gemm('T', 'N', m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

std::string productLibrary()
{
    const dnnl_version_t* version = dnnl_version();
    std::string name = "oneDNN " + std::to_string(version->major) + '.' + std::to_string(version->minor) + '.' +
                       std::to_string(version->patch);
    switch (dnnl_get_effective_cpu_isa())
    {
    case dnnl_cpu_isa_sse41:
        return name + ", SSE4.1";
    case dnnl_cpu_isa_avx:
        return name + ", AVX";
    case dnnl_cpu_isa_avx2:
    case dnnl_cpu_isa_avx2_vnni:
        return name + ", AVX2";
    case dnnl_cpu_isa_all:
        return name + ", plain code";
    default:
        return name + ", AVX-512"; // every kind above AVX2 that the library tells apart
    }
}

} // namespace headscope
