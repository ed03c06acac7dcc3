// SPDX-License-Identifier: GPL-3.0-or-later
// What tells the parts of two runs apart, in words.
#pragma once

#include "model/data/extraction.h"
#include "model/io/cache/cache_info.h"

#include <map>
#include <string>
#include <vector>

namespace headscope
{

/// Two values that ought to be the same.
struct Difference
{
    std::string what; ///< empty: there is none
    std::string one;  ///< as they stand in a sentence
    std::string other;

    /// "--pooling is last there and mean here".
    [[nodiscard]] std::string words() const;
};

/// Of two texts, shortened where they are long.
[[nodiscard]] Difference textDifference(std::string what, const std::string& one, const std::string& other);

/// The first of the settings of two runs that differs.
[[nodiscard]] Difference settingsDifference(const std::map<std::string, std::string>& one,
                                            const std::map<std::string, std::string>& other);

/// The layers and stages of a cache.
[[nodiscard]] std::vector<ExtractionBlock> blocksOfCache(const CacheInfo& info);
/// "layer 2 stage 1 of 4 x 8".
[[nodiscard]] std::string blockWords(const std::vector<ExtractionBlock>& blocks);

/// What tells the runs of two ranges apart: settings, layers and stages, numbers stored, documents, label columns.
[[nodiscard]] Difference runDifference(const CacheInfo& one, const CacheInfo& other);

} // namespace headscope
