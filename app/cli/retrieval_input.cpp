// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/retrieval_input.h"

#include "app/cli/run_engine.h"
#include "app/commands/command_line.h"
#include "app/commands/extract_command.h"
#include "app/frames/json_type.h"
#include "app/results/as_cache.h"
#include "model/base/file.h"
#include "model/data/documents/id_rows.h"
#include "model/data/model_digests.h"
#include "model/io/cache/full_vectors.h"
#include "model/io/texts/document_lines.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

namespace headscope::cli
{
namespace
{

Status checkFits(const HeadVectors& queries, const HeadVectors& searched, const std::filesystem::path& file,
                 std::string_view what)
{
    if (queries.heads() == searched.heads() && queries.dims() == searched.dims())
        return {};
    return Error{ErrorCode::ShapeMismatch,
                 fmt::format("expected {} of shape [{}, {}] as in the searched cache, found [{}, {}]", what,
                             searched.heads(), searched.dims(), queries.heads(), queries.dims()),
                 file.string(),
                 {}};
}

/// Whether these are a last layer's stage 3 before its final norm.
bool isRaw(const HeadVectors& vectors)
{
    return vectors.finalNorm().starts_with("before");
}

Result<std::vector<std::string>> extractArguments(const CacheInput& input, const std::vector<std::string>& inputs,
                                                  const std::string& model, const std::string& prompt,
                                                  const std::filesystem::path& folder,
                                                  const std::filesystem::path& output, JobContext& job)
{
    commands::CommandLine<commands::ExtractCommand> line;
    line.command.model = model;
    line.command.inputs = inputs;
    line.command.lines = true; // a .txt is a list
    line.command.output = output.string();
    line.command.prompt = prompt;
    line.common.progress = "off";
    extractAsCache(*input.cache, input.layers.front(), input.stages.front(), line.command);
    HEADSCOPE_CHECK(addReference(*input.cache, folder, line.command.ablation, job));
    return line.words();
}

Error badLine(const std::filesystem::path& path, std::int64_t line, std::string message)
{
    return {ErrorCode::BadFormat, std::move(message), path.string(), fmt::format("line {}", line)};
}

/// A JSON text, or a discarded value where it is none or nested deeper than any that is read here: what prints or
/// copies a value calls itself for each level.
Json parseFlat(const std::string& text)
{
    constexpr int kMaxLevels = 8;
    bool deep = false;
    const auto keep = [&deep](int depth, Json::parse_event_t /*event*/, const Json& /*value*/) {
        deep = deep || depth > kMaxLevels;
        return depth <= kMaxLevels;
    };
    Json json = Json::parse(text, keep, false);
    return deep ? Json(Json::value_t::discarded) : json;
}

/// Ids may be written as texts or as whole numbers.
std::optional<std::string> idFrom(const Json& value)
{
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_number_integer())
        return value.dump();
    return std::nullopt;
}

/// Factors of heads or groups: an array of them all, or an object of number to factor, others 1.
Result<std::vector<double>> factorsFrom(const Json& json, std::int64_t count, std::string_view unit,
                                        const std::filesystem::path& path)
{
    const auto bad = [&path](std::string message, std::string place = {}) {
        return Error{ErrorCode::BadFormat, std::move(message), path.string(), std::move(place)};
    };
    std::vector<double> factors(static_cast<std::size_t>(count), 1.0);
    const auto take = [&](std::int64_t at, const Json& value) -> Status {
        if (!value.is_number() || !(value.get<double>() >= 0))
            return bad(fmt::format("expected a factor of 0 or more, found {}", value.dump()),
                       fmt::format("{} {}", unit, at + 1));
        factors[static_cast<std::size_t>(at)] = value.get<double>();
        return {};
    };
    if (json.is_array())
    {
        if (static_cast<std::int64_t>(json.size()) != count)
            return bad(fmt::format("expected the factors of {} {}s, found {}", count, unit, json.size()));
        for (std::int64_t at = 0; at < count; ++at)
            HEADSCOPE_CHECK(take(at, json[static_cast<std::size_t>(at)]));
        return factors;
    }
    if (!json.is_object())
        return bad(fmt::format("expected a JSON array of factors, or an object with a factor for each {}", unit));
    for (const auto& [name, value] : json.items())
    {
        std::int64_t number = 0;
        const auto [end, failed] = std::from_chars(name.data(), name.data() + name.size(), number);
        if (failed != std::errc{} || end != name.data() + name.size() || number < 1 || number > count)
            return bad(fmt::format("expected {}s from 1 to {}, found \"{}\"", unit, count, name));
        HEADSCOPE_CHECK(take(number - 1, value));
    }
    return factors;
}

} // namespace

