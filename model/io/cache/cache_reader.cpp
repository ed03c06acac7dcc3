// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/cache_reader.h"

#include "model/io/cache/cache_identity.h"
#include "model/io/cache/cache_opening.h"
#include "model/io/cache/cache_points.h"
#include "model/io/cache/cache_schema.h"
#include "model/io/cache/map_io.h"
#include "model/io/hdf5/checksums.h"
#include "model/io/hdf5/file_seal.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/results/retrieval_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <new>
#include <set>

namespace headscope
{

struct CacheReader::State
{
    explicit State(std::filesystem::path name) : path(std::move(name)) {}

    std::filesystem::path path;
    std::optional<Hdf5Reader> file; ///< none where all is held in memory
    std::vector<std::shared_ptr<const HeadVectors>> held;
    std::map<std::string, std::vector<std::string>> relevant;
    ChecksumTable checksums;
    CacheInfo info;
    Origin origin;
    std::mutex mutex;                             ///< guards the two below
    std::set<std::string> verified;               ///< datasets whose checksum was right
    std::shared_ptr<const DocumentSet> documents; ///< null until first read

    [[nodiscard]] bool needsCheck(const std::string& dataset)
    {
        const std::scoped_lock lock(mutex);
        return checksums.contains(dataset) && !verified.contains(dataset);
    }

    /// Compares a digest with the table and remembers that it was right.
    [[nodiscard]] Status accept(const std::string& dataset, const std::string& digest)
    {
        const std::scoped_lock lock(mutex);
        const auto expected = checksums.find(dataset);
        if (expected == checksums.end())
            return {};
        if (expected->second != digest)
            return checksumMismatch(*file, dataset);
        verified.insert(dataset);
        return {};
    }

    /// Verifies a dataset by reading all of it, unless that was done before.
    [[nodiscard]] Status verify(const std::string& dataset, JobContext& job)
    {
        if (!needsCheck(dataset))
            return {};
        HEADSCOPE_TRY(const std::string digest, digestOf(*file, dataset, job));
        return accept(dataset, digest);
    }

    /// Takes what another format holds.
    void hold(RetrievalContents contents);
    [[nodiscard]] Result<std::shared_ptr<const HeadVectors>> heldVectors(LayerIndex layer, Stage stage,
                                                                         DocumentRange range) const;
    [[nodiscard]] Result<std::vector<std::string>> strings(const std::string& dataset, std::int64_t expected);
    template <class T>
    [[nodiscard]] Result<std::vector<T>> numbers(const std::string& dataset, std::int64_t expected, JobContext& job);
    [[nodiscard]] Result<LabelColumn> label(const std::string& name, JobContext& job);
    [[nodiscard]] Result<DocumentSet> readDocuments(JobContext& job);
    [[nodiscard]] Result<std::shared_ptr<const HeadVectors>>
    vectors(const std::string& dataset, const VectorsInfo& shape, DocumentRange range, JobContext& job);
};

namespace
{

/// "0-29", "1, 3, 5": ascending numbers, runs of three and more as ranges.
std::string rangesOf(const std::vector<std::int64_t>& numbers)
{
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin < numbers.size();)
    {
        std::size_t end = begin + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1)
            ++end;
        if (end - begin < 3)
            end = begin + 1;
        parts.push_back(end - begin > 1 ? fmt::format("{}-{}", numbers[begin], numbers[end - 1])
                                        : fmt::format("{}", numbers[begin]));
        begin = end;
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// "stages 1, 2, 3 of layers 9, 19, 29": layers with the same stages together.
std::string listOf(const std::vector<VectorsInfo>& vectors)
{
    std::map<std::int64_t, std::vector<std::string_view>> stagesOfLayer;
    for (const VectorsInfo& each : vectors)
        stagesOfLayer[each.layer.value()].push_back(stageName(each.stage));
    std::map<std::vector<std::string_view>, std::vector<std::int64_t>> layersOfStages;
    for (const auto& [layer, stages] : stagesOfLayer)
        layersOfStages[stages].push_back(layer);
    std::vector<std::string> parts;
    for (const auto& [stages, layers] : layersOfStages)
        parts.push_back(fmt::format("stage{} {} of layer{} {}", stages.size() > 1 ? "s" : "", fmt::join(stages, ", "),
                                    layers.size() > 1 ? "s" : "", rangesOf(layers)));
    return parts.empty() ? "nothing" : fmt::format("{}", fmt::join(parts, "; "));
}

const VectorsInfo* findIn(const std::vector<VectorsInfo>& vectors, LayerIndex layer, Stage stage)
{
    const auto found = std::find_if(vectors.begin(), vectors.end(), [&](const VectorsInfo& each) {
        return each.layer == layer && each.stage == stage;
    });
    return found == vectors.end() ? nullptr : &*found;
}

const TopicColumnInfo* findColumn(const CacheInfo& info, std::string_view column)
{
    const auto found = std::find_if(info.topics.begin(), info.topics.end(),
                                    [&](const TopicColumnInfo& each) { return each.column == column; });
    return found == info.topics.end() ? nullptr : &*found;
}

} // namespace

Result<std::vector<std::string>> CacheReader::State::strings(const std::string& dataset, std::int64_t expected)
{
    HEADSCOPE_TRY(const DatasetInfo found, file->describe(dataset));
    if (found.shape.size() != 1 || (expected >= 0 && found.rows() != expected))
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected {}, found {}",
                                 expected < 0 ? std::string("a list") : fmt::format("{} entries", expected),
                                 found.describe()),
                     path.string(), dataset};
    std::vector<std::string> values;
    if (found.text)
    {
        HEADSCOPE_TRY(values, file->readStrings(dataset, 0, found.rows()));
        HEADSCOPE_CHECK(accept(dataset, digestOfStrings(values)));
        return values;
    }
    HEADSCOPE_TRY(const auto integers, readNumbers<std::int64_t>(*file, dataset)); // ids that are numbers
    for (const std::int64_t value : integers)
        values.push_back(std::to_string(value));
    return values;
}

