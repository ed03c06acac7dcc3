// SPDX-License-Identifier: GPL-3.0-or-later
// Caches of ranges of a run: what they say of themselves, how they are put in order, how far a run is, and one cache of
// all.
#include "model/io/shards/range_parts.h"

#include "model/base/output/output_lock.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/shards/range_merge.h"
#include "model/io/shards/run_progress.h"
#include "model/io/shards/shard_folder.h"
#include "model/io/shards/shard_writer.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/file_limit.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <fstream>
#include <iterator>

using namespace headscope;
namespace fs = std::filesystem;

namespace
{

constexpr std::int64_t kDocuments = 30;
const std::map<std::string, std::string> kSettings = {{"--pooling", "last"}, {"a \"name\"", "a\\value,\n{}"}};

/// The cache of documents [begin, end) of a run.
struct Part
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::map<std::string, std::string> settings = kSettings;
    std::vector<std::string> labelColumns = {"topic", "kind, \"quoted\""};
    std::string command = "headscope-engine extract m d -o p.h5";
    std::string sample = "30 of 400 documents, seed 1";
    std::int64_t all = kDocuments;
};

CacheContents contentsOf(const Part& part)
{
    CacheContents contents;
    contents.header.model = {"sample", "/m", "llama", 4, 4, 2, 5, 20, 100, {{"model.safetensors", "ab12"}}};
    contents.header.created = "2026-01-02T03:04:05Z";
    contents.header.command = part.command;
    contents.header.sample = part.sample;
    contents.header.pooling = "last";
    contents.header.range = {part.begin, part.end, part.all, "d1gest", part.settings, part.labelColumns};
    LabelColumn topic{"topic", {}, {"a", "b"}};
    LabelColumn kind{"kind, \"quoted\"", {}, {"x"}};
    const auto whole = test::randomVectors(Stage::HeadOutput, 3, part.all, 4, 5, 7);
    const auto values = whole->values();
    for (std::int64_t i = part.begin; i < part.end; ++i)
    {
        contents.documents.ids.push_back("d" + std::to_string(i));
        contents.documents.texts.push_back("Text " + std::to_string(i));
        contents.documents.tokens.push_back(static_cast<std::int32_t>(i + 1));
        contents.documents.flags.push_back(i % 9 == 0 ? static_cast<std::uint8_t>(DocumentFlag::Truncated) : 0);
        topic.codes.push_back(static_cast<std::int32_t>(i % 2));
        kind.codes.push_back(0);
    }
    contents.documents.labels = {topic, kind};
    contents.embeddings.push_back(std::make_shared<const HeadVectors>(
        Stage::HeadOutput, LayerIndex(3), part.end - part.begin, 4, 5,
        std::vector<float>(values.begin() + part.begin * 20, values.begin() + part.end * 20)));
    contents.topics.push_back({"topic", {}, test::randomVectors(Stage::HeadOutput, 3, 2, 4, 5, 8)});
    return contents;
}

Status write(const fs::path& path, const Part& part)
{
    JobContext job;
    return writeCache(path, contentsOf(part), NumberType::F32, job);
}

std::string bytesOf(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

using Ranges = std::vector<std::pair<std::int64_t, std::int64_t>>;

Ranges pairs(const std::vector<DocumentRange>& ranges)
{
    Ranges found;
    for (const DocumentRange& range : ranges)
        found.emplace_back(range.begin, range.end);
    return found;
}

} // namespace

class TestRangeParts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aCacheKeepsItsRange();
    void rangesThatDoNotFitAreRefused();
    void missingRangesAreCutAtMultiples();
    void partsAreOrderedAndCountedOnce();
    void overlapsAreRefused();
    void partsOfAnotherRunAreRefused();
    void mergesToOneCache();
    void mergeEndsCleanlyOnAFullDisk();
    void progressOfAllStates();
};

