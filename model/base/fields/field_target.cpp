// SPDX-License-Identifier: GPL-3.0-or-later
// Values of fields as texts and as numbers, and back.
#include "model/base/fields/field_target.h"

#include "model/base/fields/fields.h"
#include "model/base/text/split_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <limits>

namespace headscope
{
namespace
{

std::vector<std::string> wordsOf(bool)
{
    return {};
}

template <class T>
std::vector<std::string> wordsOf(const T& value)
{
    return {fmt::format("{}", value)};
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
        words.push_back(fmt::format("{}", value));
    return words;
}

struct WordsOf
{
    template <class T>
    std::vector<std::string> operator()(const T* value) const
    {
        return wordsOf(*value);
    }
    std::vector<std::string> operator()(const FieldChoice& choice) const
    {
        return {choice.isOther() ? *choice.other : std::string(choice.word().word)};
    }
};

/// The whole numbers that doubles hold exactly, and more than anything is counted to.
constexpr double kMaxWhole = 1e15;

/// 1000000000 rather than 1e+09.
std::string plainNumber(double number)
{
    return number == std::trunc(number) && std::abs(number) < kMaxWhole
               ? fmt::format("{}", static_cast<std::int64_t>(number))
               : fmt::format("{}", number);
}

template <class T>
bool readsAs(const std::string& text, T& value)
{
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc() && end == text.data() + text.size();
}

/// What is wrong with a text that stands for one value.
struct FaultOf
{
    const Field& field;
    const std::string& text;

    std::string operator()(const FieldChoice&) const { return ofText(); }
    template <class T>
    std::string operator()(const T*) const
    {
        using Value = FieldValue<T>;
        if constexpr (std::is_same_v<Value, bool>)
            return {};
        else if constexpr (std::is_arithmetic_v<Value>)
            return ofNumber<Value>();
        else
            return ofText();
    }
    template <class Value>
    [[nodiscard]] std::string ofNumber() const
    {
        Value value = {};
        bool fits = readsAs(text, value);
        if (fits && field.isNaNTaken && value != value)
            return {};
        if constexpr (std::is_floating_point_v<Value>)
            fits = fits && std::isfinite(value);
        if (fits && (!field.limits || field.limits->holds(static_cast<double>(value))))
            return {};
        const std::string range = field.rangeText();
        return fmt::format("expected {}{}{}, found \"{}\"",
                           std::is_floating_point_v<Value> ? "a number" : "an integer", range.empty() ? "" : " ",
                           range, text);
    }
    [[nodiscard]] std::string ofText() const
    {
        if (field.fault != nullptr)
            return field.fault(text);
        if (field.words.empty() || std::ranges::find(field.words, text) != field.words.end())
            return {};
        return fmt::format("expected one of {}, found \"{}\"", fmt::join(field.words, ", "), text);
    }
};

/// Takes texts without a fault.
struct Take
{
    const std::vector<std::string>& texts;

    void operator()(bool* value) const { *value = texts.front() == "1" || texts.front() == "true"; }
    void operator()(const FieldChoice& choice) const { choice.set(texts.front()); }
    template <class T>
    void operator()(T* value) const
    {
        take(texts.front(), *value);
    }
    template <class T>
    void operator()(std::vector<T>* values) const
    {
        values->clear();
        for (const std::string& text : texts)
            take(text, values->emplace_back());
    }
    static void take(const std::string& text, std::string& value) { value = text; }
    template <class T>
    static void take(const std::string& text, T& value)
    {
        readsAs(text, value);
    }
    template <class T>
    static void take(const std::string& text, std::optional<T>& value)
    {
        take(text, value.emplace());
    }
};

struct TypeName
{
    std::string operator()(const FieldChoice&) const { return "TEXT"; }
    template <class T>
    std::string operator()(const T*) const
    {
        using Value = FieldValue<T>;
        if constexpr (std::is_same_v<Value, bool>)
            return {};
        else if constexpr (std::is_arithmetic_v<Value>)
            return std::is_floating_point_v<Value> ? "X" : "N";
        else
            return "TEXT";
    }
};

struct TakesSeveral
{
    bool operator()(const FieldChoice&) const { return false; }
    template <class T>
    bool operator()(const T*) const
    {
        return std::is_same_v<T, std::vector<FieldValue<T>>>;
    }
};

struct IsEmpty
{
    bool operator()(const FieldChoice& choice) const { return choice.index() == 0; }
    template <class T>
    bool operator()(const T* value) const
    {
        return *value == T();
    }
};

struct NumberOf
{
    double operator()(const FieldChoice& choice) const { return choice.index(); }
    template <class T>
    double operator()(const T* value) const
    {
        if constexpr (std::is_arithmetic_v<T>)
            return static_cast<double>(*value);
        else
            return std::numeric_limits<double>::quiet_NaN();
    }
    template <class T>
    double operator()(const std::optional<T>* value) const
    {
        return value->has_value() ? (*this)(&**value) : std::numeric_limits<double>::quiet_NaN();
    }
};

struct TakeNumber
{
    double number;

