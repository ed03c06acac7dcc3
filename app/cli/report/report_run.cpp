// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report/report_run.h"

#include "app/cli/engine_process.h"
#include "app/shell/option_table.h"
#include "app/shell/parse_words.h"
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

constexpr std::string_view kFormat = "headscope-report-item";
constexpr std::uint64_t kMostRecord = std::uint64_t{64} << 20;
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

/// What was done of an item before, as its record says.
struct Record
{
    Json made = Json();   ///< verb, words, origin, versions, seed
    Json answer = Json(); ///< null: left out
    std::vector<std::string> notices{};
    std::vector<std::pair<std::string, std::string>> files{}; ///< name below the folder, SHA-256; begun: ""
    std::string leftOut{};
};

/// The record of a file or an item.
std::filesystem::path recordPath(const std::filesystem::path& folder, const std::string& id)
{
    return folder / "data" / (id + ".json");
}

/// Nothing where there is none that can be read: the item is done again then.
std::optional<Record> readRecord(const std::filesystem::path& path)
{
    const auto text = readTextFile(path, kMostRecord);
    if (!text)
        return std::nullopt;
    const Json json = Json::parse(*text, nullptr, false);
    if (!json.is_object() || json.value("format", Json()) != Json(kFormat))
        return std::nullopt;
    try
    {
        Record record{json.at("made"),
                      json.at("answer"),
                      json.at("notices").get<std::vector<std::string>>(),
                      {},
                      json.at("left_out").get<std::string>()};
        for (const auto& [name, hash] : json.at("files").items())
            record.files.emplace_back(name, hash.get<std::string>());
        return record;
    }
    catch (const Json::exception&) // not one of ours
    {
        return std::nullopt;
    }
}

