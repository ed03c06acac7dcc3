// SPDX-License-Identifier: GPL-3.0-or-later
// The rate of oneDNN's dnnl_sgemm on the products of a model: the roof an extraction can be held against. In turn with
// it, the rate of weightProduct on packed weights. One JSON object: both rates, weighted as a forward pass weights its
// products, and the FLOPs of a token.
#include "model/base/parallel.h"
#include "model/kernels/weight_product.h"
#include "model/net/config/model_files.h"

#include <fmt/format.h>
#include <oneapi/dnnl/dnnl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

using namespace headscope;

namespace
{

struct Product
{
    std::int64_t in = 0;
    std::int64_t out = 0;
    int times = 1; ///< a layer
};

/// The products of a layer as the engine makes them: q k v in one, gate and up in one.
std::vector<Product> productsOf(const ModelConfig& config)
{
    const std::int64_t heads = config.heads * config.headDim;
    const std::int64_t qkv = heads + 2 * config.kvHeads * config.headDim;
    const std::int64_t up = config.traits().hasGate() ? 2 * config.mlpDim : config.mlpDim;
    return {{config.modelDim, qkv, 1},
            {heads, config.modelDim, 1},
            {config.modelDim, up, 1},
            {config.mlpDim, config.modelDim, 1}};
}

double seconds(const auto& work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

enum class Side
{
    Sgemm,
    Packed,
};

/// What is asked for.
struct Plan
{
    std::int64_t tokens = 512;
    int threads = 1;
    int matrices = 1; ///< of weights, which are used in turn: those of several layers do not stay in a cache
};

struct WorkerMemory
{
    std::vector<float> y;
    std::vector<float> scratch;
};

void multiply(Side side, const Product& p, std::int64_t tokens, const std::vector<float>& x, const float* w,
              WorkerMemory& memory)
{
    float* y = memory.y.data();
    if (side == Side::Packed)
        weightProduct(tokens, p.out, p.in, x.data(), p.in, {w, p.in}, y, p.out, ProductOutput::Written, memory.scratch,
                      {});
    else if (dnnl_sgemm('N', 'T', tokens, p.out, p.in, 1, x.data(), p.in, w, p.in, 0, y, p.out) != dnnl_success)
        std::abort();
}

/// Seconds of one product, of dnnl_sgemm and of weightProduct in turn. All threads have products of their own: each
/// does `tokens` rows.
std::array<double, 2> secondsOf(const Product& p, const Plan& plan)
{
    const auto count = [](std::int64_t a, std::int64_t b) { return static_cast<std::size_t>(a * b); };
    constexpr std::size_t kLine = 16; // the weights begin at a cache line, as those of a model do
    const std::vector<float> x(count(plan.tokens, p.in), 0.5F);
    std::vector<float> all(count(plan.matrices, p.out * p.in) + kLine, 0.25F); // packed, they are the same
    void* first = all.data();
    std::size_t room = all.size() * sizeof(float);
    const auto* w = static_cast<const float*>(std::align(kLine * sizeof(float), sizeof(float), first, room));
    std::vector<WorkerMemory> memory(static_cast<std::size_t>(plan.threads),
                                     {std::vector<float>(count(plan.tokens, p.out)), {}});
    const auto round = [&](Side side, int repeats) {
        parallelForBlocks(plan.threads, plan.threads, 1, [&](const Block& block, int) {
            const SingleThreadScope alone;
            for (int i = 0; i < repeats * plan.matrices; ++i)
                multiply(side, p, plan.tokens, x, w + i % plan.matrices * p.out * p.in,
                         memory[static_cast<std::size_t>(block.index)]);
        });
    };
    round(Side::Packed, 1);
    round(Side::Sgemm, 2);
    const int repeats = std::max(1, static_cast<int>(0.15 / std::max(1e-6, seconds([&] { round(Side::Sgemm, 1); }))));
    std::array<std::vector<double>, 2> times;
    for (int i = 0; i < 5; ++i)
        for (const Side side : {Side::Sgemm, Side::Packed})
            times[static_cast<std::size_t>(side)].push_back(seconds([&] { round(side, repeats); }) / repeats /
                                                            plan.matrices);
    for (auto& each : times)
        std::ranges::sort(each);
    return {times[0][times[0].size() / 2], times[1][times[1].size() / 2]};
}

} // namespace

/// bench_gemm MODEL [--threads N] [--tokens 512] [--matrices 1]
int main(int argc, char** argv)
{
    std::string model;
    Plan plan{.threads = availableCores()};
    for (int i = 1; i < argc; ++i)
    {
        const std::string word = argv[i];
        if (word == "--threads" && i + 1 < argc)
            plan.threads = std::max(1, std::atoi(argv[++i]));
        else if (word == "--tokens" && i + 1 < argc)
            plan.tokens = std::max(1, std::atoi(argv[++i]));
        else if (word == "--matrices" && i + 1 < argc)
            plan.matrices = std::max(1, std::atoi(argv[++i]));
        else
            model = word;
    }
    const auto files = openModel(model);
    if (!files)
    {
        fmt::print(stderr, "{}\n", files.error().sentence());
        return 3;
    }
    double linear = 0;            // FLOPs of a token in a layer
    std::array<double, 2> time{}; // of the tokens on each thread
    const double rows = static_cast<double>(plan.tokens) * plan.threads;
    std::string shapes;
    for (const Product& p : productsOf(files->config))
    {
        const double flops = 2.0 * static_cast<double>(p.in) * static_cast<double>(p.out) * p.times;
        const auto spent = secondsOf(p, plan);
        linear += flops;
        for (std::size_t side = 0; side < time.size(); ++side)
            time[side] += spent[side] * p.times;
        shapes += fmt::format("{}\"{}x{}x{}\": [{:.4g}, {:.4g}]", shapes.empty() ? "" : ", ", plan.tokens, p.in, p.out,
                              flops * rows / (spent[0] * p.times) / 1e9, flops * rows / (spent[1] * p.times) / 1e9);
    }
    const auto& config = files->config;
    // A causal text of L tokens: two products of L^2 / 2 pairs; without a mask twice that.
    const double attention =
        (config.causal ? 2.0 : 4.0) * static_cast<double>(config.layers * config.heads * config.headDim);
    fmt::print("{{\"gflops\": {:.4f}, \"packed_gflops\": {:.4f}, \"flops_per_token\": {:.0f}, \"attention_flops\": "
               "{:.0f}, \"threads\": {}, "
               "\"shapes\": {{{}}}}}\n",
               linear * rows / time[0] / 1e9, linear * rows / time[1] / 1e9,
               linear * static_cast<double>(config.layers), attention, plan.threads, shapes);
    return 0;
}
