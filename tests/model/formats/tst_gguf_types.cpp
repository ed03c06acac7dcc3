// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/gguf_types.h"

#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

using namespace headscope;

class TestGgufTypes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void recordedIds();
    void unreadIds();
    void widths();
};

void TestGgufTypes::recordedIds()
{
    for (const char* path : {"gguf/quant_blocks.h5", "gguf/grid_blocks.h5"})
    {
        const test::GoldenFile file(test::golden(path));
        for (const auto& name : file.names("/"))
        {
            const auto type = tensorTypeFromGguf(static_cast<std::uint32_t>(file.number(name, "type_id")));
            QVERIFY(type && tensorTypeName(*type) == name);
            QCOMPARE(file.number(name, "block_bytes"), static_cast<double>(tensorTypeInfo(*type).blockBytes));
        }
    }
}

void TestGgufTypes::unreadIds()
{
    for (const std::uint32_t id : {4U, 5U, 31U, 34U, 38U, 42U, 43U, 1000U, ~0U})
        QVERIFY(!tensorTypeFromGguf(id));
    QCOMPARE(unreadGgufTypeName(34), std::string("34 (TQ1_0)"));
    QCOMPARE(unreadGgufTypeName(36), std::string("36 (removed from the format)"));
    QCOMPARE(unreadGgufTypeName(99), std::string("99"));
}

void TestGgufTypes::widths()
{
    QCOMPARE(ggufTypeBytes(GgufType::Bool), std::size_t{1});
    QCOMPARE(ggufTypeBytes(GgufType::I16), std::size_t{2});
    QCOMPARE(ggufTypeBytes(GgufType::F32), std::size_t{4});
    QCOMPARE(ggufTypeBytes(GgufType::U64), std::size_t{8});
    QCOMPARE(ggufTypeBytes(GgufType::String), std::size_t{0});
}

HEADSCOPE_TEST_GUILESS(TestGgufTypes)
#include "tst_gguf_types.moc"