void TestRangeParts::aCacheKeepsItsRange()
{
    const test::TemporaryFolder folder;
    const Part part{.begin = 10, .end = 17};
    HEADSCOPE_VERIFY_OK(write(folder.file("p.h5"), part));
    const auto cache = CacheReader::open(folder.file("p.h5"));
    HEADSCOPE_VERIFY_OK(cache);
    const CacheRange expected{10, 17, kDocuments, "d1gest", kSettings, part.labelColumns};
    QVERIFY((*cache)->info().header.range == expected);
    auto whole = contentsOf(part);
    whole.header.range.reset();
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(folder.file("w.h5"), whole, NumberType::F32, job));
    const auto without = CacheReader::open(folder.file("w.h5"));
    HEADSCOPE_VERIFY_OK(without);
    QVERIFY(!(*without)->info().header.range);
}

void TestRangeParts::rangesThatDoNotFitAreRefused()
{
    const test::TemporaryFolder folder;
    for (const auto& [begin, end, all] :
         std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t>>{{-1, 6, 30}, {10, 16, 30}, {25, 32, 30}})
    {
        auto contents = contentsOf({.begin = 10, .end = 17}); // seven documents
        contents.header.range->begin = begin;
        contents.header.range->end = end;
        contents.header.range->documents = all;
        JobContext job;
        const auto path = folder.file("p.h5");
        HEADSCOPE_VERIFY_OK(writeCache(path, contents, NumberType::F32, job));
        HEADSCOPE_VERIFY_ERROR(CacheReader::open(path), ErrorCode::BadFormat, "expected a range of 7 documents, found");
        fs::remove(path);
    }
}

void TestRangeParts::missingRangesAreCutAtMultiples()
{
    QCOMPARE(pairs(missingRanges({}, 10, 4)), (Ranges{{0, 4}, {4, 8}, {8, 10}}));
    QCOMPARE(pairs(missingRanges({{4, 8}}, 10, 4)), (Ranges{{0, 4}, {8, 10}}));
    QCOMPARE(pairs(missingRanges({{0, 3}, {5, 6}}, 10, 4)), (Ranges{{3, 4}, {4, 5}, {6, 8}, {8, 10}}));
    QCOMPARE(pairs(missingRanges({{0, 6}, {4, 10}}, 10, 4)), Ranges());
    QCOMPARE(pairs(missingRanges({{2, 9}, {3, 4}}, 10, 100)), (Ranges{{0, 2}, {9, 10}}));
}

void TestRangeParts::partsAreOrderedAndCountedOnce()
{
    const test::TemporaryFolder folder;
    HEADSCOPE_VERIFY_OK(write(folder.file("z.h5"), {.begin = 0, .end = 12}));
    HEADSCOPE_VERIFY_OK(write(folder.file("a.h5"), {.begin = 24, .end = 30}));
    HEADSCOPE_VERIFY_OK(write(folder.file("b.h5"), {.begin = 24, .end = 30}));
    auto whole = contentsOf({.begin = 0, .end = 30});
    whole.header.range.reset();
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(folder.file("w.h5"), whole, NumberType::F32, job));
    std::ofstream(folder.file("notes.txt")) << "not looked at";
    const auto parts = openRangeParts({folder.file("")}, job);
    HEADSCOPE_VERIFY_OK(parts);
    QCOMPARE(parts->parts.size(), std::size_t{2});
    QCOMPARE(parts->parts[0].path.filename().string(), std::string("z.h5"));
    QCOMPARE(parts->parts[1].path.filename().string(), std::string("a.h5"));
    QCOMPARE(parts->documents(), kDocuments);
    QCOMPARE(pairs(parts->missing()), (Ranges{{12, 24}}));
    QCOMPARE(parts->notices.size(), std::size_t{2});
    QVERIFY(parts->notices[0].find("w.h5 is ignored") != std::string::npos);
    QVERIFY(parts->notices[1].find("contain the same documents") != std::string::npos);
}

void TestRangeParts::overlapsAreRefused()
{
    const test::TemporaryFolder folder;
    HEADSCOPE_VERIFY_OK(write(folder.file("a.h5"), {.begin = 0, .end = 12}));
    HEADSCOPE_VERIFY_OK(write(folder.file("b.h5"), {.begin = 11, .end = 30}));
    JobContext job;
    HEADSCOPE_VERIFY_ERROR(openRangeParts({folder.file("b.h5"), folder.file("a.h5")}, job), ErrorCode::BadFormat,
                           "found 11:30 here and 0:12 in");
}

