// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/tensor_info.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

using namespace headscope;

class TestTensorInfo : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void finds();
    void elements();
    void shapes();
    void printableNames();
    void combinesErrors();
};

void TestTensorInfo::finds()
{
    TensorDirectory directory;
    directory.files = {{"dir/one.gguf", 10}, {"dir/two.gguf", 20}};
    for (const char* name : {"a", "b.weight", "c"})
    {
        TensorInfo tensor;
        tensor.name = name;
        tensor.shape = {2, 3};
        tensor.file = 1;
        tensor.bytes = 24;
        directory.tensors.push_back(tensor);
    }
    QCOMPARE(directory.find("b.weight"), &directory.tensors[1]);
    QVERIFY(directory.find("b") == nullptr);
    QVERIFY(directory.find("z") == nullptr);
    QVERIFY(TensorDirectory().find("a") == nullptr);
    QCOMPARE(directory.fileName(directory.tensors[0]), std::string("two.gguf"));
    QCOMPARE(directory.totalBytes(), std::uint64_t{72});
    QCOMPARE(directory.totalElements(), std::uint64_t{18});
}

void TestTensorInfo::elements()
{
    TensorInfo tensor;
    QCOMPARE(tensor.elements(), std::uint64_t{1});
    tensor.shape = {3, 0};
    QCOMPARE(tensor.elements(), std::uint64_t{0});
}

void TestTensorInfo::shapes()
{
    QCOMPARE(shapeText(std::vector<std::int64_t>{4096, 1024}), std::string("[4096, 1024]"));
    QCOMPARE(shapeText(std::vector<std::int64_t>{}), std::string("[]"));
}

void TestTensorInfo::printableNames()
{
    QCOMPARE(printableName("layers.0"), std::string("layers.0"));
    QCOMPARE(printableName("a\nb\x1b[0m"), std::string("a?b?[0m"));
    QCOMPARE(printableName("\xC3\xA9\xFF"), std::string("\xC3\xA9\xEF\xBF\xBD"));
    const auto cut = printableName(std::string(5000, 'x'));
    QVERIFY(cut.size() < 120 && cut.find("...") != std::string::npos);
}

void TestTensorInfo::combinesErrors()
{
    const std::vector<Error> problems = {{ErrorCode::FileNotFound, "gone", "x", {}},
                                         {ErrorCode::BadFormat, "bad", "y", "p"}};
    const auto both = combinedError(problems, "index.json");
    QCOMPARE(both.code, ErrorCode::FileNotFound);
    QCOMPARE(both.sentence(), std::string("index.json: 2 problems\n  1. x: gone\n  2. y: p: bad"));
    QCOMPARE(combinedError(std::span(problems).first(1), "index.json").sentence(), std::string("x: gone"));
}

HEADSCOPE_TEST_GUILESS(TestTensorInfo)
#include "tst_tensor_info.moc"
