// SPDX-License-Identifier: GPL-3.0-or-later
// The rate of oneDNN's dnnl_sgemm on the products of a model: the roof an extraction can be held against.
// One JSON object: the rate weighted as a forward pass weights its products, and the FLOPs of a token.
#include "model/base/parallel.h"
#include "model/net/config/model_files.h"

#include <fmt/format.h>
#include <oneapi/dnnl/dnnl.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
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

void multiply(const Product& p, std::int64_t tokens, const std::vector<float>& x, const std::vector<float>& w,
              std::vector<float>& y)
{
    if (dnnl_sgemm('N', 'T', tokens, p.out, p.in, 1, x.data(), p.in, w.data(), p.in, 0, y.data(), p.out) !=
        dnnl_success)
        std::abort();
}

/// Seconds of one product, all threads together on products of their own: each does `tokens` rows.
double secondsOf(const Product& p, std::int64_t tokens, int threads)
{
    const auto count = [](std::int64_t a, std::int64_t b) { return static_cast<std::size_t>(a * b); };
    const std::vector<float> x(count(tokens, p.in), 0.5F);
    const std::vector<float> w(count(p.out, p.in), 0.25F);
    std::vector<std::vector<float>> y(static_cast<std::size_t>(threads), std::vector<float>(count(tokens, p.out)));
    const auto round = [&](int repeats) {
        parallelForBlocks(threads, threads, 1, [&](const Block& block, int) {
            const SingleThreadScope alone;
            for (int i = 0; i < repeats; ++i)
                multiply(p, tokens, x, w, y[static_cast<std::size_t>(block.index)]);
        });
    };
    round(2);
    const int repeats = std::max(1, static_cast<int>(0.15 / std::max(1e-6, seconds([&] { round(1); }))));
    std::vector<double> times;
    for (int i = 0; i < 5; ++i)
        times.push_back(seconds([&] { round(repeats); }) / repeats);
    std::ranges::sort(times);
    return times[times.size() / 2];
}

} // namespace

/// bench_gemm MODEL [--threads N] [--tokens 512]
int main(int argc, char** argv)
{
    std::string model;
    int threads = availableCores();
    std::int64_t tokens = 512;
    for (int i = 1; i < argc; ++i)
    {
        const std::string word = argv[i];
        if (word == "--threads" && i + 1 < argc)
            threads = std::max(1, std::atoi(argv[++i]));
        else if (word == "--tokens" && i + 1 < argc)
            tokens = std::max(1, std::atoi(argv[++i]));
        else
            model = word;
    }
    const auto files = openModel(model);
    if (!files)
    {
        fmt::print(stderr, "{}\n", files.error().sentence());
        return 3;
    }
    double linear = 0; // FLOPs of a token in a layer
    double time = 0;   // of `tokens` tokens on each thread
    std::string shapes;
    for (const Product& p : productsOf(files->config))
    {
        const double flops = 2.0 * static_cast<double>(p.in) * static_cast<double>(p.out) * p.times;
        const double spent = secondsOf(p, tokens, threads) * p.times;
        linear += flops;
        time += spent;
        shapes += fmt::format("{}\"{}x{}x{}\": {:.4g}", shapes.empty() ? "" : ", ", tokens, p.in, p.out,
                              flops * static_cast<double>(tokens) * threads / spent / 1e9);
    }
    const auto& config = files->config;
    // A causal text of L tokens: two products of L^2 / 2 pairs; without a mask twice that.
    const double attention =
        (config.causal ? 2.0 : 4.0) * static_cast<double>(config.layers * config.heads * config.headDim);
    fmt::print("{{\"gflops\": {:.4f}, \"flops_per_token\": {:.0f}, \"attention_flops\": {:.0f}, \"threads\": {}, "
               "\"shapes\": {{{}}}}}\n",
               linear * static_cast<double>(tokens) * threads / time / 1e9, linear * static_cast<double>(config.layers),
               attention, threads, shapes);
    return 0;
}
