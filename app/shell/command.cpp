// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/command.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>
#include <utility>

namespace headscope::shell
{
namespace
{

CLI::Option& of(void* option)
{
    return *static_cast<CLI::Option*>(option);
}

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

} // namespace

struct Command::Parser
{
    Parser(std::string summary, std::string name) : app(std::move(summary), std::move(name)) {}

    template <class T>
    Option add(const std::string& names, T& value, const std::string& help)
    {
        CLI::Option* option = app.add_option(names, value, help);
        if constexpr (std::is_arithmetic_v<typename Held<T>::Type>)
            option->check(CLI::Validator(numberFault<typename Held<T>::Type>, ""));
        return Option(option);
    }

    CLI::App app;
};

Option Option::required()
{
    of(m_option).required();
    return *this;
}

Option Option::oneOf(std::vector<std::string> words)
{
    std::string shown = fmt::format("{{{}}}", fmt::join(words, ",")); // in the help
    of(m_option).check(CLI::Validator(
        [words = std::move(words)](const std::string& text) {
            return std::ranges::find(words, text) != words.end()
                       ? std::string()
                       : fmt::format("expected one of {}, found \"{}\"", fmt::join(words, ", "), text);
        },
        std::move(shown)));
    return *this;
}

Option Option::within(std::int64_t least, std::int64_t most)
{
    of(m_option).check(CLI::Validator(
        [least, most](const std::string& text) {
            std::int64_t value = 0;
            return readsAs(text, value) && value >= least && value <= most
                       ? std::string()
                       : fmt::format("expected a whole number from {} to {}, found \"{}\"", least, most, text);
        },
        fmt::format("INT in [{} - {}]", least, most)));
    return *this;
}

Option Option::positive()
{
    of(m_option).check(CLI::Validator(
        [](const std::string& text) {
            double value = 0;
            return readsAs(text, value) && value > 0 ? std::string()
                                                     : fmt::format("expected a number above 0, found \"{}\"", text);
        },
        "POSITIVE"));
    return *this;
}

Option Option::separatedBy(char separator)
{
    of(m_option).delimiter(separator);
    return *this;
}

Option Option::valueName(const std::string& name)
{
    of(m_option).type_name(name);
    return *this;
}

Option Option::helpText(const std::string& text)
{
    of(m_option).option_text(text);
    return *this;
}

Option Option::hidden()
{
    of(m_option).group("");
    return *this;
}

Command::Command(std::string summary, std::string name)
    : m_parser(std::make_unique<Parser>(std::move(summary), std::move(name)))
{}

Command::~Command() = default;

Option Command::option(const std::string& names, std::string& value, const std::string& help)
{
    return m_parser->add(names, value, help);
}

Option Command::option(const std::string& names, int& value, const std::string& help)
{
    return m_parser->add(names, value, help);
}

Option Command::option(const std::string& names, std::int64_t& value, const std::string& help)
{
    return m_parser->add(names, value, help);
}

Option Command::option(const std::string& names, std::uint64_t& value, const std::string& help)
{
    return m_parser->add(names, value, help);
}

Option Command::option(const std::string& names, double& value, const std::string& help)
{
    return m_parser->add(names, value, help);
}

Option Command::option(const std::string& names, std::optional<std::int64_t>& value, const std::string& help)
{
    return m_parser->add(names, value, help);
}

Option Command::option(const std::string& names, std::optional<double>& value, const std::string& help)
{
    return m_parser->add(names, value, help);
}

Option Command::option(const std::string& names, std::vector<std::string>& value, const std::string& help)
{
    return m_parser->add(names, value, help);
}

Option Command::option(const std::string& names, std::vector<std::int64_t>& value, const std::string& help)
{
    return m_parser->add(names, value, help);
}

Option Command::option(const std::string& names, std::vector<double>& value, const std::string& help)
{
    return m_parser->add(names, value, help);
}

Option Command::flag(const std::string& names, bool& value, const std::string& help)
{
    return Option(m_parser->app.add_flag(names, value, help));
}

void Command::footer(const std::string& text)
{
    m_parser->app.footer(text);
}

Result<Reading> Command::parse(std::span<const std::string> words)
{
    try
    {
        std::vector<std::string> reversed(words.rbegin(), words.rend()); // as CLI11 wants them
        m_parser->app.parse(std::move(reversed));
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

bool Command::given(const std::string& option) const
{
    return m_parser->app.count(option) > 0;
}

std::string Command::help() const
{
    return m_parser->app.help();
}

} // namespace headscope::shell
