// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/parallel.h"

#include "model/base/assert.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#ifdef HEADSCOPE_PARALLEL_OPENMP
#include <omp.h>
#else
#include <thread>
#endif

namespace headscope
{
namespace
{

thread_local bool insideBody = false;

using Body = std::function<void(const Block& block, int worker)>;

/// Takes blocks from the shared counter until none is left.
void work(std::atomic<std::int64_t>& next, std::int64_t count, std::int64_t blockSize, int worker, const Body& body)
{
    const std::int64_t numBlocks = blockCount(count, blockSize);
    const bool outer = std::exchange(insideBody, true);
    for (std::int64_t index = next.fetch_add(1); index < numBlocks; index = next.fetch_add(1))
        body({index * blockSize, std::min(count, (index + 1) * blockSize), index}, worker);
    insideBody = outer;
}

} // namespace

void parallelForBlocks(int numThreads, std::int64_t count, std::int64_t blockSize, const Body& body)
{
    HEADSCOPE_ASSERT(numThreads >= 1 && blockSize >= 1);
    std::atomic<std::int64_t> next = 0;
    const auto wanted = static_cast<int>(std::min<std::int64_t>(numThreads, blockCount(count, blockSize)));
    if (wanted <= 1 || insideBody)
    {
        work(next, count, blockSize, 0, body);
        return;
    }
#ifdef HEADSCOPE_PARALLEL_OPENMP
#pragma omp parallel num_threads(wanted)
    work(next, count, blockSize, omp_get_thread_num(), body);
#else
    std::vector<std::jthread> threads;
    for (int worker = 1; worker < wanted; ++worker)
        threads.emplace_back([&, worker] { work(next, count, blockSize, worker, body); });
    work(next, count, blockSize, 0, body);
#endif
}

void parallelFor(int numThreads, std::int64_t count, std::int64_t blockSize,
                 const std::function<void(std::int64_t begin, std::int64_t end)>& body)
{
    parallelForBlocks(numThreads, count, blockSize, [&body](const Block& block, int) { body(block.begin, block.end); });
}

#ifdef HEADSCOPE_PARALLEL_OPENMP
SingleThreadScope::SingleThreadScope() : m_former(omp_get_max_threads())
{
    if (m_former != 1)
        omp_set_num_threads(1);
}

SingleThreadScope::~SingleThreadScope()
{
    if (m_former != 1)
        omp_set_num_threads(m_former);
}
#else
SingleThreadScope::SingleThreadScope() = default;
SingleThreadScope::~SingleThreadScope() = default;
#endif

int availableCores()
{
    cpu_set_t mask;
    CPU_ZERO(&mask);
    if (sched_getaffinity(0, sizeof(mask), &mask) != 0)
        return 1;
    std::set<std::pair<int, int>> cores; // (package, core): hyper-threads of one core count once
    int logical = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    {
        if (!CPU_ISSET(static_cast<std::size_t>(cpu), &mask))
            continue;
        ++logical;
        const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";
        int package = -1;
        int core = -1;
        std::ifstream(folder + "physical_package_id") >> package;
        std::ifstream(folder + "core_id") >> core;
        if (package >= 0 && core >= 0)
            cores.emplace(package, core);
    }
    return std::max(1, cores.empty() ? logical : static_cast<int>(cores.size()));
}

} // namespace headscope
