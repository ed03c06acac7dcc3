// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/cache_identity.h"

#include "model/io/cache/cache_reader.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/model/io/foreign_cache.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <chrono>
#include <filesystem>
#include <fstream>

using namespace headscope;

class TestCacheIdentity : public QObject
{
    Q_OBJECT

private:
    test::TemporaryFolder m_folder;

    std::filesystem::path write(const std::string& name, const CacheContents& contents)
    {
        JobContext job;
        const auto path = m_folder.file(name);
        const Status written = writeCache(path, contents, NumberType::F32, job);
        if (!written)
            qFatal("%s", written.error().sentence().c_str());
        return path;
    }
    static Origin originAt(const std::filesystem::path& path)
    {
        const auto reader = CacheReader::open(path);
        return reader ? (*reader)->origin() : Origin();
    }

private Q_SLOTS:
    void itIsOfTheNumbersAndNotOfTheFile()
    {
        const auto path = write("a.h5", test::sampleContents());
        const Origin origin = originAt(path);
        QCOMPARE(origin.hash.size(), std::size_t{32});
        const auto copy = m_folder.file("copy.h5");
        std::filesystem::copy_file(path, copy);
        std::filesystem::last_write_time(copy, std::filesystem::last_write_time(copy) + std::chrono::hours(1));
        QCOMPARE(originAt(copy), origin);

        CacheContents other = test::sampleContents();
        other.embeddings.front() = test::randomVectors(Stage::HeadOutput, 2, 12, 4, 5, 99);
        QVERIFY(originAt(write("vectors.h5", other)) != origin);
        other = test::sampleContents();
        other.documents.texts[3] = "another text";
        QVERIFY(originAt(write("texts.h5", other)) != origin);
        other = test::sampleContents();
        other.header.model.name = "another model";
        QVERIFY(originAt(write("model.h5", other)) != origin);
    }

    /// There is one definition: what is another cache by its identity is another by its origin.
    void theOriginIsMadeOfTheIdentity()
    {
        const auto path = m_folder.file("none.h5");
        const ChecksumTable checksums = {{"/embeddings/layer_002/stage1", "ab"}};
        CacheInfo info;
        info.embeddings.resize(1);
        info.identity = "one";
        const Origin origin = originOf(path, info, checksums);
        QCOMPARE(originOf(path, info, checksums), origin);
        info.identity = "another";
        QVERIFY(originOf(path, info, checksums) != origin);
    }

    /// What is kept of results made from a cache belongs to all that it holds but its maps.
    void theDigestIsOfTheContents()
    {
        JobContext job;
        const auto digestAt = [&](const std::filesystem::path& path) {
            const auto reader = CacheReader::open(path);
            const auto digest = reader ? digestOf(**reader, job) : Result<InputDigest>(reader.error());
            return digest ? digest->text() : digest.error().sentence();
        };
        const auto path = write("digest.h5", test::sampleContents());
        const std::string digest = digestAt(path);
        QVERIFY2(digest.starts_with("cache:"), digest.c_str());
        std::filesystem::copy_file(path, m_folder.file("digest-copy.h5"));
        QCOMPARE(digestAt(m_folder.file("digest-copy.h5")), digest);
        CacheContents other = test::sampleContents();
        other.maps.front().xy = MatrixF(3, 2, {1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F});
        QCOMPARE(digestAt(write("digest-map.h5", other)), digest);
        other.documents.labels.back().categories.front() = "another topic";
        QVERIFY(digestAt(write("digest-topic.h5", other)) != digest);
        other = test::sampleContents();
        other.header.prompt = "another prompt";
        QVERIFY(digestAt(write("digest-prompt.h5", other)) != digest);
        // Without checksums of the vectors nothing but the file tells.
        const auto foreign = m_folder.file("foreign.h5");
        HEADSCOPE_VERIFY_OK(test::writeForeignCache(foreign));
        const std::string ofFile = digestAt(foreign);
        QVERIFY2(ofFile.starts_with("sha256:"), ofFile.c_str());
        const auto before = CacheReader::open(foreign);
        HEADSCOPE_VERIFY_OK(before);
        const auto info = infoOfContents(**before, job);
        HEADSCOPE_VERIFY_OK(info);
        HEADSCOPE_VERIFY_OK(test::changeForeignCacheUnseen(foreign));
        QVERIFY(digestAt(foreign) != ofFile);
        const auto after = CacheReader::open(foreign);
        HEADSCOPE_VERIFY_OK(after);
        QCOMPARE((*after)->info().identity, (*before)->info().identity); // of some rows alone
        QVERIFY(infoOfContents(**after, job)->identity != info->identity);
    }

