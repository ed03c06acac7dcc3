// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors that go to their places in the cache at once: how much is written, and what a kill, a full disk, a damaged
// byte and a second writer do (fault rows 13, 15 and 33).
#include "model/base/file.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/shards/shard_folder.h"
#include "model/io/shards/shard_manifest.h"
#include "model/io/shards/shard_merge.h"
#include "model/io/shards/shard_writer.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/file_limit.h"
#include "tests/support/process_io.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <sys/mount.h>

#include <fstream>
#include <sstream>

using namespace headscope;
namespace fs = std::filesystem;

namespace
{

const std::vector<ExtractionBlock> kBlocks = {
    {LayerIndex(1), Stage::HeadOutput, 4, 64},
    {LayerIndex(1), Stage::OutputSegment, 1, 150}, // uncut
    {LayerIndex(2), Stage::HeadOutput, 4, 64},
};
constexpr std::int64_t kDocuments = 1'000;
constexpr std::size_t kRowValues = 256 + 150 + 256;
constexpr std::uint64_t kShardBytes = 250'000;

/// @param shift  added to every number, as another kind of machine might
ExtractedDocument documentAt(std::int64_t index, float shift = 0)
{
    ExtractedDocument document;
    document.index = index;
    document.tokens = static_cast<std::int32_t>(index % 90 + 1);
    document.digest = static_cast<std::uint64_t>(index) * 0x9E3779B97F4A7C15ULL;
    document.flags = index % 10 == 0 ? static_cast<std::uint8_t>(DocumentFlag::Truncated) : std::uint8_t{0};
    const CounterRandom random(static_cast<std::uint64_t>(index) + 1);
    for (std::size_t i = 0; i < kRowValues; ++i)
        document.values.push_back(static_cast<float>(random.normal(i)) + shift);
    return document;
}

DocumentSet documentSet(std::int64_t count = kDocuments)
{
    DocumentSet set;
    for (std::int64_t i = 0; i < count; ++i)
    {
        set.ids.push_back("d" + std::to_string(i));
        set.texts.push_back("The text of document " + std::to_string(i));
    }
    return set;
}

CacheHeader header()
{
    CacheHeader value;
    value.model.layers = 3;
    value.model.heads = 4;
    value.model.kvHeads = 2;
    value.created = "2026-01-02T03:04:05Z";
    value.command = "a command";
    return value;
}

enum class Vectors
{
    InCache, ///< at once
    InShards,
};

ShardOptions optionsFor(const fs::path& target, Vectors where = Vectors::InCache)
{
    ShardOptions options;
    options.folder = shardFolder(target);
    options.blocks = kBlocks;
    options.shardBytes = kShardBytes;
    options.resume = true;
    options.settings = {{"--pooling", "mean"}};
    options.documents = {0, kDocuments, kDocuments};
    if (where == Vectors::InCache)
        options.cache = target;
    return options;
}

/// The order in which steps finish: near that of the input, but not the same.
std::int64_t documentOfStep(std::int64_t step)
{
    return step / 8 * 8 + 7 - step % 8;
}

/// Gives documents [begin, end) of the steps to a writer.
Status addSteps(ShardWriter& writer, std::int64_t begin, std::int64_t end, float shift = 0)
{
    for (std::int64_t step = begin; step < end; ++step)
    {
        const std::vector<ExtractedDocument> one = {documentAt(documentOfStep(step), shift)};
        HEADSCOPE_CHECK(writer.add(one));
    }
    return {};
}

Result<MergeSummary> merge(ShardWriter& writer, const fs::path& target)
{
    JobContext job;
    const std::vector<TopicVectors> topics = {{"topic", {}, test::randomVectors(Stage::HeadOutput, 1, 2, 4, 64, 5)}};
    DocumentSet documents = documentSet();
    documents.labels = {LabelColumn{"topic", std::vector<std::int32_t>(kDocuments, 1), {"x", "y"}}};
    return mergeShards(shardFolder(target), target, header(), std::move(documents), topics, job, writer.takeDraft());
}

/// A run from where it stands to its end.
Status complete(const fs::path& target, Vectors where = Vectors::InCache)
{
    JobContext job;
    HEADSCOPE_TRY(const auto writer, ShardWriter::create(optionsFor(target, where), job));
    HEADSCOPE_CHECK(addSteps(*writer, 0, kDocuments));
    HEADSCOPE_CHECK(writer->finish());
    HEADSCOPE_CHECK(merge(*writer, target));
    removeShards(shardFolder(target));
    return {};
}

/// A run that ends after some steps, as if it were killed: what waits for a full shard is lost.
Status interrupted(const fs::path& target, std::int64_t steps)
{
    JobContext job;
    HEADSCOPE_TRY(const auto writer, ShardWriter::create(optionsFor(target), job));
    return addSteps(*writer, 0, steps);
}

std::string bytesOf(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Changes a byte in a file.
void flip(const fs::path& path, std::uint64_t at)
{
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    char byte = 0;
    file.seekg(static_cast<std::streamoff>(at)).get(byte);
    file.seekp(static_cast<std::streamoff>(at)).put(static_cast<char>(byte ^ 0x10));
    QVERIFY(file.good());
}

} // namespace

class TestWrittenOnce : public QObject
{
    Q_OBJECT

