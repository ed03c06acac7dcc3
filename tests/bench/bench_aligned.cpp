// SPDX-License-Identifier: GPL-3.0-or-later
// Aligned maps of head-like vectors, the full vector and 32 heads: one JSON line.
//
//   bench_aligned [--threads N] [--documents N] [--exact-below N]
#include "model/analysis/maps/aligned_maps.h"
#include "model/base/parallel.h"
#include "tests/support/clouds.h"

#include <fmt/format.h>

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

using namespace headscope;

namespace
{

rusage usageNow()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage;
}

double cpuSeconds(const rusage& usage)
{
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

} // namespace

int main(int argc, char** argv)
{
    constexpr std::int64_t kHeads = 32;
    constexpr std::int64_t kDims = 128;
    std::int64_t documents = 4000;
    int threads = availableCores();
    TsneOptions options;
    for (int i = 1; i + 1 < argc; i += 2)
    {
        const std::string name = argv[i];
        const int value = std::max(0, std::atoi(argv[i + 1]));
        if (name == "--threads")
            threads = std::max(1, value);
        else if (name == "--documents")
            documents = value;
        else if (name == "--exact-below")
            options.exactBelow = value;
        else
        {
            fmt::print(stderr, "bench_aligned: expected --threads, --documents or --exact-below, found {}\n", name);
            return 2;
        }
    }
    const MatrixF vectors = test::headLikeClouds(documents * kHeads, kDims, kHeads).vectors;
    std::vector<AlignedSet> sets = {{ConstMatrixView(vectors.data(), documents, kHeads * kDims), false}};
    for (std::int64_t head = 0; head < kHeads; ++head)
        sets.push_back({ConstMatrixView(vectors.data() + head * kDims, documents, kDims, kHeads * kDims)});
    const rusage before = usageNow();
    const auto begin = std::chrono::steady_clock::now();
    JobContext job;
    const auto made = alignedMaps(sets, options, threads, job);
    if (!made)
    {
        fmt::print(stderr, "bench_aligned: {}\n", made.error().sentence());
        return 1;
    }
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const rusage after = usageNow();
    double kl = 0;
    double correlation = 0;
    for (const AlignedMap& map : made->maps)
    {
        kl += map.kl / static_cast<double>(made->maps.size());
        correlation += map.fit.correlation / static_cast<double>(made->maps.size());
    }
    fmt::print(
        "{{\"case\": \"aligned_{}x{}\", \"value\": {:.2f}, \"unit\": \"s\", \"cpu\": {:.2f}, \"threads\": {}, "
        "\"kl\": {:.5f}, \"correlation\": {:.4f}, \"hash\": \"{}\", \"peak_mb\": {:.0f}, \"input_mb\": {:.0f}}}\n",
        made->maps.size(), documents, wall, cpuSeconds(after) - cpuSeconds(before), threads, kl, correlation,
        made->hash, static_cast<double>(after.ru_maxrss) / 1024, static_cast<double>(vectors.values().size()) * 4e-6);
    return 0;
}
