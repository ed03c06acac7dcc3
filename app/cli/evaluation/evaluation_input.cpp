// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/evaluation/evaluation_input.h"

#include "model/base/file.h"
#include "model/base/text/split_text.h"
#include "model/data/documents/id_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace headscope::cli
{
namespace
{

/// A document that is judged and not there: no ranking has it.
constexpr std::int64_t kAbsent = -2;

constexpr std::string_view kBlanks = " \t\r";

template <class T>
std::optional<T> numberIn(std::string_view text)
{
    T number{};
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

/// Fields with any blanks between them.
std::vector<std::string> blankFields(std::string_view line)
{
    std::vector<std::string> fields;
    for (std::size_t begin = 0; (begin = line.find_first_not_of(kBlanks, begin)) != std::string_view::npos;)
    {
        const std::size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
        fields.emplace_back(line.substr(begin, end - begin));
        begin = end;
    }
    return fields;
}

/// Fields with a separator between them, without blanks around.
std::vector<std::string> separatedFields(std::string_view line, char separator)
{
    std::vector<std::string> fields = splitText(line, separator);
    for (std::string& field : fields)
        field = std::string(trimmed(field, kBlanks));
    return fields;
}

Error badLine(const std::filesystem::path& path, std::int64_t line, std::string message)
{
    return {ErrorCode::BadFormat, std::move(message), path.string(), fmt::format("line {}", line)};
}

/// Hands out the lines of a file that are not empty.
Status eachLine(const std::filesystem::path& path,
                const std::function<Status(std::string_view line, std::int64_t number)>& take)
{
    HEADSCOPE_TRY(const std::string text, readTextFile(path));
    std::string_view rest = text;
    if (rest.starts_with("\xEF\xBB\xBF"))
        rest.remove_prefix(3);
    for (std::int64_t number = 1; !rest.empty(); ++number)
    {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        if (const std::string_view line = trimmed(rest.substr(0, end), kBlanks); !line.empty())
            HEADSCOPE_CHECK(take(line, number));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
}

/// What was judged, by query and document.
using Grades = std::map<std::string, std::map<std::string, std::int32_t>>;

Result<Grades> readGrades(const std::filesystem::path& path)
{
    Grades grades;
    bool isFirst = true;
    HEADSCOPE_CHECK(eachLine(path, [&](std::string_view line, std::int64_t number) -> Status {
        // Ids of BEIR may have blanks; those of TREC have none.
        std::vector<std::string> fields = separatedFields(line, '\t');
        if (fields.size() != 3)
            fields = blankFields(line);
        const bool mayBeHeader = std::exchange(isFirst, false) && fields.size() == 3;
        if (fields.size() == 4)
            fields.erase(fields.begin() + 1);
        const auto grade = fields.size() == 3 ? numberIn<std::int32_t>(fields[2]) : std::nullopt;
        if (!grade && mayBeHeader)
            return {};
        if (!grade)
            return badLine(path, number,
                           fmt::format("expected \"query 0 document grade\" (TREC) or \"query document grade\" with "
                                       "tabs (BEIR), where the grade is an integer, found \"{}\"",
                                       line.substr(0, 80)));
        grades[fields[0]][fields[1]] = *grade;
        return {};
    }));
    return grades;
}

/// What was judged for a query.
/// @param itself  the document that it is, which cannot be found; empty: none
std::vector<Judgement> judgementsOf(const Grades::mapped_type& grades, const IdRows& rows, const std::string& itself)
{
    std::vector<Judgement> judged;
    for (const auto& [id, grade] : grades)
        if (const std::int64_t row = rows.row(id); id != itself)
            judged.push_back({row < 0 ? kAbsent : row, grade});
    return judged;
}

/// @param left  pairs that can be measured
Status checkPairs(std::int64_t left, std::int64_t without, const std::filesystem::path& path)
{
    if (left >= 2)
        return {};
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("expected at least two pairs of documents in the cache, found {}; {} pairs name documents "
                             "that are not measured",
                             left, without),
                 path.string(),
                 {}};
}

} // namespace

Result<std::vector<std::int64_t>> JudgedQueries::leaveOut(const std::vector<bool>& documents,
                                                          const std::vector<bool>& queries,
                                                          const std::filesystem::path& path)
{
    std::vector<std::int64_t> left;
    for (std::size_t query = 0; query < queries.size(); ++query)
    {
        std::vector<Judgement>& judged = task.judged[query];
        if (!queries[query])
            continue;
        leftOutJudgements += static_cast<std::int64_t>(std::erase_if(judged, [&documents](const Judgement& each) {
            return each.document >= 0 && !documents[static_cast<std::size_t>(each.document)];
        }));
        if (std::ranges::any_of(judged, [](const Judgement& each) { return each.grade > 0; }))
            left.push_back(static_cast<std::int64_t>(query));
        else
            ++withoutRelevant;
    }
    if (left.empty())
        return Error{ErrorCode::InvalidArgument,
                     "no query with a direction has a relevant document with a direction",
                     path.string(),
                     {}};
    for (std::size_t at = 0; at < left.size(); ++at)
    {
        const auto from = static_cast<std::size_t>(left[at]);
        asking[at] = asking[from];
        task.own[at] = task.own[from];
        if (from != at)
            task.judged[at] = std::move(task.judged[from]);
    }
    asking.resize(left.size());
    task.own.resize(left.size());
    task.judged.resize(left.size());
    return left;
}

Status ReadPairs::leaveOut(const std::vector<bool>& documents, const std::filesystem::path& path)
{
    std::size_t left = 0;
    for (std::size_t pair = 0; pair < task.gold.size(); ++pair)
    {
        if (!documents[static_cast<std::size_t>(task.first[pair])] ||
            !documents[static_cast<std::size_t>(task.second[pair])])
            continue;
        task.first[left] = task.first[pair];
        task.second[left] = task.second[pair];
        task.gold[left++] = task.gold[pair];
    }
    leftOut = std::ssize(task.gold) - static_cast<std::int64_t>(left);
    task.first.resize(left);
    task.second.resize(left);
    task.gold.resize(left);
    return checkPairs(static_cast<std::int64_t>(left), unknown + leftOut, path);
}

Result<JudgedQueries> readQrels(const std::filesystem::path& path, std::span<const std::string> queries,
                                std::span<const std::string> documents, bool same)
{
    HEADSCOPE_TRY(const Grades grades, readGrades(path));
    const IdRows rows(documents);
    JudgedQueries judged;
    std::size_t known = 0;
    for (std::size_t query = 0; query < queries.size(); ++query)
    {
        const auto found = queries[query].empty() ? grades.end() : grades.find(queries[query]);
        std::vector<Judgement> own;
        if (found != grades.end())
        {
            ++known;
            own = judgementsOf(found->second, rows, same ? queries[query] : std::string());
        }
        if (std::ranges::none_of(own, [](const Judgement& each) { return each.grade > 0; }))
        {
            judged.unjudged += queries[query].empty() ? 0 : 1;
            continue;
        }
        judged.unknownDocuments += std::ranges::count(own, kAbsent, &Judgement::document);
        judged.asking.push_back(static_cast<std::int64_t>(query));
        judged.task.judged.push_back(std::move(own));
        judged.task.own.push_back(same ? static_cast<std::int64_t>(query) : -1);
    }
    judged.unknownQueries = std::ssize(grades) - static_cast<std::int64_t>(known);
    if (judged.asking.empty())
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("no relevant documents for these queries; the file has judgements for {} queries",
                                 grades.size()),
                     path.string(),
                     {}};
    return judged;
}

Result<ReadPairs> readPairs(const std::filesystem::path& path, std::span<const std::string> documents)
{
    const IdRows rows(documents);
    ReadPairs read;
    bool isFirst = true;
    HEADSCOPE_CHECK(eachLine(path, [&](std::string_view line, std::int64_t number) -> Status {
        const bool hasTabs = line.find('\t') != std::string_view::npos;
        const std::vector<std::string> fields = separatedFields(line, hasTabs ? '\t' : ',');
        const bool mayBeHeader = std::exchange(isFirst, false);
        const auto value = fields.size() == 3 ? numberIn<double>(fields[2]) : std::nullopt;
        if (fields.size() == 3 && !value && mayBeHeader)
            return {};
        if (!value || !std::isfinite(*value))
            return badLine(path, number,
                           fmt::format("expected two document ids and a number, separated by tabs or commas, found "
                                       "\"{}\"",
                                       line.substr(0, 80)));
        const std::int64_t first = rows.row(fields[0]);
        const std::int64_t second = rows.row(fields[1]);
        if (first < 0 || second < 0)
        {
            ++read.unknown;
            return {};
        }
        read.task.first.push_back(first);
        read.task.second.push_back(second);
        read.task.gold.push_back(*value);
        return {};
    }));
    HEADSCOPE_CHECK(checkPairs(std::ssize(read.task.gold), read.unknown, path));
    return read;
}

} // namespace headscope::cli
