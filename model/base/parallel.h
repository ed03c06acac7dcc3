// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>

namespace headscope
{

/// One block of a parallel loop: items [begin, end), and the number of the block.
struct Block
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t index = 0;
};

/// Number of blocks of `blockSize` items that `count` items make.
[[nodiscard]] constexpr std::int64_t blockCount(std::int64_t count, std::int64_t blockSize)
{
    return (count + blockSize - 1) / blockSize;
}

/// Runs `body` once for every block of [0, count), on `numThreads` threads.
///
/// The partition depends on count and blockSize alone, never on the number of threads: a body that
/// writes only to places of its own block gives the same bits on any number of threads, and sums
/// kept per block and added in block order do so too. Which thread runs a block is not fixed.
/// @param numThreads  at least 1; may be more than there are cores
/// @param body        the worker's number [0, numThreads) is for scratch space only
/// @errors what a body throws first is thrown here when all threads have come back; blocks that were not begun by
///         then are left out
/// @threads reentrant; a call from inside a body runs serially on the calling thread
void parallelForBlocks(int numThreads, std::int64_t count, std::int64_t blockSize,
                       const std::function<void(const Block& block, int worker)>& body);

/// The same, where the body wants the range alone.
void parallelFor(int numThreads, std::int64_t count, std::int64_t blockSize,
                 const std::function<void(std::int64_t begin, std::int64_t end)>& body);

/// While it lives, libraries that start OpenMP teams of their own from the calling thread get a
/// team of one.
class SingleThreadScope
{
public:
    SingleThreadScope();
    ~SingleThreadScope();
    SingleThreadScope(const SingleThreadScope&) = delete;
    SingleThreadScope& operator=(const SingleThreadScope&) = delete;

private:
    int m_former = 1;
};

/// Physical cores this process may use (the default of --threads); at least 1.
/// Reads the scheduler's mask and the core topology, never OpenMP's default.
[[nodiscard]] int availableCores();

} // namespace headscope
