// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/cache_reader.h"

#include "model/base/file.h"
#include "model/io/cache/full_vectors.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/memory_peak.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <numeric>

using namespace headscope;

namespace
{

void writeBytes(const std::filesystem::path& path, std::string_view bytes)
{
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// Everything a cache shows, as one string of bytes; an error where anything was refused.
Result<std::string> everything(const std::filesystem::path& path)
{
    JobContext job;
    std::string all;
    const auto addText = [&all](const std::string& text) { all += text + '\0'; };
    const auto addNumbers = [&all](const auto& values) {
        all.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
    };
    HEADSCOPE_TRY(const auto cache, CacheReader::open(path));
    const CacheInfo& info = cache->info();
    const ModelInfo& model = info.header.model;
    for (const std::int64_t value :
         {model.layers, model.heads, model.kvHeads, model.headDim, model.modelDim, info.header.maxTokens})
        addText(std::to_string(value));
    addText(model.name);
    addText(info.header.pooling);
    HEADSCOPE_TRY(const auto documents, cache->documents(job));
    for (const auto* list : {&documents->ids, &documents->texts})
    {
        for (const std::string& text : *list)
            addText(text);
    }
    addNumbers(documents->tokens);
    addNumbers(documents->flags);
    for (const LabelColumn& label : documents->labels)
    {
        addText(label.name);
        addNumbers(label.codes);
        for (const std::string& category : label.categories)
            addText(category);
    }
    for (const VectorsInfo& each : info.embeddings)
    {
        HEADSCOPE_TRY(const auto vectors, cache->load(each.layer, each.stage, {}, job));
        addText(std::to_string(each.layer.value()) + std::string(stageName(each.stage)));
        addNumbers(vectors->values());
    }
    for (const TopicColumnInfo& column : info.topics)
    {
        for (const VectorsInfo& each : column.vectors)
        {
            HEADSCOPE_TRY(const auto topics, cache->topics(column.column, each.layer, each.stage, job));
            addNumbers(topics.vectors->values());
        }
    }
    for (const std::string& name : info.maps)
    {
        HEADSCOPE_TRY(const auto map, cache->map(name, job));
        addNumbers(map.xy.values());
        if (map.points)
            addNumbers(map.points->head);
        addText(std::to_string(map.kl));
    }
    return all;
}

/// Whether what was read from a damaged file is a part of the truth, in order and whole pieces left out
/// at most: damage to a link's name hides a dataset, it never changes a number.
bool wrongNumbers(const Result<std::string>& read, const std::string& truth)
{
    return read.has_value() && *read != truth;
}

} // namespace

class TestCacheReader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void refuses_data();
    void refuses();
    void refusesWhatDoesNotFit_data();
    void refusesWhatDoesNotFit();
    void readsMinimalCaches_data();
    void readsMinimalCaches();
    void readsRanges();
    void readsLargeVectorsToTheirPlace();
    void namesWhatThereIs();
    void fullVectorsByOneRule();
    void survivesTruncation();
    void survivesFlippedBytes();
    void noticesDamageBeforeNumbersAreShown();
    void stopsWhenAsked();

private:
    test::TemporaryFolder m_folder;
    std::filesystem::path m_sample;
};

void TestCacheReader::initTestCase()
{
    m_sample = m_folder.file("sample.h5");
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(m_sample, test::sampleContents(), NumberType::F16, job));
}

void TestCacheReader::refuses_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("part");
    const auto add = [](const char* name, const std::filesystem::path& path, ErrorCode code, const char* part) {
        QTest::newRow(name) << QString::fromStdString(path.string()) << static_cast<int>(code)
                            << QString::fromLatin1(part);
    };
    writeBytes(m_folder.file("empty.h5"), "");
    writeBytes(m_folder.file("text.h5"), "This is no HDF5 file, but a text of a few words.");
    const auto newer = m_folder.file("newer.h5");
    {
        auto file = Hdf5Writer::create(newer);
        static_cast<void>(file->setAttribute("/", "format", std::string("headscope-cache")));
        static_cast<void>(file->setAttribute("/", "version", std::int64_t{2}));
        static_cast<void>(file->publish());
    }
    add("missing", m_folder.file("none.h5"), ErrorCode::FileNotFound, "none.h5");
    add("folder", m_folder.file(""), ErrorCode::BadFormat, "found a folder");
    add("empty", m_folder.file("empty.h5"), ErrorCode::BadFormat, "found an empty file");
    add("text", m_folder.file("text.h5"), ErrorCode::BadFormat, "expected an HDF5 file");
    add("not a cache", test::golden("analysis/knn.h5"), ErrorCode::BadFormat, "is not a Headscope cache");
    add("newer", newer, ErrorCode::Unsupported, "expected cache version 1 or older, found version 2");
}

