// SPDX-License-Identifier: GPL-3.0-or-later
// Seconds of maps, neighbours and probes on synthetic head vectors: one JSON line a case.
//
//   bench_tsne [CASE...] [--threads N]     without a case: the quick ones
#include "model/analysis/neighbors/neighbors.h"
#include "model/analysis/probe/probe.h"
#include "model/analysis/tsne/affinities.h"
#include "model/analysis/tsne/repulsion.h"
#include "model/analysis/tsne/tsne_state.h"
#include "model/base/parallel.h"
#include "tests/support/clouds.h"

#include <fmt/format.h>

#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

using namespace headscope;

namespace
{

int threads = availableCores();

double cpuSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/// Peak memory of the process so far, in MB.
double peakMegabytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

class Stopwatch
{
public:
    [[nodiscard]] double wall() const
    {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
    }
    [[nodiscard]] double cpu() const { return cpuSeconds() - m_cpu; }

private:
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
    double m_cpu = cpuSeconds();
};

template <class T>
T orExit(Result<T> result)
{
    if (!result)
    {
        fmt::print(stderr, "bench_tsne: {}\n", result.error().sentence());
        std::exit(1);
    }
    return std::move(result).value();
}

void map(const std::string& name, std::int64_t rows, std::int64_t dims, std::int64_t heads)
{
    const MatrixF vectors = test::headLikeClouds(rows, dims, heads).vectors;
    const double before = peakMegabytes();
    const Stopwatch watch;
    JobContext job;
    TsneState state = orExit(TsneState::create(vectors.view(), TsneOptions(), threads, job));
    if (const Status run = state.run(750, job); !run)
        std::exit(1);
    const double wall = watch.wall();
    const double cpu = watch.cpu();
    const double kl = state.updateKl();
    fmt::print("{{\"case\": \"{}\", \"value\": {:.3f}, \"unit\": \"s\", \"cpu\": {:.3f}, \"threads\": {}, "
               "\"neighbors\": {:.3f}, \"affinities\": {:.3f}, \"optimise\": {:.3f}, \"kl\": {:.5f}, "
               "\"hash\": \"{}\", \"peak_mb\": {:.0f}, \"input_mb\": {:.0f}}}\n",
               name, wall, cpu, threads, state.seconds().neighbors, state.seconds().affinities,
               state.seconds().optimise, kl, state.hash(), peakMegabytes() - before,
               static_cast<double>(rows * dims) * 4e-6);
}

void probe(const std::string& name, bool overlapping, std::int64_t rows, std::int64_t dims)
{
    const auto clouds = overlapping ? test::overlappingClouds(rows, dims, 32) : test::headLikeClouds(rows, dims, 32);
    ProbeInput input;
    input.rows = clouds.vectors.view();
    input.labels = clouds.head;
    input.documents = clouds.document;
    JobContext job;
    const Stopwatch watch;
    const ProbeResult result = orExit(runProbe(input, ProbeOptions(), threads, job));
    fmt::print(
        "{{\"case\": \"{}\", \"value\": {:.3f}, \"unit\": \"s\", \"cpu\": {:.3f}, \"threads\": {}, \"train\": {}, "
        "\"accuracy\": {:.4f}, \"objective\": {:.6f}, \"iterations\": {}, \"converged\": {}}}\n",
        name, watch.wall(), watch.cpu(), threads, result.trainRows, result.accuracy, result.objective,
        result.iterations, result.converged);
}

void neighbors(const std::string& name, const MatrixF& vectors, NeighborMethod method)
{
    NeighborOptions options;
    options.k = 90;
    options.method = method;
    JobContext job;
    const Stopwatch watch;
    const Neighbors found = orExit(findNeighbors(vectors.view(), options, threads, job));
    const auto points = static_cast<double>(vectors.rows());
    fmt::print("{{\"case\": \"{}\", \"value\": {:.3f}, \"unit\": \"s\", \"cpu\": {:.3f}, \"threads\": {}, "
               "\"recall\": {:.4f}, \"gflops\": {:.1f}}}\n",
               name, watch.wall(), watch.cpu(), threads, found.recall,
               method == NeighborMethod::Exact
                   ? 2e-9 * points * points * static_cast<double>(vectors.cols()) / watch.wall()
                   : std::nan(""));
}

/// Error of the mesh's forces on a finished map of head-like vectors.
void meshError(const std::string& name, std::int64_t rows)
{
    const MatrixF vectors = test::headLikeClouds(rows, 64, 32).vectors;
    JobContext job;
    TsneState state = orExit(TsneState::create(vectors.view(), TsneOptions(), threads, job));
    for (const int iteration : {250, 500, 750})
    {
        if (const Status run = state.run(iteration, job); !run)
            std::exit(1);
        const MatrixF xy = state.positions();
        std::vector<float> exact(xy.values().size());
        std::vector<float> found(xy.values().size());
        const double z = exactRepulsion(xy.values(), threads, exact);
        RepulsionMesh mesh;
        const double meshZ = mesh.apply(xy.values(), threads, found);
        double error = 0;
        double size = 0;
        for (std::size_t i = 0; i < exact.size(); ++i)
        {
            error += std::pow(static_cast<double>(found[i] - exact[i]), 2);
            size += std::pow(static_cast<double>(exact[i]), 2);
        }
        fmt::print("{{\"case\": \"{}\", \"value\": {:.2e}, \"unit\": \"rms force error\", \"iteration\": {}, "
                   "\"z_error\": {:.1e}, \"side\": {}}}\n",
                   name, std::sqrt(error / size), iteration, meshZ / z - 1, mesh.side());
    }
}

const std::map<std::string, std::function<void(const std::string&)>>& cases()
{
    static const std::map<std::string, std::function<void(const std::string&)>> all = {
        {"map_192x9x64", [](const std::string& name) { map(name, 192 * 9, 64, 9); }},
        {"map_32k", [](const std::string& name) { map(name, 32'000, 128, 32); }},
        {"map_100k", [](const std::string& name) { map(name, 100'000, 128, 32); }},
        {"map_320k", [](const std::string& name) { map(name, 320'000, 128, 32); }},
        {"mesh_error_32k", [](const std::string& name) { meshError(name, 32'000); }},
        {"mesh_error_8k", [](const std::string& name) { meshError(name, 8'000); }},
        {"neighbors_32k",
         [](const std::string& name) {
             neighbors(name, test::headLikeClouds(32'000, 128, 32).vectors, NeighborMethod::Exact);
         }},
        {"cells_32k",
         [](const std::string& name) {
             neighbors(name, test::headLikeClouds(32'000, 128, 32).vectors, NeighborMethod::Approximate);
         }},
        {"cells_hard_32k",
         [](const std::string& name) { neighbors(name, test::hardCloud(32'000, 128), NeighborMethod::Approximate); }},
        {"probe_32k", [](const std::string& name) { probe(name, false, 32'000, 128); }},
        {"probe_overlap_32k", [](const std::string& name) { probe(name, true, 32'000, 128); }},
        {"probe_4096", [](const std::string& name) { probe(name, true, 32'000, 4096); }},
    };
    return all;
}

} // namespace

int main(int argc, char** argv)
{
    std::vector<std::string> wanted;
    for (int i = 1; i < argc; ++i)
    {
        const std::string argument = argv[i];
        if (argument == "--threads" && i + 1 < argc)
            threads = std::max(1, std::atoi(argv[++i]));
        else
            wanted.push_back(argument);
    }
    if (wanted.empty())
        wanted = {"map_192x9x64", "probe_32k", "probe_overlap_32k"};
    for (const std::string& name : wanted)
    {
        const auto found = cases().find(name);
        if (found == cases().end())
        {
            fmt::print(stderr, "bench_tsne: expected the name of a case, found {}\n", name);
            return 2;
        }
        found->second(name);
        std::fflush(stdout);
    }
    return 0;
}
