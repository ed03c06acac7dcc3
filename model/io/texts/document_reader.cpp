// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/texts/document_reader.h"

#include "model/base/file.h"
#include "model/base/output/temporary_path.h"
#include "model/base/random.h"
#include "model/formats/json.h"
#include "model/io/hdf5/hdf5_types.h"
#include "model/io/texts/column_roles.h"
#include "model/io/texts/record_reader.h"
#include "model/io/texts/standard_input.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <span>

namespace headscope
{
namespace
{

/// Standard input, kept in a file so that it can be read twice. The file has no name.
class SpooledInput
{
public:
    static Result<std::shared_ptr<SpooledInput>> readAll(JobContext& job)
    {
        auto spooled = std::make_shared<SpooledInput>();
        HEADSCOPE_TRY(spooled->m_descriptor, openUnnamedFile());
        std::array<char, 65'536> buffer{};
        while (true)
        {
            HEADSCOPE_CHECK(job.checkStop());
            HEADSCOPE_TRY(const std::size_t count, readStandardInput(std::as_writable_bytes(std::span(buffer))));
            if (count == 0)
                return spooled;
            for (std::size_t done = 0; done < count;)
            {
                const ssize_t written = ::write(spooled->m_descriptor, buffer.data() + done, count - done);
                if (written < 0 && errno != EINTR)
                    return systemError(errno, std::filesystem::temp_directory_path(), "saving standard input");
                done += static_cast<std::size_t>(std::max<ssize_t>(written, 0));
            }
        }
    }

    SpooledInput() = default;
    SpooledInput(const SpooledInput&) = delete;
    SpooledInput& operator=(const SpooledInput&) = delete;
    ~SpooledInput()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }

    /// A path under which the kernel opens the file anew.
    [[nodiscard]] std::filesystem::path path() const { return fmt::format("/proc/self/fd/{}", m_descriptor); }

private:
    int m_descriptor = -1;
};

/// The columns asked for whose names may lead into nested fields.
std::vector<std::string> pathsIn(const DocumentOptions& options)
{
    const auto& labels = options.labelColumns ? options.labelColumns : options.labelsIfThere;
    std::vector<std::string> names = labels.value_or(std::vector<std::string>());
    const auto& numbers = options.numberColumns ? *options.numberColumns : options.numbersIfThere;
    names.insert(names.end(), numbers.begin(), numbers.end());
    names.push_back(options.textColumn);
    names.push_back(options.idColumn.value_or(std::string()));
    std::erase_if(names, [](const std::string& name) { return name.find('.') == std::string::npos; });
    return names;
}

} // namespace

std::string DocumentSample::text() const
{
    return fmt::format("{} of {} documents, seed {}", documents, of, seed);
}

struct DocumentReader::State
{
    std::vector<std::filesystem::path> inputs;
    DocumentOptions options;
    std::shared_ptr<SpooledInput> standardInput;
    std::map<std::string, std::string> labelMap;

    std::int64_t count = 0;
    std::optional<std::string> idColumn;
    std::vector<std::string> labelColumns; ///< those of numbers last
    std::size_t numNumbers = 0;            ///< columns
    std::vector<std::string> notices;
    std::vector<std::int64_t> chosen; ///< ascending rows; empty = all
    std::optional<DocumentSample> sample;
    std::unordered_map<std::int64_t, std::string> newIds; ///< of rows whose id another has

    std::optional<std::vector<std::string>> needed; ///< columns; nothing: all

    // Where the stream is.
    std::size_t input = 0; ///< of the reader that is open, or comes next
    std::unique_ptr<RecordReader> reader;
    std::int64_t row = 0;       ///< records read
    std::size_t nextChosen = 0; ///< place in `chosen`

    [[nodiscard]] Result<std::unique_ptr<RecordReader>> openInput(const std::filesystem::path& path) const;
    [[nodiscard]] Result<bool> nextRecord(Record& record);
    [[nodiscard]] Result<bool> nextWanted(Record& record);
    [[nodiscard]] Result<std::optional<std::int64_t>> knownCount() const;
    [[nodiscard]] Status scan(JobContext& job);
    [[nodiscard]] Status scanColumns(JobContext& job);
    void take(const ColumnScan& columns);
    void drawSample(std::int64_t documents);
    void rewind();
    [[nodiscard]] Result<InputDocument> documentFrom(const Record& record) const;
    [[nodiscard]] Status addLabels(const Record& record, InputDocument& document) const;
};

Result<std::unique_ptr<RecordReader>> DocumentReader::State::openInput(const std::filesystem::path& path) const
{
    RecordOptions records = {options.textColumn, options.lines, pathsIn(options), options.joinLists, needed};
    records.separator = options.separator;
    records.columnsIfThere = options.numbersIfThere;
    if (!options.idColumn)
        records.columnsIfThere.emplace_back("id");
    if (path == "-")
        return openJsonLines(standardInput->path(), records);
    return openRecords(path, records);
}

