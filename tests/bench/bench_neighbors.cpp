// SPDX-License-Identifier: GPL-3.0-or-later
// Seconds of a neighbour search, and its products against the machine's own rate: one JSON line.
//
//   bench_neighbors FILE.npy exact|approximate [--recall R] [--k K] [--threads N] [--check N]
#include "model/analysis/neighbors/neighbors.h"
#include "model/base/parallel.h"
#include "model/kernels/gemm.h"

#include <fmt/format.h>

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

using namespace headscope;

namespace
{

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

double cpuSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

double peakMegabytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// The float32 matrix that headscope_make_clouds wrote.
MatrixF readCloud(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    char start[10] = {};
    file.read(start, sizeof(start));
    const auto length = static_cast<std::size_t>(static_cast<unsigned char>(start[8])) +
                        256 * static_cast<std::size_t>(static_cast<unsigned char>(start[9]));
    std::string header(length, ' ');
    file.read(header.data(), static_cast<std::streamsize>(length));
    long long rows = 0;
    long long cols = 0;
    const auto shape = header.find("'shape': (");
    if (!file || shape == std::string::npos || header.find("<f4") == std::string::npos ||
        std::sscanf(header.c_str() + shape, "'shape': (%lld, %lld)", &rows, &cols) != 2)
    {
        fmt::print(stderr, "{}: expected a float32 matrix, found something else\n", path);
        std::exit(2);
    }
    MatrixF cloud(rows, cols);
    file.read(reinterpret_cast<char*>(cloud.data()),
              static_cast<std::streamsize>(cloud.values().size() * sizeof(float)));
    return cloud;
}

/// GFLOP/s of square products on all threads, the best of several tries.
double productRate(int threads)
{
    constexpr std::int64_t kSide = 768;
    const MatrixF operand(kSide, kSide, std::vector<float>(static_cast<std::size_t>(kSide * kSide), 0.5F));
    std::vector<MatrixF> results(static_cast<std::size_t>(threads), MatrixF(kSide, kSide));
    double best = 0;
    for (int attempt = 0; attempt < 6; ++attempt)
    {
        const auto start = Clock::now();
        parallelForBlocks(threads, 4 * threads, 1, [&](const Block&, int worker) {
            gemmNT(kSide, kSide, kSide, 1.0F, operand.data(), kSide, operand.data(), kSide, 0.0F,
                   results[static_cast<std::size_t>(worker)].data(), kSide);
        });
        best = std::max(best, 8e-9 * static_cast<double>(threads * kSide * kSide * kSide) / secondsSince(start));
    }
    return best;
}

} // namespace

int main(int argc, char** argv)
{
    int threads = availableCores();
    std::int64_t check = 0;
    NeighborOptions options;
    options.k = 90;
    for (int i = 3; i + 1 < argc; i += 2)
    {
        if (std::strcmp(argv[i], "--recall") == 0)
            options.recall = std::atof(argv[i + 1]);
        else if (std::strcmp(argv[i], "--k") == 0)
            options.k = std::atoll(argv[i + 1]);
        else if (std::strcmp(argv[i], "--threads") == 0)
            threads = std::max(1, std::atoi(argv[i + 1]));
        else if (std::strcmp(argv[i], "--check") == 0)
            check = std::atoll(argv[i + 1]);
    }
    if (argc < 3)
    {
        fmt::print(stderr, "usage: bench_neighbors FILE.npy exact|approximate [--recall R] [--k K] [--threads N]\n");
        return 2;
    }
    options.method = std::strcmp(argv[2], "exact") == 0 ? NeighborMethod::Exact : NeighborMethod::Approximate;
    const MatrixF rows = readCloud(argv[1]);
    const double before = peakMegabytes();
    const double rate = productRate(threads);
    auto clock = Clock::now();
    std::string stages;
    std::string stage;
    JobContext job({}, [&](const Progress& progress) {
        if (progress.stage == stage)
            return;
        if (!stage.empty())
            stages += fmt::format("\"{}\": {:.3f}, ", stage, secondsSince(clock));
        stage = progress.stage;
    });
    clock = Clock::now();
    const double cpu = cpuSeconds();
    auto found = findNeighbors(rows.view(), options, threads, job);
    const double seconds = secondsSince(clock);
    const double used = cpuSeconds() - cpu;
    if (!found)
    {
        fmt::print(stderr, "bench_neighbors: {}\n", found.error().sentence());
        return 1;
    }
    const double computed = 2e-9 * found->multiplyAdds / seconds;
    const double all = 2e-9 * static_cast<double>(rows.rows()) * static_cast<double>(rows.rows()) *
                       static_cast<double>(rows.cols()) / seconds;
    const double memory = peakMegabytes() - before;
    const double recall =
        check > 0 ? measuredRecall(rows.view(), *found, check, 7, threads, job).value() : found->recall;
    fmt::print("{{\"case\": \"{} {}x{} k={}\", \"value\": {:.3f}, \"unit\": \"s\", \"cpu\": {:.3f}, \"threads\": {}, "
               "\"until\": {{{}\"end\": {:.3f}}}, \"recall\": {:.5f}, \"product_gflops\": {:.1f}, "
               "\"computed_gflops\": {:.1f}, \"computed_share\": {:.3f}, \"symmetry_counted_gflops\": {:.1f}, "
               "\"symmetry_counted_share\": {:.3f}, \"peak_mb\": {:.0f}}}\n",
               argv[2], rows.rows(), rows.cols(), options.k, seconds, used, threads, stages, seconds, recall, rate,
               computed, computed / rate, all, all / rate, memory);
    return 0;
}
