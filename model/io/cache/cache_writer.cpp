// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/cache_writer.h"

#include "model/base/file.h"
#include "model/base/hash.h"
#include "model/base/output/disk_space.h"
#include "model/base/output/output_lock.h"
#include "model/io/cache/cache_identity.h"
#include "model/io/cache/cache_opening.h"
#include "model/io/cache/cache_schema.h"
#include "model/io/cache/map_io.h"
#include "model/io/cache/range_group.h"
#include "model/io/frames/frame_file.h"
#include "model/io/hdf5/file_seal.h"
#include "model/io/hdf5/hdf5_types.h"
#include "model/io/records/record_hdf5.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <iterator>

namespace headscope
{
namespace
{

/// The time in the header: now, or what SOURCE_DATE_EPOCH says, so that the same input can give the same bytes.
std::string nowUtc()
{
    std::time_t now = std::time(nullptr);
    if (const char* given = std::getenv("SOURCE_DATE_EPOCH"); given != nullptr)
    {
        const std::string_view text = given;
        std::int64_t seconds = 0;
        const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), seconds);
        constexpr std::int64_t kYear9999 = 253'402'300'799;
        if (failed == std::errc{} && end == text.data() + text.size() && seconds >= 0 && seconds <= kYear9999)
            now = seconds;
    }
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

/// The strings as HDF5 keeps them.
std::vector<std::string> asStored(std::span<const std::string> values)
{
    std::vector<std::string> stored;
    stored.reserve(values.size());
    std::transform(values.begin(), values.end(), std::back_inserter(stored), withoutNul);
    return stored;
}

/// Digests of everything in the finished part file, compared with those taken from memory.
Result<ChecksumTable> readBack(const std::filesystem::path& part, const std::filesystem::path& target,
                               const ChecksumTable& handedOver, JobContext& job)
{
    HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::openOwn(part));
    ChecksumTable table;
    const auto names = checkedNames(file);
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        job.report("checking the file", i, names.size(), "datasets");
        auto digest = file.digest(names[i], job);
        if (!digest)
            return std::move(digest).error();
        const auto expected = handedOver.find(names[i]);
        if (expected != handedOver.end() && expected->second != *digest)
            return Error{ErrorCode::Resource,
                         "the data that was read back differs from the data that was written: the disk may be failing",
                         target.string(), names[i]};
        table[names[i]] = std::move(*digest);
    }
    job.report("checking the file", names.size(), names.size(), "datasets");
    return table;
}

/// Closes, reads back, adds the table of checksums, seals, publishes.
Status publishChecked(Hdf5Writer& file, const ChecksumTable& handedOver, JobContext& job)
{
    HEADSCOPE_TRY(const std::filesystem::path part, file.finish());
    HEADSCOPE_TRY(const ChecksumTable table, readBack(part, file.target(), handedOver, job));
    std::vector<std::string> names;
    std::vector<std::string> values;
    for (const auto& [name, value] : table)
    {
        names.push_back(name);
        values.push_back(value);
    }
    HEADSCOPE_CHECK(file.reopen());
    HEADSCOPE_CHECK(file.remove("/checksums"));
    HEADSCOPE_CHECK(file.writeStrings(schema::kChecksumNames, names));
    HEADSCOPE_CHECK(file.writeStrings(schema::kChecksumValues, values));
    return file.publish([&job](const std::filesystem::path& closed) { return sealAroundNumbers(closed, job); });
}

} // namespace

std::optional<NumberType> storeTypeFromName(std::string_view name)
{
    return name == "f32"    ? std::optional(NumberType::F32)
           : name == "f16"  ? std::optional(NumberType::F16)
           : name == "bf16" ? std::optional(NumberType::Bf16)
                            : std::nullopt;
}

Result<CacheWriter> CacheWriter::create(const std::filesystem::path& target, const CacheHeader& header)
{
    HEADSCOPE_TRY(Hdf5Writer file, Hdf5Writer::create(target));
    return begin(std::move(file), header);
}

Result<CacheWriter> CacheWriter::create(CacheDraft part, const CacheHeader& header)
{
    HEADSCOPE_TRY(Hdf5Writer file, Hdf5Writer::goOn(part.handOver()));
    return begin(std::move(file), header);
}

Result<CacheWriter> CacheWriter::begin(Hdf5Writer file, const CacheHeader& header)
{
    CacheWriter writer(std::move(file));
    writer.m_embedding = header.embedding;
    HEADSCOPE_CHECK(writer.writeHeader(header));
    return writer;
}

Status CacheWriter::writeHeader(const CacheHeader& header)
{
    CacheHeader written = header;
    if (written.application.empty())
        written.application = "Headscope " HEADSCOPE_VERSION;
    if (written.created.empty())
        written.created = nowUtc();
    HEADSCOPE_CHECK(writeFacts(m_file, "/", {{"format", std::string(schema::kFormat)}, {"version", schema::kVersion}}));
    HEADSCOPE_CHECK(writeRecord(m_file, "/", recordOf(written)));
    HEADSCOPE_CHECK(writeRecord(m_file, schema::kModel, recordOf(header.model)));
    if (header.range)
        HEADSCOPE_CHECK(writeRangeGroup(m_file, *header.range));
    return writeAsks(header.asks);
}