/// The next record of all inputs; false at the end or at the limit.
Result<bool> DocumentReader::State::nextRecord(Record& record)
{
    while (options.limit == 0 || row < options.limit)
    {
        if (!reader)
        {
            if (input == inputs.size())
                return false;
            HEADSCOPE_TRY(reader, openInput(inputs[input]));
        }
        auto found = reader->next(record);
        if (inputs[input] == "-") // not the name under which it is kept
        {
            record.file = "standard input";
            if (!found)
                found.error().file = record.file;
        }
        if (!found)
            return std::move(found).error();
        if (*found)
        {
            ++row;
            return true;
        }
        reader.reset();
        ++input;
    }
    return false;
}

/// The next record, of a sample that was drawn the next one of that; what lies between is passed over.
Result<bool> DocumentReader::State::nextWanted(Record& record)
{
    if (chosen.empty())
        return nextRecord(record);
    if (nextChosen == chosen.size())
        return false;
    const std::int64_t wanted = chosen[nextChosen];
    bool any = true;
    while (any && row <= wanted)
    {
        if (reader && row < wanted)
        {
            HEADSCOPE_TRY(const std::int64_t skipped, reader->skip(wanted - row));
            row += skipped;
        }
        HEADSCOPE_TRY(any, nextRecord(record));
    }
    ++nextChosen;
    return any;
}

/// How many documents there are up to the limit, if every input says so without being read.
Result<std::optional<std::int64_t>> DocumentReader::State::knownCount() const
{
    std::int64_t known = 0;
    for (const auto& path : inputs)
    {
        if (path == "-")
            return std::optional<std::int64_t>();
        HEADSCOPE_TRY(const auto opened, openInput(path));
        const auto here = opened->count();
        if (!here)
            return here;
        known += *here;
    }
    return std::optional(options.limit > 0 ? std::min(options.limit, known) : known);
}

void DocumentReader::State::rewind()
{
    input = 0;
    row = 0;
    nextChosen = 0;
    reader.reset();
}

Status DocumentReader::State::scan(JobContext& job)
{
    if (options.labelColumns)
    {
        needed = *options.labelColumns;
        const auto numbers = options.numberColumns.value_or(std::vector<std::string>());
        needed->insert(needed->end(), numbers.begin(), numbers.end());
        needed->insert(needed->end(), {options.textColumn, options.idColumn.value_or(std::string())});
    }
    std::optional<std::int64_t> known;
    if (options.sample > 0)
    {
        HEADSCOPE_TRY(known, knownCount());
        drawSample(known.value_or(0));
    }
    HEADSCOPE_CHECK(scanColumns(job)); // the ids of all documents are gone before a sample takes memory
    if (!known)
        drawSample(count);
    needed = labelColumns;
    needed->insert(needed->end(), {options.textColumn, idColumn.value_or(options.textColumn)});
    rewind();
    return {};
}

Status DocumentReader::State::scanColumns(JobContext& job)
{
    ColumnScan columns(options);
    Record record;
    while (true)
    {
        HEADSCOPE_CHECK(job.checkStop());
        HEADSCOPE_TRY(const bool any, nextWanted(record));
        if (!any)
            break;
        HEADSCOPE_CHECK(columns.add(record, row - 1));
        job.report("reading documents", static_cast<std::uint64_t>(columns.count()), 0, "documents");
    }
    const std::string first = inputs.empty() ? std::string() : inputs.front().string();
    if (columns.count() == 0)
        return Error{ErrorCode::BadFormat, "expected at least one document, found none", first, {}};
    auto labels = columns.labelColumns();
    if (!labels)
        return std::move(labels).error().inFile(first);
    labelColumns = std::move(*labels);
    numNumbers = columns.numNumbers();
    take(columns);
    return {};
}

/// Keeps what the columns mean, and says what a user should know of it.
void DocumentReader::State::take(const ColumnScan& columns)
{
    count = columns.count();
    idColumn = columns.idColumn();
    if (columns.repaired() > 0)
        notices.push_back(fmt::format("{} of {} documents contain bytes that are not UTF-8, which became U+FFFD",
                                      columns.repaired(), count));
    if (columns.idsIncomplete())
        notices.emplace_back("some documents have no id: their row numbers are used");
    if (idColumn)
        newIds = columns.suffixedIds();
    if (!newIds.empty())
        notices.push_back(
            fmt::format("{} of {} documents repeat the id of an earlier one: -2, -3 and so on were appended",
                        newIds.size(), count));
    std::ranges::move(columns.labelNotices(std::span(labelColumns).first(labelColumns.size() - numNumbers)),
                      std::back_inserter(notices));
    if (options.joinLists)
        return;
    for (const auto& [name, documents] : columns.severalLabels())
        notices.push_back(fmt::format("{} of {} documents have several labels in \"{}\": the first is used; "
                                      "--label-lists joined joins all into one label, {}.1 is the second",
                                      documents, count, name, name));
}

