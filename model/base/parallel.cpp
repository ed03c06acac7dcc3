// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/parallel.h"

#include "model/base/assert.h"
#include "model/base/threads/loop_workers.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <fstream>
#include <set>
#include <string>
#include <utility>

#include <omp.h>

namespace headscope
{
namespace
{

enum class Place : std::int64_t
{
    Outside = 1, // not 0: see below
    InsideBody = 2,
};

/// Whether this thread runs the body of a loop. Its first value is not zero, so that it stands in .tdata: of a program
/// whose thread-local variables are all zero ld.lld 14 lets RELRO begin before the pages that it protects, depending on
/// where the sections happen to end, and such a program does not start.
thread_local Place place = Place::Outside;

using Body = std::function<void(const Block& block, int worker)>;

/// The blocks of one loop, which its workers share.
class Blocks
{
public:
    Blocks(std::int64_t count, std::int64_t blockSize, const Body& body)
        : m_count(count), m_blockSize(blockSize), m_body(body)
    {}

    /// Takes blocks until none is left. What a body throws ends the loop; the first of it is kept.
    void work(int worker) noexcept
    {
        const Place outer = std::exchange(place, Place::InsideBody);
        try
        {
            const std::int64_t numBlocks = blockCount(m_count, m_blockSize);
            for (std::int64_t index = m_next.fetch_add(1); index < numBlocks; index = m_next.fetch_add(1))
                m_body({index * m_blockSize, std::min(m_count, (index + 1) * m_blockSize), index}, worker);
        }
        catch (...)
        {
            m_next.store(blockCount(m_count, m_blockSize));
            if (!m_failed.test_and_set())
                m_thrown = std::current_exception();
        }
        place = outer;
    }

    /// Called when all workers are done.
    void rethrow() const
    {
        if (m_thrown)
            std::rethrow_exception(m_thrown);
    }

private:
    const std::int64_t m_count;
    const std::int64_t m_blockSize;
    const Body& m_body;
    std::atomic<std::int64_t> m_next = 0;
    std::atomic_flag m_failed;
    std::exception_ptr m_thrown;
};

} // namespace

void parallelForBlocks(int numThreads, std::int64_t count, std::int64_t blockSize, const Body& body)
{
    HEADSCOPE_ASSERT(numThreads >= 1 && blockSize >= 1);
    Blocks blocks(count, blockSize, body);
    const auto wanted = static_cast<int>(std::min<std::int64_t>(numThreads, blockCount(count, blockSize)));
    if (wanted <= 1 || place == Place::InsideBody)
        blocks.work(0);
    else
        runTeam(wanted, [&blocks](int worker) { blocks.work(worker); });
    blocks.rethrow();
}

void parallelFor(int numThreads, std::int64_t count, std::int64_t blockSize,
                 const std::function<void(std::int64_t begin, std::int64_t end)>& body)
{
    parallelForBlocks(numThreads, count, blockSize, [&body](const Block& block, int) { body(block.begin, block.end); });
}

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