void TestCacheReader::refuses()
{
    QFETCH(QString, file);
    QFETCH(int, code);
    QFETCH(QString, part);
    const auto opened = CacheReader::open(file.toStdString());
    HEADSCOPE_VERIFY_ERROR(opened, static_cast<ErrorCode>(code), part.toStdString());
    QVERIFY(opened.error().sentence().starts_with(file.toStdString()));
}

namespace
{

/// A cache as somebody else would write it: no checksums, only what model/io/FORMAT.md asks for.
struct Minimal
{
    std::int64_t layers = 2;
    std::int64_t heads = 3;
    std::int64_t kvHeads = 1;
    std::vector<std::int64_t> shape = {5, 3, 2};
    NumberType type = NumberType::F32;
    std::string dataset = "/embeddings/layer_001/stage1";
    std::function<void(Hdf5Writer&)> more;

    void write(const std::filesystem::path& path) const
    {
        auto file = Hdf5Writer::create(path);
        QVERIFY(file.has_value());
        static_cast<void>(file->setAttribute("/", "format", std::string("headscope-cache")));
        static_cast<void>(file->setAttribute("/", "version", std::int64_t{1}));
        static_cast<void>(file->makeGroup("/model"));
        static_cast<void>(file->setAttribute("/model", "layers", layers));
        static_cast<void>(file->setAttribute("/model", "heads", heads));
        static_cast<void>(file->setAttribute("/model", "kv_heads", kvHeads));
        std::size_t count = 1;
        for (const std::int64_t extent : shape)
            count *= static_cast<std::size_t>(extent);
        std::vector<float> values(count);
        for (std::size_t i = 0; i < count; ++i)
            values[i] = static_cast<float>(i) / 4.0F;
        std::vector<std::byte> raw(count * numberBytes(type));
        if (isFloating(type))
            rawFromFloats(type, values, raw);
        static_cast<void>(file->write(dataset, shape, type, raw));
        if (more)
            more(*file);
        HEADSCOPE_VERIFY_OK(file->publish());
    }
};

std::span<const std::byte> bytesOf(const std::vector<std::int32_t>& values)
{
    return std::as_bytes(std::span(values));
}

} // namespace

void TestCacheReader::refusesWhatDoesNotFit_data()
{
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("part");
    const char* parts[] = {
        "/model@layers: expected an integer from 1 to 1000000, found \"0\"",
        "expected a number of KV heads that divides the 3 heads, found 2",
        "expected layers 0 to 0, found layer 1",
        "expected [documents, 3 heads, size] of float16, bfloat16, float32 or float64, found [5, 4, 2] float32",
        "found [5, 3, 2] int32",
        "/documents/id: expected 5 entries, found [4] text",
        "/documents/labels/topic/codes: expected codes from -1 to 1, found 2 for document 4",
        "expected one value for each of 5 documents, found 4",
        "expected 5 documents as in the first dataset, found 4",
        "expected at least one dataset layer_NNN/stageS",
        "found [5, 6] float32",
    };
    int row = 0;
    for (const char* part : parts)
    {
        QTest::newRow(part) << row << QString::fromLatin1(part);
        ++row;
    }
}

