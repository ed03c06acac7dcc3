// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/shards/shard_merge.h"

#include "model/base/file.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/shards/shard_folder.h"
#include "model/io/shards/shard_manifest.h"
#include "model/io/shards/shard_writer.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/file_limit.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <fstream>

using namespace headscope;

namespace
{

const std::vector<ExtractionBlock> kBlocks = {
    {LayerIndex(1), Stage::HeadOutput, 2, 3}, {LayerIndex(1), Stage::OutputSegment, 1, 7}, // uncut
};
constexpr std::int64_t kDocuments = 40;

ExtractedDocument documentAt(std::int64_t index)
{
    ExtractedDocument document;
    document.index = index;
    document.tokens = static_cast<std::int32_t>(index + 1);
    document.digest = static_cast<std::uint64_t>(index) * 0x9E3779B97F4A7C15ULL;
    document.flags = index % 10 == 0 ? static_cast<std::uint8_t>(DocumentFlag::Truncated) : std::uint8_t{0};
    for (int i = 0; i < 13; ++i)
        document.values.push_back(static_cast<float>(index) + static_cast<float>(i) / 16.0F);
    return document;
}

DocumentSet documentSet(std::int64_t count = kDocuments)
{
    DocumentSet set;
    for (std::int64_t i = 0; i < count; ++i)
        set.ids.push_back("d" + std::to_string(i));
    return set;
}

CacheHeader header()
{
    CacheHeader value;
    value.model.layers = 2;
    value.model.heads = 2;
    value.model.kvHeads = 1;
    return value;
}

/// Writes shards of some documents in an order of its own.
Status writeShards(const std::filesystem::path& folder, NumberType store, std::int64_t count = kDocuments,
                   std::uint64_t shardBytes = 300)
{
    ShardOptions options;
    options.folder = folder;
    options.blocks = kBlocks;
    options.store = store;
    options.shardBytes = shardBytes;
    options.resume = true;
    options.settings = {{"--pooling", "mean"}};
    options.run = "a \"run\"\n of its own";
    JobContext job;
    HEADSCOPE_TRY(const auto writer, ShardWriter::create(options, job));
    const auto order = permutation(count, CounterRandom(3));
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        const std::vector<ExtractedDocument> one = {documentAt(order[i])};
        HEADSCOPE_CHECK(writer->add(one));
    }
    return writer->finish();
}

} // namespace

class TestShardMerge : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void mergesInTheOrderOfDocuments_data();
    void mergesInTheOrderOfDocuments();
    void namesADamagedShard();
    void namesAMissingShard();
    void namesAMissingDocument();
    void countsADoubleShardOnce();
    void stopsWhenAsked();
    void failuresNameTheOutput();
    void goesOnAfterAFullDisk();
    void refusesShardsOfAnotherRun();
    void leavesOutAShardThatCannotBeRead();
    void leavesOutAShardWithADamagedByte_data();
    void leavesOutAShardWithADamagedByte();
};

void TestShardMerge::mergesInTheOrderOfDocuments_data()
{
    QTest::addColumn<int>("store");
    QTest::newRow("f32") << static_cast<int>(NumberType::F32);
    QTest::newRow("f16") << static_cast<int>(NumberType::F16);
    QTest::newRow("bf16") << static_cast<int>(NumberType::Bf16);
}

