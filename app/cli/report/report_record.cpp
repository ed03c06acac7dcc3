// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report/report_record.h"

#include "model/base/file.h"
#include "model/base/hash.h"
#include "model/base/output/output_file.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace headscope::cli
{
namespace
{

constexpr std::string_view kRecordFormat = "headscope-report-item";
constexpr std::uint64_t kMaxRecord = std::uint64_t{64} << 20;

} // namespace

bool ReportRecord::isUntouched(const std::filesystem::path& folder, JobContext& job) const
{
    return std::ranges::all_of(files, [&](const auto& file) {
        const auto hash = sha256OfFile(folder / file.first, job);
        return hash && *hash == file.second;
    });
}

bool ReportRecord::isOurs(const std::filesystem::path& folder, JobContext& job) const
{
    return std::ranges::all_of(files, [&](const auto& file) {
        std::error_code ignored;
        const std::filesystem::path path = folder / file.first;
        if (file.second.empty() || !std::filesystem::exists(path, ignored))
            return true;
        const auto hash = sha256OfFile(path, job);
        return hash && *hash == file.second;
    });
}

std::filesystem::path recordPath(const std::filesystem::path& folder, const std::string& id)
{
    return folder / "data" / (id + ".json");
}

std::optional<ReportRecord> readRecord(const std::filesystem::path& path)
{
    const auto text = readTextFile(path, kMaxRecord);
    if (!text)
        return std::nullopt;
    const Json json = Json::parse(*text, nullptr, false);
    if (!json.is_object() || json.value("format", Json()) != Json(kRecordFormat))
        return std::nullopt;
    try
    {
        ReportRecord record{json.at("made"),
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

Status writeRecord(const std::filesystem::path& path, const ReportRecord& record)
{
    Json files = Json::object();
    for (const auto& [name, hash] : record.files)
        files[name] = hash;
    const Json json = {{"format", kRecordFormat},   {"made", record.made}, {"answer", record.answer},
                       {"notices", record.notices}, {"files", files},      {"left_out", record.leftOut}};
    return writeFileAtomically(path, json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n');
}

} // namespace headscope::cli
