// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/topic_names.h"

#include "model/base/file.h"
#include "model/formats/json.h"
#include "model/unicode/unicode.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace headscope::engine
{
namespace
{

constexpr std::uint64_t kMaxFileBytes = std::uint64_t{16} << 20;

Error badTopics(std::string message, std::string place = {})
{
    return {ErrorCode::BadFormat, std::move(message), {}, std::move(place)};
}

Result<TopicList> listFromJson(const JsonView& array, std::string column)
{
    TopicList list;
    list.column = std::move(column);
    if (!array.isArray())
        return badTopics(fmt::format("expected an array of names, found {}", jsonKindName(array.kind())), list.column);
    for (const auto element : array.elements())
    {
        const auto name = element.asString();
        if (!name)
            return badTopics(fmt::format("name {}: {}", list.names.size(), name.error().message), list.column);
        list.names.emplace_back(*name);
    }
    return list;
}

Result<std::vector<TopicList>> listsFromJson(std::string_view text)
{
    JsonOptions options;
    options.rejectDuplicateKeys = true;
    HEADSCOPE_TRY(const auto document, JsonDocument::parse(text, {}, options));
    std::vector<TopicList> lists;
    if (!document.root().isObject())
    {
        HEADSCOPE_TRY(auto list, listFromJson(document.root(), {}));
        lists.push_back(std::move(list));
        return lists;
    }
    for (const auto& [column, names] : document.root().members())
    {
        HEADSCOPE_TRY(auto list, listFromJson(names, std::string(column)));
        lists.push_back(std::move(list));
    }
    return lists;
}

TopicList listFromLines(std::string_view text)
{
    TopicList list;
    while (!text.empty())
    {
        const auto end = text.find('\n');
        auto line = text.substr(0, end);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        const auto first = line.find_first_not_of(" \t\r");
        if (first == std::string_view::npos)
            continue;
        list.names.emplace_back(line.substr(first, line.find_last_not_of(" \t\r") - first + 1));
    }
    return list;
}

Status checkLists(const std::vector<TopicList>& lists)
{
    if (lists.empty())
        return badTopics("expected at least one topic, found none");
    for (const auto& list : lists)
    {
        std::unordered_set<std::string_view> seen;
        if (list.names.empty())
            return badTopics("expected at least one topic, found none", list.column);
        for (const auto& name : list.names)
        {
            if (name.empty())
                return badTopics("expected non-empty names, found an empty one", list.column);
            if (!seen.insert(name).second)
                return badTopics(fmt::format("expected every topic once, found \"{}\" twice", name), list.column);
        }
    }
    return {};
}

Result<std::vector<TopicList>> parseLists(std::string_view text)
{
    std::vector<TopicList> lists;
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && (text[first] == '[' || text[first] == '{'))
    {
        HEADSCOPE_TRY(lists, listsFromJson(text));
    }
    else
        lists.push_back(listFromLines(text));
    HEADSCOPE_CHECK(checkLists(lists));
    return lists;
}

/// The column a list belongs to.
Result<LabelColumn*> columnOf(const TopicList& list, const std::string& label, const std::vector<std::string>& numbers,
                              DocumentSet& documents)
{
    auto& columns = documents.labels;
    const auto& wanted = list.column.empty() ? label : list.column;
    if (std::ranges::find(numbers, wanted) != numbers.end())
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected a label column, found \"{}\", a column of numbers", wanted),
                     {},
                     "--topics"};
    std::vector<std::string> names;
    LabelColumn* last = nullptr;
    for (auto& column : columns)
    {
        if (std::ranges::find(numbers, column.name) != numbers.end())
            continue;
        if (column.name == wanted)
            return &column;
        names.push_back(column.name);
        last = &column;
    }
    if (wanted.empty() && names.size() == 1)
        return last;
    if (!names.empty())
        return Error{
            ErrorCode::InvalidArgument,
            wanted.empty()
                ? fmt::format("expected --label with one of the label columns: {}", fmt::join(names, ", "))
                : fmt::format("expected one of the label columns {}, found \"{}\"", fmt::join(names, ", "), wanted),
            {},
            "--topics"};
    LabelColumn column;
    column.name = wanted.empty() ? "topic" : wanted;
    column.codes.assign(documents.ids.size(), -1);
    columns.push_back(std::move(column));
    return &columns.back();
}