void TestShardMerge::mergesInTheOrderOfDocuments()
{
    QFETCH(int, store);
    const test::TemporaryFolder folder;
    const auto target = folder.file("cache.h5");
    const auto shards = shardFolder(target);
    HEADSCOPE_VERIFY_OK(writeShards(shards, static_cast<NumberType>(store)));
    const auto manifest = readManifest(shards);
    HEADSCOPE_VERIFY_OK(manifest);
    QVERIFY(manifest->shards.size() > 3);
    QCOMPARE(manifest->run, std::string("a \"run\"\n of its own"));
    QCOMPARE(manifest->blocks.size(), kBlocks.size());

    JobContext job;
    DocumentSet documents = documentSet();
    documents.flags.assign(kDocuments, 0);
    documents.flags[5] = static_cast<std::uint8_t>(DocumentFlag::Repaired);
    const std::vector<TopicVectors> topics = {{"topic", {}, test::randomVectors(Stage::HeadOutput, 1, 2, 2, 3, 5)}};
    documents.labels = {LabelColumn{"topic", std::vector<std::int32_t>(kDocuments, 1), {"x", "y"}}};
    const auto summary = mergeShards(shards, target, header(), documents, topics, job);
    HEADSCOPE_VERIFY_OK(summary);
    QCOMPARE(summary->documents, kDocuments);
    QCOMPARE(summary->tokens, kDocuments * (kDocuments + 1) / 2);
    QCOMPARE(summary->truncated, 4);
    removeShards(shards);
    QCOMPARE(folder.files(), std::size_t{1});

    auto cache = CacheReader::open(target);
    HEADSCOPE_VERIFY_OK(cache);
    QCOMPARE((*cache)->info().header.truncated, 4);
    QCOMPARE((*cache)->info().notices.size(), std::size_t{1}); // the stage that is kept uncut
    const auto read = (*cache)->documents(job);
    HEADSCOPE_VERIFY_OK(read);
    QCOMPARE((*read)->tokens[7], 8);
    QVERIFY(hasFlag((*read)->flags[5], DocumentFlag::Repaired));
    for (const ExtractionBlock& block : kBlocks)
    {
        const auto vectors = (*cache)->load(block.layer, block.stage, {}, job);
        HEADSCOPE_VERIFY_OK(vectors);
        const int from = block.stage == Stage::HeadOutput ? 0 : 6;
        for (std::int64_t i = 0; i < kDocuments; ++i)
        {
            const float truth = static_cast<float>(i) + static_cast<float>(from) / 16.0F;
            const float tolerance = store == static_cast<int>(NumberType::Bf16) ? 0.25F : 0.0F;
            QVERIFY(std::abs((*vectors)->full(DocumentIndex(i))[0] - truth) <= tolerance);
        }
    }
    HEADSCOPE_VERIFY_OK((*cache)->topics("topic", LayerIndex(1), Stage::HeadOutput, job));
}

void TestShardMerge::namesADamagedShard()
{
    const test::TemporaryFolder folder;
    const auto shards = shardFolder(folder.file("c.h5"));
    HEADSCOPE_VERIFY_OK(writeShards(shards, NumberType::F32));
    const auto path = shards / "shard_000002.h5";
    const auto bytes = readTextFile(path);
    HEADSCOPE_VERIFY_OK(bytes);
    JobContext job;
    for (std::size_t place = 0; place < 60; ++place)
    {
        std::string damaged = *bytes;
        if (place % 2 == 0)
            damaged.resize(damaged.size() * place / 60);
        else
            damaged[damaged.size() * place / 60] ^= 0x15;
        std::ofstream(path, std::ios::binary) << damaged;
        const auto merged = mergeShards(shards, folder.file("c.h5"), header(), documentSet(), {}, job);
        if (merged.has_value()) // the byte belonged to nothing: then every number must be right
        {
            auto cache = CacheReader::open(folder.file("c.h5"));
            HEADSCOPE_VERIFY_OK(cache);
            const auto vectors = (*cache)->load(LayerIndex(1), Stage::HeadOutput, {}, job);
            HEADSCOPE_VERIFY_OK(vectors);
            for (std::int64_t i = 0; i < kDocuments; ++i)
                QCOMPARE((*vectors)->full(DocumentIndex(i))[1], documentAt(i).values[1]);
            std::filesystem::remove(folder.file("c.h5"));
            continue;
        }
        QVERIFY2(merged.error().sentence().find("shard_000002.h5") != std::string::npos,
                 merged.error().sentence().c_str());
        QVERIFY(!std::filesystem::exists(folder.file("c.h5")));
        QCOMPARE(folder.files(), std::size_t{1});
    }
}

void TestShardMerge::namesAMissingShard()
{
    const test::TemporaryFolder folder;
    const auto shards = shardFolder(folder.file("c.h5"));
    HEADSCOPE_VERIFY_OK(writeShards(shards, NumberType::F32));
    std::filesystem::remove(shards / "shard_000001.h5");
    JobContext job;
    const auto merged = mergeShards(shards, folder.file("c.h5"), header(), documentSet(), {}, job);
    HEADSCOPE_VERIFY_ERROR(merged, ErrorCode::FileNotFound, "shard_000001.h5");
}

void TestShardMerge::namesAMissingDocument()
{
    const test::TemporaryFolder folder;
    const auto shards = shardFolder(folder.file("c.h5"));
    HEADSCOPE_VERIFY_OK(writeShards(shards, NumberType::F32, 30));
    JobContext job;
    const auto merged = mergeShards(shards, folder.file("c.h5"), header(), documentSet(), {}, job);
    HEADSCOPE_VERIFY_ERROR(merged, ErrorCode::BadFormat, "found none for document 30 (id \"d30\")");
    const auto fewer = mergeShards(shards, folder.file("c.h5"), header(), documentSet(10), {}, job);
    HEADSCOPE_VERIFY_ERROR(fewer, ErrorCode::BadFormat, "expected documents 0 to 9");
}

