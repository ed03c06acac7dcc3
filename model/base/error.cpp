// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/error.h"

#include <utility>

namespace headscope
{

std::string_view errorCodeName(ErrorCode code)
{
    switch (code)
    {
    case ErrorCode::FileNotFound:
        return "file_not_found";
    case ErrorCode::BadFormat:
        return "bad_format";
    case ErrorCode::Unsupported:
        return "unsupported";
    case ErrorCode::ShapeMismatch:
        return "shape_mismatch";
    case ErrorCode::InvalidArgument:
        return "invalid_argument";
    case ErrorCode::WrongUse:
        return "wrong_use";
    case ErrorCode::Resource:
        return "resource";
    case ErrorCode::OutOfMemory:
        return "out_of_memory";
    case ErrorCode::Cancelled:
        return "cancelled";
    case ErrorCode::Internal:
        return "internal";
    }
    return "internal";
}

std::string Error::sentence() const
{
    std::string text;
    for (const std::string* part : {&file, &place, &message})
    {
        if (part->empty())
            continue;
        if (!text.empty())
            text += ": ";
        text += *part;
    }
    return text;
}

Error Error::inFile(std::string_view name) &&
{
    if (file.empty())
        file = name;
    return std::move(*this);
}

Error Error::atPlace(std::string_view where) &&
{
    if (place.empty())
        place = where;
    return std::move(*this);
}

int exitCode(ErrorCode code)
{
    switch (code)
    {
    case ErrorCode::WrongUse:
        return 2;
    case ErrorCode::FileNotFound:
    case ErrorCode::BadFormat:
    case ErrorCode::Unsupported:
    case ErrorCode::ShapeMismatch:
    case ErrorCode::InvalidArgument:
        return 3;
    case ErrorCode::Resource:
    case ErrorCode::OutOfMemory:
        return 4;
    case ErrorCode::Cancelled:
        return 130;
    case ErrorCode::Internal:
        return 70;
    }
    return 70;
}

} // namespace headscope
