// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/json.h"

#include "model/base/file.h"
#include "model/formats/json_fault.h"
#include "model/formats/json_keys.h"
#include "model/formats/json_repair.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

namespace headscope
{

namespace dom = simdjson::dom;

/// Between our references and the library's: both are a document pointer and an index on its tape.
struct JsonAccess
{
    using Place = JsonView::Place;

    static dom::element element(Place place) { return std::bit_cast<dom::element>(place); }
    static dom::element element(const JsonView& view) { return element(view.m_place); }
    static Place place(const JsonView& view) { return view.m_place; }
    static JsonView view(const dom::element& element) { return JsonView(std::bit_cast<Place>(element)); }
};

static_assert(sizeof(dom::element) == sizeof(JsonAccess::Place));
static_assert(sizeof(dom::array::iterator) == sizeof(JsonAccess::Place));
static_assert(sizeof(dom::object::iterator) == sizeof(JsonAccess::Place));
static_assert(std::is_trivially_copyable_v<dom::element> && std::is_trivially_copyable_v<dom::array::iterator> &&
              std::is_trivially_copyable_v<dom::object::iterator>);

namespace
{

using Place = JsonAccess::Place;

Error wrongKind(std::string_view wanted, const JsonView& view)
{
    return {ErrorCode::BadFormat, fmt::format("expected {}, found {}", wanted, jsonKindName(view.kind())), {}, {}};
}

std::string_view reason(simdjson::error_code code)
{
    switch (code)
    {
    case simdjson::DEPTH_ERROR:
        return "too many levels of nesting";
    case simdjson::STRING_ERROR:
        return "a string with a bad escape";
    case simdjson::NUMBER_ERROR:
        return "a malformed number";
    case simdjson::UTF8_ERROR:
        return "bytes that are not UTF-8";
    case simdjson::EMPTY:
        return "nothing";
    case simdjson::UNESCAPED_CHARS:
        return "a control character inside a string";
    case simdjson::UNCLOSED_STRING:
        return "a string without a closing quote";
    default:
        return "something else";
    }
}

/// @param skipped  bytes before `text` that were not parsed
Error notJson(std::string_view text, std::size_t skipped, simdjson::error_code code, std::size_t maxDepth)
{
    if (code == simdjson::MEMALLOC)
        return {ErrorCode::OutOfMemory, fmt::format("not enough memory for {} bytes of JSON", text.size()), {}, {}};
    if (code == simdjson::CAPACITY)
        return {
            ErrorCode::BadFormat, fmt::format("expected at most 4 GiB of JSON, found {} bytes", text.size()), {}, {}};
    if (code == simdjson::DEPTH_ERROR)
        return {
            ErrorCode::BadFormat, fmt::format("expected at most {} levels of nesting, found more", maxDepth), {}, {}};
    if (code == simdjson::EMPTY)
        return {ErrorCode::BadFormat, "expected JSON, found nothing", {}, {}};
    // The fast parser does not say where; the slow one, asked only now, does.
    const std::optional<JsonFault> fault = findJsonFault(text);
    if (!fault)
        return {ErrorCode::BadFormat, fmt::format("expected valid JSON, found {}", reason(code)), {}, {}};
    const std::size_t byte = skipped + fault->byte;
    const bool specific = code == simdjson::STRING_ERROR || code == simdjson::UTF8_ERROR ||
                          code == simdjson::NUMBER_ERROR || code == simdjson::UNESCAPED_CHARS;
    if (specific)
        return {ErrorCode::BadFormat,
                fmt::format("expected valid JSON, found {} ({}) at byte {}", reason(code), fault->found, byte),
                {},
                {}};
    return {ErrorCode::BadFormat,
            fmt::format("expected valid JSON, found {} at byte {}, where it is not allowed", fault->found, byte),
            {},
            {}};
}

} // namespace

std::string_view jsonKindName(JsonKind kind)
{
    switch (kind)
    {
    case JsonKind::Null:
        return "null";
    case JsonKind::Bool:
        return "a truth value";
    case JsonKind::Integer:
        return "an integer";
    case JsonKind::Double:
        return "a number";
    case JsonKind::String:
        return "a string";
    case JsonKind::Array:
        return "an array";
    case JsonKind::Object:
        return "an object";
    }
    return "a value";
}

JsonKind JsonView::kind() const
{
    switch (JsonAccess::element(*this).type())
    {
    case dom::element_type::ARRAY:
        return JsonKind::Array;
    case dom::element_type::OBJECT:
        return JsonKind::Object;
    case dom::element_type::INT64:
    case dom::element_type::UINT64:
        return JsonKind::Integer;
    case dom::element_type::DOUBLE:
        return JsonKind::Double;
    case dom::element_type::STRING:
        return JsonKind::String;
    case dom::element_type::BOOL:
        return JsonKind::Bool;
    case dom::element_type::NULL_VALUE:
        return JsonKind::Null;
    }
    return JsonKind::Null;
}

Result<std::string_view> JsonView::asString() const
{
    std::string_view value;
    if (JsonAccess::element(*this).get(value) != simdjson::SUCCESS)
        return wrongKind("a string", *this);
    return value;
}

Result<std::int64_t> JsonView::asInt() const
{
    std::int64_t value = 0;
    const auto code = JsonAccess::element(*this).get(value);
    if (code == simdjson::NUMBER_OUT_OF_RANGE)
        return Error{ErrorCode::BadFormat, "expected an integer below 2^63, found a larger one", {}, {}};
    if (code != simdjson::SUCCESS)
        return wrongKind("an integer", *this);
    return value;
}

Result<std::uint64_t> JsonView::asUnsigned() const
{
    std::uint64_t value = 0;
    const auto code = JsonAccess::element(*this).get(value);
    if (code == simdjson::NUMBER_OUT_OF_RANGE)
        return Error{ErrorCode::BadFormat, "expected an integer of 0 or more, found a negative one", {}, {}};
    if (code != simdjson::SUCCESS)
        return wrongKind("an integer", *this);
    return value;
}

Result<double> JsonView::asDouble() const
{
    double value = 0;
    if (JsonAccess::element(*this).get(value) != simdjson::SUCCESS)
        return wrongKind("a number", *this);
    return value;
}

Result<bool> JsonView::asBool() const
{
    bool value = false;
    if (JsonAccess::element(*this).get(value) != simdjson::SUCCESS)
        return wrongKind("true or false", *this);
    return value;
}

std::optional<JsonView> JsonView::find(std::string_view key) const
{
    for (const auto& [name, value] : members())
        if (name == key)
            return value;
    return std::nullopt;
}

std::size_t JsonView::size() const
{
    // The library counts only up to 2^24 - 1.
    if (isArray())
        return static_cast<std::size_t>(std::distance(elements().begin(), elements().end()));
    return static_cast<std::size_t>(std::distance(members().begin(), members().end()));
}

JsonElements JsonView::elements() const
{
    using iterator = JsonElements::iterator;
    dom::array array;
    if (JsonAccess::element(*this).get(array) != simdjson::SUCCESS)
        return {iterator(m_place), iterator(m_place)};
    return {iterator(std::bit_cast<Place>(array.begin())), iterator(std::bit_cast<Place>(array.end()))};
}

JsonMembers JsonView::members() const
{
    using iterator = JsonMembers::iterator;
    dom::object object;
    if (JsonAccess::element(*this).get(object) != simdjson::SUCCESS)
        return {iterator(m_place), iterator(m_place)};
    return {iterator(std::bit_cast<Place>(object.begin())), iterator(std::bit_cast<Place>(object.end()))};
}

template <>
JsonView JsonElements::iterator::operator*() const
{
    return JsonAccess::view(*std::bit_cast<dom::array::iterator>(m_place));
}

template <>
JsonElements::iterator& JsonElements::iterator::operator++()
{
    auto place = std::bit_cast<dom::array::iterator>(m_place);
    m_place = std::bit_cast<Place>(++place);
    return *this;
}

template <>
std::pair<std::string_view, JsonView> JsonMembers::iterator::operator*() const
{
    const auto place = std::bit_cast<dom::object::iterator>(m_place);
    return {place.key(), JsonAccess::view(place.value())};
}

template <>
JsonMembers::iterator& JsonMembers::iterator::operator++()
{
    auto place = std::bit_cast<dom::object::iterator>(m_place);
    m_place = std::bit_cast<Place>(++place);
    return *this;
}

/// The tape of one document; the parser and the padded copy of the text stay with a JsonParser.
struct JsonDocument::State
{
    explicit State(const JsonOptions& wanted) : options(wanted)
    {
        parserStatus = parser.allocate(dom::MINIMAL_DOCUMENT_CAPACITY, options.maxDepth);
    }

