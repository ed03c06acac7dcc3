// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/thrown_error.h"

#include <fmt/format.h>

#include <exception>
#include <new>
#include <stdexcept>
#include <system_error>

namespace headscope
{
namespace
{

Error outOfMemory()
{
    return {ErrorCode::OutOfMemory, "not enough memory for this task", {}, {}};
}

} // namespace

Error thrownError(std::string_view before)
{
    try
    {
        throw;
    }
    catch (const std::bad_alloc&)
    {
        return outOfMemory();
    }
    catch (const std::length_error&) // a size that no memory could hold
    {
        return outOfMemory();
    }
    catch (const std::system_error& error) // a thread that could not be started
    {
        return {
            ErrorCode::Resource, fmt::format("a system limit was reached: {}", error.what()), {}, {}};
    }
    catch (const std::exception& error)
    {
        return {ErrorCode::Internal, fmt::format("{}{}", before, error.what()), {}, {}};
    }
    catch (...)
    {
        return {ErrorCode::Internal, fmt::format("{}an exception of an unknown kind", before), {}, {}};
    }
}

} // namespace headscope