void TestShardMerge::countsADoubleShardOnce()
{
    const test::TemporaryFolder folder;
    const auto shards = shardFolder(folder.file("c.h5"));
    HEADSCOPE_VERIFY_OK(writeShards(shards, NumberType::F32));
    auto manifest = readTextFile(shards / "manifest.jsonl");
    HEADSCOPE_VERIFY_OK(manifest);
    const auto second = manifest->find('\n') + 1;
    const std::string again = manifest->substr(second, manifest->find('\n', second) + 1 - second);
    std::ofstream(shards / "manifest.jsonl", std::ios::app) << again << "{\"shard\": \"in fli";
    JobContext job;
    const auto merged = mergeShards(shards, folder.file("c.h5"), header(), documentSet(), {}, job);
    HEADSCOPE_VERIFY_OK(merged);
    QCOMPARE(merged->documents, kDocuments);
}

void TestShardMerge::stopsWhenAsked()
{
    const test::TemporaryFolder folder;
    const auto shards = shardFolder(folder.file("c.h5"));
    HEADSCOPE_VERIFY_OK(writeShards(shards, NumberType::F32));
    std::stop_source stop;
    stop.request_stop();
    JobContext job(stop.get_token());
    const auto merged = mergeShards(shards, folder.file("c.h5"), header(), documentSet(), {}, job);
    HEADSCOPE_VERIFY_ERROR(merged, ErrorCode::Cancelled, "");
    QCOMPARE(folder.files(), std::size_t{1});
}

