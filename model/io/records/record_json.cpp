// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/records/record_json.h"

#include "model/formats/json_text.h"

#include <fmt/format.h>

#include <cmath>
#include <concepts>

namespace headscope
{
namespace
{

std::string jsonOf(bool value)
{
    return value ? "true" : "false";
}
std::string jsonOf(double value)
{
    return std::isfinite(value) ? fmt::format("{}", value) : "null";
}
std::string jsonOf(float value)
{
    return jsonOf(static_cast<double>(value));
}
template <std::integral T>
std::string jsonOf(T value)
{
    return fmt::format("{}", value);
}
std::string jsonOf(const std::string& value)
{
    return jsonQuoted(value);
}
template <class T>
std::string jsonOf(const std::vector<T>& values)
{
    std::string text;
    for (const T& value : values)
        text += (text.empty() ? "" : ", ") + jsonOf(value);
    return '[' + text + ']';
}
template <class T>
std::string jsonOf(const Matrix<T>& values)
{
    std::string text;
    for (std::int64_t row = 0; row < values.rows(); ++row)
        text += (text.empty() ? "" : ", ") + jsonOf(std::vector<T>(values.row(row).begin(), values.row(row).end()));
    return '[' + text + ']';
}

/// The fields of one as a list of numbers.
std::string rowJson(const RecordFields& record)
{
    std::vector<double> numbers;
    for (const Field& field : record.attributes().used(kRecordUse))
        numbers.push_back(field.number());
    return jsonOf(numbers);
}

/// Collects the members of one object.
class ObjectWriter
{
public:
    void add(std::string_view key, const std::string& value)
    {
        m_text += fmt::format("{}{}: {}", m_text.empty() ? "" : ", ", jsonQuoted(key), value);
    }
    void addAttribute(const Field& field)
    {
        std::visit(
            [&](const auto& target) {
                using Target = std::decay_t<decltype(target)>;
                if constexpr (std::is_same_v<Target, FieldChoice>)
                    add(field.key, jsonQuoted(target.word().word));
                else
                    addValue(field.key, *target);
            },
            field.target);
    }
    void addRecord(const RecordFields& record);
    [[nodiscard]] std::string text() const { return '{' + m_text + '}'; }

private:
    template <class T>
    void addValue(std::string_view key, const T& value)
    {
        add(key, jsonOf(value));
    }
    template <class T>
    void addValue(std::string_view key, const std::optional<T>& value)
    {
        if (value)
            add(key, jsonOf(*value));
    }
    void addPart(const std::string& name, const RecordNumbers& numbers)
    {
        std::visit(
            [&](const auto* values) {
                if (!values->empty())
                    add(name, jsonOf(*values));
            },
            numbers);
    }
    void addPart(const std::string& name, const RecordTexts& texts)
    {
        if (!texts.target->empty() || texts.isEmptyStored)
            add(name, jsonOf(*texts.target));
    }
    void addPart(const std::string& name, const NamedTexts& names)
    {
        std::map<std::string, std::string> sorted;
        std::visit([&sorted](const auto* pairs) { sorted.insert(pairs->begin(), pairs->end()); }, names);
        ObjectWriter object;
        for (const auto& [key, text] : sorted)
            object.add(key, jsonQuoted(text));
        add(name, object.text());
    }
    void addPart(const std::string& name, const RecordText& text)
    {
        if (const std::string written = text.write(text.target); !written.empty())
            add(name, jsonQuoted(written));
    }
    void addPart(const std::string& name, const RecordItems& items)
    {
        std::string list;
        for (std::int64_t item = 0; item < items.count(items.target); ++item)
        {
            RecordFields record;
            items.describe(record, items.target, item);
            if (items.kind == RecordItems::Kind::Here)
                addRecord(record);
            else if (items.kind == RecordItems::Kind::Group)
                add(name, recordJson(record));
            else if (items.kind == RecordItems::Kind::Row)
                add(name, rowJson(record));
            else
                list += (list.empty() ? "" : ", ") +
                        (items.kind == RecordItems::Kind::List ? recordJson(record) : rowJson(record));
        }
        if (items.kind == RecordItems::Kind::List || items.kind == RecordItems::Kind::Table)
            add(name, '[' + list + ']');
    }