void TestCacheReader::refusesWhatDoesNotFit()
{
    QFETCH(int, which);
    QFETCH(QString, part);
    Minimal cache;
    const std::array five = {std::int64_t{5}};
    const std::array four = {std::int64_t{4}};
    const std::vector<std::string> names = {"a", "b"};
    switch (which)
    {
    case 0:
        cache.layers = 0;
        break;
    case 1:
        cache.kvHeads = 2;
        break;
    case 2:
        cache.layers = 1;
        break;
    case 3:
        cache.shape = {5, 4, 2};
        break;
    case 4:
        cache.type = NumberType::I32;
        break;
    case 5:
        cache.more = [](Hdf5Writer& file) {
            static_cast<void>(file.writeStrings("/documents/id", std::vector<std::string>{"a", "b", "c", "d"}));
        };
        break;
    case 6:
        cache.more = [&](Hdf5Writer& file) {
            const std::vector<std::int32_t> codes = {0, 1, -1, 0, 2};
            static_cast<void>(file.write("/documents/labels/topic/codes", five, NumberType::I32, bytesOf(codes)));
            static_cast<void>(file.writeStrings("/documents/labels/topic/categories", names));
        };
        break;
    case 7:
        cache.more = [&](Hdf5Writer& file) {
            const std::vector<std::int32_t> tokens = {1, 2, 3, 4};
            static_cast<void>(file.write("/documents/tokens", four, NumberType::I32, bytesOf(tokens)));
        };
        break;
    case 8:
        cache.more = [](Hdf5Writer& file) {
            const std::array shape = {std::int64_t{4}, std::int64_t{3}, std::int64_t{2}};
            const std::vector<float> values(24);
            static_cast<void>(
                file.write("/embeddings/layer_001/stage2", shape, NumberType::F32, std::as_bytes(std::span(values))));
        };
        break;
    case 9:
        cache.dataset = "/embeddings/layer_001/stageX";
        break;
    default:
        cache.shape = {5, 6};
    }
    const auto path = m_folder.file("unfit.h5");
    cache.write(path);
    const auto read = everything(path);
    HEADSCOPE_VERIFY_ERROR(read, ErrorCode::BadFormat, part.toStdString());
}

void TestCacheReader::readsMinimalCaches_data()
{
    QTest::addColumn<int>("type");
    for (const NumberType type : {NumberType::F16, NumberType::Bf16, NumberType::F32, NumberType::F64})
        QTest::newRow(std::string(numberTypeName(type)).c_str()) << static_cast<int>(type);
}

void TestCacheReader::readsMinimalCaches()
{
    QFETCH(int, type);
    Minimal minimal;
    minimal.type = static_cast<NumberType>(type);
    const auto path = m_folder.file("minimal.h5");
    minimal.write(path);
    JobContext job;
    auto cache = CacheReader::open(path);
    HEADSCOPE_VERIFY_OK(cache);
    QCOMPARE((*cache)->info().notices.size(), std::size_t{1});
    QVERIFY((*cache)->info().notices[0].find("no checksums") != std::string::npos);
    const auto vectors = (*cache)->load(LayerIndex(1), Stage::HeadOutput, {}, job);
    HEADSCOPE_VERIFY_OK(vectors);
    for (std::size_t i = 0; i < 30; ++i)
        QCOMPARE((*vectors)->values()[i], static_cast<float>(i) / 4.0F);
    const auto documents = (*cache)->documents(job);
    HEADSCOPE_VERIFY_OK(documents);
    QCOMPARE((*documents)->ids, (std::vector<std::string>{"0", "1", "2", "3", "4"}));
    QVERIFY((*documents)->texts.empty());
}

void TestCacheReader::readsRanges()
{
    JobContext job;
    const CacheContents contents = test::sampleContents();
    auto cache = CacheReader::open(m_sample);
    HEADSCOPE_VERIFY_OK(cache);
    const auto all = (*cache)->load(LayerIndex(3), Stage::OutputSegment, {}, job);
    HEADSCOPE_VERIFY_OK(all);
    for (const DocumentRange range :
         {DocumentRange{0, 12}, DocumentRange{3, 7}, DocumentRange{11, -1}, DocumentRange{5, 5}})
    {
        auto fresh = CacheReader::open(m_sample); // the first read of a range verifies all of the dataset
        HEADSCOPE_VERIFY_OK(fresh);
        for (int again = 0; again < 2; ++again)
        {
            const auto part = (*fresh)->load(LayerIndex(3), Stage::OutputSegment, range, job);
            HEADSCOPE_VERIFY_OK(part);
            const auto truth = (*all)->values().subspan(static_cast<std::size_t>(range.begin) * 20);
            QVERIFY(std::equal((*part)->values().begin(), (*part)->values().end(), truth.begin()));
        }
    }
    const auto outside = (*cache)->load(LayerIndex(3), Stage::OutputSegment, {0, 13}, job);
    HEADSCOPE_VERIFY_ERROR(outside, ErrorCode::InvalidArgument, "expected rows within 0 to 12");
}

