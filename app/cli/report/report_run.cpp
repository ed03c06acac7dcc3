// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report/report_run.h"

#include "app/cli/report/report_inputs.h"
#include "app/cli/report/report_record.h"
#include "app/shell/parse_words.h"
#include "model/base/fields/fields.h"
#include "model/base/file.h"
#include "model/base/hash.h"
#include "model/base/output/output_file.h"

#include <QtGlobal>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <system_error>
#include <utility>

namespace headscope::cli
{
namespace
{

/// What depends on the machine and the hour, and lists that are long as the cache and shown nowhere.
constexpr std::array<std::string_view, 4> kDropped = {"seconds", "queries", "confusion", "planes"};

void dropPassing(Json& json)
{
    if (json.is_object())
        for (const std::string_view key : kDropped)
            if (const auto at = json.find(key); at != json.end() && !at->is_number())
                json.erase(at);
    if (json.is_object())
        json.erase("seconds");
    if (json.is_object() && json.contains("steps") && !json["steps"].empty() && json["steps"].front().is_array())
        json.erase("steps"); // of a probe's minimisation, with their times
    if (json.is_structured())
        for (Json& part : json)
            dropPassing(part);
}

/// Names files of the report by where they lie in it: where it stands is nobody's business, and it may be moved.
void dropFolder(Json& json, const std::string& folder)
{
    if (json.is_string() && json.get_ref<const std::string&>().starts_with(folder))
        json = json.get_ref<const std::string&>().substr(folder.size());
    else if (json.is_structured())
        for (Json& part : json)
            dropFolder(part, folder);
}

/// Whether a report goes on without an item that failed like this: the data does not allow it.
bool isOfTheData(ErrorCode code)
{
    return code == ErrorCode::InvalidArgument || code == ErrorCode::ShapeMismatch || code == ErrorCode::Unsupported;
}

/// One item on its way.
class ItemRun
{
public:
    ItemRun(const ReportItem& item, const std::filesystem::path& folder, const CommonOptions& common,
            ReportInputs& inputs, JobContext& job)
        : m_item(item), m_folder(folder), m_common(common), m_inputs(inputs), m_job(job)
    {}

    Result<ReportPart> run()
    {
        HEADSCOPE_CHECK(readWords());
        HEADSCOPE_TRY(const Json made, whatItIsMadeOf());
        const auto path = recordPath(m_folder, m_item.id);
        if (const auto record = readRecord(path))
        {
            if (record->made == made && record->isUntouched(m_folder, m_job))
                return partOf(*record, true);
            m_common.overwrite = m_common.overwrite || record->isOurs(m_folder, m_job);
        }
        HEADSCOPE_CHECK(begin(path));
        auto computed = compute(made);
        if (computed)
            if (Status same = checkSameInputs(made); !same)
                computed = std::move(same).error();
        if (!computed)
            forgetBegun(path);
        HEADSCOPE_TRY(const ReportRecord record, std::move(computed));
        HEADSCOPE_CHECK(writeRecord(path, record));
        return partOf(record, false);
    }

private:
    [[nodiscard]] ReportPart partOf(const ReportRecord& record, bool kept) const
    {
        ReportPart part{m_item, nullptr, record.notices, {}, record.leftOut, kept};
        if (!record.answer.is_null())
            part.answer = std::make_shared<const Json>(record.answer);
        for (const auto& [name, hash] : record.files)
            part.files.push_back(name);
        return part;
    }

    /// Writes down whose the files will be, should this process be killed while it makes them.
    [[nodiscard]] Status begin(const std::filesystem::path& path) const
    {
        ReportRecord begun;
        for (const std::string& name : outputs())
        {
            HEADSCOPE_CHECK(checkOutputPath(m_folder / name, m_common.overwrite));
            begun.files.emplace_back(name, "");
        }
        return writeRecord(path, begun);
    }

    /// Nothing was begun where nothing of it is there.
    void forgetBegun(const std::filesystem::path& path) const
    {
        std::error_code ignored;
        for (const std::string& name : outputs())
            if (std::filesystem::exists(m_folder / name, ignored))
                return;
        std::filesystem::remove(path, ignored);
    }

