// SPDX-License-Identifier: GPL-3.0-or-later
// NUMBERS.md quotes what the descriptions of tables and measures say of each number.
#include "app/results/all_frames.h"
#include "model/data/results/head_measures.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

using namespace headscope;

namespace
{

/// A heading of the list, and the lines of the numbers under it.
using Group = std::pair<std::string, std::vector<std::string>>;

constexpr std::string_view kSection = "## Every number of the results";

std::string lineOf(std::string_view title, std::string_view key, std::string_view unit, const std::string& sentences)
{
    return fmt::format("- **{}** (`{}`{}{}): {}", title, key, unit.empty() ? "" : ", ", unit, sentences);
}

std::string sentencesOf(const ColumnInfo& info)
{
    return info.caution.empty() ? fmt::format("{}.", info.definition)
                                : fmt::format("{}. *{}.*", info.definition, info.caution);
}

/// As the program says it; tables that share their columns have one list.
std::vector<Group> saidGroups()
{
    std::vector<Group> groups;
    std::vector<const ColumnInfo*> lists;
    for (const FrameInfo* about : allFrames())
    {
        const auto same = std::ranges::find(lists, about->columns.data());
        if (same != lists.end())
        {
            groups[static_cast<std::size_t>(same - lists.begin())].first += fmt::format(", `{}`", about->key);
            continue;
        }
        lists.push_back(about->columns.data());
        Group& group = groups.emplace_back(fmt::format("### `{}`", about->key), std::vector<std::string>());
        for (const ColumnInfo& info : about->columns)
            group.second.push_back(lineOf(info.title, info.key, info.unit, sentencesOf(info)));
    }
    Group& measures = groups.emplace_back("### Measures of heads", std::vector<std::string>());
    for (const HeadMeasureInfo& info : headMeasureList())
        measures.second.push_back(
            lineOf(info.title, info.key, info.unit, measureOf(info.key, Stage::HeadOutput, 1, 1).definition));
    return groups;
}

std::vector<Group> quotedGroups()
{
    std::ifstream file(test::source("NUMBERS.md"));
    std::vector<Group> groups;
    bool isInside = false;
    for (std::string line; std::getline(file, line);)
    {
        if (line.starts_with("## "))
            isInside = line == kSection;
        else if (isInside && line.starts_with("### "))
            groups.emplace_back(line, std::vector<std::string>());
        else if (isInside && line.starts_with("- ") && !groups.empty())
            groups.back().second.push_back(line);
        else if (isInside && line.starts_with("  ") && !groups.empty() && !groups.back().second.empty())
            groups.back().second.back() += line.substr(1); // it goes on
    }
    return groups;
}

std::vector<std::string> headingsOf(const std::vector<Group>& groups)
{
    std::vector<std::string> headings;
    for (const auto& [heading, lines] : groups)
        headings.push_back(heading);
    return headings;
}

} // namespace

class TestNumbers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyTableIsQuoted() { QCOMPARE(headingsOf(quotedGroups()), headingsOf(saidGroups())); }
    void everyNumberIsQuoted_data();
    void everyNumberIsQuoted();
};

void TestNumbers::everyNumberIsQuoted_data()
{
    QTest::addColumn<std::size_t>("at");
    std::size_t at = 0;
    for (const Group& group : saidGroups())
        QTest::newRow(group.first.c_str()) << at++;
}

void TestNumbers::everyNumberIsQuoted()
{
    QFETCH(const std::size_t, at);
    const Group said = saidGroups()[at];
    const std::vector<Group> all = quotedGroups();
    const auto quoted = std::ranges::find(all, said.first, &Group::first);
    QVERIFY2(quoted != all.end(), said.first.c_str());
    for (const std::string& line : said.second)
        QVERIFY2(std::ranges::find(quoted->second, line) != quoted->second.end(),
                 ("NUMBERS.md lacks: " + line).c_str());
    for (const std::string& line : quoted->second)
        QVERIFY2(std::ranges::find(said.second, line) != said.second.end(), ("no table has: " + line).c_str());
    QCOMPARE(quoted->second, said.second);
}

HEADSCOPE_TEST(TestNumbers)
#include "tst_numbers.moc"
