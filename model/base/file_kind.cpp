// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/file_kind.h"

#include <fmt/format.h>
#include <sys/stat.h>

namespace headscope
{

std::string_view fileKindName(unsigned mode)
{
    if (S_ISREG(mode))
        return "a file";
    if (S_ISDIR(mode))
        return "a folder";
    if (S_ISFIFO(mode))
        return "a pipe";
    return S_ISSOCK(mode) ? "a socket" : "a device";
}

Status checkIsRegular(unsigned mode, const std::filesystem::path& path)
{
    if (S_ISREG(mode))
        return {};
    return Error{ErrorCode::BadFormat,
                 fmt::format("expected a file, found {}{}", fileKindName(mode),
                             S_ISFIFO(mode) ? "; save its contents to a file first" : ""),
                 path.string(),
                 {}};
}

} // namespace headscope
