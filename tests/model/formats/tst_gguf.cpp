// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/gguf.h"

#include "tests/model/formats/gguf_builder.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <functional>

using namespace headscope;
using test::bytesOf;
using test::GgufBuilder;
using test::soundGguf;

namespace
{

using Make = std::function<std::string()>;

Result<GgufFile> parse(const std::string& bytes)
{
    return parseGguf(SpanSource(bytesOf(bytes)), "dir/m.gguf");
}

/// Counts what is read.
class CountingSource : public SeekableSource
{
public:
    explicit CountingSource(const std::string& bytes) : m_source(bytesOf(bytes)) {}
    [[nodiscard]] std::uint64_t size() const override { return m_source.size(); }
    [[nodiscard]] Status readAt(std::uint64_t offset, std::span<std::byte> into) const override
    {
        m_bytes += into.size();
        return m_source.readAt(offset, into);
    }
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }

private:
    SpanSource m_source;
    mutable std::uint64_t m_bytes = 0;
};

std::string edited(std::string bytes, std::size_t place, const std::string& replacement)
{
    return bytes.replace(place, replacement.size(), replacement);
}

} // namespace

class TestGguf : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsSoundFile();
    void readsVersion2AndAlignment();
    void readsMetadataOnly();
    void refuses_data();
    void refuses();
    void everyPrefixIsRefused();
    void sourceErrorsAreHandedOn();
    void flippedBytesNeverCrash();
};

void TestGguf::readsSoundFile()
{
    const auto bytes = soundGguf().bytes();
    const auto file = parse(bytes);
    HEADSCOPE_VERIFY_OK(file);
    QCOMPARE(file->version, 3U);
    QCOMPARE(file->metadata.values().size(), std::size_t{17});
    QVERIFY(file->metadata.requiredString("general.architecture").value() == "llama");
    const auto& tensors = file->tensors;
    QCOMPARE(tensors.tensors.size(), std::size_t{3});
    QCOMPARE(tensors.totalElements(), std::uint64_t{64 * 5 + 64 * 2 + 7});
    const auto* embedding = tensors.find("token_embd.weight");
    QVERIFY(embedding != nullptr);
    QVERIFY((embedding->shape == std::vector<std::int64_t>{5, 64})); // the file has the fastest axis first
    QCOMPARE(embedding->type, TensorType::F32);
    QCOMPARE(embedding->offset % 32, std::uint64_t{0});
    const auto* q = tensors.find("blk.0.attn_q.weight");
    QCOMPARE(q->type, TensorType::Q4_0);
    QCOMPARE(q->offset, embedding->offset + 64 * 5 * 4);
    QCOMPARE(q->bytes, std::uint64_t{72});
    QCOMPARE(tensors.find("norm")->offset, q->offset + 96);
    QCOMPARE(tensors.find("norm")->offset + 28, std::uint64_t{bytes.size()});
    QVERIFY(tensors.find("nor") == nullptr);
    QCOMPARE(tensors.fileName(*q), std::string("m.gguf"));
}

void TestGguf::readsVersion2AndAlignment()
{
    GgufBuilder builder;
    builder.version = 2;
    builder.alignment = 4096;
    builder.number<std::uint32_t>("general.alignment", GgufType::U32, 4096)
        .tensor("a", {3}, 1, 6)
        .tensor("b", {3}, 30, 6);
    const auto file = parse(builder.bytes());
    HEADSCOPE_VERIFY_OK(file);
    QCOMPARE(file->version, 2U);
    QCOMPARE(file->alignment, std::uint64_t{4096});
    QCOMPARE(file->tensors.find("b")->offset, std::uint64_t{8192});
    QCOMPARE(file->tensors.find("b")->type, TensorType::BF16);
}

void TestGguf::readsMetadataOnly()
{
    GgufBuilder builder;
    builder.strings("tokenizer.ggml.tokens", {"x"});
    const auto file = parse(builder.bytes());
    HEADSCOPE_VERIFY_OK(file);
    QVERIFY(file->tensors.tensors.empty());
}

