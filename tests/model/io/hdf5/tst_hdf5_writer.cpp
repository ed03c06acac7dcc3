// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/hdf5/hdf5_writer.h"

#include "model/base/output/disk_space.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/shards/shard_folder.h"
#include "model/io/shards/shard_merge.h"
#include "model/io/shards/shard_writer.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/file_limit.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <sys/mount.h>

#include <cstdlib>

using namespace headscope;

namespace
{

/// A cache of some 400 kB, written in one go.
Status writeOne(const std::filesystem::path& path)
{
    CacheContents contents;
    contents.header.model.layers = 1;
    contents.header.model.heads = 4;
    contents.header.model.kvHeads = 4;
    for (int i = 0; i < 500; ++i)
    {
        contents.documents.ids.push_back(std::to_string(i));
        contents.documents.texts.emplace_back(200, 'x');
    }
    contents.embeddings.push_back(test::randomVectors(Stage::HeadOutput, 0, 500, 4, 40, 1));
    JobContext job;
    return writeCache(path, contents, NumberType::F32, job);
}

/// The same by way of shards.
Status extractOne(const std::filesystem::path& path)
{
    ShardOptions options;
    options.folder = shardFolder(path);
    options.blocks = {{LayerIndex(0), Stage::HeadOutput, 4, 40}};
    options.shardBytes = 100'000;
    const auto work = [&]() -> Status {
        JobContext job;
        HEADSCOPE_TRY(const auto writer, ShardWriter::create(options, job));
        DocumentSet documents;
        CacheHeader header;
        header.model.layers = 1;
        header.model.heads = 4;
        header.model.kvHeads = 4;
        for (std::int64_t i = 0; i < 500; ++i)
        {
            documents.ids.push_back(std::to_string(i));
            const std::vector<ExtractedDocument> one = {{i, 1, 0, 0, std::vector<float>(160, 1.0F)}};
            HEADSCOPE_CHECK(writer->add(one));
        }
        HEADSCOPE_CHECK(writer->finish());
        HEADSCOPE_TRY([[maybe_unused]] const MergeSummary merged,
                      mergeShards(options.folder, path, header, documents, {}, job));
        return {};
    };
    const Status done = work();
    removeShards(options.folder);
    return done;
}

bool readsWhole(const std::filesystem::path& path)
{
    JobContext job;
    const auto cache = CacheReader::open(path);
    return cache && (*cache)->documents(job) && (*cache)->load(LayerIndex(0), Stage::HeadOutput, {}, job);
}

/// Exit codes of the child: 0 written, 1 a Resource error, 2 another error.
int outcomeOf(const Status& status)
{
    if (status)
        return 0;
    const bool resource = status.error().code == ErrorCode::Resource;
    if (!resource)
        std::fprintf(stderr, "%s\n", status.error().sentence().c_str());
    return resource ? 1 : 2;
}

} // namespace

class TestHdf5Writer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsTheFirstError();
    void endsCleanlyWhenFilesMayNotGrow_data();
    void endsCleanlyWhenFilesMayNotGrow();
    void endsCleanlyOnAFullDisk_data();
    void endsCleanlyOnAFullDisk();
    void refusesWithoutSpace();
};

void TestHdf5Writer::keepsTheFirstError()
{
    const test::TemporaryFolder folder;
    {
        auto file = Hdf5Writer::create(folder.file("a.h5"));
        HEADSCOPE_VERIFY_OK(file);
        const std::array shape = {std::int64_t{2}};
        HEADSCOPE_VERIFY_OK(file->createDataset("/a", shape, NumberType::F32));
        const auto twice = file->createDataset("/a", shape, NumberType::F32);
        HEADSCOPE_VERIFY_ERROR(twice, ErrorCode::Resource, "/a: creating the dataset failed");
        const auto later = file->makeGroup("/b");
        HEADSCOPE_VERIFY_ERROR(later, ErrorCode::Resource, "/a: creating the dataset failed");
        HEADSCOPE_VERIFY_ERROR(file->publish(), ErrorCode::Resource, "/a: creating the dataset failed");
    }
    QCOMPARE(folder.files(), std::size_t{0});
}