    simdjson::error_code parseOnce(std::string_view text)
    {
        padded.resize(text.size() + simdjson::SIMDJSON_PADDING);
        std::memcpy(padded.data(), text.data(), text.size());
        std::fill_n(padded.data() + text.size(), simdjson::SIMDJSON_PADDING, ' ');
        dom::element element;
        const auto code = parser.parse_into_document(document, padded.data(), text.size(), false).get(element);
        if (code == simdjson::SUCCESS)
            root = std::bit_cast<Place>(element);
        return code;
    }

    Status parse(std::string_view text)
    {
        repairs = 0;
        largeIntegers.clear();
        std::vector<WrittenInteger> written;
        const std::size_t skipped = text.starts_with("\xEF\xBB\xBF") ? 3 : 0; // a byte-order mark
        text.remove_prefix(skipped);
        auto code = parserStatus != simdjson::SUCCESS ? parserStatus : parseOnce(text);
        std::string mended;
        if (code == simdjson::UTF8_ERROR && options.repairText)
            code = again(replaceInvalidUtf8(text), text, mended, true);
        if (code == simdjson::STRING_ERROR && options.repairText)
            code = again(replaceLoneSurrogateEscapes(text), text, mended, true);
        if (code == simdjson::NUMBER_ERROR)
            code = again(widenLargeIntegers(text, &written), text, mended, false);
        if (code == simdjson::STRING_ERROR && options.repairText)
            code = again(replaceLoneSurrogateEscapes(text), text, mended, true);
        if (code != simdjson::SUCCESS)
            return notJson(text, skipped, code, options.maxDepth);
        if (!written.empty())
        {
            std::size_t numbers = 0;
            auto next = written.begin();
            placeIntegers(JsonAccess::view(JsonAccess::element(root)), numbers, next, written.end());
        }
        if (options.rejectDuplicateKeys)
            if (const auto key = duplicateKey(JsonAccess::view(JsonAccess::element(root))))
                return Error{
                    ErrorCode::BadFormat, fmt::format("expected every key once, found \"{}\" twice", *key), {}, {}};
        return {};
    }