template <class T>
Result<std::vector<T>> CacheReader::State::numbers(const std::string& dataset, std::int64_t expected, JobContext& job)
{
    HEADSCOPE_CHECK(verify(dataset, job));
    HEADSCOPE_TRY(auto values, readNumbers<T>(*file, dataset));
    if (static_cast<std::int64_t>(values.size()) != expected)
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected one value for each of {} documents, found {}", expected, values.size()),
                     path.string(), dataset};
    return values;
}

Result<LabelColumn> CacheReader::State::label(const std::string& name, JobContext& job)
{
    const std::string group = fmt::format("{}/{}", schema::kLabels, schema::stepFromName(name));
    LabelColumn column;
    column.name = name;
    HEADSCOPE_TRY(column.categories, strings(group + "/categories", -1));
    HEADSCOPE_TRY(column.codes, numbers<std::int32_t>(group + "/codes", info.documents, job));
    const auto bad = std::find_if(column.codes.begin(), column.codes.end(), [&](std::int32_t code) {
        return code < -1 || code >= static_cast<std::int32_t>(column.categories.size());
    });
    if (bad != column.codes.end())
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected codes from -1 to {}, found {} for document {}",
                                 static_cast<std::int64_t>(column.categories.size()) - 1, *bad,
                                 bad - column.codes.begin()),
                     path.string(), group + "/codes"};
    return column;
}

Result<DocumentSet> CacheReader::State::readDocuments(JobContext& job)
{
    DocumentSet set;
    if (file->has(schema::kIds))
    {
        HEADSCOPE_TRY(set.ids, strings(schema::kIds, info.documents));
    }
    else
    {
        for (std::int64_t row = 0; row < info.documents; ++row)
            set.ids.push_back(std::to_string(row));
    }
    if (info.hasTexts)
    {
        HEADSCOPE_TRY(set.texts, strings(schema::kTexts, info.documents));
    }
    if (file->has(schema::kTokens))
    {
        HEADSCOPE_TRY(set.tokens, numbers<std::int32_t>(schema::kTokens, info.documents, job));
    }
    if (file->has(schema::kFlags))
    {
        HEADSCOPE_TRY(set.flags, numbers<std::uint8_t>(schema::kFlags, info.documents, job));
    }
    for (const std::string& name : info.labels)
    {
        HEADSCOPE_TRY(auto column, label(name, job));
        set.labels.push_back(std::move(column));
    }
    return set;
}