void TestRangeParts::partsOfAnotherRunAreRefused()
{
    const test::TemporaryFolder folder;
    JobContext job;
    HEADSCOPE_VERIFY_OK(write(folder.file("a.h5"), {.begin = 0, .end = 12}));
    const auto refused = [&](const Part& part, const char* words) {
        fs::remove(folder.file("b.h5"));
        HEADSCOPE_VERIFY_OK(write(folder.file("b.h5"), part));
        HEADSCOPE_VERIFY_ERROR(openRangeParts({folder.file("a.h5"), folder.file("b.h5")}, job), ErrorCode::BadFormat,
                               words);
    };
    auto settings = kSettings;
    settings["--sample"] = "30 of 400 documents, seed 2";
    refused({.begin = 12, .end = 30, .settings = settings},
            "--sample is nothing there and 30 of 400 documents, seed 2");
    refused({.begin = 12, .end = 30, .labelColumns = {"topic"}}, "the list of label columns is topic, kind");
    refused({.begin = 12, .end = 30, .all = 31}, "the number of documents of the whole run is 30 there and 31 here");
}

void TestRangeParts::mergesToOneCache()
{
    const test::TemporaryFolder folder;
    const std::vector<Part> cut = {{.begin = 20, .end = 30}, {.begin = 0, .end = 7}, {.begin = 7, .end = 20}};
    for (const Part& part : cut)
        HEADSCOPE_VERIFY_OK(write(folder.file("p" + std::to_string(part.begin) + ".h5"), part));
    JobContext job;
    const auto parts = openRangeParts({folder.file("")}, job);
    HEADSCOPE_VERIFY_OK(parts);
    const auto summary = mergeRanges(*parts, folder.file("c.h5"), "the command of all", job);
    HEADSCOPE_VERIFY_OK(summary);
    QCOMPARE(summary->documents, kDocuments);
    QCOMPARE(summary->truncated, 4);
    const auto cache = CacheReader::open(folder.file("c.h5"));
    HEADSCOPE_VERIFY_OK(cache);
    const CacheHeader& header = (*cache)->info().header;
    QVERIFY(!header.range);
    QCOMPARE(header.sample, std::string("30 of 400 documents, seed 1")); // of the whole, as every part says it
    QCOMPARE(header.command, std::string("the command of all"));
    QCOMPARE(header.truncated, 4);
    const auto vectors = (*cache)->load(LayerIndex(3), Stage::HeadOutput, {}, job);
    HEADSCOPE_VERIFY_OK(vectors);
    const auto expected = test::randomVectors(Stage::HeadOutput, 3, kDocuments, 4, 5, 7);
    QVERIFY(std::ranges::equal((*vectors)->values(), expected->values()));
    const auto documents = (*cache)->documents(job);
    HEADSCOPE_VERIFY_OK(documents);
    for (std::size_t i = 0; i < kDocuments; ++i)
    {
        QCOMPARE((*documents)->ids[i], "d" + std::to_string(i));
        QCOMPARE((*documents)->label("topic")->codes[i], static_cast<std::int32_t>(i % 2));
    }
}

