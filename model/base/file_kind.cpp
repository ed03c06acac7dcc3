// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/file_kind.h"

#include <fmt/format.h>
#include <sys/stat.h>

namespace headscope
{

Status checkIsRegular(unsigned mode, const std::filesystem::path& path)
{
    if (S_ISREG(mode))
        return {};
    const char* kind = S_ISDIR(mode)                    ? "a folder"
                       : S_ISFIFO(mode)                 ? "a pipe; it has to be stored first"
                       : S_ISSOCK(mode)                 ? "a socket"
                       : S_ISCHR(mode) || S_ISBLK(mode) ? "a device"
                                                        : "something else";
    return Error{ErrorCode::BadFormat, fmt::format("expected a file, found {}", kind), path.string(), {}};
}

} // namespace headscope