/// Files that may not grow any more at some place: of a shard, or of the manifest in the middle of a line.
void TestShardMerge::goesOnAfterAFullDisk()
{
    int interrupted = 0;
    for (const std::uint64_t most : {1'000UL, 2'000UL, 3'000UL, 3'500UL, 4'000UL, 5'000UL, 7'000UL})
    {
        const test::TemporaryFolder folder;
        const auto target = folder.file("cache.h5");
        const auto shards = shardFolder(target);
        const Status first = test::withFileLimit(most, [&] { return writeShards(shards, NumberType::F32); });
        QVERIFY2(first || first.error().code == ErrorCode::Resource, std::to_string(most).c_str());
        interrupted += first ? 0 : 1;
        HEADSCOPE_VERIFY_OK(writeShards(shards, NumberType::F32));
        JobContext job;
        const auto merged = mergeShards(shards, target, header(), documentSet(), {}, job);
        HEADSCOPE_VERIFY_OK(merged);
        auto cache = CacheReader::open(target);
        HEADSCOPE_VERIFY_OK(cache);
        const auto vectors = (*cache)->load(LayerIndex(1), Stage::HeadOutput, {}, job);
        HEADSCOPE_VERIFY_OK(vectors);
        for (std::int64_t i = 0; i < kDocuments; ++i)
            QCOMPARE((*vectors)->full(DocumentIndex(i))[1], documentAt(i).values[1]);
    }
    QVERIFY(interrupted > 3);
}

void TestShardMerge::refusesShardsOfAnotherRun()
{
    const test::TemporaryFolder folder;
    const auto shards = shardFolder(folder.file("c.h5"));
    HEADSCOPE_VERIFY_OK(writeShards(shards, NumberType::F32, 20));
    JobContext job;
    ShardOptions options;
    options.folder = shards;
    options.blocks = kBlocks;
    options.resume = true;
    options.settings = {{"--pooling", "last"}};
    HEADSCOPE_VERIFY_ERROR(ShardWriter::create(options, job), ErrorCode::Resource, "(--pooling was mean, is last)");
    options.settings = {{"--pooling", "mean"}, {"more", "x"}};
    HEADSCOPE_VERIFY_ERROR(ShardWriter::create(options, job), ErrorCode::Resource, "(more was nothing, is x)");
    options.settings = {{"--pooling", "mean"}};
    options.store = NumberType::Bf16;
    HEADSCOPE_VERIFY_ERROR(ShardWriter::create(options, job), ErrorCode::Resource, "(--store was");
    options.store = NumberType::F32;
    options.blocks.pop_back();
    HEADSCOPE_VERIFY_ERROR(ShardWriter::create(options, job), ErrorCode::Resource,
                           "(set of stored vectors was layer 1 stage 1");
    options.blocks = kBlocks;
    const auto writer = ShardWriter::create(options, job); // nothing of all that went
    HEADSCOPE_VERIFY_OK(writer);
    QCOMPARE((*writer)->kept().size(), std::size_t{20});
    for (const auto& [index, digest] : (*writer)->kept())
        QCOMPARE(digest, documentAt(index).digest);
    options.resume = false;
    const auto anew = ShardWriter::create(options, job);
    HEADSCOPE_VERIFY_OK(anew);
    QVERIFY((*anew)->kept().empty());
    QVERIFY(!std::filesystem::exists(shards / "shard_000000.h5"));
}

void TestShardMerge::leavesOutAShardThatCannotBeRead()
{
    const test::TemporaryFolder folder;
    const auto shards = shardFolder(folder.file("c.h5"));
    HEADSCOPE_VERIFY_OK(writeShards(shards, NumberType::F32, 20));
    const auto before = readManifest(shards);
    HEADSCOPE_VERIFY_OK(before);
    std::filesystem::resize_file(shards / "shard_000001.h5", 900);
    JobContext job;
    ShardOptions options;
    options.folder = shards;
    options.blocks = kBlocks;
    options.resume = true;
    options.settings = {{"--pooling", "mean"}};
    const auto writer = ShardWriter::create(options, job);
    HEADSCOPE_VERIFY_OK(writer);
    QCOMPARE((*writer)->notices().size(), std::size_t{1});
    QVERIFY((*writer)->notices()[0].find("shard_000001.h5") != std::string::npos);
    QCOMPARE(static_cast<std::int64_t>((*writer)->kept().size()), 20 - before->shards[1].rows);
    const auto after = readManifest(shards);
    HEADSCOPE_VERIFY_OK(after);
    QCOMPARE(after->shards.size(), before->shards.size() - 1);
    QVERIFY(forgetShard(shards, shards / after->shards[0].file));
    QVERIFY(!forgetShard(shards, shards / after->shards[0].file));
    QVERIFY(!forgetShard(shards, folder.file("c.h5")));
}

void TestShardMerge::leavesOutAShardWithADamagedByte_data()
{
    QTest::addColumn<int>("at"); // in thousandths of the shard
    for (const int at : {10, 200, 400, 500, 600, 700, 800, 900, 990})
        QTest::addRow("%d", at) << at;
}

/// Every byte of it, before anything is computed: vectors, tokens and flags were missed until all was.
void TestShardMerge::leavesOutAShardWithADamagedByte()
{
    QFETCH(int, at);
    const test::TemporaryFolder folder;
    const auto shards = shardFolder(folder.file("c.h5"));
    HEADSCOPE_VERIFY_OK(writeShards(shards, NumberType::F32, 200, 30'000));
    const auto before = readManifest(shards);
    HEADSCOPE_VERIFY_OK(before);
    QCOMPARE(before->shards.size(), std::size_t{1}); // whose sets are too large for its seal
    auto bytes = readTextFile(shards / before->shards[0].file);
    HEADSCOPE_VERIFY_OK(bytes);
    (*bytes)[bytes->size() * static_cast<std::size_t>(at) / 1000] ^= 0x40;
    std::ofstream(shards / before->shards[0].file) << *bytes;
    JobContext job;
    ShardOptions options;
    options.folder = shards;
    options.blocks = kBlocks;
    options.resume = true;
    options.settings = {{"--pooling", "mean"}};
    const auto writer = ShardWriter::create(options, job);
    HEADSCOPE_VERIFY_OK(writer);
    QVERIFY((*writer)->kept().empty());
    QCOMPARE((*writer)->notices().size(), std::size_t{1});
}

/// Before, a failure named manifest.jsonl in a folder that nobody had asked for.
void TestShardMerge::failuresNameTheOutput()
{
    const test::TemporaryFolder folder;
    const auto target = folder.file("cache.h5");
    ShardOptions options;
    options.folder = shardFolder(target);
    options.blocks = kBlocks;
    JobContext job;
    const auto writer = ShardWriter::create(options, job);
    HEADSCOPE_VERIFY_OK(writer);
    const std::vector<ExtractedDocument> one = {documentAt(0)};
    HEADSCOPE_VERIFY_OK((*writer)->add(one));
    std::filesystem::remove_all(options.folder);
    const Status done = (*writer)->finish();
    QVERIFY(!done);
    QCOMPARE(done.error().file, target.string());
}

HEADSCOPE_TEST_GUILESS(TestShardMerge)
#include "tst_shard_merge.moc"
