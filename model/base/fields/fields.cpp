// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/fields/fields.h"

#include "model/base/assert.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <concepts>
#include <limits>
#include <utility>

namespace headscope
{
namespace
{

struct RecordOf
{
    using Value = std::optional<FieldRecord>;
    const Field& field;

    Value operator()(const bool* value) const { return *value ? Value("true") : Value(); }
    Value operator()(const double* value) const { return *value; }
    template <std::integral T>
    Value operator()(const T* value) const
    {
        return static_cast<std::int64_t>(*value);
    }
    Value operator()(const std::uint64_t* value) const { return wholeRecord(*value); }
    template <class T>
    Value operator()(const std::optional<T>* value) const
    {
        return value->has_value() ? (*this)(&**value) : Value();
    }
    Value operator()(const std::string* value) const { return value->empty() ? Value() : Value(*value); }
    template <class T>
    Value operator()(const std::vector<T>* value) const
    {
        return value->empty() ? Value() : Value(field.valueText());
    }
    Value operator()(const FieldChoice& /*choice*/) const { return field.valueText(); }
};

bool isSet(const Field& flag)
{
    return *std::get<bool*>(flag.target);
}

} // namespace

Field& Field::required()
{
    isRequired = true;
    return *this;
}

Field& Field::oneOf(std::vector<std::string> all)
{
    words = std::move(all);
    return *this;
}

Field& Field::among(std::span<const FieldWord> all)
{
    words.clear();
    for (const FieldWord& each : all)
        words.emplace_back(each.word);
    return offersWords(all);
}

Field& Field::offersWords(std::span<const FieldWord> some)
{
    choices = some;
    return *this;
}

Field& Field::documents()
{
    isDocuments = true;
    return valueName("DOCS");
}

Field& Field::file()
{
    isFile = true;
    return *this;
}

Field& Field::within(NumberRange numbers)
{
    limits = numbers;
    return *this;
}

Field& Field::countFrom(std::int64_t least)
{
    return within(static_cast<double>(least), static_cast<double>(kMaxCount));
}

Field& Field::offers(double least, double most)
{
    offered = NumberRange{least, most};
    HEADSCOPE_ASSERT(limits ? limits->holds(*offered) : std::holds_alternative<std::uint64_t*>(target) && least >= 0);
    return *this;
}

Field& Field::offersWhole(double least, double most)
{
    isWhole = true;
    return offers(least, most);
}

Field& Field::offersPercent(int least, int most)
{
    constexpr double kWhole = 100;
    isPercent = true;
    return offersWhole(least / kWhole, most / kWhole);
}

Field& Field::numbered()
{
    isNumbered = true;
    return *this;
}

Field& Field::orNaN()
{
    isNaNTaken = true;
    return *this;
}

Field& Field::omitEmpty()
{
    isOmittedEmpty = true;
    return *this;
}

Field& Field::checkedBy(std::string (*check)(const std::string& text), std::string taken)
{
    fault = check;
    example = std::move(taken);
    return *this;
}

Field& Field::orText(std::string& other)
{
    auto& choice = std::get<FieldChoice>(target);
    choice.other = &other;
    words.clear();
    return *this;
}

Field& Field::separatedBy(char character)
{
    separator = character;
    usual = fmt::format("{}", fmt::join(valueWords(target), std::string(1, character)));
    return *this;
}

Field& Field::valueName(std::string name)
{
    value = std::move(name);
    return *this;
}

Field& Field::defaultMeans(std::string meaning)
{
    usual = std::move(meaning);
    return *this;
}

Field& Field::hidden()
{
    isHidden = true;
    return *this;
}

Field& Field::label(std::string_view text, std::string_view sentence)
{
    title = text;
    explanation = sentence;
    return *this;
}

Field& Field::unit(std::string_view word)
{
    unitWord = word;
    return *this;
}

Field& Field::leastMeans(std::string_view word)
{
    leastWord = word;
    return *this;
}

Field& Field::keptAs(std::string_view name)
{
    settingName = name;
    return *this;
}

Field& Field::when(bool applies)
{
    isEnabled = applies;
    return *this;
}

Field& Field::only(unsigned who)
{
    uses = who;
    return *this;
}

Field& Field::but(unsigned who)
{
    uses &= ~who;
    return *this;
}

std::string Field::shownValue() const
{
    if (!value.empty())
        return value;
    if (!words.empty())
        return fmt::format("{}", fmt::join(words, "|"));
    const std::string type = typeName(target);
    return separator == 0 ? type : fmt::format("{}{}...", type, separator);
}

std::string Field::shownOption() const
{
    const std::string several = takesSeveral() && separator == 0 ? "..." : "";
    if (isPositional())
        return (value.empty() ? names.front() : value) + several;
    const std::string all = fmt::format("{}", fmt::join(names, ","));
    return isFlag() ? all : fmt::format("{} {}{}", all, shownValue(), several);
}

std::string Field::spokenName() const
{
    if (!names.empty())
        return names.back().substr(std::min(names.back().find_first_not_of('-'), names.back().size()));
    return labelInside();
}

std::string Field::recordName() const
{
    std::string name = names.empty() ? key : spokenName();
    for (char& c : name)
        c = c == '-' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return name;
}

FieldRecord wholeRecord(std::uint64_t number)
{
    return std::in_range<std::int64_t>(number) ? FieldRecord(static_cast<std::int64_t>(number)) : FieldRecord(number);
}

std::optional<FieldRecord> Field::recordValue() const
{
    return std::visit(RecordOf{*this}, target);
}

std::string Field::labelInside() const
{
    std::string name(title);
    if (!name.empty() && name[0] >= 'A' && name[0] <= 'Z')
        name[0] = static_cast<char>(name[0] - 'A' + 'a');
    return name;
}

std::string Field::rangeText() const
{
    if (limits)
        return limits->text();
    if (std::holds_alternative<std::uint64_t*>(target))
        return fmt::format("from 0 to {}", std::numeric_limits<std::uint64_t>::max());
    return {};
}

std::string Field::help() const
{
    const std::string range = rangeText();
    const std::string said = about + (about.empty() || range.empty() ? "" : ", ") + range;
    if (usual.empty() || isRequired)
        return said;
    return fmt::format("{}{}(default: {})", said, said.empty() ? "" : " ", usual);
}

std::string* Field::text() const
{
    if (const auto* choice = std::get_if<FieldChoice>(&target))
        return choice->isOther() ? choice->other : nullptr;
    const auto* text = std::get_if<std::string*>(&target);
    return text == nullptr ? nullptr : *text;
}

std::string Field::valueText() const
{
    if (isFlag())
        return isSet(*this) ? "1" : "0";
    return fmt::format("{}", fmt::join(valueWords(target), std::string(1, separator == 0 ? ' ' : separator)));
}

std::string Field::valueFault() const
{
    for (const std::string& one : valueWords(target))
    {
        if (std::string wrong = faultOf(one); !wrong.empty())
            return wrong;
    }
    return {};
}

bool Field::isCounted() const
{
    return isWhole || std::holds_alternative<int*>(target) || std::holds_alternative<std::int64_t*>(target) ||
           std::holds_alternative<std::uint64_t*>(target) ||
           std::holds_alternative<std::optional<std::int64_t>*>(target);
}

void copyValue(const Field& from, const Field& to)
{
    if (const auto* choice = std::get_if<FieldChoice>(&from.target))
    {
        const auto& into = std::get<FieldChoice>(to.target);
        into.write(into.target, choice->index());
        if (choice->other != nullptr && into.other != nullptr)
            *into.other = *choice->other;
        return;
    }
    std::visit(
        [&from](const auto& value) {
            using Pointer = std::decay_t<decltype(value)>;
            if constexpr (std::is_pointer_v<Pointer>)
                *value = *std::get<Pointer>(from.target);
        },
        to.target);
}

bool haveSameValue(const Field& a, const Field& b)
{
    return a.isFlag() ? isSet(a) == isSet(b) : valueWords(a.target) == valueWords(b.target);
}

std::vector<FieldDifference> differences(const Fields& first, const Fields& second, unsigned who)
{
    HEADSCOPE_ASSERT(first.rows().size() == second.rows().size());
    std::vector<FieldDifference> all;
    for (std::size_t i = 0; i < first.rows().size(); ++i)
    {
        const Field& row = first.rows()[i];
        const Field& other = second.rows()[i];
        if (row.isFor(who) && !haveSameValue(row, other))
            all.push_back({&row, row.valueText(), other.valueText()});
    }
    return all;
}

} // namespace headscope
