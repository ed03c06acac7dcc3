// SPDX-License-Identifier: GPL-3.0-or-later
// A folder of shards is somebody's folder until it is known to be ours.
#include "model/io/shards/shard_folder.h"

#include "model/base/file.h"
#include "model/base/output/process_tag.h"
#include "model/io/shards/shard_manifest.h"
#include "model/io/shards/shard_writer.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <fstream>

#include <QJsonDocument>
#include <QJsonObject>

using namespace headscope;
namespace fs = std::filesystem;

class TestShardFolder : public QObject
{
    Q_OBJECT

    /// What a killed run leaves.
    static void leaveShards(const fs::path& folder)
    {
        ShardOptions options;
        options.folder = folder;
        options.blocks = {{LayerIndex(0), Stage::HeadOutput, 1, 2}};
        options.shardBytes = 8;
        JobContext job;
        const auto writer = ShardWriter::create(options, job);
        HEADSCOPE_VERIFY_OK(writer);
        for (std::int64_t i = 0; i < 3; ++i)
        {
            const std::vector<ExtractedDocument> one = {{i, 1, 0, 0, {1.0F, 2.0F}}};
            HEADSCOPE_VERIFY_OK((*writer)->add(one));
        }
        std::ofstream(folder / "shard_000003.h5.part-12-ab-cd-ef.0") << "half";
    }

    /// This process' tag with a time of start that was never.
    static std::string tagOfAnEndedProcess()
    {
        std::string tag = processTag();
        const std::size_t pid = tag.find('-');
        return tag.substr(0, pid) + "-1" + tag.substr(tag.find('-', pid + 1));
    }

private Q_SLOTS:
    void shardsOfAKilledRunGo()
    {
        const test::TemporaryFolder place;
        const auto folder = shardFolder(place.file("c.h5"));
        HEADSCOPE_VERIFY_OK(checkShardFolder(folder)); // none
        leaveShards(folder);
        QVERIFY(std::distance(fs::directory_iterator(folder), fs::directory_iterator()) > 4);
        HEADSCOPE_VERIFY_OK(checkShardFolder(folder));
        removeShards(folder);
        QVERIFY(!fs::exists(folder));
        fs::create_directory(folder);
        HEADSCOPE_VERIFY_OK(checkShardFolder(folder));
        removeShards(folder);
        QVERIFY(!fs::exists(folder));
    }

    /// What the program wrote before its parts were declared as records is read, and written again as it was.
    void earlierManifestsAreRead()
    {
        const test::TemporaryFolder place;
        const auto folder = place.file("c.h5.shards");
        fs::create_directory(folder);
        fs::copy_file(test::golden("records/shards.jsonl"), folder / "manifest.jsonl");
        const auto manifest = readManifest(folder);
        HEADSCOPE_VERIFY_OK(manifest);
        QCOMPARE(manifest->settings.at("a \"name\""), std::string("a\\value,\n{}"));
        QCOMPARE(manifest->blocks.at(0).heads, std::int64_t{4});
        QCOMPARE(manifest->documents.all, std::int64_t{30});
        QCOMPARE(manifest->shards.at(0).xxh3.size(), std::size_t{5});
        QCOMPARE(manifest->shards.at(0).seconds, 0.045);
        const auto text = readTextFile(folder / "manifest.jsonl");
        HEADSCOPE_VERIFY_OK(text);
        const auto objects = [](const std::string& lines) {
            QList<QJsonObject> all;
            for (const QByteArray& line : QByteArray::fromStdString(lines).split('\n'))
                all << QJsonDocument::fromJson(line).object();
            return all;
        };
        const auto again = objects(manifestHead(*manifest) + "\n" + manifestLine(manifest->shards.at(0)) + "\n");
        QCOMPARE(again.size(), 3);
        QVERIFY(!again.at(1).isEmpty());
        QCOMPARE(again, objects(*text));
    }

    /// Killed while its manifest was written for the first time: nothing but a part file of it is there.
    void aRunKilledAtItsFirstWriteCanBeStartedAgain()
    {
        const test::TemporaryFolder place;
        const auto folder = shardFolder(place.file("c.h5"));
        fs::create_directory(folder);
        const fs::path left = folder / ("manifest.jsonl.part-" + tagOfAnEndedProcess() + ".0");
        std::ofstream(left) << "{\"format\": \"headsc";
        HEADSCOPE_VERIFY_OK(checkShardFolder(folder));
        leaveShards(folder);
        QVERIFY(!fs::exists(left));
        fs::remove(folder / "manifest.jsonl");
        const fs::path running = folder / ("manifest.jsonl.part-" + processTag() + ".0");
        std::ofstream(running) << "half";
        HEADSCOPE_VERIFY_ERROR(checkShardFolder(folder), ErrorCode::Resource, "manifest.jsonl.part-");
    }

