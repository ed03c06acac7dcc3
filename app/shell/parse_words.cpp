// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/parse_words.h"

#include "app/shell/option_table.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>

namespace headscope::shell
{
namespace
{

template <class T>
struct Held
{
    using Type = T;
};
template <class T>
struct Held<std::vector<T>>
{
    using Type = T;
};
template <class T>
struct Held<std::optional<T>>
{
    using Type = T;
};

template <class T>
bool readsAs(const std::string& text, T& value)
{
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc() && end == text.data() + text.size();
}

/// Decimal numbers alone, finite and within the type: no hexadecimal, no sign that wraps around, no NaN.
template <class T>
std::string numberFault(const std::string& text)
{
    T value = {};
    bool fits = readsAs(text, value);
    if constexpr (std::is_floating_point_v<T>)
        fits = fits && std::isfinite(value);
    if (fits)
        return {};
    constexpr std::string_view kWanted = std::is_floating_point_v<T> ? "a number"
                                         : std::is_unsigned_v<T>     ? "a whole number of 0 or more"
                                                                     : "a whole number";
    return fmt::format("expected {}, found \"{}\"", kWanted, text);
}

/// What is wrong with a text that stands for one of certain values; empty: nothing.
std::string choiceFault(const OptionRow& row, const std::string& text)
{
    if (!row.words.empty() && std::ranges::find(row.words, text) == row.words.end())
        return fmt::format("expected one of {}, found \"{}\"", fmt::join(row.words, ", "), text);
    std::int64_t whole = 0;
    if (row.limits && !(readsAs(text, whole) && whole >= row.limits->first && whole <= row.limits->second))
        return fmt::format("expected a whole number from {} to {}, found \"{}\"", row.limits->first, row.limits->second,
                           text);
    double number = 0;
    if (row.isPositive && !(readsAs(text, number) && number > 0))
        return fmt::format("expected a number above 0, found \"{}\"", text);
    return {};
}

/// Binds one option to its variable.
struct Binding
{
    CLI::App& app;
    const std::string names;

    CLI::Option* operator()(bool* value) const { return app.add_flag(names, *value); }
    /// An empty text is a value: CLI11's own reading of an optional takes it for none.
    CLI::Option* operator()(std::optional<std::string>* value) const
    {
        return app.add_option_function<std::string>(names, [value](const std::string& text) { *value = text; });
    }
    template <class T>
    CLI::Option* operator()(T* value) const
    {
        CLI::Option* option = app.add_option(names, *value);
        if constexpr (std::is_arithmetic_v<typename Held<T>::Type>)
            option->check(CLI::Validator(numberFault<typename Held<T>::Type>, ""));
        return option;
    }
};

void add(CLI::App& app, const OptionRow& row)
{
    CLI::Option* option = std::visit(Binding{app, fmt::format("{}", fmt::join(row.names, ","))}, row.target);
    if (row.isRequired)
        option->required();
    if (!row.isFlag())
        option->check(CLI::Validator([&row](const std::string& text) { return choiceFault(row, text); }, ""));
    if (row.separator != 0)
        option->delimiter(row.separator);
    if (!row.isFlag())
        option->type_name(row.shownValue());
}

} // namespace

Result<Reading> parseWords(const OptionTable& table, std::span<const std::string> words)
{
    CLI::App app;
    for (const OptionRow& row : table.rows())
        add(app, row);
    try
    {
        std::vector<std::string> reversed(words.rbegin(), words.rend()); // as CLI11 wants them
        app.parse(std::move(reversed));
        return Reading::Done;
    }
    catch (const CLI::CallForHelp&)
    {
        return Reading::Help;
    }
    catch (const CLI::ParseError& error)
    {
        return Error{ErrorCode::WrongUse, error.what(), {}, {}};
    }
}

} // namespace headscope::shell
