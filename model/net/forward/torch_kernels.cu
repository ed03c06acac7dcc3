// SPDX-License-Identifier: GPL-3.0-or-later
// The loops of a layer over half-precision numbers that libtorch would take in several passes over memory. Compiled
// for the GPU at hand when it is first used (torch_kernels.cpp), with BF16 as 1 or 0. All arithmetic is float32; what
// is written is rounded once. Every thread takes eight numbers at a time, 16 bytes of half precision.

struct alignas(16) Eight
{
    unsigned short values[8];
};
struct alignas(16) Four
{
    float values[4];
};

__device__ float widen(unsigned short half)
{
#if BF16
    return __uint_as_float(static_cast<unsigned>(half) << 16);
#else
    float wide;
    asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(half));
    return wide;
#endif
}

__device__ unsigned short narrow(float wide)
{
    unsigned short half;
#if BF16
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(half) : "f"(wide));
#else
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(wide));
#endif
    return half;
}

/// Rotary embedding of every head vector, in place: x [rows, heads * 2 * half] with rowStride numbers from row to row,
/// cosines and sines [rows, half]. A thread takes eight numbers of the first half and those they turn with.
extern "C" __global__ void headscope_rotate(unsigned short* x, long long rowStride, const float* cosines,
                                            const float* sines, int heads, int half, long long rows)
{
    const int pieces = half / 8;
    const long long at = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= rows * heads * pieces)
        return;
    const int piece = static_cast<int>(at % pieces);
    const int head = static_cast<int>(at / pieces % heads);
    const long long row = at / pieces / heads;
    unsigned short* first = x + row * rowStride + static_cast<long long>(head) * 2 * half + piece * 8;
    const float* cosine = cosines + row * half + piece * 8;
    const float* sine = sines + row * half + piece * 8;
    Eight a = *reinterpret_cast<const Eight*>(first);
    Eight b = *reinterpret_cast<const Eight*>(first + half);
    for (int i = 0; i < 8; ++i)
    {
        const float left = widen(a.values[i]);
        const float right = widen(b.values[i]);
        a.values[i] = narrow(left * cosine[i] - right * sine[i]);
        b.values[i] = narrow(right * cosine[i] + left * sine[i]);
    }
    *reinterpret_cast<Eight*>(first) = a;
    *reinterpret_cast<Eight*>(first + half) = b;
}

/// silu(gate) * up of gateUp = [gate | up], [rows, 2 * width] with rowStride numbers from row to row -> [rows, width].
extern "C" __global__ void headscope_gated_silu(const unsigned short* gateUp, long long rowStride, unsigned short* out,
                                                int width, long long rows)
{
    const int pieces = width / 8;
    const long long at = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= rows * pieces)
        return;
    const long long row = at / pieces;
    const unsigned short* from = gateUp + row * rowStride + at % pieces * 8;
    const Eight gate = *reinterpret_cast<const Eight*>(from);
    const Eight up = *reinterpret_cast<const Eight*>(from + width);
    Eight result;
    for (int i = 0; i < 8; ++i)
    {
        const float g = widen(gate.values[i]);
        result.values[i] = narrow(g / (1.0f + expf(-g)) * widen(up.values[i]));
    }
    *reinterpret_cast<Eight*>(out + at * 8) = result;
}

/// x / sqrt(mean(x^2) + eps) * weight of every row of x [rows, width]; a block a row.
extern "C" __global__ void headscope_rms_norm(const float* x, const float* weight, unsigned short* out, int width,
                                              float eps)
{
    const float* row = x + static_cast<long long>(blockIdx.x) * width;
    float squares = 0.0f;
    for (int i = threadIdx.x * 4; i < width; i += blockDim.x * 4)
    {
        const Four four = *reinterpret_cast<const Four*>(row + i);
        for (int j = 0; j < 4; ++j)
            squares += four.values[j] * four.values[j];
    }
    for (int distance = 16; distance > 0; distance /= 2)
        squares += __shfl_xor_sync(0xffffffffu, squares, distance);
    __shared__ float sums[32];
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = squares;
    __syncthreads();
    float sum = 0.0f;
    for (int warp = 0; warp < static_cast<int>(blockDim.x) / 32; ++warp)
        sum += sums[warp];
    const float scale = 1.0f / sqrtf(sum / static_cast<float>(width) + eps);
    for (int i = threadIdx.x * 8; i < width; i += blockDim.x * 8)
    {
        Eight result;
        for (int j = 0; j < 8; j += 4)
        {
            const Four four = *reinterpret_cast<const Four*>(row + i + j);
            const Four factor = *reinterpret_cast<const Four*>(weight + i + j);
            for (int k = 0; k < 4; ++k)
                result.values[j + k] = narrow(factor.values[k] * (four.values[k] * scale));
        }
        *reinterpret_cast<Eight*>(out + static_cast<long long>(blockIdx.x) * width + i) = result;
    }
}
