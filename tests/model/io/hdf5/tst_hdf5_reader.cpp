// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and texts come verified: a flipped byte is damage, by whichever way they are asked for.
#include "model/io/hdf5/hdf5_reader.h"

#include "model/base/file.h"
#include "model/io/hdf5/hdf5_writer.h"
#include "model/io/results/matrix_file.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <malloc.h>

#include <algorithm>
#include <fstream>

using namespace headscope;

class TestHdf5Reader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFlippedNumberIsDamageEverywhere();
    void everyRowIsVerifiedBeforeTheFirstIsRead();
    void numbersThatNothingProtectsAreRefused();
    void checksumsFromElsewhereCount();
    void attributesOfMapsAreVerified();
    void refusedTextsLeaveNoMemoryBehind();

private:
    static constexpr std::int64_t kPoints = 200;

    /// A map of more numbers than a seal covers.
    [[nodiscard]] static HeadMap largeMap()
    {
        HeadMap map;
        map.name = "large";
        map.xy = MatrixF(kPoints, 2);
        for (std::int64_t i = 0; i < kPoints; ++i)
            map.xy.row(i)[0] = 1234.5F + static_cast<float>(i);
        return map;
    }
    /// A sealed map file with the last byte of one of its numbers flipped.
    [[nodiscard]] std::filesystem::path flipped(const HeadMap& map, std::int64_t number)
    {
        const auto path = m_folder.file("flipped.h5");
        if (!writeMapFile(path, map, m_job))
            return {};
        auto bytes = readTextFile(path);
        const std::string numbers(reinterpret_cast<const char*>(map.xy.values().data()), map.xy.values().size() * 4);
        const std::size_t at = bytes ? bytes->find(numbers) : std::string::npos;
        if (at == std::string::npos)
            return {};
        (*bytes)[at + 4 * static_cast<std::size_t>(number) + 2] ^= 0x10;
        std::ofstream(path) << *bytes;
        return path;
    }
    /// A file whose one dataset its seal leaves out, and that has no table.
    [[nodiscard]] std::filesystem::path withoutTable()
    {
        const auto path = m_folder.file("bare.h5");
        const std::vector<float> numbers(300, 1.5F);
        auto file = Hdf5Writer::create(path);
        const auto seal = [this](const std::filesystem::path& part) { return sealAroundNumbers(part, m_job); };
        if (!file ||
            !file->write("/numbers", std::array{std::int64_t{300}}, NumberType::F32,
                         std::as_bytes(std::span(numbers))) ||
            !file->publish(seal))
            return {};
        return path;
    }

    test::TemporaryFolder m_folder;
    JobContext m_job;
};

void TestHdf5Reader::aFlippedNumberIsDamageEverywhere()
{
    const auto path = flipped(largeMap(), 250);
    const auto file = Hdf5Reader::open(path, m_job);
    HEADSCOPE_VERIFY_OK(file); // the seal leaves these numbers out
    for (const char* spelled : {"/maps/large/xy", "maps/large/xy", "/maps/large/xy/", "//maps/./large//xy"})
    {
        QVERIFY2(!readNumbers<float>(*file, spelled), spelled);
        QVERIFY2(!readNumbers<double>(*file, spelled), spelled);
        HEADSCOPE_VERIFY_ERROR(file->verify(spelled, m_job), ErrorCode::BadFormat,
                               "the data does not match its checksum");
    }
    HEADSCOPE_VERIFY_ERROR(readNumbers<float>(*file, "/maps/large/xy"), ErrorCode::BadFormat,
                           "the data does not match its checksum");
    HEADSCOPE_VERIFY_ERROR(readMatrix(path.string() + ":/maps/large/xy", m_job), ErrorCode::BadFormat, "damaged");
}