    [[nodiscard]] bool isWholeWithin(double least, double most) const
    {
        return number >= least && number <= most && number == std::floor(number);
    }
    bool operator()(const FieldChoice& choice) const
    {
        const bool fits = isWholeWithin(0, static_cast<double>(choice.words.size()) - 1);
        if (fits)
            choice.write(choice.target, static_cast<int>(number));
        return fits;
    }
    bool operator()(bool* value) const
    {
        *value = number == 1;
        return isWholeWithin(0, 1);
    }
    bool operator()(double* value) const
    {
        *value = number;
        return true;
    }
    template <std::integral T>
    bool operator()(T* value) const
    {
        const bool fits = isWholeWithin(std::max(-kMaxWhole, static_cast<double>(std::numeric_limits<T>::min())),
                                        std::min(kMaxWhole, static_cast<double>(std::numeric_limits<T>::max())));
        if (fits)
            *value = static_cast<T>(number);
        return fits;
    }
    template <class T>
    bool operator()(std::optional<T>* value) const
    {
        if (std::isnan(number))
            value->reset();
        else if constexpr (std::is_arithmetic_v<T>)
            return (*this)(&value->emplace());
        return true;
    }
    template <class T>
    bool operator()(T* /*value*/) const
    {
        return false;
    }
};

/// @param separator  0: the text is one piece
std::vector<std::string> piecesOf(const std::string& text, char separator)
{
    if (separator == 0 || text.empty())
        return {text};
    return splitText(text, separator);
}

} // namespace

const FieldWord& FieldChoice::word() const
{
    static constexpr FieldWord kNone;
    const auto at = static_cast<std::size_t>(index());
    return at < words.size() ? words[at] : kNone;
}

std::vector<std::string> FieldChoice::typedWords() const
{
    std::vector<std::string> typed;
    for (const FieldWord& each : words.first(words.size() - (other == nullptr ? 0 : 1)))
        typed.emplace_back(each.word);
    return typed;
}

bool FieldChoice::set(std::string_view text) const
{
    const std::span<const FieldWord> typed = words.first(words.size() - (other == nullptr ? 0 : 1));
    const auto found = std::ranges::find(typed, text, &FieldWord::word);
    if (found == typed.end() && other == nullptr)
        return false;
    if (found == typed.end())
        *other = text;
    write(target, static_cast<int>(found - typed.begin()));
    return true;
}

bool NumberRange::holds(double number) const
{
    return (isLeastOut ? number > least : number >= least) && (isMostOut ? number < most : number <= most);
}

bool NumberRange::holds(const NumberRange& other) const
{
    return (holds(other.least) || (other.isLeastOut && other.least == least)) &&
           (holds(other.most) || (other.isMostOut && other.most == most));
}

std::string NumberRange::text() const
{
    return fmt::format("{} {} to {}{}", isLeastOut ? "above" : "from", plainNumber(least), isMostOut ? "below " : "",
                       plainNumber(most));
}

std::vector<std::string> valueWords(const FieldTarget& target)
{
    return std::visit(WordsOf(), target);
}

std::string typeName(const FieldTarget& target)
{
    return std::visit(TypeName(), target);
}

bool Field::takesSeveral() const
{
    return std::visit(TakesSeveral(), target);
}

bool Field::isEmpty() const
{
    return std::visit(IsEmpty(), target);
}

double Field::number() const
{
    return std::visit(NumberOf(), target);
}

bool Field::setNumber(double number) const
{
    const bool isTaken = !limits || limits->holds(number) || (isNaNTaken && std::isnan(number));
    return isTaken && std::visit(TakeNumber{number}, target);
}

std::string Field::faultOf(const std::string& one) const
{
    return std::visit(FaultOf{*this, one}, target);
}

std::string Field::set(const std::string& text) const
{
    const std::vector<std::string> pieces = piecesOf(text, takesSeveral() ? separator : '\0');
    for (const std::string& piece : pieces)
    {
        if (std::string found = faultOf(piece); !found.empty())
            return found;
    }
    std::visit(Take{pieces}, target);
    return {};
}

} // namespace headscope