Result<std::shared_ptr<const HeadVectors>>
CacheReader::State::vectors(const std::string& dataset, const VectorsInfo& shape, DocumentRange range, JobContext& job)
{
    const std::int64_t end = range.end < 0 ? shape.documents : range.end;
    if (range.begin < 0 || range.begin > end || end > shape.documents)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected rows within 0 to {}, found {} to {}", shape.documents, range.begin, end),
                     path.string(), dataset};
    const auto rowSize = static_cast<std::size_t>(shape.heads * shape.dims);
    const std::size_t rowBytes = rowSize * numberBytes(shape.type);
    try
    {
        std::vector<float> values(static_cast<std::size_t>(end - range.begin) * rowSize);
        // Keeps the rows of a piece that are wanted.
        const RowVisitor keep = [&](std::int64_t begin, std::int64_t count, std::span<const std::byte> raw) -> Status {
            job.report("reading vectors", static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(end),
                       "documents");
            const std::int64_t first = std::max(begin, range.begin);
            const std::int64_t last = std::min(begin + count, end);
            if (first >= last)
                return {};
            const auto rows = static_cast<std::size_t>(last - first);
            floatsFromRaw(
                shape.type, raw.subspan(static_cast<std::size_t>(first - begin) * rowBytes, rows * rowBytes),
                std::span(values).subspan(static_cast<std::size_t>(first - range.begin) * rowSize, rows * rowSize));
            return {};
        };
        if (needsCheck(dataset))
        {
            HEADSCOPE_TRY(const std::string digest, digestOfNumbers(*file, dataset, keep, job));
            HEADSCOPE_CHECK(accept(dataset, digest));
        }
        else
        {
            constexpr std::size_t kPieceBytes = std::size_t{8} << 20;
            const auto step = static_cast<std::int64_t>(std::max<std::size_t>(1, kPieceBytes / rowBytes));
            std::vector<std::byte> piece;
            for (std::int64_t begin = range.begin; begin < end; begin += step)
            {
                HEADSCOPE_CHECK(job.checkStop());
                const std::int64_t count = std::min(step, end - begin);
                piece.resize(static_cast<std::size_t>(count) * rowBytes);
                HEADSCOPE_CHECK(file->readRows(dataset, begin, count, shape.type, piece));
                HEADSCOPE_CHECK(keep(begin, count, piece));
            }
        }
        return std::make_shared<const HeadVectors>(shape.stage, shape.layer, end - range.begin, shape.heads, shape.dims,
                                                   std::move(values));
    }
    catch (const std::bad_alloc&)
    {
        return Error{ErrorCode::OutOfMemory,
                     fmt::format("{} vectors of {} numbers do not fit into memory", (end - range.begin), rowSize),
                     path.string(), dataset};
    }
}

void CacheReader::State::hold(RetrievalContents contents)
{
    std::error_code ignored;
    info.header = std::move(contents.header);
    info.version = schema::kVersion;
    info.documents = contents.documents.count();
    info.hasTexts = !contents.documents.texts.empty();
    info.fileBytes = std::filesystem::file_size(path, ignored);
    info.notices = std::move(contents.notices);
    for (const LabelColumn& label : contents.documents.labels)
        info.labels.push_back(label.name);
    held = std::move(contents.embeddings);
    std::sort(held.begin(), held.end(), [](const auto& a, const auto& b) {
        return a->layer() != b->layer() ? a->layer() < b->layer() : a->stage() < b->stage();
    });
    for (const auto& each : held)
        info.embeddings.push_back(
            {each->layer(), each->stage(), each->documents(), each->heads(), each->dims(), NumberType::F32});
    relevant = std::move(contents.relevant);
    documents = std::make_shared<const DocumentSet>(std::move(contents.documents));
    info.identity = identityOf(info, *documents, held);
}