/// Without a piece of 8 MB beside them.
void TestCacheReader::readsLargeVectorsToTheirPlace()
{
    constexpr std::int64_t kDocuments = 2048;
    constexpr std::int64_t kHeads = 4;
    constexpr std::int64_t kDims = 1024;
    CacheContents contents;
    contents.header = test::sampleContents().header;
    for (std::int64_t i = 0; i < kDocuments; ++i)
        contents.documents.ids.push_back(std::to_string(i));
    std::vector<float> values(kDocuments * kHeads * kDims);
    std::iota(values.begin(), values.end(), 1.0F);
    contents.embeddings = {std::make_shared<const HeadVectors>(Stage::HeadOutput, LayerIndex(2), kDocuments, kHeads,
                                                               kDims, std::move(values))};
    const auto path = m_folder.file("large.h5");
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(path, contents, NumberType::F32, job));
    const auto reader = CacheReader::open(path);
    HEADSCOPE_VERIFY_OK(reader);
    const test::MemoryPeak peak;
    const auto read = (*reader)->load(LayerIndex(2), Stage::HeadOutput, {}, job);
    const auto taken = peak.bytes();
    HEADSCOPE_VERIFY_OK(read);
    QVERIFY(std::ranges::equal((*read)->values(), contents.embeddings.front()->values()));
    const auto part = (*reader)->load(LayerIndex(2), Stage::HeadOutput, {kDocuments - 2, kDocuments}, job);
    HEADSCOPE_VERIFY_OK(part);
    QVERIFY(std::ranges::equal((*part)->values(), (*read)->values().last((*part)->values().size())));
    if (!taken)
        QSKIP("the peak of this process cannot be asked for here");
    constexpr double kBytes = 4.0 * kDocuments * kHeads * kDims;
    QVERIFY2(*taken < kBytes + (4 << 20), qPrintable(QString::number(*taken)));
}

void TestCacheReader::namesWhatThereIs()
{
    JobContext job;
    auto cache = CacheReader::open(m_sample);
    HEADSCOPE_VERIFY_OK(cache);
    HEADSCOPE_VERIFY_ERROR((*cache)->load(LayerIndex(0), Stage::HeadOutput, {}, job), ErrorCode::InvalidArgument,
                           "layer 0 stage 1 is not in this cache, which has stages 1, 2, 3 of layers 2, 3");
    HEADSCOPE_VERIFY_ERROR((*cache)->topics("colour", LayerIndex(3), Stage::HeadOutput, job),
                           ErrorCode::InvalidArgument, "none for this label");
    HEADSCOPE_VERIFY_ERROR((*cache)->map("mop", job), ErrorCode::InvalidArgument, "found \"mop\"; this cache has map");
}

void TestCacheReader::fullVectorsByOneRule()
{
    JobContext job;
    auto cache = CacheReader::open(m_sample);
    HEADSCOPE_VERIFY_OK(cache);
    const auto pair = fullVectors(**cache, LayerIndex(2), Stage::HeadOutput, "topic", job);
    HEADSCOPE_VERIFY_OK(pair);
    QVERIFY(pair->documents.source.find("full stage 3 of layer 3") != std::string::npos);
    QVERIFY(pair->topics.vectors->stage() == Stage::OutputSegment);
    QCOMPARE(pair->documents.matrix().rows(), 12);
    QCOMPARE(pair->documents.matrix().cols(), 20);

    CacheContents without = test::sampleContents();
    std::erase_if(without.embeddings, [](const auto& v) { return v->stage() == Stage::OutputSegment; });
    std::erase_if(without.topics, [](const auto& t) { return t.vectors->stage() == Stage::OutputSegment; });
    HEADSCOPE_VERIFY_OK(writeCache(m_folder.file("without.h5"), without, NumberType::F32, job));
    auto other = CacheReader::open(m_folder.file("without.h5"));
    HEADSCOPE_VERIFY_OK(other);
    const auto heads = fullVectors(**other, LayerIndex(3), Stage::HeadOutput, std::nullopt, job);
    HEADSCOPE_VERIFY_OK(heads);
    QVERIFY(heads->documents.source.find("the concatenated heads of layer 3 stage 1") != std::string::npos);
    QVERIFY(heads->topics.vectors == nullptr);
}

