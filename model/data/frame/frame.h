// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/assert.h"
#include "model/base/result.h"
#include "model/data/matrix.h"
#include "model/data/results/interval.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace headscope
{

/// How the values of a column are formatted, in every output.
enum class Shown
{
    Index, ///< a number that names something: head 3
    Count, ///< a whole number that counts
    Real,  ///< four digits after the point, by its exponent where these would hold none of its own
    Fixed, ///< four digits after the point, always
    Share, ///< as Real; in per cent on the screen
    P,     ///< as Real; a probability of a test
    Text,  ///< a text; an empty one is null in JSON
    Stage, ///< a text; in JSON a number where it is one
    Flag,  ///< "yes" or nothing in tables, true or false in JSON
    Tree,  ///< a part of the result that is no cell: in JSON alone
};

/// What a column says of each row. Tables and files show facets, not columns.
enum class Facet
{
    Value,
    Low,  ///< of the interval
    High, ///< of the interval
    Null, ///< mean of the null distribution
    P,
    Q,
    Chance,
    Span,           ///< low and high together: [low, high] or null in JSON, "value [low, high]" in a text
    Ends,           ///< [low, high] in JSON, each null where it is missing; "low to high" in a text
    Range,          ///< as Span, without the value in a text: "[low, high]"
    IntervalMethod, ///< how the interval was made
    NullMethod,     ///< how the null distribution was made
};

/// One kind of number of a result: the only place where it is named and explained.
struct ColumnInfo
{
    std::string_view key;        ///< in JSON and --columns; with blanks in tables, with underscores in HDF5
    std::string_view title;      ///< on the screen and in figures
    std::string_view unit;       ///< "" of shares and counts
    std::string_view definition; ///< sentences, the last without its full stop
    std::string_view caution{};  ///< "" or what has to be said wherever the number is shown
    Shown shown = Shown::Real;
    std::string_view alias{}; ///< another header of tables, where rows are something else: "segment" for "head"
};

/// One place of a table or an object: which facet of which column, and what it is called there.
struct Slot
{
    std::string_view column;
    Facet facet = Facet::Value;
    /// Of a table, or the path in an object of JSON ("p.top_topic"); "": from key and facet. {} stands for the header
    /// that the column has of its own.
    std::string_view header{};
    int width = 0; ///< at least, in texts
    bool isOptional =
        false; ///< of tables: left out where the column lacks the facet; of JSON: of rows where it is missing
};
using Slots = std::span<const Slot>;

/// All columns that no list of the description names, each with its facets: a new column needs no list to be in
/// every output.
inline constexpr Slot kRest{"*"};
/// Slots of one column that follow each other stand together for each column of this key; this parts such groups.
inline constexpr Slot kNextGroup{"|"};
/// Of JSON: the values of all columns, before their facets.
inline constexpr Slot kValues{"*values"};

/// Where facets stand in an object of JSON unless a slot says it.
enum class JsonShape
{
    ByFacet,  ///< {"match": 0.2, "ci95": {"match": [..]}, "p": {"match": ..}}
    ByColumn, ///< {"match": {"value": 0.2, "ci95": [..], "p": ..}}
    Flat,     ///< {"match": 0.2, "match_ci95": [..], "match_p": ..}
};

/// The constant description of one table. Each list of slots may name columns that a result lacks, which are left out;
/// a facet that a column lacks is an empty cell of tables, and left out of JSON.
struct FrameInfo
{
    std::string_view key; ///< the group in HDF5, and the list in JSON
    std::span<const ColumnInfo> columns;
    JsonShape shape = JsonShape::ByFacet;
    char fileBlank = ' ';           ///< between the words of a header of CSV
    Slots json{};                   ///< empty: every column with its facets
    Slots file{};                   ///< CSV and HDF5; empty: every column with its facets
    Slots paper{};                  ///< LaTeX; empty: as file
    std::span<const Slots> texts{}; ///< tables under each other, for people; empty: one, as paper

    /// The column of this key; null: there is none.
    [[nodiscard]] const ColumnInfo* find(std::string_view columnKey) const;
};

/// A result: an ordered tree of facts, intervals, matrices and tables.
struct Node;
using Members = std::vector<std::pair<std::string, Node>>;
using NodeList = std::vector<Node>;

/// What a whole number is where it is missing.
inline constexpr std::int64_t kNoCount = std::numeric_limits<std::int64_t>::min();

/// The values of one column of a result, and their facets.
struct Column
{
    using Reals = std::vector<double>;
    using Wholes = std::vector<std::int64_t>;
    using Texts = std::vector<std::string>;
    using Values = std::variant<Reals, Wholes, Texts, NodeList>;

    const ColumnInfo* info = nullptr;
    Values values;                 ///< [rows]
    std::array<Reals, 6> facets{}; ///< low, high, null, p, q, chance; each [rows], or empty: there are none
    Texts intervalMethod{};        ///< [rows] or empty
    Texts nullMethod{};            ///< [rows] or empty
    std::string header{};          ///< in tables, where only the result knows it; "": from the key
    std::string noTest{};          ///< in texts, where p and q are missing; "": a dash
    bool isMeaningless = false;    ///< in files as it is, "-" in texts (groups of a model without KV groups)

    /// The numbers of a facet from Low to Chance.
    [[nodiscard]] Reals& numbers(Facet facet);
    [[nodiscard]] const Reals& numbers(Facet facet) const;
    [[nodiscard]] bool has(Facet facet) const;
    [[nodiscard]] bool isText() const;
    [[nodiscard]] std::size_t rows() const;
    /// A number, its facet or a whole number; NaN where it is missing or a text.
    [[nodiscard]] double at(Facet facet, std::size_t row) const;

    // Sets facets, each of as many rows as the column, and returns the column.
    Column& set(Facet facet, Reals numbers);
    Column& set(Facet facet, double ofAllRows);
    Column& interval(std::span<const Interval> intervals);
    Column& interval(std::span<const Interval> intervals, Texts methods);
    Column& interval(std::span<const Interval> intervals, std::string_view methodOfAllRows);
    /// Mean and p.
    Column& null(std::span<const PermutationNull> nulls);
    Column& null(std::span<const PermutationNull> nulls, Texts methods);
    Column& null(std::span<const PermutationNull> nulls, std::string_view methodOfAllRows);
    Column& named(std::string headerOfTables);
};

/// A table: columns of one length. Its leading columns of Shown::Index say what a row is.
class Frame
{
public:
    Frame() = default;
    /// A table without columns.
    explicit Frame(const FrameInfo& about);

    [[nodiscard]] const FrameInfo& about() const { return *m_about; }
    [[nodiscard]] std::int64_t rows() const;
    [[nodiscard]] const std::vector<Column>& columns() const { return m_columns; }
    [[nodiscard]] std::vector<Column>& columns() { return m_columns; }
    /// The first column of this key; null: there is none.
    [[nodiscard]] const Column* find(std::string_view key) const;
    [[nodiscard]] Column* find(std::string_view key);

    /// Adds a column, which may have the key of others, with a header of its own (one a topic).
    /// @param key     of the description
    /// @param values  of the kind that the description says: whole numbers for Index, Count and Flag, texts for Text
    ///                and Stage, nodes for Tree, else reals; as many as in the other columns
    Column& add(std::string_view key, Column::Values values);
    /// Shows its columns as the lists of another description say; those keep what explains them.
    void showAs(const FrameInfo& about) { m_about = &about; }
    /// Puts the rows into this order.
    /// @param order  row numbers, of all rows or some
    void take(std::span<const std::size_t> order);

private:
    const FrameInfo* m_about = nullptr;
    std::vector<Column> m_columns;
};

/// The rows of a list as a column: what `projection` makes of each. Whole numbers and flags become int64, floats
/// double, an empty optional kNoCount or NaN; texts become std::string, other values stay.
template <class List, class Projection>
[[nodiscard]] auto columnValues(const List& list, Projection projection);
/// The same as a node: a list of numbers, texts or other nodes.
template <class List, class Projection = std::identity>
[[nodiscard]] Node listNode(const List& list, Projection projection = {});

struct Node
{
    /// An unsigned number is one that no signed one holds (seeds).
    using Value = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Interval,
                               MatrixD, Frame, Members, NodeList>;
    Value value;

    Node() = default;
    template <class T>
    requires std::integral<T> || std::floating_point<T>
    Node(T number) // NOLINT(*-explicit-*): facts are written plainly
    {
        if constexpr (std::same_as<T, bool>)
            value = number;
        else if constexpr (std::floating_point<T>)
            value = static_cast<double>(number);
        else if (std::in_range<std::int64_t>(number))
            value = static_cast<std::int64_t>(number);
        else
            value = static_cast<std::uint64_t>(number);
    }
    Node(const char* text) : value(std::string(text)) {}      // NOLINT(*-explicit-*)
    Node(std::string_view text) : value(std::string(text)) {} // NOLINT(*-explicit-*)
    Node(std::string text) : value(std::move(text)) {}        // NOLINT(*-explicit-*)
    Node(Interval interval) : value(interval) {}              // NOLINT(*-explicit-*)
    Node(MatrixD matrix) : value(std::move(matrix)) {}        // NOLINT(*-explicit-*)
    Node(Frame frame) : value(std::move(frame)) {}            // NOLINT(*-explicit-*)
    Node(Members members) : value(std::move(members)) {}      // NOLINT(*-explicit-*)
    Node(NodeList list) : value(std::move(list)) {}           // NOLINT(*-explicit-*)

    /// A member of this name; null: there is none.
    [[nodiscard]] const Node* find(std::string_view name) const;
    /// What a path of names leads to ("chance.match"); an empty node: nothing.
    [[nodiscard]] const Node& at(std::string_view path) const;
    /// What is there, if it is a T, or for double a whole number; else the other: a fact that is missing must not read
    /// as 0.
    template <class T>
    [[nodiscard]] T as(std::string_view path, T other) const
    {
        const Node& node = at(path);
        if constexpr (std::same_as<T, double>)
            if (const auto* whole = std::get_if<std::int64_t>(&node.value))
                return static_cast<double>(*whole);
        const T* found = std::get_if<T>(&node.value);
        return found != nullptr ? *found : other;
    }
};

/// A text, or nothing where it is empty.
[[nodiscard]] inline Node textOrNull(std::string_view text)
{
    return text.empty() ? Node() : Node(text);
}

/// The name of a stage, or a number, as JSON has it (Shown::Stage).
[[nodiscard]] Node stageNode(std::string_view name);

/// A slot with the column that it shows.
struct FrameCell
{
    const Column* column = nullptr;
    Slot slot;
};

/// What a list of slots of tables means for a frame: the columns that it has, with kRest written out; no slots: every
/// column with its facets.
/// @cost  columns times slots
[[nodiscard]] std::vector<FrameCell> cellsOf(const Frame& frame, Slots slots);
/// The slots of files, of papers and of an object of JSON, with their defaults.
[[nodiscard]] std::vector<FrameCell> fileCells(const Frame& frame);
[[nodiscard]] std::vector<FrameCell> paperCells(const Frame& frame);
[[nodiscard]] std::vector<FrameCell> jsonCells(const Frame& frame);
/// Every slot that a file, or an object of JSON, of this description may have, whatever columns a result has: for
/// readers.
[[nodiscard]] std::vector<Slot> possibleFileSlots(const FrameInfo& about);
[[nodiscard]] std::vector<Slot> possibleJsonSlots(const FrameInfo& about);
/// Whether a slot names a column, and is none of kRest, kNextGroup and kValues.
[[nodiscard]] bool namesColumn(const Slot& slot);
/// The header of a slot with the column's own in place of {}; empty: it has none.
[[nodiscard]] std::string ownHeader(const Slot& slot, const Column& column);
/// Headers of tables: "mean norm", "match low".
/// @param blank  between words
[[nodiscard]] std::string headerOf(const FrameCell& cell, char blank = ' ');

/// Puts the rows in the order of a column, equal ones in the order they have: numbers from the largest, texts by their
/// bytes; what is missing comes last.
/// @param header  of a file, or a column's key
/// @errors WrongUse (no such column, with the names)
[[nodiscard]] Status sortFrame(Frame& frame, std::string_view header);

[[nodiscard]] inline bool isWhole(Shown shown)
{
    return shown == Shown::Index || shown == Shown::Count || shown == Shown::Flag;
}
[[nodiscard]] inline bool isText(Shown shown)
{
    return shown == Shown::Text || shown == Shown::Stage;
}

namespace frames
{

template <class T>
concept Optional = requires(const T& value)
{
    value.has_value();
    *value;
};

/// A value as columns hold it.
template <class T>
auto plain(const T& value)
{
    if constexpr (std::integral<T>)
        return static_cast<std::int64_t>(value);
    else if constexpr (std::floating_point<T>)
        return static_cast<double>(value);
    else if constexpr (std::convertible_to<T, std::string_view>)
        return std::string(std::string_view(value));
    else if constexpr (!Optional<T>)
        return value;
    else if constexpr (std::integral<typename T::value_type>)
        return value.has_value() ? static_cast<std::int64_t>(*value) : kNoCount;
    else
        return value.has_value() ? static_cast<double>(*value) : std::numeric_limits<double>::quiet_NaN();
}

} // namespace frames

template <class List, class Projection>
auto columnValues(const List& list, Projection projection)
{
    std::vector<std::decay_t<decltype(frames::plain(std::invoke(projection, *std::begin(list))))>> values;
    for (const auto& item : list)
        values.push_back(frames::plain(std::invoke(projection, item)));
    return values;
}

template <class List, class Projection>
Node listNode(const List& list, Projection projection)
{
    NodeList nodes;
    for (const auto& item : list)
        nodes.emplace_back(frames::plain(std::invoke(projection, item)));
    return nodes;
}

} // namespace headscope