void putFirst(const std::vector<std::string>& names, LabelColumn& column)
{
    auto categories = names;
    std::unordered_map<std::string, std::int32_t> codes;
    for (std::size_t i = 0; i < names.size(); ++i)
        codes.emplace(names[i], static_cast<std::int32_t>(i));
    std::vector<std::int32_t> newCode;
    for (auto& category : column.categories)
    {
        const auto [place, isNew] = codes.emplace(category, static_cast<std::int32_t>(categories.size()));
        if (isNew)
            categories.push_back(category);
        newCode.push_back(place->second);
    }
    for (auto& code : column.codes)
        code = code < 0 ? code : newCode[static_cast<std::size_t>(code)];
    column.categories = std::move(categories);
}

/// What people see of a label: its compatible form, each run of blanks as one, none at the ends.
std::string seenAs(const std::string& label)
{
    const std::string form = normalized(label, NormalForm::Nfkc); // makes all blanks spaces
    std::string seen;
    for (const char c : form)
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
            seen += c;
        else if (!seen.empty() && seen.back() != ' ')
            seen += ' ';
    if (seen.ends_with(' '))
        seen.pop_back();
    return seen;
}

} // namespace

Result<std::vector<TopicList>> readTopicLists(const std::filesystem::path& path)
{
    HEADSCOPE_TRY(const auto text, readTextFile(path, kMaxFileBytes));
    auto lists = parseLists(text);
    if (!lists)
        return std::move(lists).error().inFile(path.string());
    return lists;
}

std::vector<std::string> topicTexts(const std::vector<std::string>& names, const std::string& pattern)
{
    constexpr std::string_view kPlace = "{}";
    const auto at = pattern.find(kPlace);
    if (at == std::string::npos)
        return names;
    std::vector<std::string> texts;
    for (const std::string& name : names)
        texts.push_back(std::string(pattern).replace(at, kPlace.size(), name));
    return texts;
}

std::string oneTokenWarning(const std::string& column, const std::vector<std::string>& names,
                            const std::vector<std::int64_t>& tokens)
{
    constexpr std::size_t kMaxNamed = 3;
    std::vector<std::string> named;
    std::int64_t count = 0;
    for (std::size_t i = 0; i < names.size() && i < tokens.size(); ++i)
    {
        if (tokens[i] != 1)
            continue;
        ++count;
        if (named.size() < kMaxNamed)
            named.push_back(fmt::format("\"{}\"", names[i]));
    }
    if (count == 0)
        return {};
    return fmt::format(
        "{} of {} topic names of \"{}\" are a single token ({}{}). The state at the only token of a text is an "
        "attention sink: its norm is large and it is nearly the same for every word, so cosines with it show little "
        "about the topic; --topic-template \"Text about {{}}.\" puts names into a text",
        count, names.size(), column, fmt::join(named, ", "), count > std::ssize(named) ? ", ..." : "");
}

Status applyTopicLists(const std::vector<TopicList>& lists, const std::string& label,
                       const std::vector<std::string>& numbers, DocumentSet& documents)
{
    for (const auto& list : lists)
    {
        HEADSCOPE_TRY(auto* const column, columnOf(list, label, numbers, documents));
        putFirst(list.names, *column);
    }
    return {};
}

std::string alikeLabels(const LabelColumn& column)
{
    constexpr std::size_t kShown = 3;
    std::map<std::string, std::vector<std::string>> bySight;
    for (const std::string& label : column.categories)
        bySight[seenAs(label)].push_back(label);
    std::size_t groups = 0;
    std::vector<std::string> shown;
    for (const auto& [seen, labels] : bySight)
    {
        if (labels.size() < 2)
            continue;
        ++groups;
        if (shown.size() < kShown)
            shown.push_back(fmt::format("{} times \"{}\"", labels.size(), seen));
    }
    if (groups == 0)
        return {};
    return fmt::format("some labels of \"{}\" differ only in blanks or Unicode normalisation ({}{}) and are treated as "
                       "different labels; --label-map merges them",
                       column.name, fmt::join(shown, ", "), groups > kShown ? ", ..." : "");
}

} // namespace headscope::engine
