// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of every kind: the first byte chooses the reader; every record has a place in the file.
#include "model/io/texts/record_reader.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace
{

using namespace headscope;

Result<std::unique_ptr<RecordReader>> openAs(int kind, const std::filesystem::path& path)
{
    switch (kind)
    {
    case 0:
        return openJsonLines(path, {"text", false, {"text.a", "a.0", "a.b.c"}, true});
    case 1:
        return openJsonArray(path);
    case 2:
        return openCsv(path, {});
    case 3:
        return openCsv(path, '\t');
    default:
        return openText(path, {"text", kind == 4});
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0)
        return 0;
    const int descriptor = memfd_create("fuzz", MFD_CLOEXEC);
    if (descriptor < 0 || write(descriptor, data + 1, size - 1) != static_cast<ssize_t>(size - 1))
        std::abort();
    {
        const auto reader = openAs(data[0] % 6, "/proc/self/fd/" + std::to_string(descriptor));
        Record record;
        std::size_t records = 0;
        while (reader && records <= size)
        {
            const auto more = (*reader)->next(record);
            if (!more && more.error().message.empty())
                std::abort();
            if (!more || !*more)
                break;
            ++records;
        }
        if (records > size) // each takes a byte at least
            std::abort();
    }
    close(descriptor);
    return 0;
}
