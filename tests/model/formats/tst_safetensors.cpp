// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/safetensors.h"

#include "tests/support/allocation_counter.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTemporaryDir>

#include <cstring>
#include <fstream>

using namespace headscope;

namespace
{

/// A file: the length, the header, and so many bytes of data.
std::string fileOf(const std::string& header, std::size_t dataBytes)
{
    const std::uint64_t length = header.size();
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &length, 8);
    return bytes + header + std::string(dataBytes, '\x22');
}

Result<TensorDirectory> parse(const std::string& bytes)
{
    const auto all = std::as_bytes(std::span(bytes));
    const auto size = safetensorsHeaderSize(all.first(std::min<std::size_t>(8, all.size())), all.size());
    if (!size)
        return size.error();
    return parseSafetensorsHeader(all.subspan(8, static_cast<std::size_t>(*size)), all.size(), "dir/m.safetensors");
}

} // namespace

class TestSafetensors : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsSoundFile();
    void acceptsOddities_data();
    void acceptsOddities();
    void refuses_data();
    void refuses();
    void refusesLengths();
    void everyPrefixIsRefused();
    void opensFiles();
    void goldenFiles_data();
    void goldenFiles();
};

void TestSafetensors::readsSoundFile()
{
    const std::string header =
        R"({"__metadata__":{"format":"pt"},"b":{"dtype":"BF16","shape":[2,3],"data_offsets":[8,20]},)"
        R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}   )";
    const auto directory = parse(fileOf(header, 20));
    HEADSCOPE_VERIFY_OK(directory);
    QCOMPARE(directory->files.size(), std::size_t{1});
    QCOMPARE(directory->files[0].bytes, std::uint64_t{8 + header.size() + 20});
    QVERIFY(directory->metadata.at(0) == std::make_pair(std::string("format"), std::string("pt")));
    QCOMPARE(directory->tensors.size(), std::size_t{2});
    QCOMPARE(directory->tensors[0].name, std::string("a"));
    const auto* b = directory->find("b");
    QVERIFY(b != nullptr);
    QCOMPARE(b->type, TensorType::BF16);
    QVERIFY((b->shape == std::vector<std::int64_t>{2, 3}));
    QCOMPARE(b->offset, std::uint64_t{8 + header.size() + 8});
    QCOMPARE(b->bytes, std::uint64_t{12});
    QCOMPARE(directory->totalBytes(), std::uint64_t{20});
}

void TestSafetensors::acceptsOddities_data()
{
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<int>("data");
    QTest::newRow("no tensors") << QByteArray("{}") << 0;
    QTest::newRow("scalar") << QByteArray(R"({"a":{"dtype":"F64","shape":[],"data_offsets":[0,8]}})") << 8;
    QTest::newRow("empty tensors") << QByteArray(R"({"a":{"dtype":"F32","shape":[0,3],"data_offsets":[0,0]},)"
                                                 R"("b":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                                                 R"("c":{"dtype":"I64","shape":[4,0],"data_offsets":[2,2]}})")
                                   << 2;
    QTest::newRow("any order of keys") << QByteArray(R"({"a":{"data_offsets":[0,2],"dtype":"BOOL","shape":[2]}})") << 2;
    QTest::newRow("four bits") << QByteArray(R"({"a":{"dtype":"F4","shape":[3,2],"data_offsets":[0,3]}})") << 3;
    QTest::newRow("six bits") << QByteArray(R"({"a":{"dtype":"F6_E3M2","shape":[4],"data_offsets":[0,3]}})") << 3;
    QTest::newRow("eight dimensions") << QByteArray(
                                             R"({"a":{"dtype":"U8","shape":[1,1,1,1,1,1,1,1],"data_offsets":[0,1]}})")
                                      << 1;
}

void TestSafetensors::acceptsOddities()
{
    QFETCH(QByteArray, header);
    QFETCH(int, data);
    HEADSCOPE_VERIFY_OK(parse(fileOf(header.toStdString(), static_cast<std::size_t>(data))));
}

