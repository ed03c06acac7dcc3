// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/hash.h"
#include "model/base/output/output_file.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTemporaryDir>

#include <openssl/crypto.h>

#include <cstdlib>
#include <new>

using namespace headscope;

namespace
{

int allocationsLeft = -1; ///< before one of OpenSSL's fails; -1: none does

bool failsNow()
{
    return allocationsLeft > 0 && --allocationsLeft == 0;
}

void* takeOrFail(std::size_t size, const char* /*file*/, int /*line*/)
{
    return failsNow() ? nullptr : std::malloc(size);
}

void* growOrFail(void* block, std::size_t size, const char* /*file*/, int /*line*/)
{
    return failsNow() ? nullptr : std::realloc(block, size);
}

/// 0: the right digest; 1: no memory; 2: a wrong digest.
int digestWithFailure(int at)
{
    allocationsLeft = at;
    try
    {
        Sha256 hash;
        hash.update(std::as_bytes(std::span(std::string_view("abc"))));
        return hash.finishHex() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" ? 0 : 2;
    }
    catch (const std::bad_alloc&)
    {
        return 1;
    }
}

void giveBack(void* block, const char* /*file*/, int /*line*/)
{
    std::free(block);
}

} // namespace

class TestHash : public QObject
{
    Q_OBJECT

    static std::span<const std::byte> bytesOf(std::string_view text) { return std::as_bytes(std::span(text)); }

private Q_SLOTS:
    void initTestCase() { QCOMPARE(CRYPTO_set_mem_functions(takeOrFail, growOrFail, giveBack), 1); }

    /// A cache once carried an empty digest: one allocation had failed, and nobody asked.
    void noDigestWithoutMemory()
    {
        QCOMPARE(digestWithFailure(-1), 0); // OpenSSL sets itself up
        int refused = 0;
        for (int at = 1; at <= 20; ++at)
        {
            const int ended = digestWithFailure(at);
            allocationsLeft = -1;
            QVERIFY2(ended < 2, qPrintable(QString::number(at)));
            refused += ended;
        }
        QVERIFY(refused > 0);
        QVERIFY(refused < 20); // where the failure comes after the last allocation
    }

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