Result<SearchVectors> loadSearchVectors(CacheReader& cache, LayerIndex layer, Stage stage, JobContext& job)
{
    SearchVectors vectors;
    vectors.model = cache.info().header.model;
    HEADSCOPE_TRY(vectors.heads, cache.load(layer, stage, {}, job));
    HEADSCOPE_TRY(auto full, fullVectors(cache, layer, stage, {}, job));
    vectors.full = std::move(full.documents.vectors);
    vectors.fullSource = std::move(full.documents.source);
    return vectors;
}

Status checkQueriesFit(const SearchVectors& queries, const SearchVectors& searched, const std::filesystem::path& file)
{
    HEADSCOPE_CHECK(checkSameChanges(searched.model, queries.model, file.string()));
    HEADSCOPE_CHECK(checkFits(*queries.heads, *searched.heads, file, "heads"));
    HEADSCOPE_CHECK(checkFits(*queries.full, *searched.full, file, "full vectors"));
    if (queries.full->stage() != searched.full->stage())
        return Error{ErrorCode::ShapeMismatch,
                     fmt::format("expected full vectors as in the searched cache ({}), found {}", searched.fullSource,
                                 queries.fullSource),
                     file.string(),
                     {}};
    const bool raw = isRaw(*searched.full);
    if (isRaw(*queries.full) != raw)
        return Error{ErrorCode::ShapeMismatch,
                     fmt::format("expected stage 3 of the last layer to be taken {} as in the searched cache, found it "
                                 "{}; extract it again with --last-layer {}",
                                 raw ? "before the final norm" : "after the final norm", raw ? "after" : "before",
                                 raw ? "raw" : "normed"),
                     file.string(),
                     {}};
    return {};
}

std::string otherModelNotice(const ModelInfo& cache, const ModelInfo& asking, std::string_view what)
{
    const auto made = digestsOf(cache);
    const auto asked = digestsOf(asking);
    if (made.empty() || asked.empty() || made == asked)
        return meansNotice(cache, asking, what);
    return fmt::format("the model that embedded the {} ({}) is not the model of the cache ({}): the files of the two "
                       "models differ, so similarities may be meaningless",
                       what, asking.name, cache.name);
}

Result<RetrievalQueries> readQueries(const std::filesystem::path& cache, LayerIndex layer, Stage stage,
                                     const SearchVectors& searched, JobContext& job)
{
    RetrievalQueries queries;
    HEADSCOPE_TRY(const auto reader, CacheReader::open(cache, job, CachePart::Queries));
    HEADSCOPE_TRY(const auto documents, reader->documents(job));
    queries.ids = documents->ids;
    queries.identity = reader->info().identity;
    queries.relevant = reader->relevant();
    HEADSCOPE_TRY(queries.vectors, loadSearchVectors(*reader, layer, stage, job));
    HEADSCOPE_CHECK(checkQueriesFit(queries.vectors, searched, cache));
    queries.notice = otherModelNotice(searched.model, queries.vectors.model);
    return queries;
}

Result<RetrievalQueries> queryDocument(const std::string& id, const CacheInput& input, const SearchVectors& searched)
{
    const auto& ids = input.documents->ids;
    const auto found = std::find(ids.begin(), ids.end(), id);
    if (found == ids.end())
        return Error{ErrorCode::InvalidArgument, fmt::format("expected the id of a document, found \"{}\"", id),
                     input.cache->path().string(), "--query-document"};
    const std::vector<std::int64_t> row = {found - ids.begin()};
    RetrievalQueries queries;
    queries.ids = {id};
    queries.vectors = {searched.model, takeRows(searched.heads, row), takeRows(searched.full, row),
                       searched.fullSource};
    queries.sameAs = row;
    return queries;
}

