// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/texts/document_reader.h"

#include "model/base/file.h"
#include "model/base/output/temporary_path.h"
#include "model/base/random.h"
#include "model/formats/json.h"
#include "model/io/hdf5/hdf5_types.h"
#include "model/io/texts/column_roles.h"
#include "model/io/texts/record_reader.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

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
            const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
            if (count < 0 && errno == EINTR)
                continue;
            if (count < 0)
                return systemError(errno, "standard input", "reading");
            if (count == 0)
                return spooled;
            for (ssize_t done = 0; done < count;)
            {
                const ssize_t written =
                    ::write(spooled->m_descriptor, buffer.data() + done, static_cast<std::size_t>(count - done));
                if (written < 0 && errno != EINTR)
                    return systemError(errno, std::filesystem::temp_directory_path(), "keeping standard input");
                done += std::max<ssize_t>(written, 0);
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

} // namespace

struct DocumentReader::State
{
    std::vector<std::filesystem::path> inputs;
    DocumentOptions options;
    std::shared_ptr<SpooledInput> standardInput;
    std::map<std::string, std::string> labelMap;

    std::int64_t count = 0;
    std::optional<std::string> idColumn;
    std::vector<std::string> labelColumns;
    std::vector<std::string> notices;
    std::vector<std::int64_t> chosen; ///< ascending rows; empty = all

    // Where the stream is.
    std::size_t input = 0; ///< of the reader that is open, or comes next
    std::unique_ptr<RecordReader> reader;
    std::int64_t row = 0;       ///< records read
    std::size_t nextChosen = 0; ///< place in `chosen`

    [[nodiscard]] Result<std::unique_ptr<RecordReader>> openInput(const std::filesystem::path& path) const;
    [[nodiscard]] Result<bool> nextRecord(Record& record);
    [[nodiscard]] Status scan(JobContext& job);
    [[nodiscard]] Result<InputDocument> documentFrom(const Record& record) const;
};

Result<std::unique_ptr<RecordReader>> DocumentReader::State::openInput(const std::filesystem::path& path) const
{
    if (path == "-")
        return openJsonLines(standardInput->path());
    return openRecords(path, {options.textColumn, options.lines});
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

Status DocumentReader::State::scan(JobContext& job)
{
    ColumnScan columns(options);
    Record record;
    while (true)
    {
        HEADSCOPE_CHECK(job.checkStop());
        HEADSCOPE_TRY(const bool any, nextRecord(record));
        if (!any)
            break;
        HEADSCOPE_CHECK(columns.add(record));
        job.report("reading documents", static_cast<std::uint64_t>(columns.count()), 0, "documents");
    }
    const std::string first = inputs.empty() ? std::string() : inputs.front().string();
    if (columns.count() == 0)
        return Error{ErrorCode::BadFormat, "expected at least one document, found none", first, {}};
    count = columns.count();
    idColumn = columns.idColumn();
    auto labels = columns.labelColumns();
    if (!labels)
        return std::move(labels).error().inFile(first);
    labelColumns = std::move(*labels);
    if (columns.repaired() > 0)
        notices.push_back(fmt::format("{} of {} documents were not UTF-8 throughout: the bytes became U+FFFD",
                                      columns.repaired(), count));
    if (columns.idsIncomplete())
        notices.emplace_back("not every document has an id: row numbers are used");
    if (options.sample > 0 && options.sample < count)
    {
        chosen = permutation(count, CounterRandom(options.seed));
        chosen.resize(static_cast<std::size_t>(options.sample));
        std::sort(chosen.begin(), chosen.end());
        count = options.sample;
    }
    input = 0;
    row = 0;
    reader.reset();
    return {};
}

Result<InputDocument> DocumentReader::State::documentFrom(const Record& record) const
{
    InputDocument document;
    HEADSCOPE_TRY(document.text, textOf(record, options.textColumn));
    document.repaired = record.repaired;
    const Field* id = idColumn ? record.find(*idColumn) : nullptr;
    document.id = id != nullptr ? id->text : std::to_string(row - 1);
    for (const std::string& column : labelColumns)
    {
        const Field* field = record.find(column);
        std::string value = field != nullptr ? field->text : std::string();
        if (const auto renamed = labelMap.find(value); renamed != labelMap.end())
            value = renamed->second;
        document.labels.push_back(withoutNul(value)); // as a cache keeps it, so that two labels never read alike
    }
    return document;
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

const std::vector<std::string>& DocumentReader::labelColumns() const
{
    return m_state->labelColumns;
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
        if (!state.chosen.empty() && state.nextChosen == state.chosen.size())
            break;
        HEADSCOPE_TRY(const bool any, state.nextRecord(record));
        if (!any)
            break;
        if (!state.chosen.empty())
        {
            if (state.row - 1 != state.chosen[state.nextChosen])
                continue;
            ++state.nextChosen;
        }
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
