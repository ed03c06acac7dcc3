// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace headscope
{

enum class JsonKind
{
    Null,
    Bool,
    Integer, ///< written without fraction and exponent, and within 64 bits
    Double,  ///< every other number
    String,
    Array,
    Object,
};

/// The kind in words, with its article: "an integer".
[[nodiscard]] std::string_view jsonKindName(JsonKind kind);

template <class Item>
class JsonRange;
class JsonView;
/// The elements of an array; see JsonView::elements().
using JsonElements = JsonRange<JsonView>;
/// The members of an object; see JsonView::members().
using JsonMembers = JsonRange<std::pair<std::string_view, JsonView>>;

/// One value inside a parsed document: two words, copied freely, valid as long as the JsonDocument
/// (or until the JsonParser reads its next line). Reading fails only where the value is of another kind: the errors
/// are BadFormat, "expected an integer, found a string", without file and place, which the caller knows.
/// @threads reentrant
class JsonView
{
public:
    [[nodiscard]] JsonKind kind() const;
    [[nodiscard]] bool isNull() const { return kind() == JsonKind::Null; }
    [[nodiscard]] bool isString() const { return kind() == JsonKind::String; }
    [[nodiscard]] bool isArray() const { return kind() == JsonKind::Array; }
    [[nodiscard]] bool isObject() const { return kind() == JsonKind::Object; }

    /// UTF-8; may hold U+0000. Lives as long as the document.
    [[nodiscard]] Result<std::string_view> asString() const;
    /// An integer written as such; 3.0 and 1e3 are refused.
    [[nodiscard]] Result<std::int64_t> asInt() const;
    /// As asInt, from 0 to 2^64 - 1.
    [[nodiscard]] Result<std::uint64_t> asUnsigned() const;
    /// Any number, integers included.
    [[nodiscard]] Result<double> asDouble() const;
    [[nodiscard]] Result<bool> asBool() const;

    /// The value of a key of this object: the first one with that name; nothing when there is none
    /// or this is no object.
    /// @cost O(members)
    [[nodiscard]] std::optional<JsonView> find(std::string_view key) const;
    /// Elements of an array, members of an object, 0 for everything else.
    [[nodiscard]] std::size_t size() const;
    /// The elements of an array in order, for a range-based for; none when this is no array.
    [[nodiscard]] JsonElements elements() const;
    /// The members of an object in the order of the file, as pairs (std::string_view, JsonView);
    /// none when this is no object.
    [[nodiscard]] JsonMembers members() const;

private:
    template <class Item>
    friend class JsonRange;
    friend struct JsonAccess;

    using Place = std::array<std::uintptr_t, 2>; ///< the library's own reference, by its bits
    explicit JsonView(Place place) : m_place(place) {}

    Place m_place;
};

/// What stands in an array or an object, in the order of the file; for a range-based for.
/// @tparam Item  JsonView, or a pair of a key and a JsonView
template <class Item>
class JsonRange
{
public:
    class iterator
    {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Item;
        using difference_type = std::ptrdiff_t;
        using pointer = void;
        using reference = Item;

        Item operator*() const;
        iterator& operator++();
        bool operator==(const iterator& other) const { return m_place[1] == other.m_place[1]; }

    private:
        friend class JsonRange;
        friend class JsonView;
        explicit iterator(JsonView::Place place) : m_place(place) {}
        JsonView::Place m_place;
    };

    [[nodiscard]] iterator begin() const { return m_begin; }
    [[nodiscard]] iterator end() const { return m_end; }

private:
    friend class JsonView;
    JsonRange(iterator begin, iterator end) : m_begin(begin), m_end(end) {}
    iterator m_begin;
    iterator m_end;
};

template <>
JsonView JsonElements::iterator::operator*() const;
template <>
JsonElements::iterator& JsonElements::iterator::operator++();
template <>
std::pair<std::string_view, JsonView> JsonMembers::iterator::operator*() const;
template <>
JsonMembers::iterator& JsonMembers::iterator::operator++();

struct JsonOptions
{
    /// Levels of nesting that are read; deeper documents are refused.
    std::size_t maxDepth = 64;
    /// Whether an object that holds a key twice is refused. Costs one walk over the document.
    bool rejectDuplicateKeys = false;
    /// Whether what is not Unicode (bytes that are no UTF-8, escapes of lone surrogates) becomes
    /// U+FFFD and is counted. Without it such text is refused.
    bool repairText = false;
};

/// A parsed JSON text. Owns everything its views point to; moves, does not copy.
///
/// A byte-order mark at the start is skipped. Integers beyond 64 bits are read as doubles, as
/// Python's 10**30 in tokenizer_config.json demands.
/// @threads views may be read from any number of threads at once
/// @cost    a tokenizer.json of 15 MB takes some 60 ms and 64 MB; memory is at most 15 times the text
class JsonDocument
{
public:
    /// @param fileName  for error messages only
    /// @errors BadFormat with the byte (counted from 0) where the text stops being JSON; OutOfMemory
    [[nodiscard]] static Result<JsonDocument> parse(std::string_view text, std::string_view fileName,
                                                    const JsonOptions& options = {});
    /// @errors as parse; FileNotFound, Resource, BadFormat (larger than maxBytes)
    [[nodiscard]] static Result<JsonDocument> parseFile(const std::filesystem::path& path,
                                                        const JsonOptions& options = {},
                                                        std::uint64_t maxBytes = std::uint64_t{1} << 28);

    JsonDocument(JsonDocument&&) noexcept;
    JsonDocument& operator=(JsonDocument&&) noexcept;
    ~JsonDocument();

    [[nodiscard]] JsonView root() const;
    /// Number of places that were replaced by U+FFFD (JsonOptions::repairText).
    [[nodiscard]] std::size_t repairs() const;

private:
    friend class JsonParser;
    struct State;
    explicit JsonDocument(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

/// Reads many small texts, one after another, with the same memory: the lines of a JSONL file.
/// @threads one at a time
class JsonParser
{
public:
    explicit JsonParser(const JsonOptions& options = {});
    JsonParser(JsonParser&&) noexcept;
    JsonParser& operator=(JsonParser&&) noexcept;
    ~JsonParser();

    /// The value of one line. Valid until the next call.
    /// @errors as JsonDocument::parse, without a file name
    [[nodiscard]] Result<JsonView> parseLine(std::string_view line);
    /// An integer of the last line that is read as a double, because it is beyond 64 bits or stands beside one that
    /// is, as it was written: "12345678901234567890123". Empty for every other value.
    /// @cost O(log of the number of such integers)
    [[nodiscard]] std::string_view largeInteger(const JsonView& value) const;
    /// Replacements by U+FFFD in the last line.
    [[nodiscard]] std::size_t repairs() const;

private:
    std::unique_ptr<JsonDocument::State> m_state;
};

} // namespace headscope
