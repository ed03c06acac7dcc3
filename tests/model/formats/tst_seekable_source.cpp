// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/seekable_source.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTemporaryDir>

#include <fstream>
#include <numeric>

using namespace headscope;

class TestSeekableSource : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void spans();
    void files();
    void readsAcrossWindows();
    void endsWithASentence();
};

namespace
{

std::string counting(std::size_t size)
{
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i < size; ++i)
        bytes[i] = static_cast<char>(i * 7 + i / 256);
    return bytes;
}

std::span<const std::byte> bytesOf(const std::string& text)
{
    return std::as_bytes(std::span(text));
}

} // namespace

void TestSeekableSource::spans()
{
    const auto bytes = counting(10);
    const SpanSource source(bytesOf(bytes));
    QCOMPARE(source.size(), std::uint64_t{10});
    std::string into(4, '\0');
    HEADSCOPE_VERIFY_OK(source.readAt(6, std::as_writable_bytes(std::span(into))));
    QCOMPARE(into, bytes.substr(6));
    HEADSCOPE_VERIFY_ERROR(source.readAt(7, std::as_writable_bytes(std::span(into))), ErrorCode::BadFormat,
                           "4 bytes at byte 7");
    HEADSCOPE_VERIFY_OK(source.readAt(10, {}));
}

void TestSeekableSource::files()
{
    QTemporaryDir folder;
    const auto path = std::filesystem::path(folder.path().toStdString()) / "f";
    std::ofstream(path, std::ios::binary) << counting(100);
    const auto file = File::openForReading(path);
    HEADSCOPE_VERIFY_OK(file);
    const FileSource source(*file);
    QCOMPARE(source.size(), std::uint64_t{100});
    SourceReader reader(source);
    std::string into(100, '\0');
    const auto status = reader.read(std::as_writable_bytes(std::span(into)));
    HEADSCOPE_VERIFY_OK(status);
    QCOMPARE(into, counting(100));
}

void TestSeekableSource::readsAcrossWindows()
{
    const auto bytes = counting(500'000);
    const SpanSource source(bytesOf(bytes));
    SourceReader reader(source);
    std::string all;
    for (std::size_t step = 1; reader.remaining() > 0; step = step * 3 % 150'001 + 1)
    {
        std::string piece(std::min<std::size_t>(step, static_cast<std::size_t>(reader.remaining())), '\0');
        const auto status = reader.read(std::as_writable_bytes(std::span(piece)));
        HEADSCOPE_VERIFY_OK(status);
        all += piece;
        QCOMPARE(reader.position(), std::uint64_t{all.size()});
    }
    QVERIFY(all == bytes);
}

void TestSeekableSource::endsWithASentence()
{
    const std::string bytes("\x01\x02\x03\x04\x05", 5);
    const SpanSource source(bytesOf(bytes));
    SourceReader reader(source);
    QCOMPARE(reader.number<std::uint32_t>().value(), 0x04030201U);
    HEADSCOPE_VERIFY_ERROR(reader.number<std::uint16_t>(), ErrorCode::BadFormat,
                           "expected 2 more bytes at byte 4, found 1");
    QCOMPARE(reader.number<std::uint8_t>().value(), std::uint8_t{5});
    HEADSCOPE_VERIFY_OK(reader.read({}));
}

HEADSCOPE_TEST_GUILESS(TestSeekableSource)
#include "tst_seekable_source.moc"
