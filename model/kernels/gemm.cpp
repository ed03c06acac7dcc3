// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/gemm.h"

#include "model/base/assert.h"

#include <oneapi/dnnl/dnnl.h>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace headscope
{
namespace
{

/// Keeps oneDNN on the calling thread: its OpenMP regions take the team size from this setting of
/// the calling thread, and its blocking (hence the order of sums) follows the team size.
class SingleThread
{
public:
#ifdef _OPENMP
    SingleThread() : m_former(omp_get_max_threads())
    {
        if (m_former != 1)
            omp_set_num_threads(1);
    }
    ~SingleThread()
    {
        if (m_former != 1)
            omp_set_num_threads(m_former);
    }
    SingleThread(const SingleThread&) = delete;
    SingleThread& operator=(const SingleThread&) = delete;

private:
    int m_former;
#endif
};

void gemm(char transA, char transB, std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const float* a,
          std::int64_t lda, const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc)
{
    if (m == 0 || n == 0)
        return;
    const SingleThread guard;
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

} // namespace headscope
