// SPDX-License-Identifier: GPL-3.0-or-later
// Records from CSV and TSV, by a small state machine over RFC 4180: quoted fields may hold
// separators, line ends and doubled quotes; a quote inside an unquoted field is itself. What separates the fields of a
// .csv is guessed (csv_separator.h) unless it is said.
#include "model/base/utf8.h"
#include "model/io/texts/byte_source.h"
#include "model/io/texts/csv_separator.h"
#include "model/io/texts/record_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope
{
namespace
{

/// The most columns of a table: as many as a spreadsheet can hold.
constexpr std::size_t kMostColumns = 16'384;

class CsvReader : public RecordReader
{
public:
    CsvReader(ByteReader bytes, char separator) : m_bytes(std::move(bytes)), m_separator(separator) {}

    /// Reads the names of the columns.
    Status readHeader()
    {
        HEADSCOPE_TRY(const bool any, readRow());
        if (!any)
            return Error{ErrorCode::BadFormat, "expected a header line with the names of the columns, found none",
                         m_bytes.name(), "line 1"};
        m_names = m_row;
        for (std::size_t i = 0; i < m_names.size(); ++i)
        {
            static_cast<void>(repairUtf8(m_names[i]));
            if (m_names[i].empty())
                m_names[i] = fmt::format("column {}", i + 1);
            if (std::find(m_names.begin(), m_names.begin() + static_cast<std::ptrdiff_t>(i), m_names[i]) !=
                m_names.begin() + static_cast<std::ptrdiff_t>(i))
                return Error{ErrorCode::BadFormat,
                             fmt::format("expected different column names, found \"{}\" twice", m_names[i]),
                             m_bytes.name(), "line 1"};
        }
        return {};
    }

    Result<bool> next(Record& record) override
    {
        record.file = m_bytes.name();
        record.untyped = true;
        do
        {
            record.line = m_bytes.lineNumber();
            HEADSCOPE_TRY(const bool any, readRow());
            if (!any)
                return false;
        } while (m_row.size() == 1 && m_row[0].empty() && m_names.size() > 1); // an empty line
        if (m_row.size() != m_names.size())
            return Error{ErrorCode::BadFormat,
                         fmt::format("expected {} fields as in the header, found {}", m_names.size(), m_row.size()),
                         m_bytes.name(), record.place()};
        record.repaired = false;
        record.fields.resize(m_names.size());
        for (std::size_t i = 0; i < m_names.size(); ++i)
        {
            RecordField& field = record.fields[i];
            field.name = m_names[i];
            field.text = std::move(m_row[i]);
            record.repaired = repairField(field.text) || record.repaired;
            field.kind = isNumberIn(m_separator, field.text) ? FieldKind::Number : FieldKind::Text;
        }
        return true;
    }

private:
    static bool repairField(std::string& text)
    {
        const bool repaired = repairUtf8(text);
        return replaceNul(text) || repaired;
    }

    [[nodiscard]] Error wrong(std::int64_t line, std::string_view message) const
    {
        return {ErrorCode::BadFormat, std::string(message), m_bytes.name(), fmt::format("line {}", line)};
    }

    [[nodiscard]] bool hasRoomFor(const std::string& field) const
    {
        return m_rowBytes + field.size() <= kMaxRecordBytes;
    }
    [[nodiscard]] Error tooLong(std::int64_t line) const
    {
        return wrong(line, "expected rows of at most 64 MiB, found a longer one");
    }

    /// Takes one quoted field; the opening quote was taken.
    Status readQuoted(std::string& field)
    {
        const std::int64_t line = m_bytes.lineNumber();
        while (true)
        {
            const int c = m_bytes.get();
            if (c < 0)
            {
                HEADSCOPE_CHECK(m_bytes.status());
                return wrong(line, "expected the closing quote of a field that starts here, found the end of the file");
            }
            if (c == '"' && m_bytes.peek() != '"')
                break;
            field += static_cast<char>(c == '"' ? m_bytes.get() : c);
            if (!hasRoomFor(field))
                return tooLong(line);
        }
        const int after = m_bytes.peek();
        if (after >= 0 && after != m_separator && after != '\n' && after != '\r')
            return wrong(m_bytes.lineNumber(),
                         "expected a separator or the end of the line after a quoted field, found more text");
        return {};
    }

    /// Reads the fields of one row into m_row; false at the end of the file.
    Result<bool> readRow()
    {
        m_row.clear();
        if (m_bytes.peek() < 0)
        {
            HEADSCOPE_CHECK(m_bytes.status());
            return false;
        }
        m_row.emplace_back();
        m_rowBytes = 0;
        const std::int64_t line = m_bytes.lineNumber();
        while (true)
        {
            const int c = m_bytes.get();
            if (c == '"' && m_row.back().empty())
                HEADSCOPE_CHECK(readQuoted(m_row.back()));
            else if (c == m_separator)
            {
                if (m_row.size() == kMostColumns)
                    return wrong(line, fmt::format("expected at most {} columns, found more", kMostColumns));
                m_rowBytes += m_row.back().size();
                m_row.emplace_back();
            }
            else if (c == '\r' && m_bytes.peek() == '\n')
                continue;
            else if (c == '\n' || c == '\r' || c < 0) // an old Mac's lines end with '\r'
            {
                if (c == '\r')
                    m_bytes.countLine();
                break;
            }
            else
            {
                m_row.back() += static_cast<char>(c);
                if (!hasRoomFor(m_row.back()))
                    return tooLong(line);
            }
        }
        HEADSCOPE_CHECK(m_bytes.status());
        return true;
    }

    ByteReader m_bytes;
    char m_separator;
    std::vector<std::string> m_names;
    std::vector<std::string> m_row;
    std::size_t m_rowBytes = 0; ///< of the fields of m_row but the last
};

} // namespace

Result<std::unique_ptr<RecordReader>> openCsv(const std::filesystem::path& path, std::optional<char> separator)
{
    if (!separator)
    {
        HEADSCOPE_TRY(separator, guessSeparator(path));
    }
    HEADSCOPE_TRY(auto source, openByteSource(path));
    auto reader = std::make_unique<CsvReader>(ByteReader(std::move(source), path.string()), *separator);
    HEADSCOPE_CHECK(reader->readHeader());
    return std::unique_ptr<RecordReader>(std::move(reader));
}

} // namespace headscope
