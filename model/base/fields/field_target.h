// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace headscope
{

/// One value of an enumeration.
struct FieldWord
{
    std::string_view word;   ///< in commands and files
    std::string_view label;  ///< in forms
    std::string_view kept{}; ///< in settings, where they have another word for it; empty: `word`

    [[nodiscard]] std::string_view inSettings() const { return kept.empty() ? word : kept; }
};

/// An enumeration as the number of a word. With `other` the last word is not typed: any other text stands for it
/// (the file that positions are read from).
struct FieldChoice
{
    void* target = nullptr;
    int (*read)(const void* target) = nullptr;
    void (*write)(void* target, int word) = nullptr;
    std::span<const FieldWord> words{};
    std::string* other = nullptr;

    [[nodiscard]] int index() const { return read(target); }
    /// Of a number that is that of no word: an empty one, which no reader takes.
    [[nodiscard]] const FieldWord& word() const;
    /// Whether another text stands for the value that it has.
    [[nodiscard]] bool isOther() const { return other != nullptr && index() + 1 == static_cast<int>(words.size()); }
    /// The words that are typed.
    [[nodiscard]] std::vector<std::string> typedWords() const;
    /// Takes a word, or another text where such is taken.
    /// @return false: neither, and nothing is changed
    bool set(std::string_view text) const;
};

/// The variable that a field is.
using FieldTarget =
    std::variant<bool*, std::string*, int*, std::int64_t*, std::uint64_t*, double*, std::optional<std::string>*,
                 std::optional<std::int64_t>*, std::optional<double>*, std::vector<std::string>*,
                 std::vector<std::int64_t>*, std::vector<double>*, FieldChoice>;

template <class T>
struct FieldValueOf
{
    using Type = T;
};
template <class T>
struct FieldValueOf<std::optional<T>>
{
    using Type = T;
};
template <class T>
struct FieldValueOf<std::vector<T>>
{
    using Type = T;
};
/// The type of one value of a variable: of an optional and of a list what they hold.
template <class T>
using FieldValue = typename FieldValueOf<T>::Type;

/// A value as results say it; an unsigned one is a number that no signed one holds (seeds).
using FieldRecord = std::variant<std::string, std::int64_t, std::uint64_t, double>;
/// A whole number as results say it.
[[nodiscard]] FieldRecord wholeRecord(std::uint64_t number);

/// A range of numbers.
struct NumberRange
{
    double least;
    double most;
    bool isLeastOut = false; ///< numbers above `least` are in it, not itself
    bool isMostOut = false;

    [[nodiscard]] bool holds(double number) const;
    /// Whether every number of the other one is in it.
    [[nodiscard]] bool holds(const NumberRange& other) const;
    /// "from 1 to 4096", "above 0 to below 1"
    [[nodiscard]] std::string text() const;
};

/// As many of something as anybody can mean: limit of counts that only data bound.
inline constexpr std::int64_t kMaxCount = 1'000'000'000;

/// The value of a variable as typed words: one, none where it is unset, several for a list. Numbers are the shortest
/// that are read back as the same.
[[nodiscard]] std::vector<std::string> valueWords(const FieldTarget& target);
/// What a value is called by its type alone ("N"); a flag has none.
[[nodiscard]] std::string typeName(const FieldTarget& target);

} // namespace headscope
