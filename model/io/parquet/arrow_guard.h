// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <arrow/status.h>

#include <string>

namespace headscope
{

/// The most memory that Arrow may take for a file: a page of a few KB can be made to unpack to gigabytes. Pages that
/// are written in earnest take about 1 MB.
constexpr std::int64_t kMaxArrowBytes = std::int64_t{512} << 20;

/// What Arrow says of a file as an Error: BadFormat, Unsupported (a codec, an encoding), Resource (read error).
[[nodiscard]] Error arrowError(const arrow::Status& status);

/// The exception that is being handled as an Error; to be called in a catch block. Arrow throws what a damaged file
/// makes it meet.
[[nodiscard]] Error arrowThrownError();

/// Calls what uses Arrow; no exception comes out.
/// @param work  returns a Result or a Status
template <class Work>
[[nodiscard]] auto arrowGuarded(const Work& work) -> decltype(work())
{
    try
    {
        return work();
    }
    catch (...)
    {
        return arrowThrownError();
    }
}

} // namespace headscope
