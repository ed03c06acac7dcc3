// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/texts/standard_input.h"

#include "model/base/file.h"

#include <unistd.h>

#include <cerrno>

namespace headscope
{

Result<std::size_t> readStandardInput(std::span<std::byte> into)
{
    while (true)
    {
        const ssize_t count = ::read(STDIN_FILENO, into.data(), into.size());
        if (count >= 0)
            return static_cast<std::size_t>(count);
        if (errno != EINTR)
            return systemError(errno, "standard input", "reading");
    }
}

} // namespace headscope
