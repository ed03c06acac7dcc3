// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/documents/document_set.h"
#include "model/io/cache/cache_info.h"

#include <span>
#include <string>
#include <string_view>

namespace headscope
{

/// The name that is asked for of those of label columns, or the only one.
/// @param file  that has them
/// @param what  that is: "a cache"
/// @errors InvalidArgument, with the names
[[nodiscard]] Result<std::string> chooseLabelName(std::span<const std::string> names, const std::string& name,
                                                  const std::string& file, std::string_view what);

/// The label column of a cache that is asked for, or the only one. A column of numbers is offered where there is no
/// other.
/// @param documents  of that cache
/// @param file       the cache
/// @return  one of `documents`
/// @errors InvalidArgument, with the names
[[nodiscard]] Result<const LabelColumn*> chooseLabelColumn(const CacheInfo& info, const DocumentSet& documents,
                                                           const std::string& name, const std::string& file);

} // namespace headscope
