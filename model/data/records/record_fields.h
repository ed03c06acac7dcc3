// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/fields/fields.h"
#include "model/base/strong_index.h"
#include "model/data/matrix.h"

#include <concepts>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace headscope
{

class RecordFields;

/// Many numbers, stored as one array. Empty ones are not stored.
using RecordNumbers =
    std::variant<std::vector<double>*, std::vector<float>*, std::vector<std::int64_t>*, std::vector<std::int32_t>*,
                 std::vector<std::uint64_t>*, MatrixD*, MatrixF*, Matrix<std::int64_t>*>;

/// Texts, stored as one array. An empty list is stored where it has a length to say.
struct RecordTexts
{
    std::vector<std::string>* target = nullptr;
    bool isEmptyStored = false;
    std::uint64_t mostBytes = 0; ///< of all of them; 0: any
};

/// Names with a text each, stored in the order of the names.
using NamedTexts = std::variant<std::vector<std::pair<std::string, std::string>>*, std::map<std::string, std::string>*>;

/// A value that is stored as a text. An empty text is not stored.
struct RecordText
{
    void* target = nullptr;
    std::string (*write)(const void* target) = nullptr;
    std::string (*read)(void* target, const std::string& text) = nullptr; ///< what was expected; empty: it is taken
};

/// Values that are records themselves.
struct RecordItems
{
    enum class Kind
    {
        Here,  ///< at most one, whose fields stand among those of the outer one; there where the required ones are
        Group, ///< one, or at most one, below its name
        List,  ///< any number, below NAME/000, NAME/001, ...
        Row,   ///< one, as a list of numbers, its fields: an array [fields] of float64
        Table, ///< any number of rows of numbers, each row the fields of one: an array [items, fields] of float64
    };
    Kind kind = Kind::Group;
    void* target = nullptr;
    std::int64_t (*count)(const void* target) = nullptr;
    void (*resize)(void* target, std::int64_t count) = nullptr; ///< new ones as they are by default
    void (*describe)(RecordFields& record, void* target, std::int64_t item) = nullptr;
    bool isNeeded = false; ///< it is damage where it is missing
};

/// One part of a record that is more than one value.
struct RecordPart
{
    std::string name;
    std::variant<RecordNumbers, RecordTexts, NamedTexts, RecordText, RecordItems> target;
};

/// What a value is stored as, and read back from: its attributes and its larger parts, each with its name. A type
/// declares it once, in a function `void fields(RecordFields&, T&)` that archives find by its argument; HDF5 and JSON,
/// both ways, follow from it. Rows, bound to variables, as Fields: the value must outlive the record.
/// @threads one at a time
class RecordFields
{
public:
    /// The attributes. What is declared in Fields already (the options of a run) is added to them.
    [[nodiscard]] Fields& attributes() { return m_attributes; }
    [[nodiscard]] const Fields& attributes() const { return m_attributes; }
    [[nodiscard]] const std::vector<RecordPart>& parts() const { return m_parts; }

    /// An attribute. required(): it is damage where it is missing. within(): it is damage where it is another number.
    /// omitEmpty(): an empty text, 0 and the first word are not stored.
    template <class T>
    requires std::is_constructible_v<FieldTarget, T*> Field& operator()(std::string_view name, T& value)
    {
        return checked(m_attributes(name, value));
    }
    template <class Tag>
    Field& operator()(std::string_view name, StrongIndex<Tag>& value)
    {
        return checked(m_attributes(name, value.number()));
    }
    template <class E>
    requires std::is_enum_v<E> || std::is_same_v<E, bool> Field& operator()(std::string_view name, E& value,
                                                                            std::span<const FieldWord> words)
    {
        return checked(m_attributes(name, value, words));
    }
    /// An attribute that is a text, and another type in memory.
    /// @tparam Write  std::string (const T&)
    /// @tparam Read   std::string (T&, const std::string&): what was expected; empty: it is taken
    template <auto Write, auto Read, class T>
    void text(std::string_view name, T& value)
    {
        add(name, RecordText{&value, [](const void* at) -> std::string { return Write(*static_cast<const T*>(at)); },
                             [](void* at, const std::string& stored) -> std::string {
                                 return Read(*static_cast<T*>(at), stored);
                             }});
    }

    template <class T>
    requires std::constructible_from<RecordNumbers, T*>
    void numbers(std::string_view name, T& values) { add(name, RecordNumbers(&values)); }
    /// @param mostBytes  of all texts together: a file of few bytes may name one long text many times
    void texts(std::string_view name, std::vector<std::string>& values, std::uint64_t mostBytes = 0)
    {
        add(name, RecordTexts{&values, false, mostBytes});
    }
    /// The same, stored where there are none, too.
    void storedTexts(std::string_view name, std::vector<std::string>& values, std::uint64_t mostBytes = 0)
    {
        add(name, RecordTexts{&values, true, mostBytes});
    }
    template <class T>
    requires std::constructible_from<NamedTexts, T*>
    void names(std::string_view name, T& values) { add(name, NamedTexts(&values)); }

    /// One record below a name.
    template <class T>
    void group(std::string_view name, T& value)
    {
        add(name, one(RecordItems::Kind::Group, value));
    }
    /// One record as a list of numbers; its fields are as those of a table.
    template <class T>
    void row(std::string_view name, T& value)
    {
        add(name, one(RecordItems::Kind::Row, value));
    }
    /// At most one record below a name, in an optional or in a pointer that owns it.
    template <class Holder>
    void perhaps(std::string_view name, Holder& holder)
    {
        add(name, held(RecordItems::Kind::Group, holder));
    }
    /// At most one record among the fields of this one. It is there where all its required attributes are, and fit.
    template <class Holder>
    void perhapsHere(Holder& holder)
    {
        add({}, held(RecordItems::Kind::Here, holder));
    }
    /// Records below a name, one group each.
    template <class T>
    void list(std::string_view name, std::vector<T>& values)
    {
        add(name, several(RecordItems::Kind::List, values));
    }
    /// Rows of numbers. The fields of T are numbers and flags; those that are not required may be missing at the end of
    /// the rows of a file of an earlier version.
    template <class T>
    void table(std::string_view name, std::vector<T>& values)
    {
        add(name, several(RecordItems::Kind::Table, values));
    }

private:
    static Field& checked(Field& field)
    {
        field.isChecked = true;
        return field;
    }

    template <class T>
    void add(std::string_view name, T target)
    {
        m_parts.push_back({std::string(name), std::move(target)});
    }

    template <class T>
    static RecordItems one(RecordItems::Kind kind, T& value)
    {
        return {kind,
                &value,
                [](const void*) { return std::int64_t{1}; },
                [](void*, std::int64_t) {},
                [](RecordFields& record, void* at, std::int64_t) { fields(record, *static_cast<T*>(at)); },
                true};
    }

    template <class T>
    static void hold(std::optional<T>& holder)
    {
        holder.emplace();
    }
    template <class T>
    static void hold(std::shared_ptr<T>& holder)
    {
        holder = std::make_shared<std::remove_const_t<T>>();
    }
    template <class Holder>
    static RecordItems held(RecordItems::Kind kind, Holder& holder)
    {
        return {kind, &holder, [](const void* at) -> std::int64_t { return *static_cast<const Holder*>(at) ? 1 : 0; },
                [](void* at, std::int64_t count) {
                    auto& into = *static_cast<Holder*>(at);
                    if (count == 0)
                        into.reset();
                    else
                        hold(into);
                },
                // A pointer may own what nobody changes: reading fills what hold() has just made.
                [](RecordFields& record, void* at, std::int64_t) {
                    using Held = std::remove_const_t<std::remove_reference_t<decltype(**static_cast<Holder*>(at))>>;
                    fields(record, const_cast<Held&>(**static_cast<Holder*>(at))); // NOLINT(*const-cast)
                },
                false};
    }

    template <class T>
    static RecordItems several(RecordItems::Kind kind, std::vector<T>& values)
    {
        return {kind,
                &values,
                [](const void* at) -> std::int64_t { return std::ssize(*static_cast<const std::vector<T>*>(at)); },
                [](void* at, std::int64_t count) {
                    static_cast<std::vector<T>*>(at)->resize(static_cast<std::size_t>(count));
                },
                [](RecordFields& record, void* at, std::int64_t item) {
                    fields(record, (*static_cast<std::vector<T>*>(at))[static_cast<std::size_t>(item)]);
                },
                false};
    }

    Fields m_attributes;
    std::vector<RecordPart> m_parts;
};

/// The record of a value that is only written.
template <class T>
[[nodiscard]] RecordFields recordOf(const T& value)
{
    RecordFields record;
    fields(record, const_cast<T&>(value)); // NOLINT(*const-cast): declarations only bind, and writing only reads
    return record;
}

/// The record of a value that is read.
template <class T>
[[nodiscard]] RecordFields recordOf(T& value)
{
    RecordFields record;
    fields(record, value);
    return record;
}

} // namespace headscope