void TestCacheReader::survivesTruncation()
{
    const auto truth = everything(m_sample);
    HEADSCOPE_VERIFY_OK(truth);
    const auto bytes = readTextFile(m_sample);
    HEADSCOPE_VERIFY_OK(bytes);
    const auto path = m_folder.file("cut.h5");
    int refused = 0;
    constexpr std::size_t kPlaces = 60;
    for (std::size_t place = 0; place < kPlaces; ++place)
    {
        writeBytes(path, std::string_view(*bytes).substr(0, bytes->size() * place / kPlaces));
        const auto read = everything(path);
        QVERIFY2(!wrongNumbers(read, *truth), std::to_string(place).c_str());
        refused += read.has_value() ? 0 : 1;
    }
    QCOMPARE(refused, static_cast<int>(kPlaces));
}

void TestCacheReader::survivesFlippedBytes()
{
    const auto truth = everything(m_sample);
    HEADSCOPE_VERIFY_OK(truth);
    const auto bytes = readTextFile(m_sample);
    HEADSCOPE_VERIFY_OK(bytes);
    const auto path = m_folder.file("flipped.h5");
    const CounterRandom random(1);
    std::array<int, 4> outcomes = {}; // right, refused, wrong, the child died
    constexpr std::uint64_t kTrials = 300;
    for (std::uint64_t trial = 0; trial < kTrials; ++trial)
    {
        std::string damaged = *bytes;
        const auto at = static_cast<std::size_t>(random.below(2 * trial, damaged.size()));
        const auto mask = static_cast<char>(1 + random.below(2 * trial + 1, 255));
        damaged[at] = static_cast<char>(damaged[at] ^ mask);
        writeBytes(path, damaged);
        // A child, because HDF5 1.10 itself follows some damaged references without a check.
        const pid_t child = ::fork();
        if (child == 0)
        {
            std::signal(SIGSEGV, SIG_DFL); // not Qt Test's handler, which prints a stack
            std::signal(SIGABRT, SIG_DFL);
            const auto read = everything(path);
            std::_Exit(!read.has_value() ? 1 : wrongNumbers(read, *truth) ? 2 : 0);
        }
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        const auto outcome = WIFEXITED(status) ? static_cast<std::size_t>(WEXITSTATUS(status)) : std::size_t{3};
        if (outcome == 2)
            qWarning("wrong numbers: byte %zu xor %d", at, mask);
        ++outcomes.at(outcome);
    }
    qInfo("%d read right, %d refused, %d wrong, %d ended by HDF5", outcomes[0], outcomes[1], outcomes[2], outcomes[3]);
    QCOMPARE(outcomes[2], 0);
    QVERIFY(outcomes[1] > 50);
    QCOMPARE(outcomes[3], 0);
}

void TestCacheReader::noticesDamageBeforeNumbersAreShown()
{
    const CacheContents contents = test::sampleContents();
    const auto path = m_folder.file("damaged.h5");
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(path, contents, NumberType::F32, job));
    auto bytes = readTextFile(path);
    HEADSCOPE_VERIFY_OK(bytes);
    std::string known(sizeof(float), '\0');
    std::memcpy(known.data(), &contents.embeddings[5]->values()[200], sizeof(float)); // document 10
    const auto at = bytes->find(known);
    QVERIFY(at != std::string::npos);
    (*bytes)[at] = static_cast<char>((*bytes)[at] ^ 4);
    writeBytes(path, *bytes);
    auto cache = CacheReader::open(path);
    HEADSCOPE_VERIFY_OK(cache);
    HEADSCOPE_VERIFY_OK((*cache)->load(LayerIndex(3), Stage::HeadOutput, {}, job));
    // Also a range that does not hold the damaged row.
    const auto read = (*cache)->load(LayerIndex(3), Stage::OutputSegment, {0, 2}, job);
    HEADSCOPE_VERIFY_ERROR(read, ErrorCode::BadFormat, "/embeddings/layer_003/stage3");
}

void TestCacheReader::stopsWhenAsked()
{
    std::stop_source stop;
    stop.request_stop();
    JobContext job(stop.get_token());
    auto cache = CacheReader::open(m_sample);
    HEADSCOPE_VERIFY_OK(cache);
    HEADSCOPE_VERIFY_ERROR((*cache)->load(LayerIndex(3), Stage::HeadOutput, {}, job), ErrorCode::Cancelled, "");
}

HEADSCOPE_TEST_GUILESS(TestCacheReader)
#include "tst_cache_reader.moc"