void TestHdf5Writer::endsCleanlyWhenFilesMayNotGrow_data()
{
    QTest::addColumn<bool>("shards");
    QTest::newRow("whole") << false;
    QTest::newRow("shards") << true;
}

void TestHdf5Writer::endsCleanlyWhenFilesMayNotGrow()
{
    QFETCH(bool, shards);
    int written = 0;
    int refused = 0;
    for (std::uint64_t limit = 500; limit < 800'000; limit = limit * 5 / 4)
    {
        const test::TemporaryFolder folder;
        const auto path = folder.file("c.h5");
        const Status ended = test::withFileLimit(limit, [&] { return shards ? extractOne(path) : writeOne(path); });
        QVERIFY2(ended || ended.error().code == ErrorCode::Resource, std::to_string(limit).c_str());
        const bool done = ended.has_value();
        QCOMPARE(folder.files(), done ? std::size_t{1} : std::size_t{0});
        QVERIFY(!done || readsWhole(path));
        (done ? written : refused) += 1;
    }
    QVERIFY(written > 0 && refused > 10);
}

void TestHdf5Writer::endsCleanlyOnAFullDisk_data()
{
    endsCleanlyWhenFilesMayNotGrow_data();
}

void TestHdf5Writer::endsCleanlyOnAFullDisk()
{
    QFETCH(bool, shards);
    int written = 0;
    int refused = 0;
    for (const int kilobytes : {64, 200, 300, 400, 420, 440, 460, 480, 500, 520, 700, 800, 900, 1000, 2000})
    {
        const test::TemporaryFolder folder;
        const auto disk = folder.file("disk");
        std::filesystem::create_directory(disk);
        const std::string options = "size=" + std::to_string(kilobytes) + "k";
        if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, options.c_str()) != 0)
            QSKIP("mounting a small file system needs root");
        const Status done = shards ? extractOne(disk / "c.h5") : writeOne(disk / "c.h5");
        const bool empty = std::filesystem::is_empty(disk);
        const bool whole = done && readsWhole(disk / "c.h5");
        ::umount(disk.c_str());
        QVERIFY2(outcomeOf(done) < 2, options.c_str());
        QVERIFY2(done ? whole : empty, options.c_str());
        (done ? written : refused) += 1;
    }
    QVERIFY(written > 0 && refused > 3);
}

void TestHdf5Writer::refusesWithoutSpace()
{
    const test::TemporaryFolder folder;
    HEADSCOPE_VERIFY_OK(checkFreeSpace(folder.file("a.h5"), 1000));
    HEADSCOPE_VERIFY_ERROR(checkFreeSpace(folder.file("a.h5"), std::uint64_t{1} << 60), ErrorCode::Resource,
                           "disk full: ");
    HEADSCOPE_VERIFY_ERROR(checkFreeSpace(folder.file("none/a.h5"), 1), ErrorCode::FileNotFound, "none");
    // Before: "0.01 GB needed, 0.01 GB free", "0.00 GB needed, 0.00 GB free".
    QCOMPARE(diskFullText(11'400'000, 9'100'000), std::string("disk full: 11.4 MB needed, 9.10 MB free"));
    QCOMPARE(diskFullText(5'000'000'000, 200'000), std::string("disk full: 5.00 GB needed, 200 kB free"));
    QCOMPARE(diskFullText(4'400, 4'096), std::string("disk full: 4.40 kB needed, 4.10 kB free"));
    QCOMPARE(diskFullText(4'096, 0), std::string("disk full: 4.10 kB needed, 0 bytes free"));
    QCOMPARE(diskFullText(4'000'000'001, 4'000'000'000),
             std::string("disk full: 4000000001 bytes needed, 4000000000 bytes free"));
}

HEADSCOPE_TEST_GUILESS(TestHdf5Writer)
#include "tst_hdf5_writer.moc"