    /// What the item may write, below the folder.
    [[nodiscard]] std::vector<std::string> outputs() const
    {
        if (m_item.output.empty())
            return {};
        std::vector<std::string> names = {m_item.output};
        if (std::ranges::find(m_item.words, "--recipe") != m_item.words.end())
            for (const char* ending : {".svg", ".csv", ".json", ".tex"})
                names.push_back(std::filesystem::path(m_item.output).replace_extension(ending).string());
        return names;
    }

    /// A map of an earlier item that is not there, as the data did not allow it; "": none.
    [[nodiscard]] std::string missingMap() const
    {
        const auto option = std::ranges::find(m_item.words, "--map");
        if (option == m_item.words.end() || option + 1 == m_item.words.end())
            return {};
        const std::string file = fileOf(*(option + 1));
        std::error_code ignored;
        return std::filesystem::exists(m_folder / file, ignored) ? std::string() : file;
    }

    Result<ReportRecord> compute(const Json& made)
    {
        ReportRecord record{.made = made};
        if (const std::string missing = missingMap(); !missing.empty())
        {
            record.leftOut = fmt::format("this part shows the map {}, which was omitted", missing);
            return record;
        }
        auto answer = runVerb();
        if (!answer && !isOfTheData(answer.error().code))
            return std::move(answer).error();
        if (!answer)
        {
            record.leftOut = answer.error().sentence();
            return record;
        }
        record.answer = *answer->json;
        record.notices = answer->notices;
        dropPassing(record.answer);
        dropFolder(record.answer, (m_folder / "").string());
        for (const std::string& name : outputs())
        {
            std::error_code ignored;
            if (!std::filesystem::exists(m_folder / name, ignored)) // a figure without numbers has no .csv
                continue;
            HEADSCOPE_TRY(std::string hash, sha256OfFile(m_folder / name, m_job));
            record.files.emplace_back(name, std::move(hash));
        }
        return record;
    }

    /// What files of the report are called in its figures' recipes, which look for them from where they lie themselves.
    [[nodiscard]] std::vector<RecordedName> ownInputs(const std::vector<std::string>& words) const
    {
        std::vector<RecordedName> names;
        const std::string folder = (m_folder / "").string();
        for (const std::string& word : words)
            if (const std::string file = fileOf(word); file.starts_with(folder))
                names.push_back({file, "../" + file.substr(folder.size())});
        return names;
    }

    /// The verb with its options as the item has them.
    [[nodiscard]] Status readWords()
    {
        m_verb = makeVerb(m_item.verb);
        m_verb->declare(m_table);
        m_read.declare(m_table);
        m_words = wordsOf(m_item, m_folder);
        const auto reading = shell::parseWords(m_table, m_words);
        return reading ? Status() : Status(reading.error());
    }

    /// All that its answer and files depend on; the inputs by their contents.
    [[nodiscard]] Result<Json> whatItIsMadeOf() const
    {
        HEADSCOPE_TRY(const Json inputs, m_inputs.of(m_table, m_job));
        return Json{{"headscope", HEADSCOPE_VERSION},
                    {"qt", qVersion()},
                    {"verb", m_item.verb},
                    {"words", m_item.words},
                    {"output", m_item.output},
                    {"origin", m_item.origin},
                    {"inputs", inputs},
                    {"seed", m_common.seed}};
    }

    /// Whether the verb has read what the record will speak of.
    [[nodiscard]] Status checkSameInputs(const Json& made) const
    {
        HEADSCOPE_TRY(const Json inputs, m_inputs.of(m_table, m_job));
        for (const auto& [option, digest] : made["inputs"].items())
            if (inputs.value(option, Json()) != digest)
                return Error{ErrorCode::Resource,
                             fmt::format("the file of {} changed while the report was made; run it again when no other "
                                         "program writes to the file",
                                         option),
                             m_item.cache,
                             {}};
        return {};
    }

    Result<Answer> runVerb()
    {
        m_verb->setRecorded(ownInputs(m_words));
        m_read.threads = m_common.threads;
        m_read.seed = m_common.seed;
        m_read.overwrite = m_common.overwrite;
        return m_verb->run(m_read, m_job);
    }

