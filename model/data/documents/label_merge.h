// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_set.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// A label column some of whose categories were merged.
struct MergedLabels
{
    LabelColumn column; ///< of the same name
    /// [C'] of each new category the old one whose topic vector stands for it: the one of this very
    /// name, else the first.
    std::vector<std::int64_t> topicRows;
    std::vector<std::string> unknown; ///< old names of the map that are no categories

    /// "2 of 39 names are no values of \"topic\": \"A\", \"B\"".
    [[nodiscard]] std::string unknownNotice(std::size_t names, std::string_view columnName) const;
};

/// Gives categories the names of a map; those of one new name become one, an empty new name takes the
/// label away, and names that are not in the map stay. New categories stand in the order of their
/// first old one.
[[nodiscard]] MergedLabels mergeLabels(const LabelColumn& labels, const std::map<std::string, std::string>& names);

} // namespace headscope