    /// A map put into the file changes the file and not what its vectors are.
    void itStaysWhenAMapIsStored()
    {
        const auto path = write("stored.h5", test::sampleContents());
        const auto before = CacheReader::open(path);
        HEADSCOPE_VERIFY_OK(before);
        HeadMap map = test::sampleContents().maps.front();
        map.name = "second";
        JobContext job;
        HEADSCOPE_VERIFY_OK(saveMap(path, map, false, job));
        QCOMPARE(originAt(path), (*before)->origin());
        const auto again = (*before)->openAgain();
        HEADSCOPE_VERIFY_OK(again);
        QCOMPARE((*again)->origin(), (*before)->origin());
        QCOMPARE((*again)->info().maps.size(), std::size_t{2});
        auto read = (*again)->map("second", job);
        HEADSCOPE_VERIFY_OK(read);
        QCOMPARE(read->origin, (*before)->origin());
    }

    /// Without checksums nothing is known of the numbers: the file itself counts.
    void withoutChecksumsTheFileCounts()
    {
        const auto path = m_folder.file("plain");
        std::ofstream(path) << "x";
        CacheInfo info;
        info.documents = 12;
        info.embeddings.resize(2);
        const Origin origin = originOf(path, info, {});
        QCOMPARE(originOf(path, info, {}), origin);
        std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) + std::chrono::seconds(1));
        QVERIFY(originOf(path, info, {}) != origin);
        // A dataset without its checksum could be any.
        const ChecksumTable some = {{"/embeddings/layer_002/stage1", "ab"}};
        const Origin partly = originOf(path, info, some);
        std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) + std::chrono::seconds(1));
        QVERIFY(originOf(path, info, some) != partly);
    }

    void aMapOfOtherDocumentsIsRefused_data()
    {
        QTest::addColumn<std::int32_t>("document");
        QTest::addColumn<std::int32_t>("head");
        QTest::addColumn<QString>("found");
        QTest::newRow("document") << 12 << 0 << QStringLiteral("12 documents and 4 heads, found document 12, head 0");
        QTest::newRow("head") << 0 << 4 << QStringLiteral("12 documents and 4 heads, found document 0, head 4");
        QTest::newRow("below") << -1 << 0 << QStringLiteral("12 documents and 4 heads, found document -1, head 0");
    }
    void aMapOfOtherDocumentsIsRefused()
    {
        QFETCH(std::int32_t, document);
        QFETCH(std::int32_t, head);
        QFETCH(QString, found);
        CacheContents contents = test::sampleContents();
        contents.maps.front().points = std::make_shared<const PointIds>(PointIds{{0, document, 1}, {0, head, 0}});
        const auto path = write(QTest::currentDataTag(), contents);
        const auto reader = CacheReader::open(path);
        HEADSCOPE_VERIFY_OK(reader);
        JobContext job;
        const auto map = (*reader)->map("map", job);
        QVERIFY(!map);
        QCOMPARE(map.error().code, ErrorCode::BadFormat);
        QVERIFY2(map.error().sentence().find(found.toStdString()) != std::string::npos, map.error().sentence().c_str());
    }
};

HEADSCOPE_TEST_GUILESS(TestCacheIdentity)
#include "tst_cache_identity.moc"