/// Fault row 2: each kind of broken header has a sentence of its own.
void TestSafetensors::refuses_data()
{
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<int>("data");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* name, const QByteArray& header, int data, const char* part) {
        QTest::newRow(name) << header << data << QByteArray(part);
    };
    const auto entry = [](const char* dtype, const char* shape, const char* offsets) -> QByteArray {
        return QByteArray("{\"w\":{\"dtype\":\"") + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets +
               "}}";
    };
    row("empty header", "", 0, "expected the header to begin with '{', found nothing");
    row("space first", " {}", 0, "found byte 0x20");
    row("array", "[]", 0, "found byte 0x5b");
    row("not UTF-8", "{\"\xff\":1}", 0, "expected a header in UTF-8, found byte 0xff at byte 2");
    row("bad JSON", "{\"a\":}", 0, "header: expected valid JSON, found '}' at byte 5");
    row("two values", "{}{}", 0, "expected valid JSON");
    row("duplicate tensor",
        R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})",
        0, "found \"a\" twice");
    row("duplicate field", R"({"a":{"dtype":"U8","dtype":"U8","shape":[0],"data_offsets":[0,0]}})", 0,
        "found \"dtype\" twice");
    row("deep", "{\"a\":" + QByteArray(30, '[') + QByteArray(30, ']') + "}", 0, "8 levels");
    row("entry no object", R"({"w":3})", 0, "w: expected an object, found an integer");
    row("no dtype", R"({"w":{"shape":[],"data_offsets":[0,0]}})", 0,
        "w: dtype is missing (dtype, shape and data_offsets are required)");
    row("no shape", R"({"w":{"dtype":"U8","data_offsets":[0,0]}})", 0, "shape is missing");
    row("no offsets", R"({"w":{"dtype":"U8","shape":[0]}})", 0, "data_offsets is missing");
    row("a key more", R"({"w":{"dtype":"U8","shape":[0],"data_offsets":[0,0],"x":1}})", 0, "found \"x\"");
    row("unknown dtype", entry("F33", "[1]", "[0,4]"), 4,
        "w: dtype: expected a type of the format (F32, F16, BF16, ...), found \"F33\"");
    row("dtype of GGUF", entry("Q4_0", "[32]", "[0,18]"), 18, "found \"Q4_0\"");
    row("dtype number", R"({"w":{"dtype":1,"shape":[0],"data_offsets":[0,0]}})", 0,
        "dtype: expected a string, found an integer");
    row("shape no array", entry("U8", "4", "[0,4]"), 4, "w: shape: expected an array, found an integer");
    row("negative shape", entry("U8", "[-1]", "[0,1]"), 1, "shape: expected an integer of 0 or more");
    row("float in shape", entry("U8", "[1.0]", "[0,1]"), 1, "shape: expected an integer, found a number");
    row("exponent in shape", entry("U8", "[1e0]", "[0,1]"), 1, "shape: expected an integer, found a number");
    row("text in shape", entry("U8", "[\"1\"]", "[0,1]"), 1, "shape: expected an integer, found a string");
    row("above 2^48", entry("U8", "[281474976710656]", "[0,1]"), 1, "below 2^48, found 281474976710656");
    row("beyond 64 bits", entry("U8", "[100000000000000000000000]", "[0,1]"), 1, "shape: expected an integer");
    row("nine dimensions", entry("U8", "[1,1,1,1,1,1,1,1,1]", "[0,1]"), 1, "at most 8 dimensions, found 9");
    row("product wraps", entry("F32", "[4294967296,4294967296]", "[0,4]"), 4, "fits into 64 bits");
    row("bytes wrap", entry("F64", "[2147483648,4294967296]", "[0,4]"), 4, "fits into 64 bits");
    row("part of a byte", entry("F4", "[3]", "[0,2]"), 2, "a whole number of bytes, found 3 numbers of F4");
    row("wrong size", entry("F32", "[2,2]", "[0,12]"), 12,
        "w: expected 16 bytes for shape [2, 2] of F32, found data_offsets of 12 bytes");
    row("offsets no array", entry("U8", "[1]", "1"), 1, "data_offsets: expected [begin, end]");
    row("three offsets", entry("U8", "[1]", "[0,1,2]"), 1, "an array of 3 values");
    row("negative offset", entry("U8", "[1]", "[-1,0]"), 1, "data_offsets: expected an integer of 0 or more");
    row("end before begin", entry("U8", "[1]", "[5,4]"), 5, "data_offsets: expected an end of 5 or more, found 4");
    row("not from 0", entry("U8", "[1]", "[1,2]"), 2, "begin at 0, where the tensor before ends, found 1 (a gap)");
    const QByteArray pair =
        R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[4],"data_offsets":[%]}})";
    row("overlap", QByteArray(pair).replace("%", "2,6"), 6,
        "b: data_offsets: expected the data to begin at 4, where the tensor before ends, found 2 (they overlap)");
    row("same place", QByteArray(pair).replace("%", "0,4"), 4, "found 0 (they overlap)");
    row("hole", QByteArray(pair).replace("%", "5,9"), 9, "found 5 (a gap)");
    row("rest", entry("U8", "[4]", "[0,4]"), 5, "it continues after the tensors");
    row("cut", entry("U8", "[4]", "[0,4]"), 3, "it is truncated");
    row("past the end", entry("U8", "[4000]", "[0,4000]"), 4, "found a file of");
    row("metadata no object", R"({"__metadata__":[]})", 0,
        "__metadata__: expected an object of strings, found an array");
    row("metadata number", R"({"__metadata__":{"x":1}})", 0, "__metadata__: x: expected a string, found an integer");
    row("empty name", R"({"":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})", 0, "a name of 1 to 1024 bytes");
    row("long name", "{\"" + QByteArray(2000, 'n') + R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})", 0,
        "found a name of 2000 bytes");
}

