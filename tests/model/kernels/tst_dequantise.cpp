// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/dequantise.h"

#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

using namespace headscope;

class TestDequantise : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void recordedBlocks_data();
    void recordedBlocks();
    void plainTypes();
    void oddAddresses();
    void refuses();
};

void TestDequantise::recordedBlocks_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("group");
    for (const char* path : {"gguf/quant_blocks.h5", "gguf/grid_blocks.h5"})
        for (const auto& name : test::GoldenFile(test::golden(path)).names("/"))
            QTest::newRow(name.c_str()) << path << QString::fromStdString(name);
}

void TestDequantise::recordedBlocks()
{
    QFETCH(QString, path);
    QFETCH(QString, group);
    const test::GoldenFile file(test::golden(path.toStdString()));
    const auto name = group.toStdString();
    const auto type = tensorTypeFromName(name);
    QVERIFY(type);
    const auto& info = tensorTypeInfo(*type);
    QCOMPARE(file.number(name, "block_elements"), static_cast<double>(info.blockElements));
    QCOMPARE(file.number(name, "block_bytes"), static_cast<double>(info.blockBytes));

    const auto bytes = file.bytes(name + "/bytes");
    const auto wanted = file.floats(name + "/floats");
    std::vector<float> found(wanted.size(), -1.0F);
    HEADSCOPE_VERIFY_OK(dequantise(*type, std::as_bytes(std::span(bytes)), found));
    for (std::size_t block = 0; block < wanted.size(); block += info.blockElements)
    {
        float largest = 0;
        for (std::size_t i = block; i < block + info.blockElements; ++i)
            largest = std::max(largest, std::abs(wanted[i]));
        for (std::size_t i = block; i < block + info.blockElements; ++i)
            if (std::bit_cast<std::uint32_t>(found[i]) != std::bit_cast<std::uint32_t>(wanted[i]))
            {
                const auto text = "number " + std::to_string(i) + ": " + std::to_string(found[i]) + " for " +
                                  std::to_string(wanted[i]);
                QVERIFY2(std::abs(found[i] - wanted[i]) <= 1e-6F * largest, text.c_str());
            }
    }
}

void TestDequantise::plainTypes()
{
    const std::vector<double> values = {0.0, -0.0, 1.5, -2.25, 1e-30, 3.0e38, std::numeric_limits<double>::infinity()};
    std::vector<float> found(values.size());
    HEADSCOPE_VERIFY_OK(dequantise(TensorType::F64, std::as_bytes(std::span(values)), found));
    for (std::size_t i = 0; i < values.size(); ++i)
        QCOMPARE(std::bit_cast<std::uint32_t>(found[i]), std::bit_cast<std::uint32_t>(static_cast<float>(values[i])));
    std::vector<float> again(found.size());
    HEADSCOPE_VERIFY_OK(dequantise(TensorType::F32, std::as_bytes(std::span(found)), again));
    QVERIFY(std::memcmp(found.data(), again.data(), found.size() * sizeof(float)) == 0);
    HEADSCOPE_VERIFY_OK(dequantise(TensorType::Q4_0, {}, {}));
}

void TestDequantise::oddAddresses()
{
    for (const auto& info : kTensorTypes)
    {
        if (!info.readable)
            continue;
        const std::size_t blocks = 5000 / info.blockElements;
        std::vector<std::byte> bytes(blocks * info.blockBytes + 1);
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = static_cast<std::byte>((i * 37 + i / 251) & 0x3f);
        const std::vector<std::byte> moved(bytes.begin() + 1, bytes.end());
        std::vector<float> a(blocks * info.blockElements);
        std::vector<float> b(a.size());
        HEADSCOPE_VERIFY_OK(dequantise(info.type, std::span(bytes).subspan(1), a));
        HEADSCOPE_VERIFY_OK(dequantise(info.type, moved, b));
        QVERIFY(std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
    }
}

void TestDequantise::refuses()
{
    const std::vector<std::byte> bytes(64);
    std::vector<float> floats(64);
    HEADSCOPE_VERIFY_ERROR(dequantise(TensorType::Q8_K, bytes, floats), ErrorCode::Unsupported, "Q8_K");
    HEADSCOPE_VERIFY_ERROR(dequantise(TensorType::I64, bytes, std::span(floats).first(8)), ErrorCode::Unsupported,
                           "I64");
    HEADSCOPE_VERIFY_ERROR(dequantise(TensorType::F32, bytes, floats), ErrorCode::InvalidArgument, "64 F32 numbers");
    HEADSCOPE_VERIFY_ERROR(dequantise(TensorType::Q4_0, std::span(bytes).first(18), std::span(floats).first(31)),
                           ErrorCode::InvalidArgument, "31 Q4_0 numbers");
}

HEADSCOPE_TEST_GUILESS(TestDequantise)
#include "tst_dequantise.moc"
