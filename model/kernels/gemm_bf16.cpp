// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/gemm_bf16.h"

#include "model/base/free_memory.h"
#include "model/base/parallel.h"
#include "model/kernels/gemm.h"
#include "model/kernels/half.h"

#include <oneapi/dnnl/dnnl.hpp>

#include <algorithm>
#include <chrono>
#include <limits>
#include <mutex>
#include <new>
#include <stdexcept>
#include <vector>

namespace headscope
{
namespace
{

/// The product of these shapes. The library keeps what it compiled for them.
dnnl::matmul productOf(const dnnl::engine& engine, const dnnl::memory::desc& a, const dnnl::memory::desc& b,
                       const dnnl::memory::desc& c, float beta)
{
    dnnl::primitive_attr attributes;
    if (beta != 0)
    {
        dnnl::post_ops sum;
        sum.append_sum(beta);
        attributes.set_post_ops(sum);
    }
#if DNNL_VERSION_MAJOR >= 3
    return dnnl::matmul(dnnl::matmul::primitive_desc(engine, a, b, c, attributes));
#else
    return dnnl::matmul(dnnl::matmul::primitive_desc(dnnl::matmul::desc(a, b, c), attributes, engine));
#endif
}

double secondsOf(const auto& work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double measuredSpeedup()
{
    constexpr std::int64_t kTokens = 512;
    constexpr std::int64_t kOut = 1536;
    constexpr std::int64_t kIn = 576;
    const std::vector<float> x(kTokens * kIn, 1.F);
    const std::vector<float> w(kOut * kIn, 1.F);
    std::vector<std::uint16_t> x16(x.size());
    std::vector<std::uint16_t> w16(w.size());
    std::vector<float> y(kTokens * kOut);
    const auto single = [&] { gemmNT(kTokens, kOut, kIn, 1.F, x.data(), kIn, w.data(), kIn, 0.F, y.data(), kOut); };
    const auto half = [&] {
        bfloat16FromFloats(x, x16);
        bfloat16FromFloats(w, w16);
        gemmBfloat16NT(kTokens, kOut, kIn, x16.data(), kIn, w16.data(), kIn, 0.F, y.data(), kOut);
    };
    single();
    half();
    double fastestSingle = std::numeric_limits<double>::max();
    double fastestHalf = fastestSingle;
    for (int i = 0; i < 5; ++i)
    {
        fastestSingle = std::min(fastestSingle, secondsOf(single));
        fastestHalf = std::min(fastestHalf, secondsOf(half));
    }
    return fastestSingle / fastestHalf;
}

} // namespace

void gemmBfloat16NT(std::int64_t m, std::int64_t n, std::int64_t k, const std::uint16_t* a, std::int64_t lda,
                    const std::uint16_t* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc)
{
    using dnnl::memory;
    if (m == 0 || n == 0)
        return;
    constexpr std::size_t kRoom = std::size_t{48} << 20; // as gemm.cpp has it: code is written without looking
    static std::once_flag prepared;
    std::call_once(prepared, [] { expectAddresses(kRoom); });
    // oneDNN's blocking, hence the order of its sums, follows the team size.
    const SingleThreadScope onThisThread;
    try
    {
        static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
        const memory::desc ofA({m, k}, memory::data_type::bf16, memory::dims{lda, 1});
        const memory::desc ofB({k, n}, memory::data_type::bf16, memory::dims{1, ldb});
        const memory::desc ofC({m, n}, memory::data_type::f32, memory::dims{ldc, 1});
        const dnnl::matmul product = productOf(engine, ofA, ofB, ofC, beta);
        dnnl::stream stream(engine);
        // The library's types know no memory that is only read.
        product.execute(stream, {{DNNL_ARG_SRC, memory(ofA, engine, const_cast<std::uint16_t*>(a))},
                                 {DNNL_ARG_WEIGHTS, memory(ofB, engine, const_cast<std::uint16_t*>(b))},
                                 {DNNL_ARG_DST, memory(ofC, engine, c)}});
        stream.wait();
    }
    catch (const dnnl::error& error)
    {
        if (error.status == dnnl_out_of_memory)
            throw std::bad_alloc();
        throw std::runtime_error(std::string("the matrix library failed to multiply bfloat16: ") + error.what());
    }
}

bool hasBfloat16Products()
{
    switch (dnnl_get_effective_cpu_isa())
    {
    case dnnl_cpu_isa_avx512_core_bf16:
    case dnnl_cpu_isa_avx512_core_amx:
        return true;
    default:
        return false;
    }
}

double bfloat16Speedup()
{
    static const double speedup = hasBfloat16Products() ? measuredSpeedup() : 0;
    return speedup;
}

} // namespace headscope