    /// Somebody has deleted the manifest of a run that was killed: the run begins anew, and says so.
    void aRunWithoutItsManifestBeginsAnew()
    {
        const test::TemporaryFolder place;
        const auto folder = shardFolder(place.file("c.h5"));
        leaveShards(folder);
        fs::remove(folder / "manifest.jsonl");
        QVERIFY(!hasLostManifest(folder));
        const fs::path left = folder / ("cache.part-" + tagOfAnEndedProcess() + ".0");
        std::ofstream(left) << "vectors";
        HEADSCOPE_VERIFY_OK(checkShardFolder(folder));
        QVERIFY(hasLostManifest(folder));
        ShardOptions options;
        options.folder = folder;
        options.blocks = {{LayerIndex(0), Stage::HeadOutput, 1, 2}};
        options.resume = true;
        JobContext job;
        {
            const auto writer = ShardWriter::create(options, job);
            HEADSCOPE_VERIFY_OK(writer);
            const auto notices = (*writer)->notices();
            QCOMPARE(notices.size(), std::size_t{1});
            QVERIFY(notices.front().find("their list, manifest.jsonl in c.h5.shards, is missing") != std::string::npos);
            QVERIFY(!fs::exists(left) && !fs::exists(folder / "shard_000000.h5"));
            QVERIFY(fs::exists(folder / "manifest.jsonl"));
        }
        // What is of a run that goes on, and what only has the name of a shard, stays.
        fs::remove_all(folder);
        fs::create_directory(folder);
        std::ofstream(left) << "vectors";
        std::ofstream(folder / "shard_000000.h5") << "of mine";
        HEADSCOPE_VERIFY_ERROR(checkShardFolder(folder), ErrorCode::Resource, "contains shard_000000.h5");
        fs::remove(folder / "shard_000000.h5");
        std::ofstream(folder / ("cache.part-" + processTag() + ".7")) << "vectors";
        HEADSCOPE_VERIFY_ERROR(checkShardFolder(folder), ErrorCode::Resource, "cache.part-");
    }

    void aRunKilledAtItsFirstWriteLeavesNothing()
    {
        const test::TemporaryFolder place;
        const auto folder = shardFolder(place.file("c.h5"));
        fs::create_directory(folder);
        std::ofstream(folder / ("manifest.jsonl.part-" + tagOfAnEndedProcess() + ".0")) << "half";
        removeShards(folder);
        QVERIFY(!fs::exists(folder));
    }

    void whatSomebodyKeepsThereStays_data()
    {
        QTest::addColumn<bool>("shards");
        QTest::addColumn<QString>("name");
        QTest::newRow("notes beside shards") << true << QStringLiteral("notes.txt");
        QTest::newRow("notes alone") << false << QStringLiteral("notes.txt");
        QTest::newRow("a shard without manifest") << false << QStringLiteral("shard_000000.h5");
        QTest::newRow("another manifest") << false << QStringLiteral("manifest.jsonl");
        QTest::newRow("nearly a shard") << true << QStringLiteral("shard_000000.h5.bak");
    }

    void whatSomebodyKeepsThereStays()
    {
        QFETCH(bool, shards);
        QFETCH(QString, name);
        const test::TemporaryFolder place;
        const auto folder = shardFolder(place.file("c.h5"));
        if (shards)
            leaveShards(folder);
        fs::create_directories(folder);
        const fs::path kept = folder / name.toStdString();
        std::ofstream(kept) << "of mine";
        const std::string said = "contains " + name.toStdString();
        const Status refused = checkShardFolder(folder);
        HEADSCOPE_VERIFY_ERROR(refused, ErrorCode::Resource, said.c_str());
        QVERIFY(refused.error().sentence().find("c.h5.shards") != std::string::npos);
        ShardOptions options;
        options.folder = folder;
        options.blocks = {{LayerIndex(0), Stage::HeadOutput, 1, 2}};
        JobContext job;
        HEADSCOPE_VERIFY_ERROR(ShardWriter::create(options, job), ErrorCode::Resource, said.c_str());
        QCOMPARE(fs::exists(folder / "shard_000001.h5"), shards); // refused before anything went
        removeShards(folder);
        QVERIFY(fs::exists(kept));
        QVERIFY(!fs::exists(folder / "shard_000001.h5"));
    }

    void linksAndFilesOfThatNameStay()
    {
        const test::TemporaryFolder place;
        fs::create_directory(place.file("mine"));
        std::ofstream(place.file("mine/shard_000000.h5")) << "of mine";
        fs::create_symlink("mine", place.file("c.h5.shards"));
        HEADSCOPE_VERIFY_ERROR(checkShardFolder(place.file("c.h5.shards")), ErrorCode::Resource,
                               "a file has this name");
        removeShards(place.file("c.h5.shards"));
        QVERIFY(fs::exists(place.file("mine/shard_000000.h5")));
        QVERIFY(fs::is_symlink(place.file("c.h5.shards")));
        HEADSCOPE_VERIFY_ERROR(checkShardFolder(shardFolder(place.file(std::string(249, 'n')))), ErrorCode::Resource,
                               "File name too long");
    }
};

HEADSCOPE_TEST_GUILESS(TestShardFolder)
#include "tst_shard_folder.moc"
