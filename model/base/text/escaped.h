// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace headscope
{

/// A text of ours: a literal of the source. What is known only when the program runs is none, and does not compile.
class Literal
{
public:
    template <std::size_t N>
    consteval Literal(const char (&text)[N]) : m_text(text, N - 1) // NOLINT(*-explicit-*): stands where texts do
    {}
    [[nodiscard]] constexpr std::string_view text() const { return m_text; }

private:
    std::string_view m_text;
};

template <class Language>
class Escaped;

namespace pieces
{

/// How a piece is handed to fmt.
inline std::string_view shown(Literal text)
{
    return text.text();
}

template <class Language>
std::string_view shown(const Escaped<Language>& text)
{
    return text.bytes();
}

template <class Number>
requires std::is_arithmetic_v<Number> Number shown(Number number)
{
    return number;
}

/// What stands in a text of a language as it is. A character is none: nothing says where it is from.
template <class T, class Language>
concept Piece = std::same_as<T, Escaped<Language>> || std::same_as<T, Literal> ||
    (std::is_arithmetic_v<T> && !std::same_as<T, char> && !std::same_as<T, bool>);

template <class T>
using Shown = decltype(shown(std::declval<const T&>()));

} // namespace pieces

/// Text of an output language (CSV, LaTeX, HTML, ...), in which texts of any origin are nothing but text. It is made of
/// literals of ours, of numbers, and of what the language's own functions have escaped: a name that did not go through
/// them does not compile. That is why nothing else makes files of that language.
/// @tparam Language  befriends the functions that escape, and hands them `taken`
template <class Language>
class Escaped
{
public:
    Escaped() = default;
    Escaped(Literal text) : m_bytes(text.text()) {} // NOLINT(*-explicit-*): a literal is text of every language

    [[nodiscard]] const std::string& bytes() const& { return m_bytes; }
    [[nodiscard]] std::string bytes() && { return std::move(m_bytes); }
    [[nodiscard]] bool empty() const { return m_bytes.empty(); }

    Escaped& operator+=(const Escaped& other)
    {
        m_bytes += other.m_bytes;
        return *this;
    }
    Escaped& operator+=(Literal text)
    {
        m_bytes += text.text();
        return *this;
    }
    friend Escaped operator+(Escaped a, const Escaped& b) { return std::move(a += b); }
    friend Escaped operator+(Escaped a, Literal b) { return std::move(a += b); }
    friend Escaped operator+(Literal a, const Escaped& b) { return Escaped(a) + b; }
    friend bool operator==(const Escaped&, const Escaped&) = default;

    /// As fmt::format; what is put in is of the same language, a literal, or a number.
    template <pieces::Piece<Language>... Args>
    [[nodiscard]] static Escaped format(fmt::format_string<pieces::Shown<Args>...> text, const Args&... args)
    {
        Escaped made;
        made.append(text, args...);
        return made;
    }
    /// The same behind this text.
    template <pieces::Piece<Language>... Args>
    void append(fmt::format_string<pieces::Shown<Args>...> text, const Args&... args)
    {
        const auto add = [&](const auto&... shown) {
            m_bytes += fmt::vformat(text, fmt::make_format_args(shown...)); // it may be put in itself
        };
        add(pieces::shown(args)...);
    }

private:
    friend Language;
    static Escaped taken(std::string bytes)
    {
        Escaped text;
        text.m_bytes = std::move(bytes);
        return text;
    }

    std::string m_bytes;
};

} // namespace headscope