Status writeRecord(const std::filesystem::path& path, const Record& record)
{
    Json files = Json::object();
    for (const auto& [name, hash] : record.files)
        files[name] = hash;
    const Json json = {{"format", kFormat},         {"made", record.made}, {"answer", record.answer},
                       {"notices", record.notices}, {"files", files},      {"left_out", record.leftOut}};
    return writeFileAtomically(path, json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n');
}

/// Whether all its files are as they were written.
bool isUntouched(const Record& record, const std::filesystem::path& folder, JobContext& job)
{
    return std::ranges::all_of(record.files, [&](const auto& file) {
        const auto hash = sha256OfFile(folder / file.first, job);
        return hash && *hash == file.second;
    });
}

/// Whether none of its files was changed; those that are gone count as untouched, and those that were begun as ours.
bool isOurs(const Record& record, const std::filesystem::path& folder, JobContext& job)
{
    return std::ranges::all_of(record.files, [&](const auto& file) {
        std::error_code ignored;
        const std::filesystem::path path = folder / file.first;
        if (file.second.empty() || !std::filesystem::exists(path, ignored))
            return true;
        const auto hash = sha256OfFile(path, job);
        return hash && *hash == file.second;
    });
}

/// One item on its way.
class ItemRun
{
public:
    ItemRun(const ReportItem& item, const std::filesystem::path& folder, const CommonOptions& common, JobContext& job)
        : m_item(item), m_folder(folder), m_common(common), m_job(job)
    {}

    Result<ReportPart> run(const Json& made)
    {
        const auto path = recordPath(m_folder, m_item.id);
        if (const auto record = readRecord(path))
        {
            if (record->made == made && isUntouched(*record, m_folder, m_job))
                return partOf(*record, true);
            m_common.overwrite = m_common.overwrite || isOurs(*record, m_folder, m_job);
        }
        HEADSCOPE_CHECK(begin(path));
        auto computed = compute(made);
        if (!computed)
            forgetBegun(path);
        HEADSCOPE_TRY(const Record record, std::move(computed));
        HEADSCOPE_CHECK(writeRecord(path, record));
        return partOf(record, false);
    }

private:
    [[nodiscard]] ReportPart partOf(const Record& record, bool kept) const
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
        Record begun;
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

    Result<Record> compute(const Json& made)
    {
        Record record{.made = made};
        if (const std::string missing = missingMap(); !missing.empty())
        {
            record.leftOut = fmt::format("{}, the map that it shows, was left out", missing);
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

    Result<Answer> runVerb()
    {
        const auto verb = makeVerb(m_item.verb);
        shell::OptionTable table;
        verb->declare(table);
        CommonOptions common;
        common.declare(table);
        const std::vector<std::string> words = wordsOf(m_item, m_folder);
        const auto reading = shell::parseWords(table, words);
        if (!reading)
            return reading.error();
        verb->setRecorded(ownInputs(words));
        common.threads = m_common.threads;
        common.seed = m_common.seed;
        common.overwrite = m_common.overwrite;
        return verb->run(common, m_job);
    }

    const ReportItem& m_item;
    const std::filesystem::path& m_folder;
    CommonOptions m_common;
    JobContext& m_job;
};

} // namespace

Status makeReportFolders(const std::filesystem::path& folder)
{
    for (const char* name : {"figures", "tables", "data"})
    {
        std::error_code failed;
        std::filesystem::create_directories(folder / name, failed);
        if (failed)
            return systemError(failed.value(), (folder / name).string(), "making the folder");
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
    const auto remove = [&](const std::filesystem::path& path, const Record& record) {
        if (!isOurs(record, folder, job))
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
            return wrongUse("-o", fmt::format("expected a folder without the report of another cache, found one of the "
                                              "cache with origin {} in {}; --overwrite puts this one in its place",
                                              origin.is_string() ? origin.get<std::string>().substr(0, 40) : "?",
                                              folder.string()));
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
    for (const ReportItem& item : items)
    {
        const Json made = {
            {"headscope", HEADSCOPE_VERSION}, {"qt", qVersion()},      {"verb", item.verb},  {"words", item.words},
            {"output", item.output},          {"origin", item.origin}, {"seed", common.seed}};
        const std::string place = fmt::format("{} of {}, {}", parts.size() + 1, items.size(), item.id);
        JobContext inner(job.stopToken(), [&](const Progress& progress) {
            job.report(fmt::format("{}: {}", place, progress.stage), progress.done, progress.total, progress.unit);
        });
        job.report(place, 0, 0);
        auto part = ItemRun(item, folder, common, inner).run(made);
        if (!part)
            return std::move(part).error();
        parts.push_back(std::move(*part));
        HEADSCOPE_CHECK(job.checkStop());
    }
    return parts;
}

Status extractForReport(const commands::ReportCommand& command, const std::filesystem::path& cache,
                        const CommonOptions& common, JobContext& job)
{
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(command.documents, ignored))
        return wrongUse("--documents",
                        fmt::format("expected a file of texts, found {} (`extract` takes folders and pipes: give the "
                                    "report its cache)",
                                    command.documents.empty() ? "none" : command.documents));
    const std::filesystem::path folder = cache.parent_path();
    job.report("reading the texts", 0, 0);
    HEADSCOPE_TRY(const std::string texts, sha256OfFile(command.documents, job));
    const Json made = {{"headscope", HEADSCOPE_VERSION},
                       {"verb", "extract"},
                       {"model", command.model},
                       {"layers", command.layers},
                       {"documents", texts}};
    const auto path = recordPath(folder, "cache");
    const auto before = readRecord(path);
    if (before && before->made == made && isUntouched(*before, folder, job))
        return {};
    const std::string name = cache.filename().string();
    const bool overwrite = common.overwrite || (before && isOurs(*before, folder, job));
    HEADSCOPE_CHECK(checkOutputPath(cache, overwrite));
    Record record;
    record.files.emplace_back(name, "");
    HEADSCOPE_CHECK(writeRecord(path, record));
    std::vector<std::string> words = {"extract",
                                      command.model,
                                      command.documents,
                                      "-o",
                                      cache,
                                      "--layers",
                                      command.layers,
                                      "--stages",
                                      "1,2,3",
                                      "--progress",
                                      "off",
                                      "--threads",
                                      std::to_string(common.numThreads())};
    if (overwrite)
        words.emplace_back("--overwrite");
    job.report("extracting head vectors", 0, 0);
    HEADSCOPE_CHECK(runEngine(enginePath(), words, {}, job));
    record.made = made;
    HEADSCOPE_TRY(record.files.front().second, sha256OfFile(cache, job));
    return writeRecord(path, record);
}

Status writeReportFile(const std::filesystem::path& folder, const std::string& name, std::string_view bytes,
                       const CommonOptions& common, JobContext& job)
{
    const auto path = recordPath(folder, std::filesystem::path(name).filename());
    const auto before = readRecord(path);
    const bool ours = before && isOurs(*before, folder, job);
    HEADSCOPE_CHECK(checkOutputPath(folder / name, common.overwrite || ours));
    Record record;
    record.files.emplace_back(name, ""); // should this process be killed between the two
    HEADSCOPE_CHECK(writeRecord(path, record));
    HEADSCOPE_CHECK(writeFileAtomically(folder / name, bytes));
    HEADSCOPE_TRY(record.files.front().second, sha256OfFile(folder / name, job));
    return writeRecord(path, record);
}

} // namespace headscope::cli