/// @param documents  of which it is drawn
void DocumentReader::State::drawSample(std::int64_t documents)
{
    if (options.sample == 0 || options.sample >= documents)
        return;
    sample = DocumentSample{options.sample, documents, options.seed};
    chosen = permutation(documents, CounterRandom(options.seed));
    chosen.resize(static_cast<std::size_t>(options.sample));
    chosen.shrink_to_fit();
    std::sort(chosen.begin(), chosen.end());
    count = options.sample;
}

Result<InputDocument> DocumentReader::State::documentFrom(const Record& record) const
{
    InputDocument document;
    HEADSCOPE_TRY(document.text, textOf(record, options.textColumn));
    document.repaired = record.repaired;
    const RecordField* id = idColumn ? record.find(*idColumn) : nullptr;
    const auto newId = newIds.find(row - 1);
    document.id = newId != newIds.end() ? newId->second : id != nullptr ? id->text : std::to_string(row - 1);
    HEADSCOPE_CHECK(addLabels(record, document));
    return document;
}

Status DocumentReader::State::addLabels(const Record& record, InputDocument& document) const
{
    const std::size_t numLabels = labelColumns.size() - numNumbers;
    for (std::size_t i = 0; i < numLabels; ++i)
    {
        const RecordField* field = record.find(labelColumns[i]);
        std::string value = field != nullptr ? field->text : std::string();
        if (const auto renamed = labelMap.find(value); renamed != labelMap.end())
            value = renamed->second;
        document.labels.push_back(withoutNul(value)); // as a cache keeps it, so that two labels never read alike
    }
    for (std::size_t i = numLabels; i < labelColumns.size(); ++i)
    {
        HEADSCOPE_TRY(auto number, NumberCheck().add(record, labelColumns[i]));
        document.labels.push_back(std::move(number));
    }
    return {};
}

DocumentReader::DocumentReader(std::unique_ptr<State> state) : m_state(std::move(state)) {}
DocumentReader::~DocumentReader() = default;

Result<std::unique_ptr<DocumentReader>> DocumentReader::open(const std::vector<std::filesystem::path>& inputs,
                                                             DocumentOptions options, JobContext& job)
{
    if (options.limit < 0 || options.sample < 0)
        return Error{ErrorCode::WrongUse, "expected a number of documents from 1 for the limit and the sample", {}, {}};
    auto state = std::make_unique<State>();
    state->inputs = inputs;
    state->options = std::move(options);
    if (std::count(inputs.begin(), inputs.end(), std::filesystem::path("-")) > 1)
        return Error{ErrorCode::WrongUse, "expected standard input (-) at most once", "-", {}};
    if (std::find(inputs.begin(), inputs.end(), std::filesystem::path("-")) != inputs.end())
    {
        HEADSCOPE_TRY(state->standardInput, SpooledInput::readAll(job));
    }
    if (!state->options.labelMap.empty())
    {
        HEADSCOPE_TRY(state->labelMap, readLabelMap(state->options.labelMap));
    }
    HEADSCOPE_CHECK(state->scan(job));
    return std::unique_ptr<DocumentReader>(new DocumentReader(std::move(state)));
}

std::int64_t DocumentReader::count() const
{
    return m_state->count;
}

const std::optional<DocumentSample>& DocumentReader::sample() const
{
    return m_state->sample;
}

const std::vector<std::string>& DocumentReader::labelColumns() const
{
    return m_state->labelColumns;
}

std::vector<std::string> DocumentReader::numberColumns() const
{
    const auto& all = m_state->labelColumns;
    return {all.end() - static_cast<std::ptrdiff_t>(m_state->numNumbers), all.end()};
}

const std::vector<std::string>& DocumentReader::notices() const
{
    return m_state->notices;
}

Result<std::vector<InputDocument>> DocumentReader::next(std::size_t most, JobContext& job)
{
    State& state = *m_state;
    std::vector<InputDocument> batch;
    Record record;
    while (batch.size() < most)
    {
        HEADSCOPE_CHECK(job.checkStop());
        HEADSCOPE_TRY(const bool any, state.nextWanted(record));
        if (!any)
            break;
        HEADSCOPE_TRY(auto document, state.documentFrom(record));
        batch.push_back(std::move(document));
    }
    return batch;
}

Result<std::map<std::string, std::string>> readLabelMap(const std::filesystem::path& path)
{
    HEADSCOPE_TRY(const JsonDocument document, JsonDocument::parseFile(path));
    if (!document.root().isObject())
        return Error{
            ErrorCode::BadFormat,
            fmt::format("expected an object of old label to new, found {}", jsonKindName(document.root().kind())),
            path.string(),
            {}};
    std::map<std::string, std::string> map;
    for (const auto& [name, value] : document.root().members())
    {
        if (!value.isString() && !value.isNull())
            return Error{ErrorCode::BadFormat,
                         fmt::format("expected a label or null, found {}", jsonKindName(value.kind())), path.string(),
                         std::string(name)};
        map[std::string(name)] = value.asString().value_or({});
    }
    return map;
}

} // namespace headscope
