// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/parquet/parquet_columns.h"

#include "model/io/parquet/arrow_cells.h"

#include <fmt/format.h>

#include <arrow/array.h>
#include <arrow/type.h>
#include <parquet/arrow/schema.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>

namespace headscope
{
namespace
{

/// Where a dotted name leads below a field of a schema; the first step is the number of a column.
using Steps = std::vector<std::int64_t>;

bool isList(const arrow::DataType& type)
{
    return type.id() == arrow::Type::LIST || type.id() == arrow::Type::LARGE_LIST ||
           type.id() == arrow::Type::FIXED_SIZE_LIST;
}

std::optional<std::int64_t> numberOf(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = failed == std::errc{} && end == text.data() + text.size() && number >= 0;
    return whole ? std::optional(number) : std::nullopt;
}

/// One step by a name: a column or member, or an element of a list.
/// @param list  the list's type where names are numbers of its elements
struct Level
{
    const arrow::FieldVector* fields = nullptr;
    const arrow::DataType* list = nullptr;

    [[nodiscard]] std::optional<std::int64_t> find(std::string_view name) const
    {
        if (list != nullptr)
            return numberOf(name);
        for (std::size_t i = 0; i < fields->size(); ++i)
            if ((*fields)[i]->name() == name)
                return static_cast<std::int64_t>(i);
        return std::nullopt;
    }
    [[nodiscard]] std::optional<Level> below(std::int64_t step) const
    {
        const arrow::DataType& type =
            list != nullptr ? *list->field(0)->type() : *(*fields)[static_cast<std::size_t>(step)]->type();
        if (type.id() == arrow::Type::STRUCT)
            return Level{&type.fields(), nullptr};
        return isList(type) ? std::optional(Level{nullptr, &type}) : std::nullopt;
    }
};

/// What a path of names with dots between them leads to; the longer name comes before the shorter.
std::optional<Steps> stepsTo(const Level& level, std::string_view path)
{
    if (const auto step = level.find(path))
        return Steps{*step};
    for (std::size_t end = path.rfind('.'); end != std::string_view::npos && end > 0;
         end = path.substr(0, end).rfind('.'))
    {
        const auto outer = level.find(path.substr(0, end));
        const auto inner = outer ? level.below(*outer) : std::nullopt;
        if (auto rest = inner ? stepsTo(*inner, path.substr(end + 1)) : std::nullopt)
        {
            rest->insert(rest->begin(), *outer);
            return rest;
        }
    }
    return std::nullopt;
}

using parquet::arrow::SchemaField;

void addLeaves(const SchemaField& field, std::set<int>& leaves)
{
    if (field.is_leaf())
        leaves.insert(field.column_index);
    for (const SchemaField& child : field.children)
        addLeaves(child, leaves);
}

const SchemaField* fieldAt(const std::vector<SchemaField>& columns, const Steps& steps)
{
    const SchemaField* field = &columns[static_cast<std::size_t>(steps.front())];
    for (std::size_t i = 1; i < steps.size(); ++i)
    {
        const auto child = isList(*field->field->type()) ? 0 : static_cast<std::size_t>(steps[i]);
        if (child >= field->children.size())
            return nullptr;
        field = &field->children[child];
    }
    return field;
}

class Chooser
{
public:
    explicit Chooser(const parquet::arrow::SchemaManifest& manifest) : m_columns(manifest.schema_fields)
    {
        for (const SchemaField& column : m_columns)
            m_fields.push_back(column.field);
    }

    /// @return  false if there is no such field
    bool add(const std::string& name)
    {
        const auto steps = stepsTo({&m_fields, nullptr}, name);
        const SchemaField* field = steps ? fieldAt(m_columns, *steps) : nullptr;
        if (field == nullptr)
            return false;
        if (!m_names.insert(name).second)
            return true;
        const bool kept = keepsValues(*field->field->type());
        m_chosen.fields.push_back({name, false, !kept, -1, {}});
        if (kept)
            addLeaves(*field, m_leaves);
        return true;
    }
    void addAll()
    {
        for (const auto& field : m_fields)
            add(field->name());
    }

    /// Members of structs, under dotted names.
    void addInner()
    {
        for (const SchemaField& column : m_columns)
            addInner(column.field->name(), column, RecordOptions::kMaxInner);
    }