/// Fault row 4: counts, types, lengths and offsets that lie are refused at once and cheaply.
void TestGguf::refuses_data()
{
    QTest::addColumn<Make>("make");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* name, const char* part, Make make, ErrorCode code = ErrorCode::BadFormat) {
        QTest::newRow(name) << make << static_cast<int>(code) << QString::fromUtf8(part);
    };
    const auto with = [](auto&& change) {
        return [change] {
            GgufBuilder builder = soundGguf();
            change(builder);
            return builder.bytes();
        };
    };
    const auto metadata = [](std::string key, std::string value) {
        return [key, value] { return soundGguf().entry(key, value).bytes(); };
    };
    const auto type = GgufBuilder::type;
    const auto u64 = [](std::uint64_t value) { return GgufBuilder::raw(value); };

    row("magic", "header: expected the letters GGUF", with([](auto& b) { b.magic = "GGML"; }));
    row("version 1", "found 1", with([](auto& b) { b.version = 1; }), ErrorCode::Unsupported);
    row("version 4", "found 4", with([](auto& b) { b.version = 4; }), ErrorCode::Unsupported);
    row("big endian", "big-endian", with([](auto& b) { b.version = 0x03000000; }), ErrorCode::Unsupported);
    row("entries 2^63", "found a count of 9223372036854775825", with([](auto& b) { b.countedEntries = 1ULL << 63; }));
    row("tensors 2^63", "tensors in", with([](auto& b) { b.countedTensors = 1ULL << 63; }));
    row("tensors wrap", "tensors in", with([](auto& b) { b.countedTensors = ~0ULL - 3; }));
    row("one entry more", "expected", with([](auto& b) { b.countedEntries = 1; }));
    row("one tensor more", "tensor", with([](auto& b) { b.countedTensors = 1; }));

    row("empty key", "metadata entry 17: expected a key, found an empty key", metadata("", type(GgufType::U8) + "x"));
    row("key with NUL", "without NUL", metadata(std::string("a\0b", 3), type(GgufType::U8) + "x"));
    row("key twice", "a.u8: this key occurs twice", metadata("a.u8", type(GgufType::U8) + "x"));
    row("key length 2^63", "found a length of", [u64] {
        auto bytes = soundGguf().bytes();
        return edited(bytes, 24, u64(1ULL << 63));
    });
    row("value type 13", "x: expected a value type from 0 to 12, found 13",
        metadata("x", GgufBuilder::raw(13U) + "1234"));
    row("value type -1", "found 4294967295", metadata("x", GgufBuilder::raw(-1) + "1234"));
    row("bool 2", "expected 0 or 1", metadata("x", type(GgufType::Bool) + "\x02"));
    row("string past end", "x: expected a string of 60000000 bytes",
        metadata("x", type(GgufType::String) + u64(60'000'000)));
    row("string of 2^63", "at most 67108864 bytes", metadata("x", type(GgufType::String) + u64(1ULL << 63)));
    row("array of arrays", "an array of arrays", metadata("x", type(GgufType::Array) + type(GgufType::Array) + u64(0)));
    row("array element type", "found 99", metadata("x", type(GgufType::Array) + GgufBuilder::raw(99U) + u64(0)));
    row("array of 2^63", "array elements",
        metadata("x", type(GgufType::Array) + type(GgufType::F32) + u64(1ULL << 63)));
    row("array past end", "array elements", metadata("x", type(GgufType::Array) + type(GgufType::U64) + u64(100'000)));
    row("strings past end", "strings in", metadata("x", type(GgufType::Array) + type(GgufType::String) + u64(100'000)));
    row("string in array past end", "x: element 1: expected a string",
        metadata("x",
                 type(GgufType::Array) + type(GgufType::String) + u64(2) + GgufBuilder::string("a") + u64(5'000'000)));
    row("bool array", "truth values, found 7",
        metadata("x", type(GgufType::Array) + type(GgufType::Bool) + u64(1) + "\x07"));

    const auto alignment = [](GgufType valueType, auto value) {
        return [=] {
            GgufBuilder b;
            b.number("general.alignment", valueType, value).tensor("a", {1}, 0, 4);
            return b.bytes();
        };
    };
    row("alignment 0", "general.alignment: expected a power of two", alignment(GgufType::U32, 0U));
    row("alignment 3", "found 3", alignment(GgufType::U32, 3U));
    row("alignment 2^30", "at most 1048576, found 1073741824", alignment(GgufType::U32, 1U << 30));
    row("alignment as text", "general.alignment: expected an unsigned integer of 32 bits, found a string", [] {
        GgufBuilder b;
        b.text("general.alignment", "32").tensor("a", {1}, 0, 4);
        return b.bytes();
    });
    row("alignment as u64", "general.alignment", alignment(GgufType::U64, std::uint64_t{32}));

    const auto tensor = [](std::string name, std::vector<std::int64_t> extents, std::uint32_t id, std::uint64_t bytes,
                           std::int64_t offset = -1) {
        return [=] { return soundGguf().tensor(name, extents, id, bytes, offset).bytes(); };
    };
    row("no dimensions", "t: expected 1 to 4 dimensions, found 0", tensor("t", {}, 0, 4));
    row("five dimensions", "found 5", tensor("t", {1, 1, 1, 1, 1}, 0, 4));
    row("dimension 0", "dimensions of 1 or more, found 0", tensor("t", {4, 0}, 0, 0));
    row("dimension -1", "found -1", tensor("t", {-1}, 0, 4));
    row("product wraps", "fits into 64 bits", tensor("t", {1LL << 33, 1LL << 33}, 0, 4));
    row("bytes wrap", "fits into 64 bits", tensor("t", {1LL << 62}, 0, 4));
    row("larger than the file", "t: expected 4294967296 bytes of data", tensor("t", {1LL << 30}, 0, 4));
    row("type 4", "found type 4 (removed from the format)", tensor("t", {32}, 4, 18), ErrorCode::Unsupported);
    row("type TQ1_0", "found type 34 (TQ1_0)", tensor("t", {256}, 34, 54), ErrorCode::Unsupported);
    row("type -1", "found type 4294967295", tensor("t", {32}, ~0U, 4), ErrorCode::Unsupported);
    row("part of a block", "rows of a multiple of 32 numbers for Q4_0, found 33", tensor("t", {33}, 2, 36));
    row("rows of a part of a block", "multiple of 256", tensor("t", {128, 2}, 12, 144));
    row("empty name", "tensor 3: expected a name", tensor("", {1}, 0, 4));
    row("name with NUL", "tensor 3: expected a name without NUL", tensor(std::string("a\0", 2), {1}, 0, 4));
    row("long name", "at most 64 bytes", tensor(std::string(65, 'n'), {1}, 0, 4));
    row("tensor twice", "norm: this tensor occurs twice", tensor("norm", {1}, 0, 4));
    row("unaligned offset", "found offset 1409", tensor("t", {1}, 0, 4, 1409));
    row("overlap", "found offset 0", tensor("t", {1}, 0, 4, 0));
    row("gap", "found offset 4096", tensor("t", {1}, 0, 4, 4096));
    row("offset wraps", "found offset 9223372036854775776", tensor("t", {1}, 0, 4, 0x7fffffffffffffe0));
}

void TestGguf::refuses()
{
    QFETCH(Make, make);
    QFETCH(int, code);
    QFETCH(QString, part);
    const std::string bytes = make();
    const CountingSource source(bytes);
    test::AllocationCounter::start();
    const auto file = parseGguf(source, "dir/m.gguf");
    QVERIFY(test::AllocationCounter::peak() < (64U << 20));
    QVERIFY2(source.bytes() <= bytes.size(), std::to_string(source.bytes()).c_str()); // nothing is read twice
    HEADSCOPE_VERIFY_ERROR(file, static_cast<ErrorCode>(code), part.toStdString());
    QCOMPARE(file.error().file, std::string("dir/m.gguf"));
}

void TestGguf::everyPrefixIsRefused()
{
    const auto bytes = soundGguf().bytes();
    for (std::size_t length = 0; length < bytes.size(); ++length)
    {
        const auto file = parse(bytes.substr(0, length));
        QVERIFY2(!file, std::to_string(length).c_str());
        QCOMPARE(file.error().code, ErrorCode::BadFormat);
        QVERIFY(!file.error().place.empty());
    }
    HEADSCOPE_VERIFY_OK(parse(bytes));
}

namespace
{

/// Fails to read anything from a certain byte on, as a disk or a network file system may.
class FailingSource : public SeekableSource
{
public:
    FailingSource(const std::string& bytes, std::uint64_t good) : m_source(bytesOf(bytes)), m_good(good) {}
    [[nodiscard]] std::uint64_t size() const override { return m_source.size(); }
    [[nodiscard]] Status readAt(std::uint64_t offset, std::span<std::byte> into) const override
    {
        if (offset + into.size() > m_good)
            return Error{ErrorCode::Resource, "input/output error", {}, {}};
        return m_source.readAt(offset, into);
    }

private:
    SpanSource m_source;
    std::uint64_t m_good;
};

} // namespace

void TestGguf::sourceErrorsAreHandedOn()
{
    auto builder = soundGguf();
    builder.strings("many", std::vector<std::string>(20'000, "some longer piece of text"));
    const auto bytes = builder.bytes();
    for (std::uint64_t good = 0; good < 600'000; good += 30'011)
    {
        const auto file = parseGguf(FailingSource(bytes, good), "m.gguf");
        HEADSCOPE_VERIFY_ERROR(file, ErrorCode::Resource, "input/output error");
    }
    HEADSCOPE_VERIFY_OK(parseGguf(FailingSource(bytes, bytes.size()), "m.gguf"));
}

void TestGguf::flippedBytesNeverCrash()
{
    const auto bytes = soundGguf().bytes();
    const std::size_t interesting = 800; // header, metadata and infos; the rest is data
    for (std::size_t place = 0; place < interesting; ++place)
        for (const char value : {'\x00', '\x01', '\x7f', '\x80', '\xff'})
        {
            auto broken = bytes;
            broken[place] = value;
            const auto file = parse(broken);
            if (file)
                for (const auto& tensor : file->tensors.tensors)
                    QVERIFY(tensor.offset + tensor.bytes <= broken.size());
        }
}

HEADSCOPE_TEST_GUILESS(TestGguf)
#include "tst_gguf.moc"
