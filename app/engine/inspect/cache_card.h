// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/io/cache/cache_info.h"

#include <filesystem>
#include <string>

namespace headscope::engine
{

/// What `inspect CACHE --json` prints, with the end of line: the model's sizes under the names that
/// a model has, and documents, labels, embeddings, topics, maps and notices.
[[nodiscard]] std::string cacheCardJson(const CacheInfo& info);

/// The same for people.
[[nodiscard]] std::string cacheCardText(const CacheInfo& info, const std::filesystem::path& path);

} // namespace headscope::engine
