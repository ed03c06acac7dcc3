// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <c10/util/Exception.h>

#include <exception>
#include <new>
#include <string>
#include <string_view>

namespace headscope
{

/// Runs work that calls libtorch and turns its exceptions into an Error, so that none leaves this folder. Only for
/// .cpp files of this folder.
///
/// what() of its errors carries a backtrace of thousands of characters; the sentence alone is kept.
/// @errors OutOfMemory (allocator of CPU or GPU), Resource (the device failed), Internal
template <class Work>
[[nodiscard]] Status torchGuard(const Work& work)
{
    const auto classify = [](std::string text) -> Error {
        const auto has = [&text](std::string_view part) { return text.find(part) != std::string::npos; };
        ErrorCode code = ErrorCode::Internal;
        if (has("out of memory") || has("not enough memory") || has("can't allocate memory"))
            code = ErrorCode::OutOfMemory;
        else if (has("CUDA") || has("HIP"))
            code = ErrorCode::Resource;
        return {code, "libtorch: " + std::move(text), {}, {}};
    };
    try
    {
        work();
        return {};
    }
    catch (const c10::Error& error)
    {
        return classify(error.what_without_backtrace());
    }
    catch (const std::bad_alloc&)
    {
        return Error{ErrorCode::OutOfMemory, "not enough memory", {}, {}};
    }
    catch (const std::exception& error)
    {
        return classify(error.what());
    }
}

} // namespace headscope