    const ReportItem& m_item;
    const std::filesystem::path& m_folder;
    CommonOptions m_common;
    ReportInputs& m_inputs;
    JobContext& m_job;
    std::unique_ptr<Verb> m_verb;
    CommonOptions m_read; ///< as the item's words leave them
    Fields m_table;
    std::vector<std::string> m_words;
};

} // namespace

Status makeReportFolders(const std::filesystem::path& folder)
{
    for (const char* name : {"figures", "tables", "data"})
    {
        std::error_code failed;
        std::filesystem::create_directories(folder / name, failed);
        if (failed)
            return systemError(failed.value(), (folder / name).string(), "creating the folder");
    }
    return {};
}

Status clearOthers(const std::vector<ReportItem>& items, const std::filesystem::path& folder, bool isOwn,
                   const CommonOptions& common, JobContext& job)
{
    std::error_code failed;
    std::vector<std::filesystem::path> records;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "data", failed))
        records.push_back(entry.path());
    const auto remove = [&](const std::filesystem::path& path, const ReportRecord& record) {
        if (!record.isOurs(folder, job))
            return;
        for (const auto& [name, hash] : record.files)
            if (const std::filesystem::path file(name);
                file.is_relative() && name.find("..") == std::string::npos && !hash.empty())
                std::filesystem::remove(folder / file, failed);
        std::filesystem::remove(path, failed);
    };
    bool isReplaced = false;
    for (const std::filesystem::path& path : records)
    {
        const auto record = readRecord(path);
        if (!record || !record->made.is_object() || !record->made.contains("origin"))
            continue; // of no item, or begun and not done
        const Json& origin = record->made["origin"];
        const auto sameOrigin = [&origin](const ReportItem& item) { return origin == Json(item.origin); };
        const auto sameId = [&path](const ReportItem& item) { return path.stem() == item.id; };
        const bool isOther = std::ranges::none_of(items, sameOrigin);
        if (isOther && !isOwn && !common.overwrite)
            return wrongUse(
                "-o", fmt::format("the report of another cache (origin {}) is in {}; --overwrite replaces it",
                                  origin.is_string() ? origin.get<std::string>().substr(0, 40) : "?", folder.string()));
        isReplaced = isReplaced || isOther;
        if (isOther || std::ranges::none_of(items, sameId))
            remove(path, *record);
    }
    // Pages and tables of the report itself, which are written again.
    for (const std::filesystem::path& path : records)
        if (const auto record = readRecord(path); isReplaced && record && path.stem() != "cache" &&
                                                  !(record->made.is_object() && record->made.contains("origin")))
            remove(path, *record);
    return {};
}

Result<std::vector<ReportPart>> runReport(const std::vector<ReportItem>& items, const std::filesystem::path& folder,
                                          const CommonOptions& common, JobContext& job)
{
    std::vector<ReportPart> parts;
    ReportInputs inputs;
    for (const ReportItem& item : items)
    {
        const std::string place = fmt::format("{} of {}, {}", parts.size() + 1, items.size(), item.id);
        JobContext inner(job.stopToken(), [&](const Progress& progress) {
            job.report(fmt::format("{}: {}", place, progress.stage), progress.done, progress.total, progress.unit);
        });
        job.report(place, 0, 0);
        auto part = ItemRun(item, folder, common, inputs, inner).run();
        if (!part)
            return std::move(part).error();
        parts.push_back(std::move(*part));
        HEADSCOPE_CHECK(job.checkStop());
    }
    return parts;
}

Status writeReportFile(const std::filesystem::path& folder, const std::string& name, std::string_view bytes,
                       const CommonOptions& common, JobContext& job)
{
    const auto path = recordPath(folder, std::filesystem::path(name).filename());
    const auto before = readRecord(path);
    const bool ours = before && before->isOurs(folder, job);
    HEADSCOPE_CHECK(checkOutputPath(folder / name, common.overwrite || ours));
    ReportRecord record;
    record.files.emplace_back(name, ""); // should this process be killed between the two
    HEADSCOPE_CHECK(writeRecord(path, record));
    HEADSCOPE_CHECK(writeFileAtomically(folder / name, bytes));
    HEADSCOPE_TRY(record.files.front().second, sha256OfFile(folder / name, job));
    return writeRecord(path, record);
}

} // namespace headscope::cli
