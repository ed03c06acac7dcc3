// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/texts/preview_reader.h"

#include "model/base/text/split_text.h"
#include "model/io/texts/column_roles.h"
#include "model/io/texts/record_reader.h"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace headscope
{
namespace
{

/// What is kept of a value beside itself, so that many columns of short values end the reading, too.
constexpr std::size_t kBesideValue = 16;

/// The beginning of a value, cut between two characters.
std::string cut(std::string_view text, std::size_t bytes)
{
    const std::string_view beginning = beginningOf(text, bytes);
    return std::string(beginning) + (beginning.size() == text.size() ? "" : "…");
}

std::string_view shownText(const RecordField& field)
{
    return field.kind == FieldKind::Nested ? "[…]" : std::string_view(field.text);
}

/// What a list has beyond its first text.
std::string_view furtherTexts(const RecordField& field)
{
    return field.listed > 1 ? ", …" : "";
}

/// Whether the text of a file stands in no column of its own.
bool isPlainText(const std::filesystem::path& path)
{
    std::error_code ignored;
    std::filesystem::path bare = path.filename();
    if (bare.extension() == ".gz" || bare.extension() == ".zst")
        bare = bare.stem();
    return bare.extension() == ".txt" || std::filesystem::is_directory(path, ignored);
}

std::string placeName(const Record& record)
{
    return record.line > 0 ? record.place() : record.file;
}

class PreviewScan
{
public:
    explicit PreviewScan(const PreviewOptions& options) : m_options(options) {}

    void add(const Record& record)
    {
        for (const RecordField& field : record.fields)
            if (!m_columnOf.contains(field.name) && m_columns.size() < m_options.mostColumns)
                addColumn(field, record);
        for (Column& column : m_columns)
            addValue(column, record);
        if (m_preview.rows.size() < m_options.rows)
            keep(record);
        if (m_preview.rowsRead == 0)
            m_first = {record.file, record.place()};
        ++m_preview.rowsRead;
        m_preview.repaired += record.repaired ? 1 : 0;
    }

    [[nodiscard]] bool atLimit() const { return m_options.limit > 0 && m_preview.rowsRead >= m_options.limit; }
    [[nodiscard]] bool enough() const
    {
        return m_preview.rowsRead >= m_options.mostRows || m_bytes >= m_options.mostBytes;
    }

    DocumentPreview take()
    {
        for (Column& column : m_columns)
        {
            column.facts.different = std::ssize(column.values);
            if (column.facts.present > 0)
                column.facts.meanLength = column.length / static_cast<double>(column.facts.present);
            m_preview.columns.push_back(std::move(column.facts));
        }
        for (PreviewRow& row : m_preview.rows)
            row.cells.resize(m_preview.columns.size());
        return std::move(m_preview);
    }

private:
    struct Column
    {
        ColumnFacts facts;
        NumberCheck numbers;
        double length = 0;
        std::map<std::string, int> values;                ///< at most one more than make a label
        std::unordered_map<std::size_t, std::string> ids; ///< hash of an id to where it stands
    };

    void addColumn(const RecordField& field, const Record& record)
    {
        const std::string& name = field.name;
        m_columnOf.emplace(name, m_columns.size());
        Column column;
        column.facts.name = name;
        column.facts.inner = field.isInner;
        if (m_preview.rowsRead > 0)
        {
            // The rows before this one have no such field.
            const Error missing{ErrorCode::BadFormat,
                                fmt::format("the field \"{}\", which {} has, is missing", name, placeName(record)),
                                m_first.file, m_first.place};
            column.facts.notText = missing;
            column.facts.notId = missing;
        }
        m_columns.push_back(std::move(column));
    }

    void addValue(Column& column, const Record& record)
    {
        ColumnFacts& facts = column.facts;
        if (!facts.notText)
            if (const auto text = textOf(record, facts.name); !text)
                facts.notText = text.error();
        if (!facts.notId)
            addId(column, record);
        if (!facts.notLabel)
            if (const auto label = checkLabel(record, facts.name); !label)
                facts.notLabel = label.error();
        if (!facts.notNumber)
            if (const auto number = column.numbers.add(record, facts.name); !number)
                facts.notNumber = number.error();
        const RecordField* field = record.find(facts.name);
        if (field == nullptr || field->kind == FieldKind::Null ||
            (field->kind != FieldKind::Nested && field->text.empty()))
            return;
        ++facts.present;
        facts.textOnly = facts.textOnly && field->kind == FieldKind::Text;
        column.length += static_cast<double>(field->text.size());
        m_bytes += field->text.size() + kBesideValue;
        if (facts.textOnly && std::ssize(column.values) <= kMaxLabelValues)
            column.values.emplace(field->text, 0);
    }

    static void addId(Column& column, const Record& record)
    {
        const auto id = idOf(record, column.facts.name);
        if (!id)
        {
            column.facts.notId = id.error();
            return;
        }
        const auto [before, isNew] = column.ids.try_emplace(std::hash<std::string>()(*id), placeName(record));
        if (!isNew)
            column.facts.notId = repeatedId(record, *id, before->second);
    }

    void keep(const Record& record)
    {
        PreviewRow row;
        row.line = record.line;
        for (const Column& column : m_columns)
        {
            const RecordField* field = record.find(column.facts.name);
            row.cells.push_back(field == nullptr
                                    ? std::string()
                                    : cut(shownText(*field), m_options.cellBytes).append(furtherTexts(*field)));
        }
        m_preview.rows.push_back(std::move(row));
    }

    struct Place
    {
        std::string file;
        std::string place;
    };

    const PreviewOptions& m_options;
    DocumentPreview m_preview;
    std::vector<Column> m_columns;
    std::map<std::string, std::size_t> m_columnOf;
    Place m_first;
    std::size_t m_bytes = 0;
};

} // namespace

Result<DocumentPreview> readPreview(const std::filesystem::path& path, const PreviewOptions& options, JobContext& job)
{
    HEADSCOPE_TRY(
        const auto reader,
        openRecords(path,
                    {.textColumn = "text", .lines = options.lines, .inner = true, .separator = options.separator}));
    PreviewScan scan(options);
    Record record;
    bool whole = false;
    std::optional<Error> fault;
    while (!whole && !fault && !scan.enough())
    {
        HEADSCOPE_CHECK(job.checkStop());
        auto any = reader->next(record);
        if (!any)
            fault = std::move(any).error();
        else if (*any)
            scan.add(record);
        whole = !fault && (!*any || scan.atLimit());
    }
    DocumentPreview preview = scan.take();
    if (preview.rowsRead == 0)
        return fault ? *std::move(fault)
                     : Error{ErrorCode::BadFormat, "expected at least one document, found none", path.string(), {}};
    preview.file = path.string();
    preview.whole = whole;
    preview.plainText = isPlainText(path);
    preview.fault = std::move(fault);
    return preview;
}

} // namespace headscope