void TestSafetensors::refuses()
{
    QFETCH(QByteArray, header);
    QFETCH(int, data);
    QFETCH(QByteArray, part);
    const std::string bytes = fileOf(header.toStdString(), static_cast<std::size_t>(data));
    test::AllocationCounter::start();
    const auto directory = parse(bytes);
    QVERIFY(test::AllocationCounter::peak() <= bytes.size() + (1 << 20));
    QVERIFY(!directory);
    const auto sentence = directory.error().sentence();
    QVERIFY2(sentence.find(part.toStdString()) != std::string::npos, sentence.c_str());
    QCOMPARE(directory.error().file, std::string("dir/m.safetensors"));
}

void TestSafetensors::refusesLengths()
{
    HEADSCOPE_VERIFY_ERROR(parse("1234567"), ErrorCode::BadFormat, "at least 8 bytes, found 7 bytes");
    HEADSCOPE_VERIFY_ERROR(parse(std::string(8, '\xff')), ErrorCode::BadFormat,
                           "found a length of 18446744073709551615");
    HEADSCOPE_VERIFY_ERROR(parse(std::string("\x01\xe1\xf5\x05\0\0\0\0", 8)), ErrorCode::BadFormat,
                           "found a length of 100000001");
    HEADSCOPE_VERIFY_ERROR(parse(std::string("\0\xe1\xf5\x05\0\0\0\0{}", 10)), ErrorCode::BadFormat,
                           "a header of 100000000 bytes, found only 2 bytes");
    HEADSCOPE_VERIFY_ERROR(parse(std::string("\x03\0\0\0\0\0\0\0{}", 10)), ErrorCode::BadFormat,
                           "the file is truncated");
}

/// Fault row 1: cut at every length, a file is refused with its name, and no more memory is taken than
/// the file has and 1 MiB.
void TestSafetensors::everyPrefixIsRefused()
{
    std::string header = "{";
    for (int i = 0; i < 14; ++i)
        header += (i > 0 ? ",\"t" : "\"t") + std::to_string(i) + R"(":{"dtype":"F32","shape":[5,5],"data_offsets":[)" +
                  std::to_string(100 * i) + "," + std::to_string(100 * (i + 1)) + "]}";
    const auto bytes = fileOf(header + "}", 1400);
    QVERIFY(bytes.size() > 2000 && bytes.size() < 3000);
    QTemporaryDir folder;
    const auto path = std::filesystem::path(folder.path().toStdString()) / "cut.safetensors";
    std::ofstream(path, std::ios::binary) << bytes;
    HEADSCOPE_VERIFY_OK(openSafetensors(path));
    for (std::size_t length = bytes.size(); length-- > 0;)
    {
        std::filesystem::resize_file(path, length);
        test::AllocationCounter::start();
        const auto opened = openSafetensors(path);
        const std::size_t taken = test::AllocationCounter::peak();
        QVERIFY2(taken <= length + (1 << 20), std::to_string(taken).c_str());
        HEADSCOPE_VERIFY_ERROR(opened, ErrorCode::BadFormat, "cut.safetensors: expected");
    }
}

void TestSafetensors::opensFiles()
{
    QTemporaryDir folder;
    const auto base = std::filesystem::path(folder.path().toStdString());
    HEADSCOPE_VERIFY_ERROR(openSafetensors(base / "none.safetensors"), ErrorCode::FileNotFound, "none.safetensors");
    HEADSCOPE_VERIFY_ERROR(openSafetensors(base), ErrorCode::BadFormat, base.string());
}

void TestSafetensors::goldenFiles_data()
{
    QTest::addColumn<QString>("path");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(test::golden("models")))
        if (entry.path().extension() == ".safetensors")
            QTest::newRow((entry.path().parent_path().filename() / entry.path().filename()).c_str())
                << QString::fromStdString(entry.path().string());
}

void TestSafetensors::goldenFiles()
{
    QFETCH(QString, path);
    const auto directory = openSafetensors(path.toStdString());
    HEADSCOPE_VERIFY_OK(directory);
    QVERIFY(!directory->tensors.empty());
    for (const auto& tensor : directory->tensors)
        QVERIFY(tensor.offset + tensor.bytes <= directory->files[0].bytes);
}

HEADSCOPE_TEST_GUILESS(TestSafetensors)
#include "tst_safetensors.moc"
