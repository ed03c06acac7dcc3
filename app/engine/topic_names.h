// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/documents/document_set.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headscope::engine
{

/// Topic names as --topics gives them.
struct TopicList
{
    std::string column; ///< empty: the file names none
    std::vector<std::string> names;
};

/// Reads names, one a line (empty lines skipped), or JSON: an array of names, or an object of label
/// column to names.
/// @errors FileNotFound, BadFormat (no name, a name twice, a line or value that is none)
[[nodiscard]] Result<std::vector<TopicList>> readTopicLists(const std::filesystem::path& path);

/// Makes the named topics the first categories of their label columns, in the order of the list;
/// categories that only documents have come after them. So row c of the topic vectors is category c
/// of the column. A list without a column belongs to `label`, or to the only column there is, or,
/// where there is none, to a new column "topic" without labels.
/// @param numbers  columns of numbers, which have no topics
/// @errors InvalidArgument (several columns and none chosen, no such column; with those there are)
[[nodiscard]] Status applyTopicLists(const std::vector<TopicList>& lists, const std::string& label,
                                     const std::vector<std::string>& numbers, DocumentSet& documents);

/// The texts that are embedded for names: each in the place of "{}" of the template; the names where there is none.
[[nodiscard]] std::vector<std::string> topicTexts(const std::vector<std::string>& names, const std::string& pattern);

/// What to say of topics whose text is a single token of a model in which tokens see what comes before them alone;
/// "" where there is none. The first token of a text takes attention that goes nowhere, whatever it says.
/// @param tokens  [C] tokens of each topic's text, those added to every text included
[[nodiscard]] std::string oneTokenWarning(const std::string& column, const std::vector<std::string>& names,
                                          const std::vector<std::int64_t>& tokens);

/// Says which categories of a label column look alike: they differ by blanks or by the form of their Unicode
/// characters alone, and are different labels all the same. "" = none do.
[[nodiscard]] std::string alikeLabels(const LabelColumn& column);

} // namespace headscope::engine