/// Rows before the damaged one, too: there is one checksum of all. What was read of them is not left behind.
void TestHdf5Reader::everyRowIsVerifiedBeforeTheFirstIsRead()
{
    const auto file = Hdf5Reader::open(flipped(largeMap(), 2 * kPoints - 2), m_job);
    HEADSCOPE_VERIFY_OK(file);
    std::vector<float> first(2, 0);
    HEADSCOPE_VERIFY_ERROR(
        file->readRows("/maps/large/xy", 0, 1, NumberType::F32, std::as_writable_bytes(std::span(first))),
        ErrorCode::BadFormat, "the data does not match its checksum");
    QVERIFY(first == std::vector<float>(2, 0));
    std::vector<float> all(2 * kPoints, 1);
    HEADSCOPE_VERIFY_ERROR(
        file->readRows("/maps/large/xy", 0, kPoints, NumberType::F32, std::as_writable_bytes(std::span(all))),
        ErrorCode::BadFormat, "the data does not match its checksum");
    QVERIFY(all == std::vector<float>(2 * kPoints, 0));
}

void TestHdf5Reader::numbersThatNothingProtectsAreRefused()
{
    const auto file = Hdf5Reader::open(withoutTable(), m_job);
    HEADSCOPE_VERIFY_OK(file);
    QVERIFY(file->seal() == SealState::Good);
    HEADSCOPE_VERIFY_ERROR(readNumbers<float>(*file, "/numbers"), ErrorCode::BadFormat,
                           "because the seal of the file does not cover them");
}

void TestHdf5Reader::checksumsFromElsewhereCount()
{
    const auto path = withoutTable();
    auto file = Hdf5Reader::open(path, m_job);
    HEADSCOPE_VERIFY_OK(file);
    const auto digest = file->digest("/numbers", m_job);
    HEADSCOPE_VERIFY_OK(digest);
    file->expect({{"/numbers", *digest}});
    const auto numbers = readNumbers<float>(*file, "/numbers");
    HEADSCOPE_VERIFY_OK(numbers);
    QVERIFY((*numbers == std::vector<float>(300, 1.5F)));
    auto other = Hdf5Reader::open(path, m_job);
    HEADSCOPE_VERIFY_OK(other);
    other->expect({{"/numbers", std::string(32, '0')}});
    HEADSCOPE_VERIFY_ERROR(readNumbers<float>(*other, "/numbers"), ErrorCode::BadFormat,
                           "the data does not match its checksum");
}

/// Changed and closed by another program, which cuts the seal off: the table stays.
void TestHdf5Reader::attributesOfMapsAreVerified()
{
    const auto path = m_folder.file("changed.h5");
    HEADSCOPE_VERIFY_OK(writeMapFile(path, largeMap(), m_job));
    auto file = Hdf5Writer::copyOf(path, m_job);
    HEADSCOPE_VERIFY_OK(file);
    HEADSCOPE_VERIFY_OK(file->setAttribute("/maps/large", "kl", 0.25));
    HEADSCOPE_VERIFY_OK(file->publish());
    HEADSCOPE_VERIFY_ERROR(Hdf5Reader::open(path, m_job), ErrorCode::BadFormat, "/maps/large@");
}

/// The first text was read into memory when the second turned out to be more than was allowed.
void TestHdf5Reader::refusedTextsLeaveNoMemoryBehind()
{
    constexpr std::size_t kText = std::size_t{8} << 20;
    const auto path = m_folder.file("texts.h5");
    auto file = Hdf5Writer::create(path);
    HEADSCOPE_VERIFY_OK(file);
    const std::vector<std::string> texts{std::string(kText, 'a'), std::string(kText, 'b'), "c"};
    HEADSCOPE_VERIFY_OK(file->writeStrings("/texts", texts));
    HEADSCOPE_VERIFY_OK(file->publish());
    const auto reader = Hdf5Reader::open(path, m_job);
    HEADSCOPE_VERIFY_OK(reader);
    const auto inUse = [] {
        const auto info = ::mallinfo2();
        return info.uordblks + info.hblkhd;
    };
    std::size_t before = 0;
    for (int i = 0; i < 5; ++i)
    {
        HEADSCOPE_VERIFY_ERROR(reader->readStrings("/texts", 0, 3, kText + 1000), ErrorCode::BadFormat,
                               "expected texts of at most 8389608 bytes in total, found more");
        if (i == 0)
            before = inUse();
    }
    QVERIFY2(inUse() < before + kText, std::to_string(inUse() - before).c_str());
    const auto all = reader->readStrings("/texts", 0, 3);
    HEADSCOPE_VERIFY_OK(all);
    QVERIFY(*all == texts);
}

HEADSCOPE_TEST_GUILESS(TestHdf5Reader)
#include "tst_hdf5_reader.moc"
