// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/hash.h"
#include "model/base/output/output_file.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTemporaryDir>

using namespace headscope;

class TestHash : public QObject
{
    Q_OBJECT

    static std::span<const std::byte> bytesOf(std::string_view text) { return std::as_bytes(std::span(text)); }

private Q_SLOTS:
    void sha256KnownAnswers()
    {
        Sha256 hash;
        QCOMPARE(hash.finishHex(), std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
        hash.update(bytesOf("a"));
        hash.update(bytesOf("bc"));
        QCOMPARE(hash.finishHex(), std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    }

    void xxh3TellsOneBitApart()
    {
        QCOMPARE(xxh3Hex({}), std::string("99aa06d3014798d86001c324468d497f")); // XXH3 of nothing, seed 0
        QVERIFY(xxh3Hex(bytesOf("head")) != xxh3Hex(bytesOf("heae")));
    }

    void fileEqualsItsBytes()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath(QStringLiteral("big")).toStdString();
        const std::string contents(3'000'000, 'x');
        HEADSCOPE_VERIFY_OK(writeFileAtomically(path, contents));
        JobContext job;
        const auto digest = sha256OfFile(path, job);
        HEADSCOPE_VERIFY_OK(digest);
        Sha256 whole;
        whole.update(bytesOf(contents));
        QCOMPARE(*digest, whole.finishHex());
        HEADSCOPE_VERIFY_ERROR(sha256OfFile(path.string() + ".none", job), ErrorCode::FileNotFound, ".none");
    }

    void stopsWhenAsked()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath(QStringLiteral("f")).toStdString();
        HEADSCOPE_VERIFY_OK(writeFileAtomically(path, "text"));
        std::stop_source source;
        source.request_stop();
        JobContext job(source.get_token());
        QCOMPARE(sha256OfFile(path, job).error().code, ErrorCode::Cancelled);
    }
};

HEADSCOPE_TEST_GUILESS(TestHash)
#include "tst_hash.moc"
