// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/tensor_type.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

using namespace headscope;

class TestTensorType : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesGoBothWays();
    void sizes_data();
    void sizes();
};

void TestTensorType::namesGoBothWays()
{
    for (const auto& info : kTensorTypes)
    {
        QCOMPARE(tensorTypeFromName(info.name), std::optional(info.type));
        QVERIFY(tensorTypeName(info.type) == info.name);
    }
    QVERIFY(!tensorTypeFromName("f32"));
    QVERIFY(!tensorTypeFromName(""));
}

void TestTensorType::sizes_data()
{
    QTest::addColumn<int>("type");
    QTest::addColumn<quint64>("elements");
    QTest::addColumn<qint64>("bytes"); // -1: none
    const auto row = [](TensorType type, quint64 elements, qint64 bytes) {
        QTest::addRow("%s x %llu", std::string(tensorTypeName(type)).c_str(), elements)
            << static_cast<int>(type) << elements << bytes;
    };
    row(TensorType::F32, 0, 0);
    row(TensorType::F32, 3, 12);
    row(TensorType::BF16, 7, 14);
    row(TensorType::Q4_0, 64, 36);
    row(TensorType::Q4_0, 33, -1);
    row(TensorType::Q6_K, 512, 420);
    row(TensorType::F4, 3, -1);
    row(TensorType::F6_E2M3, 8, 6);
    row(TensorType::F64, quint64{1} << 61, -1);
}

void TestTensorType::sizes()
{
    QFETCH(int, type);
    QFETCH(quint64, elements);
    QFETCH(qint64, bytes);
    const auto size = tensorBytes(static_cast<TensorType>(type), elements);
    QCOMPARE(size.has_value(), bytes >= 0);
    if (size)
        QCOMPARE(*size, static_cast<std::uint64_t>(bytes));
}

HEADSCOPE_TEST_GUILESS(TestTensorType)
#include "tst_tensor_type.moc"
