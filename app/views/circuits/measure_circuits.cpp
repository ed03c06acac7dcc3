// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/circuits/measure_circuits.h"

#include "app/commands/command_line.h"
#include "app/desktop/engine/engine_server.h"
#include "app/results/as_cache.h"
#include "app/shell/request_params.h"
#include "app/views/ablation/model_texts.h"
#include "model/analysis/statistics/drawn_documents.h"
#include "model/base/output/output_file.h"
#include "model/base/output/temporary_path.h"
#include "model/io/circuits/circuit_file.h"
#include "model/io/texts/document_lines.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <type_traits>
#include <utility>

namespace headscope::desktop
{
namespace
{

/// The documents that are run: those drawn, and the pair.
std::vector<std::int64_t> rowsOf(const CircuitsRequest& ask, const DocumentSet& documents, bool onlyPair)
{
    std::vector<std::int64_t> rows;
    if (!onlyPair)
        rows = drawnDocuments(documents, ask.documents, ask.most, ask.seed);
    for (const std::int64_t row : ask.pair)
        if (std::ranges::find(rows, row) == rows.end())
            rows.push_back(row);
    std::ranges::sort(rows);
    return rows;
}

constexpr std::string_view kQuery = "query"; ///< the id of a text that is compared with a document

/// Writes the documents that are run, and the query.
Status writeTexts(const std::filesystem::path& path, const CircuitsRequest& ask, const DocumentSet& documents,
                  bool onlyPair)
{
    std::string lines = documentLines(documents, rowsOf(ask, documents, onlyPair));
    if (!ask.query.empty())
        lines += textLine(kQuery, ask.query);
    return writeFileAtomically(path, lines);
}

/// The two ids of a pair among these documents; "": there is no pair.
std::string pairOf(const CircuitsRequest& ask)
{
    if (!ask.query.empty() && ask.pair.size() == 1)
        return fmt::format("{},{}", kQuery, ask.pair[0]);
    return ask.pair.size() == 2 ? fmt::format("{},{}", ask.pair[0], ask.pair[1]) : std::string();
}

/// The id that a row has in the cache.
std::string idOf(const std::string& row, const DocumentSet& documents)
{
    std::size_t at = 0;
    const auto end = std::from_chars(row.data(), row.data() + row.size(), at);
    return end.ec == std::errc() && at < documents.ids.size() ? documents.ids[at] : row;
}

/// Writes the documents for a command that runs some, and names them in it.
template <class C>
Status addDocuments(const std::filesystem::path& folder, const CircuitsRequest& ask, const DocumentSet& documents,
                    commands::CommandLine<C>& line)
{
    const CacheHeader& header = ask.reader->info().header;
    bool onlyPair = false;
    if constexpr (std::is_same_v<C, commands::ContributionsCommand>)
    {
        line.command.pair = pairOf(ask);
        onlyPair = !line.command.pair.empty() && !line.command.center;
    }
    HEADSCOPE_CHECK(writeTexts(folder / "texts.jsonl", ask, documents, onlyPair));
    line.command.inputs = {(folder / "texts.jsonl").string()};
    line.command.idColumn = "id";
    line.command.prompt = header.prompt;
    encodeAsCache(header, line.command);
    line.common.seed = ask.seed;
    return {};
}

template <class C>
Result<CircuitResult> asked(EngineServer& engine, const CircuitsRequest& ask, C command, const DocumentSet& documents,
                            JobContext& job)
{
    HEADSCOPE_TRY(const auto folder, TemporaryPath::makeFolder("headscope-circuits"));
    const std::filesystem::path output = folder.path() / "circuits.h5";
    commands::CommandLine<C> line;
    line.command = std::move(command);
    line.command.model = ask.model;
    line.command.output = output.string();
    line.common.threads = ask.threads;
    if constexpr (!std::is_same_v<C, commands::CompositionCommand>)
    {
        bool runsDocuments = true;
        if constexpr (std::is_same_v<C, commands::LensCommand>)
            runsDocuments = !line.command.weights;
        if (runsDocuments)
            HEADSCOPE_CHECK(addDocuments(folder.path(), ask, documents, line));
    }
    HEADSCOPE_TRY([[maybe_unused]] const auto answer, engine.ask(C::kVerb, shell::requestParams(line), job));
    return readCircuitFile(output, job);
}

} // namespace

Result<CircuitResultPtr> measureCircuits(EngineServer& engine, const CircuitsRequest& ask, JobContext& job)
{
    HEADSCOPE_TRY(const auto documents, ask.reader->documents(job));
    HEADSCOPE_TRY(std::string notice, checkModelOfCache(engine, ask.model, ask.reader->info().header.model, job));
    CircuitResult result;
    HEADSCOPE_TRY(result, std::visit([&](const auto& command) { return asked(engine, ask, command, *documents, job); },
                                     ask.command));
    if (auto* found = std::get_if<ContributionsResult>(&result.found); found != nullptr && found->pair)
    {
        found->pair->first = idOf(found->pair->first, *documents);
        found->pair->second = idOf(found->pair->second, *documents);
    }
    result.origin = ask.reader->origin();
    result.notice = std::move(notice);
    return std::make_shared<const CircuitResult>(std::move(result));
}

} // namespace headscope::desktop