    ParquetColumns take(int leaves)
    {
        if (m_leaves.empty() && leaves > 0) // batches without columns have no rows
            m_leaves.insert(0);
        m_chosen.leaves.assign(m_leaves.begin(), m_leaves.end());
        return std::move(m_chosen);
    }

private:
    void addInner(const std::string& outer, const SchemaField& field, int levels)
    {
        if (field.field->type()->id() != arrow::Type::STRUCT || levels == 0)
            return;
        for (const SchemaField& child : field.children)
        {
            const std::string path = outer + "." + child.field->name();
            if (m_chosen.fields.size() >= RecordOptions::kMaxFields)
                return;
            const bool isStruct = child.field->type()->id() == arrow::Type::STRUCT;
            const bool isNew = !isStruct && !m_names.contains(path);
            if (isNew && add(path))
                m_chosen.fields.back().inner = true;
            addInner(path, child, levels - 1);
        }
    }

    const std::vector<SchemaField>& m_columns;
    arrow::FieldVector m_fields;
    std::set<std::string> m_names;
    std::set<int> m_leaves;
    ParquetColumns m_chosen;
};

/// The first name of two fields, dotted inside structs.
std::optional<std::string> nameThatIsThereTwice(const arrow::FieldVector& fields, int levels)
{
    std::set<std::string> names;
    for (const auto& field : fields)
    {
        if (!names.insert(field->name()).second)
            return field->name();
        if (field->type()->id() != arrow::Type::STRUCT || levels == 0)
            continue;
        if (const auto inner = nameThatIsThereTwice(field->type()->fields(), levels - 1))
            return field->name() + "." + *inner;
    }
    return std::nullopt;
}

} // namespace

Status checkNames(const parquet::arrow::SchemaManifest& manifest)
{
    arrow::FieldVector columns;
    for (const SchemaField& column : manifest.schema_fields)
        columns.push_back(column.field);
    if (const auto twice = nameThatIsThereTwice(columns, RecordOptions::kMaxInner))
        return Error{
            ErrorCode::BadFormat, fmt::format("expected different column names, found \"{}\" twice", *twice), {}, {}};
    return {};
}

ParquetColumns chooseColumns(const parquet::arrow::SchemaManifest& manifest, const RecordOptions& options)
{
    const int leaves = static_cast<int>(manifest.column_index_to_field.size());
    if (options.columns)
    {
        Chooser some(manifest);
        const bool allThere = std::all_of(options.columns->begin(), options.columns->end(),
                                          [&](const auto& name) { return name.empty() || some.add(name); });
        for (const std::string& name : options.columnsIfThere)
            some.add(name);
        if (allThere)
            return some.take(leaves);
    }
    Chooser all(manifest);
    all.addAll();
    for (const std::string& path : options.paths)
        all.add(path);
    if (options.inner)
        all.addInner();
    return all.take(leaves);
}

bool placeColumns(const arrow::Schema& batches, std::vector<CellPath>& fields)
{
    for (CellPath& field : fields)
    {
        if (field.nested)
            continue;
        auto steps = stepsTo({&batches.fields(), nullptr}, field.name);
        if (!steps)
            return false;
        field.column = static_cast<int>(steps->front());
        field.steps.assign(steps->begin() + 1, steps->end());
    }
    return true;
}

bool takeValue(const arrow::Array* column, std::int64_t row, const CellPath& path, bool joinLists, RecordField& field)
{
    if (field.name != path.name)
        field.name = path.name;
    field.text.clear();
    field.listed = 0;
    field.isInner = path.inner;
    field.kind = path.nested ? FieldKind::Nested : FieldKind::Null;
    if (path.nested)
        return false;
    const arrow::Array* array = column;
    std::shared_ptr<arrow::Array> owned;
    for (const std::int64_t step : path.steps)
    {
        if (array->IsNull(row))
            return false;
        if (array->type_id() == arrow::Type::STRUCT)
        {
            owned = static_cast<const arrow::StructArray&>(*array).field(static_cast<int>(step));
            array = owned.get();
            continue;
        }
        const auto elements = elementsOf(*array, row);
        if (!elements || step >= elements->count)
            return false;
        row = elements->begin + step;
        owned = elements->values;
        array = owned.get();
    }
    return takeCell(*array, row, joinLists, field);
}

} // namespace headscope