Status CacheWriter::writeAsks(const FactLines& asks)
{
    if (asks.empty())
        return {};
    std::vector<std::string> names;
    std::vector<std::string> texts;
    for (const auto& [name, text] : asks)
    {
        names.push_back(name);
        texts.push_back(text);
    }
    HEADSCOPE_CHECK(writeTexts(schema::kAskNames, names));
    return writeTexts(schema::kAskTexts, texts);
}

Status CacheWriter::writeNumbers(const std::string& dataset, std::span<const std::int64_t> shape, NumberType type,
                                 std::span<const std::byte> raw)
{
    m_handedOver[dataset] = xxh3Hex(raw);
    return m_file.write(dataset, shape, type, raw);
}

Status CacheWriter::writeTexts(const std::string& dataset, std::span<const std::string> values)
{
    m_handedOver[dataset] = digestOfStrings(asStored(values));
    return m_file.writeStrings(dataset, values);
}

Status CacheWriter::writeDocuments(const DocumentSet& documents)
{
    const std::array shape = {documents.count()};
    HEADSCOPE_CHECK(writeTexts(schema::kIds, documents.ids));
    if (!documents.texts.empty())
        HEADSCOPE_CHECK(writeTexts(schema::kTexts, documents.texts));
    if (!documents.tokens.empty())
        HEADSCOPE_CHECK(
            writeNumbers(schema::kTokens, shape, NumberType::I32, std::as_bytes(std::span(documents.tokens))));
    if (!documents.flags.empty())
        HEADSCOPE_CHECK(writeNumbers(schema::kFlags, shape, NumberType::U8, std::as_bytes(std::span(documents.flags))));
    for (const LabelColumn& label : documents.labels)
    {
        const std::string group = fmt::format("{}/{}", schema::kLabels, schema::stepFromName(label.name));
        HEADSCOPE_CHECK(writeNumbers(group + "/codes", shape, NumberType::I32, std::as_bytes(std::span(label.codes))));
        HEADSCOPE_CHECK(writeTexts(group + "/categories", label.categories));
    }
    return {};
}

Status CacheWriter::writeBlock(const std::string& dataset, const HeadVectors& vectors, NumberType store)
{
    const auto shape = schema::vectorsShape(vectors.stage(), vectors.documents(), vectors.heads(), vectors.dims());
    std::vector<std::byte> raw(vectors.values().size() * numberBytes(store));
    rawFromFloats(store, vectors.values(), raw);
    return writeNumbers(dataset, shape, store, raw);
}

Status CacheWriter::writeVectors(const HeadVectors& vectors, NumberType store)
{
    return writeBlock(schema::vectorsPath(vectors.layer(), vectors.stage()), vectors, store);
}

Status CacheWriter::writeTopics(const TopicVectors& topics, NumberType store)
{
    return writeBlock(schema::topicVectorsPath(topics.column, topics.vectors->layer(), topics.vectors->stage()),
                      *topics.vectors, store);
}

Status CacheWriter::writeMap(const HeadMap& map)
{
    return writeMapGroup(m_file, map);
}

Status CacheWriter::writeMapSet(const HeadMapSet& set)
{
    return writeMapSetGroup(m_file, set);
}

Status CacheWriter::publish(JobContext& job)
{
    if (!m_embedding.modules.empty())
        HEADSCOPE_CHECK(writeRecord(m_file, schema::kFinal, recordOf(m_embedding)));
    return publishChecked(m_file, m_handedOver, job);
}

Status writeCache(const std::filesystem::path& target, const CacheContents& contents, NumberType store, JobContext& job)
{
    std::uint64_t bytes = 0;
    for (const auto& vectors : contents.embeddings)
    {
        if (vectors->documents() != contents.documents.count())
            return Error{ErrorCode::ShapeMismatch,
                         fmt::format("expected vectors of {} documents, found {}", contents.documents.count(),
                                     vectors->documents()),
                         target.string(), schema::vectorsPath(vectors->layer(), vectors->stage())};
        bytes += vectors->values().size() * numberBytes(store);
    }
    HEADSCOPE_CHECK(checkFreeSpace(target, bytes));
    HEADSCOPE_TRY(CacheWriter writer, CacheWriter::create(target, contents.header));
    HEADSCOPE_CHECK(writer.writeDocuments(contents.documents));
    for (const auto& vectors : contents.embeddings)
        HEADSCOPE_CHECK(writer.writeVectors(*vectors, store));
    for (const TopicVectors& topics : contents.topics)
        HEADSCOPE_CHECK(writer.writeTopics(topics, store));
    for (const HeadMap& map : contents.maps)
        HEADSCOPE_CHECK(writer.writeMap(map));
    return writer.publish(job);
}

