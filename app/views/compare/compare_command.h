// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace headscope::desktop
{

/// A map as `headscope quality` takes it.
struct ComparedMap
{
    std::string dataset; ///< FILE.h5:/maps/NAME/xy
    std::string making;  ///< the commands that write that file; "": it is there
    std::string note;    ///< a comment on what they cannot repeat; may be empty
};

/// A map, or a map of an aligned set, that is in the cache.
/// @param set  "": it is in none
[[nodiscard]] ComparedMap storedMap(const std::string& cache, const std::string& set, const std::string& name);

/// The line for a shell that compares two maps over their points: `headscope quality`, and before it what makes those
/// that are in no file.
[[nodiscard]] std::string comparisonCommand(const std::string& cache, const ComparedMap& a, const ComparedMap& b);

} // namespace headscope::desktop