Result<std::shared_ptr<const HeadVectors>> CacheReader::State::heldVectors(LayerIndex layer, Stage stage,
                                                                           DocumentRange range) const
{
    const auto found = std::find_if(held.begin(), held.end(),
                                    [&](const auto& each) { return each->layer() == layer && each->stage() == stage; });
    HEADSCOPE_ASSERT(found != held.end());
    const HeadVectors& all = **found;
    const std::int64_t end = range.end < 0 ? all.documents() : range.end;
    if (range.begin < 0 || range.begin > end || end > all.documents())
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected rows within 0 to {}, found {} to {}", all.documents(), range.begin, end),
                     path.string(),
                     {}};
    if (range.begin == 0 && end == all.documents())
        return *found;
    const auto rowSize = all.heads() * all.dims();
    const auto values = all.values().subspan(static_cast<std::size_t>(range.begin * rowSize),
                                             static_cast<std::size_t>((end - range.begin) * rowSize));
    return std::make_shared<const HeadVectors>(stage, layer, end - range.begin, all.heads(), all.dims(),
                                               std::vector<float>(values.begin(), values.end()));
}

CacheReader::CacheReader(std::unique_ptr<State> state) : m_state(std::move(state)) {}
CacheReader::~CacheReader() = default;

Result<std::shared_ptr<CacheReader>> CacheReader::open(const std::filesystem::path& path, CachePart part)
{
    JobContext unwatched;
    auto state = std::make_unique<State>(path);
    if (isRetrievalJson(path))
    {
        HEADSCOPE_TRY(RetrievalContents contents,
                      readRetrievalJson(path,
                                        part == CachePart::Queries ? RetrievalPart::Queries : RetrievalPart::Articles,
                                        unwatched));
        state->hold(std::move(contents));
        state->origin = originOf(path, state->info, state->checksums);
        return std::shared_ptr<CacheReader>(new CacheReader(std::move(state)));
    }
    HEADSCOPE_TRY(const SealState seal, checkSeal(path, unwatched));
    HEADSCOPE_TRY(Hdf5Reader file, Hdf5Reader::open(path));
    state->file.emplace(std::move(file));
    HEADSCOPE_TRY(state->checksums, readChecksums(*state->file));
    HEADSCOPE_TRY(state->info, readCacheInfo(*state->file, state->checksums));
    state->info.identity = identityOf(*state->file, state->checksums, state->info);
    state->origin = originOf(path, state->info, state->checksums);
    if (seal == SealState::None && state->info.hasChecksums)
        state->info.notices.emplace_back("another program changed this cache after Headscope wrote it");
    return std::shared_ptr<CacheReader>(new CacheReader(std::move(state)));
}

const std::filesystem::path& CacheReader::path() const
{
    return m_state->path;
}

const std::map<std::string, std::vector<std::string>>& CacheReader::relevant() const
{
    return m_state->relevant;
}

Result<std::shared_ptr<CacheReader>> CacheReader::openAgain() const
{
    HEADSCOPE_TRY(auto reader, open(path()));
    reader->m_state->origin = m_state->origin;
    return reader;
}

const Origin& CacheReader::origin() const
{
    return m_state->origin;
}

const CacheInfo& CacheReader::info() const
{
    return m_state->info;
}

const VectorsInfo* CacheReader::find(LayerIndex layer, Stage stage) const
{
    return findIn(m_state->info.embeddings, layer, stage);
}

Result<std::shared_ptr<const DocumentSet>> CacheReader::documents(JobContext& job)
{
    {
        const std::scoped_lock lock(m_state->mutex);
        if (m_state->documents)
            return m_state->documents;
    }
    HEADSCOPE_TRY(auto set, m_state->readDocuments(job));
    auto shared = std::make_shared<const DocumentSet>(std::move(set));
    const std::scoped_lock lock(m_state->mutex);
    m_state->documents = shared;
    return shared;
}