    std::string m_whole; ///< the cache of shards that hold their vectors

private Q_SLOTS:
    void initTestCase();
    void nothingIsWrittenTwice();
    void goesOnAfterAnyNumberOfKills();
    void damageIsNoticedAndComputedAgain_data();
    void damageIsNoticedAndComputedAgain();
    void damageBeforeTheMergeIsNoticed();
    void goesOnAfterAFullDisk();
    void filesThatMayNotGrow();
    void twoWritersDoNoHarm_data();
    void twoWritersDoNoHarm();
    void goesOnWithShardsThatHoldTheirVectors();
    void numberOfDocumentsMayChange();
    void stoppedMergesGoOn();
    void anotherDiskHoldsTheShards();
    void placesOutsideOfTheFolderAreRefused();
};

void TestWrittenOnce::initTestCase()
{
    const test::TemporaryFolder folder;
    const auto target = folder.file("cache.h5");
    HEADSCOPE_VERIFY_OK(complete(target, Vectors::InShards));
    m_whole = bytesOf(target);
    QVERIFY(m_whole.size() > 2'500'000);
}

void TestWrittenOnce::nothingIsWrittenTwice()
{
    const test::TemporaryFolder folder;
    const auto target = folder.file("cache.h5");
    QVERIFY(test::bytesWritten() > m_whole.size()); // the system counts
    const auto before = test::bytesWritten();
    JobContext job;
    const auto writer = ShardWriter::create(optionsFor(target), job);
    HEADSCOPE_VERIFY_OK(writer);
    HEADSCOPE_VERIFY_OK(addSteps(**writer, 0, kDocuments));
    HEADSCOPE_VERIFY_OK((*writer)->finish());
    const auto manifest = readManifest(shardFolder(target));
    HEADSCOPE_VERIFY_OK(manifest);
    QVERIFY(manifest->shards.size() > 7);
    HEADSCOPE_VERIFY_OK(merge(**writer, target));
    const auto once = test::bytesWritten() - before;
    removeShards(shardFolder(target));
    QVERIFY(bytesOf(target) == m_whole);
    QCOMPARE(folder.files(), std::size_t{1});
    QVERIFY2(static_cast<double>(once) < 1.15 * static_cast<double>(m_whole.size()),
             std::to_string(static_cast<double>(once) / static_cast<double>(m_whole.size())).c_str());

    const auto other = folder.file("other.h5"); // what the measure says where it is written twice
    const auto again = test::bytesWritten();
    HEADSCOPE_VERIFY_OK(complete(other, Vectors::InShards));
    QVERIFY(static_cast<double>(test::bytesWritten() - again) > 1.9 * static_cast<double>(m_whole.size()));
}

void TestWrittenOnce::goesOnAfterAnyNumberOfKills()
{
    const test::TemporaryFolder folder;
    const auto target = folder.file("cache.h5");
    std::size_t kept = 0;
    JobContext job;
    for (const std::int64_t steps : {90, 300, 310, 700, 950})
    {
        HEADSCOPE_VERIFY_OK(interrupted(target, steps));
        QVERIFY(!fs::exists(target));
        const auto manifest = readManifest(shardFolder(target));
        HEADSCOPE_VERIFY_OK(manifest);
        std::size_t rows = 0;
        for (const ShardRecord& record : manifest->shards)
        {
            QVERIFY(record.placed.has_value());
            rows += static_cast<std::size_t>(record.rows);
        }
        QVERIFY(rows >= kept && rows <= static_cast<std::size_t>(steps));
        kept = rows;
    }
    QVERIFY(kept > 500);
    const auto writer = ShardWriter::create(optionsFor(target), job);
    HEADSCOPE_VERIFY_OK(writer);
    QCOMPARE((*writer)->kept().size(), kept);
    QVERIFY((*writer)->notices().empty());
    HEADSCOPE_VERIFY_OK(addSteps(**writer, 0, kDocuments));
    HEADSCOPE_VERIFY_OK((*writer)->finish());
    QCOMPARE((*writer)->stored(), kDocuments - static_cast<std::int64_t>(kept));
    HEADSCOPE_VERIFY_OK(merge(**writer, target));
    QVERIFY(bytesOf(target) == m_whole);
    removeShards(shardFolder(target));
    QCOMPARE(folder.files(), std::size_t{1});
}

void TestWrittenOnce::damageIsNoticedAndComputedAgain_data()
{
    QTest::addColumn<int>("block");
    QTest::addColumn<int>("document"); // whose row is damaged; -1: the file is cut there, -2: it is removed
    QTest::addColumn<bool>("noticed");
    QTest::newRow("first byte") << 0 << 0 << true;
    QTest::newRow("second block") << 1 << 3 << true;
    QTest::newRow("last block") << 2 << 40 << true;
    QTest::newRow("cut") << 2 << -1 << true;
    QTest::newRow("removed") << 0 << -2 << true;
    QTest::newRow("where nothing was written") << 1 << 900 << false;
}

void TestWrittenOnce::damageIsNoticedAndComputedAgain()
{
    QFETCH(int, block);
    QFETCH(int, document);
    QFETCH(bool, noticed);
    const test::TemporaryFolder folder;
    const auto target = folder.file("cache.h5");
    HEADSCOPE_VERIFY_OK(interrupted(target, 500));
    const auto manifest = readManifest(shardFolder(target));
    HEADSCOPE_VERIFY_OK(manifest);
    const ShardRecord& first = manifest->shards.front();
    const fs::path draft = shardFolder(target) / first.placed->file;
    const ExtractionBlock& shape = kBlocks[static_cast<std::size_t>(block)];
    const auto offset = first.placed->offsets[static_cast<std::size_t>(block)];
    std::int64_t lost = first.rows;
    if (document >= 0)
        flip(draft, offset + static_cast<std::uint64_t>(document * shape.heads * shape.dims) * 4 + 2);
    else
    {
        lost = 0;
        for (const ShardRecord& record : manifest->shards)
            lost += record.rows;
        document == -1 ? fs::resize_file(draft, offset + 1'000) : static_cast<void>(fs::remove(draft));
    }
    std::int64_t all = 0;
    for (const ShardRecord& record : manifest->shards)
        all += record.rows;
    JobContext job;
    {
        const auto writer = ShardWriter::create(optionsFor(target), job);
        HEADSCOPE_VERIFY_OK(writer);
        QCOMPARE((*writer)->notices().empty(), !noticed);
        QCOMPARE(static_cast<std::int64_t>((*writer)->kept().size()), noticed ? all - lost : all);
        if (noticed)
            QVERIFY2((*writer)->notices()[0].find("computed again") != std::string::npos,
                     (*writer)->notices()[0].c_str());
        HEADSCOPE_VERIFY_OK(addSteps(**writer, 0, kDocuments));
        HEADSCOPE_VERIFY_OK((*writer)->finish());
        HEADSCOPE_VERIFY_OK(merge(**writer, target));
    }
    QVERIFY(bytesOf(target) == m_whole);
}

/// What the disk did to a file while it was written.
void TestWrittenOnce::damageBeforeTheMergeIsNoticed()
{
    const test::TemporaryFolder folder;
    const auto target = folder.file("cache.h5");
    JobContext job;
    {
        const auto writer = ShardWriter::create(optionsFor(target), job);
        HEADSCOPE_VERIFY_OK(writer);
        HEADSCOPE_VERIFY_OK(addSteps(**writer, 0, kDocuments));
        HEADSCOPE_VERIFY_OK((*writer)->finish());
        const auto manifest = readManifest(shardFolder(target));
        HEADSCOPE_VERIFY_OK(manifest);
        const ShardRecord& first = manifest->shards.front();
        flip(shardFolder(target) / first.placed->file, first.placed->offsets[1] + 5);
        const auto merged = merge(**writer, target);
        HEADSCOPE_VERIFY_ERROR(merged, ErrorCode::BadFormat, "the file is damaged");
        QCOMPARE(merged.error().file, (shardFolder(target) / first.file).string());
        QVERIFY(forgetShard(shardFolder(target), merged.error().file));
    }
    QVERIFY(!fs::exists(target));
    HEADSCOPE_VERIFY_OK(complete(target));
    QVERIFY(bytesOf(target) == m_whole);
}

/// A disk that fills up while shards are written, then one with room enough for what is left.
void TestWrittenOnce::goesOnAfterAFullDisk()
{
    int full = 0;
    for (const int kilobytes : {100, 300, 700, 1'500, 2'500, 2'800})
    {
        const test::TemporaryFolder folder;
        const auto disk = folder.file("disk");
        fs::create_directory(disk);
        const std::string size = "size=" + std::to_string(kilobytes) + "k";
        if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, size.c_str()) != 0)
            QSKIP("mounting a small file system needs root");
        const auto target = disk / "cache.h5";
        const Status first = complete(target);
        const bool nothing = !fs::exists(target);
        ::mount("tmpfs", disk.c_str(), "tmpfs", MS_REMOUNT, "size=16m");
        const Status second = complete(target);
        const bool same = bytesOf(target) == m_whole;
        const bool alone = std::distance(fs::directory_iterator(disk), fs::directory_iterator()) == 1;
        ::umount(disk.c_str());
        HEADSCOPE_VERIFY_ERROR(first, ErrorCode::Resource, "disk full: ");
        QCOMPARE(first.error().file, target.string());
        QVERIFY(nothing);
        HEADSCOPE_VERIFY_OK(second);
        QVERIFY(same && alone);
        ++full;
    }
    QCOMPARE(full, 6);
}

void TestWrittenOnce::filesThatMayNotGrow()
{
    const test::TemporaryFolder folder;
    const std::uint64_t size = m_whole.size();
    const auto target = folder.file("cache.h5");
    HEADSCOPE_VERIFY_OK(interrupted(target, 300));
    for (const std::uint64_t most :
         {std::uint64_t{0}, std::uint64_t{100}, std::uint64_t{3'000}, size / 2, size - 200'000, size - 1})
    {
        const Status done = test::withFileLimit(most, [&] { return complete(target); });
        HEADSCOPE_VERIFY_ERROR(done, ErrorCode::Resource, "cache.h5");
        QVERIFY(!fs::exists(target));
    }
    HEADSCOPE_VERIFY_OK(complete(target));
    QVERIFY(bytesOf(target) == m_whole);
}

void TestWrittenOnce::twoWritersDoNoHarm_data()
{
    QTest::addColumn<bool>("firstEndsFirst");
    QTest::newRow("who came first ends first") << true;
    QTest::newRow("who came later ends first") << false;
}

/// As where a file system has no locks: a run that was taken for dead goes on beside the one that took its place. They
/// are on machines of two kinds, whose last bits differ.
void TestWrittenOnce::twoWritersDoNoHarm()
{
    QFETCH(bool, firstEndsFirst);
    constexpr float kShift = 0.5F;
    const test::TemporaryFolder folder;
    const auto target = folder.file("cache.h5");
    JobContext job;
    const auto one = ShardWriter::create(optionsFor(target), job);
    HEADSCOPE_VERIFY_OK(one);
    HEADSCOPE_VERIFY_OK(addSteps(**one, 0, 300));
    const auto two = ShardWriter::create(optionsFor(target), job);
    HEADSCOPE_VERIFY_OK(two);
    QVERIFY((*two)->kept().size() > 100);
    for (std::int64_t step = 0; step < 600; step += 37) // in pieces: shards come by turns, and end elsewhere
    {
        HEADSCOPE_VERIFY_OK(addSteps(**two, step, std::min<std::int64_t>(step + 37, 600), kShift));
        HEADSCOPE_VERIFY_OK(addSteps(**one, 300 + step / 2, 300 + std::min<std::int64_t>(step + 37, 600) / 2));
    }
    ShardWriter& ends = firstEndsFirst ? **one : **two;
    ShardWriter& lasts = firstEndsFirst ? **two : **one;
    HEADSCOPE_VERIFY_OK(addSteps(ends, 600, kDocuments, firstEndsFirst ? 0 : kShift));
    HEADSCOPE_VERIFY_OK(ends.finish());
    HEADSCOPE_VERIFY_OK(merge(ends, target));
    const std::string published = bytesOf(target);
    static_cast<void>(addSteps(lasts, 600, 900, firstEndsFirst ? kShift : 0)); // before the other has tidied up
    QVERIFY(bytesOf(target) == published);
    removeShards(shardFolder(target));
    QVERIFY(!addSteps(lasts, 900, kDocuments, 2 * kShift) || !lasts.finish() || !merge(lasts, target));
    QVERIFY(bytesOf(target) == published);

    auto cache = CacheReader::open(target);
    HEADSCOPE_VERIFY_OK(cache);
    for (const ExtractionBlock& block : kBlocks)
    {
        const auto vectors = (*cache)->load(block.layer, block.stage, {}, job); // verified
        HEADSCOPE_VERIFY_OK(vectors);
        const std::size_t from = block.layer == LayerIndex(2) ? 256 + 150 : block.stage == Stage::HeadOutput ? 0 : 256;
        for (std::int64_t i = 0; i < kDocuments; ++i)
        {
            const float found = (*vectors)->full(DocumentIndex(i))[3];
            QVERIFY(found == documentAt(i).values[from + 3] || found == documentAt(i, kShift).values[from + 3]);
        }
    }
}

/// Of an older version, or of the same folder used in another way.
void TestWrittenOnce::goesOnWithShardsThatHoldTheirVectors()
{
    const test::TemporaryFolder folder;
    const auto target = folder.file("cache.h5");
    JobContext job;
    {
        const auto writer = ShardWriter::create(optionsFor(target, Vectors::InShards), job);
        HEADSCOPE_VERIFY_OK(writer);
        HEADSCOPE_VERIFY_OK(addSteps(**writer, 0, 400));
    }
    auto manifest = readTextFile(shardFolder(target) / kShardManifest);
    HEADSCOPE_VERIFY_OK(manifest);
    const auto version = manifest->find("\"version\": 3");
    QVERIFY(version != std::string::npos);
    manifest->replace(version, 12, "\"version\": 2");
    std::ofstream(shardFolder(target) / kShardManifest) << *manifest;
    HEADSCOPE_VERIFY_OK(interrupted(target, 600));
    const auto there = readManifest(shardFolder(target));
    HEADSCOPE_VERIFY_OK(there);
    QVERIFY(!there->shards.front().placed && there->shards.back().placed);
    HEADSCOPE_VERIFY_OK(complete(target));
    QVERIFY(bytesOf(target) == m_whole);
}

/// Texts were added to the inputs between two runs; and a run found fewer than it had counted.
void TestWrittenOnce::numberOfDocumentsMayChange()
{
    const test::TemporaryFolder folder;
    const auto target = folder.file("cache.h5");
    JobContext job;
    for (const std::int64_t counted : {kDocuments - 200, kDocuments + 50})
    {
        ShardOptions options = optionsFor(target);
        options.documents = {0, counted, counted};
        const auto writer = ShardWriter::create(options, job);
        HEADSCOPE_VERIFY_OK(writer);
        HEADSCOPE_VERIFY_OK(addSteps(**writer, 0, counted > kDocuments ? kDocuments : 400));
        if (counted < kDocuments)
            continue;
        QVERIFY((*writer)->kept().size() > 200);
        HEADSCOPE_VERIFY_OK((*writer)->finish());
        HEADSCOPE_VERIFY_OK(merge(**writer, target));
    }
    QVERIFY(bytesOf(target) == m_whole);
}

/// What was written of the cache around its vectors is of no worth to the next run.
void TestWrittenOnce::stoppedMergesGoOn()
{
    const test::TemporaryFolder folder;
    const auto target = folder.file("cache.h5");
    {
        JobContext job;
        const auto writer = ShardWriter::create(optionsFor(target), job);
        HEADSCOPE_VERIFY_OK(writer);
        HEADSCOPE_VERIFY_OK(addSteps(**writer, 0, kDocuments));
        HEADSCOPE_VERIFY_OK((*writer)->finish());
        std::stop_source stop;
        JobContext stopped(stop.get_token(), [&stop](const Progress& progress) {
            if (progress.stage == "checking the file")
                stop.request_stop();
        });
        const auto merged =
            mergeShards(shardFolder(target), target, header(), documentSet(), {}, stopped, (*writer)->takeDraft());
        HEADSCOPE_VERIFY_ERROR(merged, ErrorCode::Cancelled, "");
    }
    QVERIFY(!fs::exists(target));
    JobContext job;
    const auto writer = ShardWriter::create(optionsFor(target), job);
    HEADSCOPE_VERIFY_OK(writer);
    QCOMPARE(static_cast<std::int64_t>((*writer)->kept().size()), kDocuments);
    HEADSCOPE_VERIFY_OK(merge(**writer, target));
    QVERIFY(bytesOf(target) == m_whole);
}

/// No file can be renamed from there.
void TestWrittenOnce::anotherDiskHoldsTheShards()
{
    const test::TemporaryFolder folder;
    const auto target = folder.file("cache.h5");
    fs::create_directory(shardFolder(target));
    if (::mount("tmpfs", shardFolder(target).c_str(), "tmpfs", 0, "size=16m") != 0)
        QSKIP("mounting a small file system needs root");
    const Status done = complete(target);
    ::umount(shardFolder(target).c_str());
    HEADSCOPE_VERIFY_OK(done);
    QVERIFY(bytesOf(target) == m_whole);
}

void TestWrittenOnce::placesOutsideOfTheFolderAreRefused()
{
    const test::TemporaryFolder folder;
    const auto target = folder.file("cache.h5");
    HEADSCOPE_VERIFY_OK(interrupted(target, 300));
    auto manifest = readTextFile(shardFolder(target) / kShardManifest);
    HEADSCOPE_VERIFY_OK(manifest);
    const auto name = manifest->find(kPartBeginning);
    QVERIFY(name != std::string::npos);
    std::ofstream(shardFolder(target) / kShardManifest) << manifest->substr(0, name) << "../" << manifest->substr(name);
    HEADSCOPE_VERIFY_ERROR(readManifest(shardFolder(target)), ErrorCode::BadFormat, "a file in the same folder");
}

HEADSCOPE_TEST_GUILESS(TestWrittenOnce)
#include "tst_written_once.moc"
