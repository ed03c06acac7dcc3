// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/hdf5/error_stack.h"

#include <hdf5.h>

#include <cerrno>
#include <charconv>

namespace headscope
{
namespace
{

constexpr hid_t kDefaultStack = 0; // H5E_DEFAULT, whose macro holds an old-style cast

herr_t note(unsigned, const H5E_error2_t* entry, void* data)
{
    auto& stack = *static_cast<ErrorStack*>(data);
    const std::string text = entry->desc != nullptr ? entry->desc : "";
    if (stack.innermost.empty())
    {
        stack.innermost = text;
        stack.outOfMemory = entry->min_num == H5E_NOSPACE || entry->min_num == H5E_CANTALLOC;
    }
    // The file drivers put the system's own number into their text.
    constexpr std::string_view kBefore = "errno = ";
    if (const auto at = text.find(kBefore); at != std::string::npos && stack.systemNumber == 0)
        std::from_chars(text.data() + at + kBefore.size(), text.data() + text.size(), stack.systemNumber);
    return 0;
}

} // namespace

ErrorStack readErrorStack()
{
    ErrorStack stack;
    H5Ewalk2(kDefaultStack, H5E_WALK_UPWARD, note, &stack);
    const int number = stack.systemNumber;
    if (number == EINVAL || number == EOVERFLOW || number == ENXIO || number == EFAULT)
        stack.systemNumber = 0;
    if (number == ENOMEM)
        stack.outOfMemory = true;
    return stack;
}

} // namespace headscope