    std::string m_text;
};

void ObjectWriter::addRecord(const RecordFields& record)
{
    for (const Field& field : record.attributes().used(kRecordUse))
        if (!field.isOmittedEmpty || !field.isEmpty())
            addAttribute(field);
    for (const RecordPart& part : record.parts())
        std::visit([&](const auto& target) { addPart(part.name, target); }, part.target);
}

Error bad(std::string message)
{
    return {ErrorCode::BadFormat, std::move(message), {}, {}};
}

Error atKey(Error error, std::string_view key)
{
    return bad(fmt::format("{} for the key {}", error.message, key));
}

Result<bool> valueAs(JsonView value, const bool*)
{
    return value.asBool();
}
Result<double> valueAs(JsonView value, const double*)
{
    return value.isNull() ? Result<double>(std::nan("")) : value.asDouble();
}
Result<float> valueAs(JsonView value, const float*)
{
    HEADSCOPE_TRY(const double number, valueAs(value, static_cast<const double*>(nullptr)));
    return static_cast<float>(number);
}
Result<std::uint64_t> valueAs(JsonView value, const std::uint64_t*)
{
    return value.asUnsigned();
}
template <std::integral T>
Result<T> valueAs(JsonView value, const T*)
{
    HEADSCOPE_TRY(const std::int64_t number, value.asInt());
    if (!std::in_range<T>(number))
        return bad(fmt::format("expected a smaller number, found {}", number));
    return static_cast<T>(number);
}
Result<std::string> valueAs(JsonView value, const std::string*)
{
    HEADSCOPE_TRY(const std::string_view text, value.asString());
    return std::string(text);
}

struct TakeValue
{
    const Field& field;
    JsonView value;