    /// Parses a mended text; `text` then views it.
    simdjson::error_code again(RepairedText&& repaired, std::string_view& text, std::string& mended, bool counted)
    {
        mended = std::move(repaired.text);
        text = mended;
        repairs += counted ? repaired.repairs : 0;
        return parseOnce(text);
    }

    using Written = std::vector<WrittenInteger>::iterator;
    /// Finds the values of integers that were written as doubles: both are in the order of the text.
    void placeIntegers(const JsonView& value, std::size_t& numbers, Written& next, Written end)
    {
        for (const JsonView child : value.elements())
            placeIntegers(child, numbers, next, end);
        for (const auto& [key, child] : value.members())
            placeIntegers(child, numbers, next, end);
        const JsonKind kind = value.kind();
        if (next == end || (kind != JsonKind::Integer && kind != JsonKind::Double))
            return;
        if (next->number == numbers)
            largeIntegers.emplace_back(JsonAccess::place(value)[1], std::move((next++)->digits));
        ++numbers;
    }

    JsonOptions options;
    std::vector<std::pair<std::uintptr_t, std::string>> largeIntegers; ///< places on the tape, ascending
    dom::parser parser;
    simdjson::error_code parserStatus = simdjson::SUCCESS;
    dom::document document;
    std::vector<char> padded;
    Place root{};
    std::size_t repairs = 0;
};

Result<JsonDocument> JsonDocument::parse(std::string_view text, std::string_view fileName, const JsonOptions& options)
{
    auto state = std::make_unique<State>(options);
    if (auto status = state->parse(text); !status.has_value())
        return std::move(status).error().inFile(fileName);
    state->parser = dom::parser(); // only the tape is needed from here on
    state->padded = {};
    return JsonDocument(std::move(state));
}

Result<JsonDocument> JsonDocument::parseFile(const std::filesystem::path& path, const JsonOptions& options,
                                             std::uint64_t maxBytes)
{
    HEADSCOPE_TRY(const auto text, readTextFile(path, maxBytes));
    return parse(text, path.string(), options);
}

JsonDocument::JsonDocument(std::unique_ptr<State> state) : m_state(std::move(state)) {}
JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;
JsonDocument::~JsonDocument() = default;

JsonView JsonDocument::root() const
{
    return JsonAccess::view(JsonAccess::element(m_state->root));
}

std::size_t JsonDocument::repairs() const
{
    return m_state->repairs;
}

JsonParser::JsonParser(const JsonOptions& options) : m_state(std::make_unique<JsonDocument::State>(options)) {}
JsonParser::JsonParser(JsonParser&&) noexcept = default;
JsonParser& JsonParser::operator=(JsonParser&&) noexcept = default;
JsonParser::~JsonParser() = default;

Result<JsonView> JsonParser::parseLine(std::string_view line)
{
    HEADSCOPE_CHECK(m_state->parse(line));
    return JsonAccess::view(JsonAccess::element(m_state->root));
}

std::string_view JsonParser::largeInteger(const JsonView& value) const
{
    const auto& all = m_state->largeIntegers;
    const std::uintptr_t place = JsonAccess::place(value)[1];
    const auto found = std::lower_bound(all.begin(), all.end(), place,
                                        [](const auto& each, std::uintptr_t at) { return each.first < at; });
    return found == all.end() || found->first != place ? std::string_view() : std::string_view(found->second);
}

std::size_t JsonParser::repairs() const
{
    return m_state->repairs;
}

} // namespace headscope
