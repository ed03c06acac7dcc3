// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report/report_extraction.h"

#include "app/cli/engine_process.h"
#include "app/cli/report/report_record.h"
#include "app/cli/run_engine.h"
#include "app/shell/wrong_use.h"
#include "model/base/hash.h"
#include "model/base/output/output_path.h"
#include "model/data/input_digest.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/cache/label_choice.h"
#include "model/io/texts/document_reader.h"

#include <fmt/format.h>

#include <set>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace headscope::cli
{
namespace
{

/// The contents of a model's files, as the engine reads them.
struct ModelContents
{
    std::set<std::string> sha256; ///< of its files, as a cache has them
    InputDigest digest;           ///< of these, and of all that its other files say about texts and vectors
};

Result<ModelContents> contentsOf(const std::string& model, JobContext& job)
{
    job.report("reading the model files", 0, 0);
    HEADSCOPE_TRY(const std::string answer,
                  runEngine(enginePath(), {"inspect", model, "--hashes", "--json", "--progress", "off"}, {}, job));
    Json card = Json::parse(answer, nullptr, false);
    const auto other = [&](const char* found) {
        return Error{ErrorCode::Internal,
                     fmt::format("expected the engine's description of the model and its files, found {}", found),
                     model,
                     {}};
    };
    if (!card.is_object() || !card.contains("files") || !card["files"].is_array())
        return other("something else");
    std::set<std::string> hashes;
    for (const Json& file : card["files"])
    {
        const Json hash = file.value("sha256", Json());
        if (!hash.is_string())
            return other("no digests");
        hashes.insert(hash.get<std::string>());
    }
    card.erase("memory"); // of this machine's threads
    const std::string all = card.dump(-1, ' ', false, Json::error_handler_t::replace);
    return ModelContents{std::move(hashes), InputDigest::ofContents(std::as_bytes(std::span(all)))};
}

/// Whether the cache was made of the model and the texts that were looked at before.
Status checkMadeOf(const std::filesystem::path& cache, const commands::ReportCommand& command,
                   const ModelContents& model, const InputDigest& texts, JobContext& job)
{
    const auto changed = [](const std::string& file) {
        return Error{ErrorCode::Resource,
                     "the file changed while its head vectors were extracted; run the report again when no other "
                     "program writes to the file",
                     file,
                     {}};
    };
    HEADSCOPE_TRY(const auto made, CacheReader::open(cache, job));
    std::set<std::string> hashes;
    for (const auto& [file, hash] : made->info().header.model.sha256)
        hashes.insert(hash);
    if (hashes != model.sha256)
        return changed(command.model);
    HEADSCOPE_TRY(const InputDigest now, InputDigest::ofFile(command.documents, job));
    return now == texts ? Status() : changed(command.documents);
}

std::vector<std::string> wordsOfExtraction(const commands::ReportCommand& command, const std::filesystem::path& cache,
                                           const shell::CommonOptions& common, bool overwrite)
{
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
    return words;
}

} // namespace

Status checkTexts(const commands::ReportCommand& command, JobContext& job)
{
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(command.documents, ignored))
        return shell::wrongUse("--documents", fmt::format("expected a file of texts, found {} (for folders and pipes, "
                                                          "run `extract` and give its cache to the report)",
                                                          command.documents.empty() ? "none" : command.documents));
    HEADSCOPE_TRY(const auto reader, DocumentReader::open({command.documents}, {}, job));
    const std::vector<std::string>& labels = reader->labelColumns();
    if (labels.empty() && command.label.empty())
        return {};
    const auto label = chooseLabelName(labels, command.label, command.documents, "texts");
    return label ? Status() : Status(label.error());
}

Status extractForReport(const commands::ReportCommand& command, const std::filesystem::path& cache,
                        const shell::CommonOptions& common, JobContext& job)
{
    const std::filesystem::path folder = cache.parent_path();
    HEADSCOPE_TRY(const ModelContents model, contentsOf(command.model, job));
    job.report("reading the texts", 0, 0);
    HEADSCOPE_TRY(const InputDigest texts, InputDigest::ofFile(command.documents, job));
    const Json made = {{"headscope", HEADSCOPE_VERSION},
                       {"verb", "extract"},
                       {"model", command.model},
                       {"layers", command.layers},
                       {"inputs", {{"--model", model.digest.text()}, {"--documents", texts.text()}}}};
    const auto path = recordPath(folder, "cache");
    const auto before = readRecord(path);
    if (before && before->made == made && before->isUntouched(folder, job))
        return {};
    const std::string name = cache.filename().string();
    const bool overwrite = common.overwrite || (before && before->isOurs(folder, job));
    HEADSCOPE_CHECK(checkOutputPath(cache, overwrite));
    ReportRecord record;
    record.files.emplace_back(name, "");
    HEADSCOPE_CHECK(writeRecord(path, record));
    job.report("extracting head vectors", 0, 0);
    HEADSCOPE_CHECK(runEngine(enginePath(), wordsOfExtraction(command, cache, common, overwrite), {}, job));
    HEADSCOPE_CHECK(checkMadeOf(cache, command, model, texts, job));
    record.made = made;
    HEADSCOPE_TRY(record.files.front().second, sha256OfFile(cache, job));
    return writeRecord(path, record);
}

} // namespace headscope::cli
