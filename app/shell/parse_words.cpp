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

/// What is wrong with a text that stands for a number: decimal alone, finite, within the type and the limits of the
/// option; no hexadecimal, no sign that wraps around, no NaN. Empty: nothing.
template <class T>
std::string numberFault(const OptionRow& row, const std::string& text)
{
    T value = {};
    bool fits = readsAs(text, value);
    if constexpr (std::is_floating_point_v<T>)
        fits = fits && std::isfinite(value);
    if constexpr (std::is_signed_v<T> && std::is_integral_v<T>)
        fits = fits && (!row.limits || (value >= row.limits->first && value <= row.limits->second));
    if (fits && (!row.realLimits || row.realLimits->holds(static_cast<double>(value))))
        return {};
    const std::string range = row.rangeText();
    return fmt::format("expected {}{}{}, found \"{}\"", std::is_floating_point_v<T> ? "a number" : "a whole number",
                       range.empty() ? "" : " ", range, text);
}

/// What is wrong with a text that stands for one of certain words, or has a grammar; empty: nothing.
std::string textFault(const OptionRow& row, const std::string& text)
{
    if (row.fault != nullptr)
        return row.fault(text);
    if (row.words.empty() || std::ranges::find(row.words, text) != row.words.end())
        return {};
    return fmt::format("expected one of {}, found \"{}\"", fmt::join(row.words, ", "), text);
}

/// Binds one option to its variable.
struct Binding
{
    CLI::App& app;
    const OptionRow& row;
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
        using Number = typename Held<T>::Type;
        CLI::Option* option = app.add_option(names, *value);
        if constexpr (std::is_arithmetic_v<Number>)
            option->check(
                CLI::Validator([&row = row](const std::string& text) { return numberFault<Number>(row, text); }, ""));
        return option;
    }
};

void add(CLI::App& app, const OptionRow& row)
{
    CLI::Option* option = std::visit(Binding{app, row, fmt::format("{}", fmt::join(row.names, ","))}, row.target);
    if (row.isRequired)
        option->required();
    if (!row.isFlag())
        option->check(CLI::Validator([&row](const std::string& text) { return textFault(row, text); }, ""));
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
        std::string sentence = error.what();
        std::ranges::replace(sentence, '\n', ' ');
        return Error{ErrorCode::WrongUse, std::move(sentence), {}, {}};
    }
}

} // namespace headscope::shell
