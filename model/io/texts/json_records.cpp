// SPDX-License-Identifier: GPL-3.0-or-later
// Records from JSON: one object a line, or the elements of one array.
#include "model/base/utf8.h"
#include "model/formats/json.h"
#include "model/io/texts/byte_source.h"
#include "model/io/texts/record_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace headscope
{
namespace
{

bool isBlank(int c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Makes an array of texts a list; any other stays nested.
void takeList(JsonView array, bool join, RecordField& field)
{
    field.kind = FieldKind::Nested;
    const auto elements = array.elements();
    if (!std::all_of(elements.begin(), elements.end(), [](JsonView element) { return element.isString(); }))
        return;
    field.kind = FieldKind::List;
    for (const JsonView element : elements)
    {
        if (field.listed == 0 || join)
        {
            field.text += field.listed > 0 ? ", " : "";
            field.text += element.asString().value_or({});
        }
        ++field.listed;
    }
}

RecordField fieldFrom(std::string_view name, JsonView value, const JsonParser& parser, bool joinLists)
{
    RecordField field;
    field.name = name;
    switch (value.kind())
    {
    case JsonKind::Null:
        break;
    case JsonKind::String:
        field.kind = FieldKind::Text;
        field.text = value.asString().value_or({});
        break;
    case JsonKind::Bool:
        field.kind = FieldKind::Number;
        field.text = value.asBool().value_or(false) ? "true" : "false";
        break;
    case JsonKind::Integer:
        field.kind = FieldKind::Number;
        if (const auto integer = value.asInt())
            field.text = std::to_string(*integer);
        else
            field.text = std::to_string(value.asUnsigned().value_or(0));
        break;
    case JsonKind::Double:
        field.kind = FieldKind::Number;
        field.text = parser.largeInteger(value); // an id keeps its digits
        if (field.text.empty())
            field.text = fmt::format("{}", value.asDouble().value_or(0));
        break;
    case JsonKind::Array:
        takeList(value, joinLists, field);
        break;
    case JsonKind::Object:
        field.kind = FieldKind::Nested;
        break;
    }
    return field;
}

/// The element of an array by its number from 0.
std::optional<JsonView> elementAt(JsonView array, std::string_view number)
{
    std::size_t left = 0;
    const auto [end, failed] = std::from_chars(number.data(), number.data() + number.size(), left);
    if (failed != std::errc{} || end != number.data() + number.size())
        return std::nullopt;
    for (const JsonView element : array.elements())
        if (left-- == 0)
            return element;
    return std::nullopt;
}

/// What a path of names with dots between them leads to (RecordOptions::paths).
std::optional<JsonView> valueAt(JsonView value, std::string_view path)
{
    const auto step = [&value](std::string_view name) {
        return value.isArray() ? elementAt(value, name) : value.find(name);
    };
    if (const auto found = step(path))
        return found;
    for (std::size_t end = path.rfind('.'); end != std::string_view::npos; end = path.substr(0, end).rfind('.'))
    {
        const auto outer = step(path.substr(0, end));
        if (const auto found = outer ? valueAt(*outer, path.substr(end + 1)) : std::nullopt)
            return found;
    }
    return std::nullopt;
}

/// Parses one object and turns its members into fields.
class ObjectParser
{
public:
    explicit ObjectParser(const RecordOptions& options)
        : m_paths(options.paths), m_joinLists(options.joinLists), m_inner(options.inner)
    {}

    Status parse(std::string& text, Record& record)
    {
        record.repaired = replaceNul(text); // as a byte it is no JSON; written as an escape it is kept
        const auto located = [&](Error error) {
            const std::string inside = error.place;
            error.place = inside.empty() ? record.place() : fmt::format("{}, {}", record.place(), inside);
            error.file = record.file;
            return error;
        };
        auto value = m_parser.parseLine(text);
        if (!value)
            return located(std::move(value).error());
        if (!value->isObject())
            return located(
                {ErrorCode::BadFormat,
                 fmt::format("expected an object with the fields of a document, found {}", jsonKindName(value->kind())),
                 {},
                 {}});
        record.repaired = record.repaired || m_parser.repairs() > 0;
        record.fields.clear();
        for (const auto& [name, member] : value->members())
            record.fields.push_back(fieldFrom(name, member, m_parser, m_joinLists));
        for (const std::string& path : m_paths)
        {
            const auto member = record.find(path) == nullptr ? valueAt(*value, path) : std::nullopt;
            if (member)
                record.fields.push_back(fieldFrom(path, *member, m_parser, m_joinLists));
        }
        if (m_inner)
            for (const auto& [name, member] : value->members())
                addInner(std::string(name), member, RecordOptions::kMaxInner, record);
        return {};
    }

private:
    /// The fields inside an object, under dotted names.
    void addInner(const std::string& outer, JsonView value, int levels, Record& record) const
    {
        if (!value.isObject() || levels == 0)
            return;
        for (const auto& [name, member] : value.members())
        {
            const std::string path = outer + "." + std::string(name);
            if (record.fields.size() >= RecordOptions::kMaxFields)
                return;
            if (!member.isObject() && record.find(path) == nullptr)
            {
                record.fields.push_back(fieldFrom(path, member, m_parser, m_joinLists));
                record.fields.back().isInner = true;
            }
            addInner(path, member, levels - 1, record);
        }
    }

    JsonParser m_parser{JsonOptions{.rejectDuplicateKeys = true, .repairText = true}};
    std::vector<std::string> m_paths;
    bool m_joinLists = false;
    bool m_inner = false;
};

class JsonLinesReader : public RecordReader
{
public:
    JsonLinesReader(ByteReader bytes, const RecordOptions& options) : m_bytes(std::move(bytes)), m_parser(options) {}

    Result<bool> next(Record& record) override
    {
        while (true)
        {
            record.line = m_bytes.lineNumber();
            record.file = m_bytes.name();
            if (!m_bytes.line(m_line))
            {
                HEADSCOPE_CHECK(m_bytes.status());
                return false;
            }
            if (!std::all_of(m_line.begin(), m_line.end(), [](char c) { return isBlank(c); }))
                break;
        }
        HEADSCOPE_CHECK(m_parser.parse(m_line, record));
        return true;
    }

private:
    ByteReader m_bytes;
    ObjectParser m_parser;
    std::string m_line;
};

/// Cuts the elements out of one array, so that the file never is in memory as a whole.
class JsonArrayReader : public RecordReader
{
public:
    JsonArrayReader(ByteReader bytes, const RecordOptions& options) : m_bytes(std::move(bytes)), m_parser(options) {}

    Result<bool> next(Record& record) override
    {
        record.file = m_bytes.name();
        if (m_state == State::Done)
            return false;
        skipBlanks();
        if (m_state == State::Start)
        {
            if (m_bytes.get() != '[')
                return wrong("expected an array of documents, found something else");
            m_state = State::First;
            skipBlanks();
        }
        if (m_bytes.peek() == ']' && m_state == State::First)
            return end();
        if (m_state == State::Later)
        {
            const int c = m_bytes.get();
            if (c == ']')
                return finish();
            if (c != ',')
                return wrong("expected a comma or the end of the array");
            skipBlanks();
        }
        record.line = m_bytes.lineNumber();
        HEADSCOPE_CHECK(cutElement());
        if (m_element.empty())
            return wrong("expected a document, found none");
        HEADSCOPE_CHECK(m_parser.parse(m_element, record));
        m_state = State::Later;
        return true;
    }

private:
    enum class State
    {
        Start,
        First,
        Later,
        Done,
    };

    void skipBlanks()
    {
        while (isBlank(m_bytes.peek()))
            m_bytes.get();
    }
    Result<bool> wrong(std::string_view message)
    {
        HEADSCOPE_CHECK(m_bytes.status());
        return Error{ErrorCode::BadFormat, std::string(message), m_bytes.name(),
                     fmt::format("line {}", m_bytes.lineNumber())};
    }
    Result<bool> end()
    {
        m_bytes.get();
        return finish();
    }
    Result<bool> finish()
    {
        m_state = State::Done;
        skipBlanks();
        if (m_bytes.peek() >= 0)
            return wrong("expected nothing after the array, found more");
        HEADSCOPE_CHECK(m_bytes.status());
        return false;
    }
    Status cutElement()
    {
        m_element.clear();
        const std::int64_t line = m_bytes.lineNumber();
        int depth = 0;
        bool inString = false;
        while (true)
        {
            const int c = m_bytes.peek();
            if (c < 0 || (!inString && depth == 0 && (c == ',' || c == ']')))
                return {};
            if (m_element.size() >= kMaxRecordBytes)
                return Error{ErrorCode::BadFormat, "expected documents of at most 64 MiB of JSON, found a longer one",
                             m_bytes.name(), fmt::format("line {}", line)};
            m_element += static_cast<char>(m_bytes.get());
            if (inString && c == '\\' && m_bytes.peek() >= 0)
                m_element += static_cast<char>(m_bytes.get());
            else if (c == '"')
                inString = !inString;
            else if (!inString && (c == '{' || c == '['))
                ++depth;
            else if (!inString && (c == '}' || c == ']'))
                --depth;
        }
    }

    ByteReader m_bytes;
    ObjectParser m_parser;
    std::string m_element;
    State m_state = State::Start;
};

} // namespace

Result<std::unique_ptr<RecordReader>> openJsonLines(const std::filesystem::path& path, const RecordOptions& options)
{
    HEADSCOPE_TRY(auto source, openByteSource(path));
    return std::unique_ptr<RecordReader>(
        std::make_unique<JsonLinesReader>(ByteReader(std::move(source), path.string()), options));
}

Result<std::unique_ptr<RecordReader>> openJsonArray(const std::filesystem::path& path, const RecordOptions& options)
{
    HEADSCOPE_TRY(auto source, openByteSource(path));
    return std::unique_ptr<RecordReader>(
        std::make_unique<JsonArrayReader>(ByteReader(std::move(source), path.string()), options));
}

} // namespace headscope
