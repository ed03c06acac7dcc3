// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/option_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::shell
{
namespace
{

template <class T>
std::string wordOf(const T& value)
{
    return fmt::format("{}", value);
}

template <class T>
std::vector<std::string> wordsOf(const T& value)
{
    return {wordOf(value)};
}

std::vector<std::string> wordsOf(bool)
{
    return {};
}

template <class T>
std::vector<std::string> wordsOf(const std::optional<T>& value)
{
    return value ? wordsOf(*value) : std::vector<std::string>();
}

template <class T>
std::vector<std::string> wordsOf(const std::vector<T>& values)
{
    std::vector<std::string> words;
    for (const T& value : values)
        words.push_back(wordOf(value));
    return words;
}

std::vector<std::string> namesFrom(std::string_view text)
{
    std::vector<std::string> names;
    for (bool more = true; more;)
    {
        const auto comma = text.find(',');
        more = comma != std::string_view::npos;
        names.emplace_back(text.substr(0, comma));
        text.remove_prefix(more ? comma + 1 : text.size());
    }
    return names;
}

/// What a value is called by its type alone.
struct TypeName
{
    std::string operator()(const bool*) const { return {}; }
    std::string operator()(const int*) const { return "N"; }
    std::string operator()(const std::int64_t*) const { return "N"; }
    std::string operator()(const std::uint64_t*) const { return "N"; }
    std::string operator()(const double*) const { return "X"; }
    std::string operator()(const std::string*) const { return "TEXT"; }
    template <class T>
    std::string operator()(const std::optional<T>*) const
    {
        return (*this)(static_cast<const T*>(nullptr));
    }
    template <class T>
    std::string operator()(const std::vector<T>*) const
    {
        return (*this)(static_cast<const T*>(nullptr));
    }
};

struct TakesSeveral
{
    template <class T>
    bool operator()(const T*) const
    {
        return false;
    }
    template <class T>
    bool operator()(const std::vector<T>*) const
    {
        return true;
    }
};

/// 1000000000 rather than 1e+09.
std::string plainNumber(double number)
{
    constexpr double kWholeBelow = 1e15;
    return number == std::trunc(number) && std::abs(number) < kWholeBelow
               ? fmt::format("{}", static_cast<std::int64_t>(number))
               : fmt::format("{}", number);
}

} // namespace

bool NumberLimits::holds(double number) const
{
    return (isLeastOut ? number > least : number >= least) && (isMostOut ? number < most : number <= most);
}

OptionRow& OptionRow::required()
{
    isRequired = true;
    return *this;
}

OptionRow& OptionRow::oneOf(std::vector<std::string> choices)
{
    words = std::move(choices);
    return *this;
}

OptionRow& OptionRow::within(std::int64_t least, std::int64_t most)
{
    limits = std::pair(least, most);
    return *this;
}

OptionRow& OptionRow::within(NumberLimits numbers)
{
    realLimits = numbers;
    return *this;
}

OptionRow& OptionRow::checkedBy(std::string (*check)(const std::string& text), std::string taken)
{
    fault = check;
    example = std::move(taken);
    return *this;
}

OptionRow& OptionRow::separatedBy(char character)
{
    separator = character;
    usual = fmt::format("{}", fmt::join(valueWords(target), std::string(1, character)));
    return *this;
}

OptionRow& OptionRow::valueName(std::string name)
{
    value = std::move(name);
    return *this;
}

OptionRow& OptionRow::defaultMeans(std::string meaning)
{
    usual = std::move(meaning);
    return *this;
}

OptionRow& OptionRow::hidden()
{
    isHidden = true;
    return *this;
}

bool OptionRow::takesSeveral() const
{
    return std::visit(TakesSeveral(), target);
}

std::string OptionRow::shownValue() const
{
    if (!value.empty())
        return value;
    if (!words.empty())
        return fmt::format("{}", fmt::join(words, "|"));
    const std::string type = std::visit(TypeName(), target);
    return separator == 0 ? type : fmt::format("{}{}...", type, separator);
}

std::string OptionRow::shownOption() const
{
    const std::string several = takesSeveral() && separator == 0 ? "..." : "";
    if (isPositional())
        return (value.empty() ? names.front() : value) + several;
    const std::string all = fmt::format("{}", fmt::join(names, ","));
    return isFlag() ? all : fmt::format("{} {}{}", all, shownValue(), several);
}

std::string OptionRow::rangeText() const
{
    if (limits)
        return fmt::format("from {} to {}", limits->first, limits->second);
    if (realLimits)
        return fmt::format("{} {} to {}{}", realLimits->isLeastOut ? "above" : "from", plainNumber(realLimits->least),
                           realLimits->isMostOut ? "below " : "", plainNumber(realLimits->most));
    if (std::holds_alternative<std::uint64_t*>(target))
        return fmt::format("from 0 to {}", std::numeric_limits<std::uint64_t>::max());
    return {};
}

std::string OptionRow::help() const
{
    const std::string range = rangeText();
    const std::string said = about + (about.empty() || range.empty() ? "" : ", ") + range;
    if (usual.empty() || isRequired)
        return said;
    return fmt::format("{}{}(default: {})", said, said.empty() ? "" : " ", usual);
}

OptionRow& OptionTable::flag(std::string_view names, bool& value, std::string about)
{
    return add(names, &value, std::move(about));
}

OptionRow* OptionTable::find(std::string_view name)
{
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [name](const OptionRow& row) {
        return std::find(row.names.begin(), row.names.end(), name) != row.names.end();
    });
    return found == m_rows.end() ? nullptr : &*found;
}

OptionRow& OptionTable::add(std::string_view names, OptionTarget target, std::string about)
{
    OptionRow row;
    row.names = namesFrom(names);
    row.target = target;
    row.about = std::move(about);
    row.usual = fmt::format("{}", fmt::join(valueWords(target), " "));
    return m_rows.emplace_back(std::move(row));
}

std::vector<std::string> valueWords(const OptionTarget& target)
{
    return std::visit([](const auto* value) { return wordsOf(*value); }, target);
}

} // namespace headscope::shell
