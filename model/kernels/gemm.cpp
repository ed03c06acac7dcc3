// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/gemm.h"

#include "model/base/assert.h"
#include "model/base/parallel.h"

#include <oneapi/dnnl/dnnl.h>

namespace headscope
{
namespace
{

void gemm(char transA, char transB, std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const float* a,
          std::int64_t lda, const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc)
{
    if (m == 0 || n == 0)
        return;
    // oneDNN's blocking, hence the order of its sums, follows the team size.
    const SingleThreadScope onThisThread;
    const dnnl_status_t status = dnnl_sgemm(transA, transB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    HEADSCOPE_EXPECT(status == dnnl_success, return );
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