Result<std::shared_ptr<const HeadVectors>> CacheReader::load(LayerIndex layer, Stage stage, DocumentRange range,
                                                             JobContext& job)
{
    const VectorsInfo* shape = find(layer, stage);
    if (shape == nullptr)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("layer {} stage {} is not in this cache, which holds {}", layer.value(),
                                 stageName(stage), listOf(m_state->info.embeddings)),
                     path().string(),
                     {}};
    if (!m_state->file)
        return m_state->heldVectors(layer, stage, range);
    return m_state->vectors(schema::vectorsPath(layer, stage), *shape, range, job);
}

bool CacheReader::hasTopics(std::string_view column, LayerIndex layer, Stage stage) const
{
    const TopicColumnInfo* topic = findColumn(m_state->info, column);
    return topic != nullptr && findIn(topic->vectors, layer, stage) != nullptr;
}

Result<TopicVectors> CacheReader::topics(std::string_view column, LayerIndex layer, Stage stage, JobContext& job)
{
    const TopicColumnInfo* topic = findColumn(m_state->info, column);
    if (!hasTopics(column, layer, stage))
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected topic vectors of \"{}\" for layer {} stage {}, found {}", column,
                                 layer.value(), stageName(stage),
                                 topic != nullptr ? listOf(topic->vectors) : "none for this label"),
                     path().string(), schema::kTopics};
    const VectorsInfo* shape = findIn(topic->vectors, layer, stage);
    TopicVectors result;
    result.column = column;
    const std::string group = fmt::format("{}/{}", schema::kLabels, schema::stepFromName(column));
    HEADSCOPE_TRY(result.names, m_state->strings(group + "/categories", -1));
    const std::string dataset = schema::topicVectorsPath(column, layer, stage);
    if (shape->documents != static_cast<std::int64_t>(result.names.size()))
        return Error{
            ErrorCode::BadFormat,
            fmt::format("expected one row for each of {} categories, found {}", result.names.size(), shape->documents),
            path().string(), dataset};
    HEADSCOPE_TRY(result.vectors, m_state->vectors(dataset, *shape, {}, job));
    return result;
}

Result<HeadMap> CacheReader::map(const std::string& name, JobContext& job)
{
    const auto& maps = m_state->info.maps;
    const auto& sets = m_state->info.mapSets;
    const bool ofSet = std::find(sets.begin(), sets.end(), name.substr(0, name.rfind('/'))) != sets.end();
    if (std::find(maps.begin(), maps.end(), name) == maps.end() && !ofSet)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected the name of a map, found \"{}\"; this cache holds {}", name,
                                 maps.empty() ? std::string("none") : fmt::format("{}", fmt::join(maps, ", "))),
                     path().string(), schema::kMaps};
    const std::string group = mapGroup(*m_state->file, name);
    for (const char* dataset : {"/xy", "/document", "/head"})
        HEADSCOPE_CHECK(m_state->verify(group + dataset, job));
    HEADSCOPE_TRY(HeadMap map, readMapGroup(*m_state->file, name));
    HEADSCOPE_CHECK(expectPointsIn(m_state->info, map, path()));
    map.origin = m_state->origin;
    return map;
}

Result<HeadMapSet> CacheReader::mapSet(const std::string& name, JobContext& job)
{
    const auto& sets = m_state->info.mapSets;
    if (std::find(sets.begin(), sets.end(), name) == sets.end())
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected the name of an aligned set, found \"{}\"; this cache holds {}", name,
                                 sets.empty() ? std::string("none") : fmt::format("{}", fmt::join(sets, ", "))),
                     path().string(), schema::kMaps};
    const std::string group = fmt::format("{}/{}", schema::kMaps, schema::stepFromName(name));
    HEADSCOPE_CHECK(m_state->verify(group + "/start", job));
    for (const std::string& member : mapSetMembers(*m_state->file, name))
        for (const char* dataset : {"/xy", "/document", "/head"})
            HEADSCOPE_CHECK(m_state->verify(mapGroup(*m_state->file, member) + dataset, job));
    HEADSCOPE_TRY(HeadMapSet set, readMapSetGroup(*m_state->file, name));
    set.origin = m_state->origin;
    for (MapOfSet& each : set.maps)
    {
        HEADSCOPE_CHECK(expectPointsIn(m_state->info, each.map, path()));
        each.map.origin = m_state->origin;
    }
    return set;
}

} // namespace headscope