Result<EmbeddedTexts> embedTexts(const std::vector<std::string>& inputs, std::string_view standardInput,
                                 const std::string& model, const std::string& prompt,
                                 const std::filesystem::path& engine, const CacheInput& input, JobContext& job)
{
    EmbeddedTexts texts;
    HEADSCOPE_TRY(texts.folder, TemporaryPath::makeFolder("headscope-query"));
    const auto path = texts.folder.path() / "query.h5";
    HEADSCOPE_TRY(const auto arguments, extractArguments(input, inputs, model, prompt, texts.folder.path(), path, job));
    HEADSCOPE_CHECK(runEngine(engine, arguments, standardInput, job));
    HEADSCOPE_TRY(texts.cache, CacheReader::open(path, job, CachePart::Queries));
    HEADSCOPE_CHECK(checkChangedAsCache(input.model(), texts.cache->info().header.model, model));
    return texts;
}

Result<RetrievalQueries> queryText(const std::string& text, const std::string& model, const std::string& prompt,
                                   const std::filesystem::path& engine, const CacheInput& input,
                                   const SearchVectors& searched, JobContext& job)
{
    HEADSCOPE_TRY(const EmbeddedTexts embedded,
                  embedTexts({"-"}, textLine("query", text), model, prompt, engine, input, job));
    return readQueries(embedded.cache->path(), input.layers.front(), input.stages.front(), searched, job);
}

Result<std::vector<double>> readHeadWeights(const std::filesystem::path& path, std::int64_t heads,
                                            std::int64_t groupSize)
{
    HEADSCOPE_TRY(const std::string text, readTextFile(path));
    const Json json = parseFlat(text);
    if (!json.is_object() || (!json.contains("heads") && !json.contains("groups")))
        return factorsFrom(json, heads, "head", path);
    std::vector<double> weights(static_cast<std::size_t>(heads), 1.0);
    if (json.contains("heads"))
    {
        HEADSCOPE_TRY(weights, factorsFrom(json["heads"], heads, "head", path));
    }
    if (json.contains("groups"))
    {
        HEADSCOPE_TRY(const auto groups, factorsFrom(json["groups"], heads / groupSize, "group", path));
        for (std::size_t head = 0; head < weights.size(); ++head)
            weights[head] *= groups[head / static_cast<std::size_t>(groupSize)];
    }
    return weights;
}

Result<std::unordered_map<std::string, std::vector<std::int64_t>>> readRelevant(const std::filesystem::path& path,
                                                                                const DocumentSet& documents)
{
    HEADSCOPE_TRY(const std::string text, readTextFile(path));
    const IdRows rowOf(documents.ids);
    std::unordered_map<std::string, std::vector<std::int64_t>> relevant;
    std::istringstream stream(text);
    std::int64_t number = 0;
    for (std::string line; std::getline(stream, line);)
    {
        ++number;
        if (line.find_first_not_of(" \t\r") == std::string::npos)
            continue;
        const Json json = parseFlat(line);
        if (!json.is_object() || !json.contains("id") || !json.contains("relevant") || !json["relevant"].is_array() ||
            !idFrom(json["id"]))
            return badLine(path, number, "expected {\"id\": ..., \"relevant\": [document ids]}, found something else");
        std::vector<std::int64_t> rows;
        for (const Json& each : json["relevant"])
        {
            const auto id = idFrom(each);
            const std::int64_t row = id ? rowOf.row(*id) : -1;
            if (row < 0)
                return badLine(path, number, fmt::format("expected ids of documents, found {}", each.dump()));
            if (std::ranges::find(rows, row) == rows.end())
                rows.push_back(row);
        }
        if (!rows.empty())
            relevant[*idFrom(json["id"])] = std::move(rows);
    }
    return relevant;
}

Result<std::unordered_map<std::string, std::vector<std::int64_t>>>
relevantRows(const std::filesystem::path& path, const RetrievalQueries& queries, const DocumentSet& documents)
{
    if (!path.empty())
        return readRelevant(path, documents);
    const IdRows rowOf(documents.ids);
    std::unordered_map<std::string, std::vector<std::int64_t>> relevant;
    for (const auto& [query, ids] : queries.relevant)
        for (const std::string& id : ids)
            if (const std::int64_t row = rowOf.row(id); row >= 0)
                relevant[query].push_back(row);
    return relevant;
}

} // namespace headscope::cli
