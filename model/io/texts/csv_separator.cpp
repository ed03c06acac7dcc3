// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/texts/csv_separator.h"

#include "model/io/texts/byte_source.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::string_view kSeparators = ",;\t|";
constexpr std::int64_t kGuessedBytes = std::int64_t{1} << 20;
constexpr std::int64_t kGuessedRows = 100;

/// Counts the fields of rows as one separator would part them, by the rules of CsvReader.
class FieldCounter
{
public:
    FieldCounter() = default;
    explicit FieldCounter(char separator) : m_separator(separator) {}

    void take(char c)
    {
        if (m_rows == kGuessedRows)
            return;
        if (m_inQuotes)
        {
            m_inQuotes = c != '"';
            m_closed = c == '"';
            return;
        }
        if (m_closed && c == '"') // doubled: a quote inside of the field
        {
            m_inQuotes = true;
            m_closed = false;
        }
        else if (c == m_separator)
            beginField();
        else if (c == '\n' || c == '\r') // of "\r\n" the second ends an empty line, which is none
            endRow();
        else
            takeText(c);
    }

    /// @param isEnd  the bytes end here, not the looking at them
    void finish(bool isEnd)
    {
        m_isBroken = m_isBroken || (isEnd && m_inQuotes);
        if (m_rows == 0 || (isEnd && !m_inQuotes))
            endRow();
    }

    [[nodiscard]] char separator() const { return m_separator; }
    [[nodiscard]] bool separates() const { return m_header > 1; }
    /// The larger, the better.
    [[nodiscard]] auto worth() const
    {
        const bool fitsAll = !m_isBroken && m_agreeing == m_rows;
        return std::tuple(fitsAll, !m_isBroken, fitsAll ? std::int64_t{0} : m_agreeing, m_header, -m_blankNames);
    }

private:
    void beginField()
    {
        ++m_fields;
        m_atStart = true;
        m_closed = false;
    }

    void takeText(char c)
    {
        m_isBroken = m_isBroken || m_closed; // text behind a closing quote
        m_inQuotes = m_atStart && c == '"';
        m_blankNames += m_rows == 0 && m_atStart && c == ' ' ? 1 : 0;
        m_atStart = false;
    }

    void endRow()
    {
        if (m_fields > 1 || !m_atStart) // an empty line is none
        {
            m_header = m_rows == 0 ? m_fields : m_header;
            m_agreeing += m_fields == m_header ? 1 : 0;
            ++m_rows;
        }
        m_fields = 0;
        beginField();
    }

    char m_separator = ',';
    bool m_inQuotes = false;
    bool m_closed = false;   ///< the field's closing quote was the last byte
    bool m_atStart = true;   ///< of a field
    bool m_isBroken = false; ///< no reader would take it
    std::int64_t m_fields = 1;
    std::int64_t m_header = 0;   ///< fields of the first row
    std::int64_t m_agreeing = 0; ///< rows of as many fields
    std::int64_t m_rows = 0;
    std::int64_t m_blankNames = 0;
};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool parsesAsNumber(std::string_view text)
{
    double value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failed == std::errc{} && end == text.data() + text.size() && std::isfinite(value);
}

} // namespace

Result<char> guessSeparator(const std::filesystem::path& path)
{
    HEADSCOPE_TRY(auto source, openByteSource(path));
    ByteReader bytes(std::move(source), path.string());
    std::array<FieldCounter, kSeparators.size()> counters;
    std::ranges::transform(kSeparators, counters.begin(), [](char separator) { return FieldCounter(separator); });
    int c = 0;
    for (std::int64_t i = 0; i < kGuessedBytes && (c = bytes.get()) >= 0; ++i)
        for (FieldCounter& counter : counters)
            counter.take(static_cast<char>(c));
    HEADSCOPE_CHECK(bytes.status());
    const FieldCounter* best = nullptr;
    for (FieldCounter& counter : counters)
    {
        counter.finish(c < 0);
        if (counter.separates() && (best == nullptr || best->worth() < counter.worth()))
            best = &counter;
    }
    return best == nullptr ? ',' : best->separator();
}

std::optional<char> separatorFromName(std::string_view name)
{
    static constexpr std::array<std::pair<std::string_view, char>, 4> kNames{
        {{"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"pipe", '|'}}};
    const auto found = std::ranges::find(kNames, name, &std::pair<std::string_view, char>::first);
    return found == kNames.end() ? std::nullopt : std::optional(found->second);
}

bool isNumberIn(char separator, std::string_view text)
{
    const std::size_t comma = text.find(',');
    if (separator != ';' || comma == std::string_view::npos)
        return parsesAsNumber(text);
    const bool isBetweenDigits =
        comma > 0 && comma + 1 < text.size() && isDigit(text[comma - 1]) && isDigit(text[comma + 1]);
    return isBetweenDigits && text.find('.') == std::string_view::npos &&
           parsesAsNumber(withDecimalPoint(std::string(text)));
}

std::string withDecimalPoint(std::string number)
{
    if (const std::size_t comma = number.find(','); comma != std::string::npos)
        number[comma] = '.';
    return number;
}

} // namespace headscope