    Status operator()(const FieldChoice& choice) const
    {
        HEADSCOPE_TRY(const std::string word, valueAs(value, static_cast<const std::string*>(nullptr)));
        return choice.set(word) ? Status() : Status(bad(field.faultOf(word)));
    }
    template <class T>
    Status operator()(T* into) const
    {
        HEADSCOPE_TRY(T read, valueAs(value, into));
        if constexpr (!std::is_same_v<T, bool>)
            if (std::string wrong = field.limits || !field.words.empty() ? field.faultOf(fmt::format("{}", read)) : "";
                !wrong.empty())
                return bad(std::move(wrong));
        *into = std::move(read);
        return {};
    }
    template <class T>
    Status operator()(std::optional<T>* into) const
    {
        return (*this)(&into->emplace());
    }
    template <class T>
    Status operator()(std::vector<T>* into) const
    {
        into->clear();
        for (const JsonView each : value.elements())
        {
            HEADSCOPE_TRY(T read, valueAs(each, static_cast<const T*>(nullptr)));
            into->push_back(std::move(read));
        }
        return value.isArray() ? Status() : Status(bad("expected an array"));
    }
    template <class T>
    Status operator()(Matrix<T>* into) const
    {
        std::vector<T> numbers;
        std::int64_t rows = 0;
        for (const JsonView row : value.elements())
        {
            std::vector<T> one;
            HEADSCOPE_CHECK((TakeValue{field, row}(&one)));
            if (rows > 0 && numbers.size() != one.size() * static_cast<std::size_t>(rows))
                return bad("expected rows of one length, found rows of different lengths");
            numbers.insert(numbers.end(), one.begin(), one.end());
            ++rows;
        }
        const std::int64_t cols = rows == 0 ? 0 : std::ssize(numbers) / rows;
        *into = Matrix<T>(rows, cols, std::move(numbers));
        return {};
    }
};

Status readPart(JsonView value, const RecordNumbers& numbers)
{
    const Field any;
    return std::visit(TakeValue{any, value}, numbers);
}

Status readPart(JsonView value, const RecordTexts& texts)
{
    return TakeValue{Field(), value}(texts.target);
}

Status readPart(JsonView value, const NamedTexts& names)
{
    for (const auto& [name, text] : value.members())
    {
        HEADSCOPE_TRY(const std::string_view read, text.asString());
        std::visit(
            [&, name = std::string(name)](auto* into) {
                into->insert(into->end(), {name, std::string(read)});
            },
            names);
    }
    return value.isObject() ? Status() : Status(bad("expected an object"));
}

Status readPart(JsonView value, const RecordText& text)
{
    HEADSCOPE_TRY(const std::string_view stored, value.asString());
    const std::string expected = text.read(text.target, std::string(stored));
    return expected.empty() ? Status() : Status(bad(fmt::format("expected {}, found \"{}\"", expected, stored)));
}

/// Those that are not required may be missing at the end.
Status readRow(JsonView value, const RecordFields& record)
{
    std::vector<double> numbers;
    HEADSCOPE_CHECK((TakeValue{Field(), value}(&numbers)));
    std::size_t at = 0;
    for (const Field& field : record.attributes().used(kRecordUse))
    {
        if (at == numbers.size() && !field.isRequired)
            return {};
        if (at == numbers.size())
            return bad(fmt::format("expected more than {} numbers in a row", at));
        if (!field.setNumber(numbers[at]))
            return bad(fmt::format("expected {} {}, found {}", field.key, field.rangeText(), numbers[at]));
        ++at;
    }
    return at == numbers.size() ? Status()
                                : bad(fmt::format("expected {} numbers in a row, found {}", at, numbers.size()));
}

Status readItem(JsonView value, const RecordItems& items, std::int64_t item)
{
    RecordFields record;
    items.describe(record, items.target, item);
    const bool isRow = items.kind == RecordItems::Kind::Row || items.kind == RecordItems::Kind::Table;
    return isRow ? readRow(value, record) : readRecord(value, record);
}

Status readPart(JsonView value, const RecordItems& items)
{
    if (items.kind == RecordItems::Kind::Group || items.kind == RecordItems::Kind::Row)
    {
        items.resize(items.target, 1);
        return readItem(value, items, 0);
    }
    if (!value.isArray())
        return bad("expected an array");
    items.resize(items.target, static_cast<std::int64_t>(value.size()));
    std::int64_t item = 0;
    for (const JsonView each : value.elements())
        HEADSCOPE_CHECK(readItem(each, items, item++));
    return {};
}

Status readHere(JsonView object, const RecordItems& items)
{
    items.resize(items.target, 1);
    if (!readItem(object, items, 0))
        items.resize(items.target, 0);
    return {};
}

} // namespace

std::string recordJson(const RecordFields& record)
{
    ObjectWriter object;
    object.addRecord(record);
    return object.text();
}

Status readRecord(JsonView object, const RecordFields& record)
{
    if (!object.isObject())
        return bad(fmt::format("expected an object, found {}", jsonKindName(object.kind())));
    for (const Field& field : record.attributes().used(kRecordUse))
    {
        const auto value = object.find(field.key);
        if (!value && field.isRequired)
            return bad(fmt::format("the key {} is missing", field.key));
        if (auto taken = value ? std::visit(TakeValue{field, *value}, field.target) : Status(); !taken)
            return atKey(std::move(taken).error(), field.key);
    }
    for (const RecordPart& part : record.parts())
    {
        const auto* items = std::get_if<RecordItems>(&part.target);
        if (items != nullptr && items->kind == RecordItems::Kind::Here)
        {
            HEADSCOPE_CHECK(readHere(object, *items));
            continue;
        }
        const auto value = object.find(part.name);
        if (!value && items != nullptr && items->isNeeded)
            return bad(fmt::format("the key {} is missing", part.name));
        auto read =
            value ? std::visit([&](const auto& target) { return readPart(*value, target); }, part.target) : Status();
        if (!read)
            return atKey(std::move(read).error(), part.name);
    }
    return {};
}

} // namespace headscope