/// Files that may not grow any more: no cache, nothing left, the parts as they were; and with room the right cache.
void TestRangeParts::mergeEndsCleanlyOnAFullDisk()
{
    const test::TemporaryFolder folder;
    HEADSCOPE_VERIFY_OK(write(folder.file("a.h5"), {.begin = 0, .end = 12}));
    HEADSCOPE_VERIFY_OK(write(folder.file("b.h5"), {.begin = 12, .end = 30}));
    const std::string before = bytesOf(folder.file("a.h5"));
    JobContext job;
    const auto parts = openRangeParts({folder.file("a.h5"), folder.file("b.h5")}, job);
    HEADSCOPE_VERIFY_OK(parts);
    const auto whole = mergeRanges(*parts, folder.file("c.h5"), "c", job);
    HEADSCOPE_VERIFY_OK(whole);
    const std::uint64_t size = fs::file_size(folder.file("c.h5"));
    fs::remove(folder.file("c.h5"));
    for (const std::uint64_t most : {std::uint64_t{0}, std::uint64_t{100}, size / 3, size / 2, size - 1})
    {
        const Status merged = test::withFileLimit(most, [&]() -> Status {
            HEADSCOPE_CHECK(mergeRanges(*parts, folder.file("c.h5"), "c", job));
            return {};
        });
        HEADSCOPE_VERIFY_ERROR(merged, ErrorCode::Resource, "c.h5");
        QCOMPARE(folder.files(), std::size_t{2});
    }
    QVERIFY(bytesOf(folder.file("a.h5")) == before);
    HEADSCOPE_VERIFY_OK(mergeRanges(*parts, folder.file("c.h5"), "c", job));
    QCOMPARE(fs::file_size(folder.file("c.h5")), size);
}

/// One range that is done, one that is being computed, one that was stopped, and the rest.
void TestRangeParts::progressOfAllStates()
{
    const test::TemporaryFolder folder;
    JobContext job;
    HEADSCOPE_VERIFY_ERROR(readRunProgress(folder.file("none"), job), ErrorCode::FileNotFound, "none");
    HEADSCOPE_VERIFY_ERROR(readRunProgress(folder.file(""), job), ErrorCode::BadFormat, "found none");
    HEADSCOPE_VERIFY_OK(write(folder.file("a.h5"), {.begin = 0, .end = 6}));
    const auto shards = [&](const char* name, std::int64_t begin, std::int64_t count) -> Status {
        ShardOptions options;
        options.folder = shardFolder(folder.file(name));
        options.blocks = {{LayerIndex(3), Stage::HeadOutput, 4, 5}};
        options.settings = kSettings;
        options.settings["--range"] = "its own";
        options.run = std::string("extract -o ") + name;
        options.documents = {begin, begin + 6, kDocuments};
        HEADSCOPE_TRY(const auto writer, ShardWriter::create(options, job));
        for (std::int64_t i = 0; i < count; ++i)
        {
            ExtractedDocument document;
            document.index = i;
            document.values.resize(20);
            HEADSCOPE_CHECK(writer->add(std::vector{document}));
        }
        return writer->finish();
    };
    HEADSCOPE_VERIFY_OK(shards("b.h5", 12, 4));
    HEADSCOPE_VERIFY_OK(shards("c.h5", 24, 1));
    HEADSCOPE_VERIFY_OK(shards("twice.h5", 0, 3));
    const auto lock = OutputLock::take(folder.file("b.h5"));
    HEADSCOPE_VERIFY_OK(lock);
    const auto progress = readRunProgress(folder.file(""), job);
    HEADSCOPE_VERIFY_OK(progress);
    QCOMPARE(progress->documents, kDocuments);
    QCOMPARE(progress->ranges.size(), std::size_t{3});
    const RunRange& running = progress->ranges[1];
    QVERIFY(progress->ranges[0].state == RunState::Done && running.state == RunState::Running &&
            progress->ranges[2].state == RunState::Stopped);
    QCOMPARE(running.done, 4);
    QVERIFY(running.rate > 0);
    QCOMPARE(progress->rate(), running.rate); // what was stopped does no more
    QVERIFY(running.holder.find("process ") != std::string::npos);
    QVERIFY(progress->ranges[2].holder.empty());
    QCOMPARE(progress->ranges[2].command, std::string("extract -o c.h5"));
    QCOMPARE(progress->done(), 6 + 4 + 1);
    QCOMPARE(progress->running(), 2);
    QCOMPARE(pairs(progress->untouched), (Ranges{{6, 12}, {18, 24}}));
    QCOMPARE(progress->notices.size(), std::size_t{1});
    QVERIFY(progress->notices[0].find("twice.h5.shards is not counted: its documents are already done in another "
                                      "part") != std::string::npos);
}

HEADSCOPE_TEST_GUILESS(TestRangeParts)
#include "tst_range_parts.moc"
