// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace headscope
{

/// Keeps reads of a memory map alive when its file shrinks: from the first call on, a page that the
/// file no longer has reads as zeros where the kernel would end the process (SIGBUS). Whoever reads
/// asks afterwards whether the file is still the one that was mapped (MappedFile::unchanged).
///
/// At most 1024 maps are guarded at once; further ones are not.
/// @threads any
void guardMap(std::span<const std::byte> map);
/// Ends the guard; to be called before the map is unmapped.
void releaseMap(std::span<const std::byte> map);

/// A stack of its own for the signal handlers of this thread, for as long as it lives. Matrix kernels generated at
/// run time use the stack pointer for other data, which a handler's frame would overwrite. Does nothing where the
/// thread has such a stack already.
/// @threads lives and dies on one thread
class HandlerStack
{
public:
    HandlerStack();
    ~HandlerStack();
    HandlerStack(const HandlerStack&) = delete;
    HandlerStack& operator=(const HandlerStack&) = delete;

private:
    std::unique_ptr<std::byte[]> m_stack;
};

} // namespace headscope