namespace
{

/// What a map takes in a file: its places and the points they belong to.
std::uint64_t bytesOf(const HeadMap& map)
{
    const std::uint64_t ids = map.points == nullptr ? 0 : 2 * sizeof(std::int32_t) * map.points->document.size();
    return map.xy.values().size() * sizeof(float) + ids;
}

/// Refuses another cache than the one the maps were made from: it took its place while they were made.
Status expectOrigin(const Hdf5Reader& file, const Origin& origin)
{
    if (origin == Origin())
        return {};
    const ChecksumTable& checksums = file.checksums();
    HEADSCOPE_TRY(CacheInfo info, readCacheInfo(file));
    info.identity = identityOf(file, checksums, info);
    if (originOf(file.path(), info, checksums) == origin)
        return {};
    return Error{ErrorCode::InvalidArgument,
                 "expected the cache that the map was made from, found another cache in its place",
                 file.path().string(),
                 {}};
}

/// Puts groups below /maps into a copy of a cache and publishes it.
/// @param bytes  of what is put in
Status saveGroups(const std::filesystem::path& cache, const std::vector<std::string>& mapNames, const Origin& origin,
                  std::uint64_t bytes, bool replace, const std::function<Status(Hdf5Writer&)>& write, JobContext& job)
{
    std::vector<std::string> groups;
    for (const std::string& name : mapNames)
        groups.push_back(fmt::format("{}/{}", schema::kMaps, schema::stepFromName(name)));
    // From here to the end nobody else writes it: what is read below is what is replaced.
    HEADSCOPE_TRY(const auto lock, OutputLock::wait(cache, job));
    {
        // The cache is written anew beside the old one. Before the work: its digests take a while.
        HEADSCOPE_TRY(const File existing, File::openForReading(cache));
        HEADSCOPE_CHECK(checkFreeSpace(cache, existing.size() + bytes));
    }
    // What is there is verified first: a cache that was damaged is not made to look whole.
    ChecksumTable table;
    {
        HEADSCOPE_TRY(const Hdf5Reader before, Hdf5Reader::open(cache, job));
        for (const std::string& group : groups)
        {
            if (before.has(group) && !replace)
                return Error{ErrorCode::WrongUse, "a map of this name exists already; --overwrite replaces it",
                             cache.string(), group};
        }
        table = before.checksums();
        HEADSCOPE_CHECK(expectOrigin(before, origin));
        for (const auto& [name, digest] : table)
            HEADSCOPE_CHECK(before.verify(name, job));
    }
    std::erase_if(table, [&groups](const auto& entry) {
        return std::any_of(groups.begin(), groups.end(), [&entry](const std::string& group) {
            return entry.first.starts_with(group + "/") || entry.first == group + "@";
        });
    });
    HEADSCOPE_TRY(Hdf5Writer file, Hdf5Writer::copyOf(cache, job));
    for (const std::string& group : groups)
        HEADSCOPE_CHECK(file.remove(group));
    HEADSCOPE_CHECK(write(file));
    return publishChecked(file, table, job);
}

Status writeMapGroups(Hdf5Writer& file, std::span<const HeadMap> maps)
{
    for (const HeadMap& map : maps)
        HEADSCOPE_CHECK(writeMapGroup(file, map));
    return {};
}

} // namespace

Status saveMap(const std::filesystem::path& cache, const HeadMap& map, bool replace, JobContext& job)
{
    return saveMaps(cache, std::span(&map, 1), replace, job);
}

Status saveMaps(const std::filesystem::path& cache, std::span<const HeadMap> maps, bool replace, JobContext& job)
{
    std::uint64_t bytes = 0;
    std::vector<std::string> names;
    for (const HeadMap& map : maps)
    {
        bytes += bytesOf(map);
        names.push_back(map.name);
    }
    return saveGroups(
        cache, names, maps.empty() ? Origin() : maps.front().origin, bytes, replace,
        [maps](Hdf5Writer& file) { return writeMapGroups(file, maps); }, job);
}

Status saveMapSet(const std::filesystem::path& cache, const HeadMapSet& set, bool replace, JobContext& job)
{
    std::uint64_t bytes = 0;
    for (const MapOfSet& each : set.maps)
        bytes += bytesOf(each.map);
    return saveGroups(
        cache, {set.name}, set.origin, bytes, replace, [&set](Hdf5Writer& file) { return writeMapSetGroup(file, set); },
        job);
}

Status writeMapFile(const std::filesystem::path& target, const HeadMap& map, JobContext& job)
{
    return writeMapsFile(target, std::span(&map, 1), job);
}

Status writeMapsFile(const std::filesystem::path& target, std::span<const HeadMap> maps, JobContext& job)
{
    HEADSCOPE_TRY(Hdf5Writer file, Hdf5Writer::create(target));
    HEADSCOPE_CHECK(writeMapGroups(file, maps));
    return publishChecked(file, {}, job);
}

Status writeMapSetFile(const std::filesystem::path& target, const HeadMapSet& set, JobContext& job)
{
    HEADSCOPE_TRY(Hdf5Writer file, Hdf5Writer::create(target));
    HEADSCOPE_CHECK(writeMapSetGroup(file, set));
    return publishChecked(file, {}, job);
}

} // namespace headscope
