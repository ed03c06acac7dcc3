// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/gguf.h"

#include "tests/model/formats/gguf_builder.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTemporaryDir>

#include <fstream>

using namespace headscope;
using test::GgufBuilder;

class TestGgufSplit : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void readsAllParts();
    void readsSingleFile();
    void listsAllProblems();
    void refusesCountsAndNames();

private:
    [[nodiscard]] std::filesystem::path part(int number, int count) const;
    void write(const std::filesystem::path& path, const GgufBuilder& builder) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_base;
};

namespace
{

GgufBuilder partOf(int number, int count, int tensors)
{
    GgufBuilder builder;
    builder.number("split.no", GgufType::U16, static_cast<std::uint16_t>(number))
        .number("split.count", GgufType::U16, static_cast<std::uint16_t>(count))
        .number("split.tensors.count", GgufType::I32, tensors);
    return builder;
}

} // namespace

void TestGgufSplit::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_base = m_folder->path().toStdString();
}

std::filesystem::path TestGgufSplit::part(int number, int count) const
{
    return m_base / QString::asprintf("model-%05d-of-%05d.gguf", number, count).toStdString();
}

void TestGgufSplit::write(const std::filesystem::path& path, const GgufBuilder& builder) const
{
    std::ofstream(path, std::ios::binary) << builder.bytes();
}

void TestGgufSplit::readsAllParts()
{
    write(part(1, 3), partOf(0, 3, 3).text("general.architecture", "llama"));
    write(part(2, 3), partOf(1, 3, 3).tensor("b", {4}, 0, 16).tensor("c", {2}, 1, 4));
    write(part(3, 3), partOf(2, 3, 3).tensor("a", {1}, 0, 4));
    for (const int opened : {1, 3})
    {
        const auto file = openGguf(part(opened, 3));
        HEADSCOPE_VERIFY_OK(file);
        QCOMPARE(file->tensors.files.size(), std::size_t{3});
        QCOMPARE(file->tensors.tensors.size(), std::size_t{3});
        QCOMPARE(file->tensors.fileName(*file->tensors.find("a")), part(3, 3).filename().string());
        QCOMPARE(file->tensors.find("c")->file, 1);
        QVERIFY(file->metadata.contains("general.architecture"));
    }
}

void TestGgufSplit::readsSingleFile()
{
    write(m_base / "m.gguf", test::soundGguf());
    HEADSCOPE_VERIFY_OK(openGguf(m_base / "m.gguf"));
    HEADSCOPE_VERIFY_ERROR(openGguf(m_base / "none.gguf"), ErrorCode::FileNotFound, "none.gguf");
    HEADSCOPE_VERIFY_ERROR(openGguf(m_base), ErrorCode::BadFormat, m_base.string());
}

void TestGgufSplit::listsAllProblems()
{
    write(part(1, 4), partOf(0, 4, 3));
    write(part(2, 4), partOf(3, 4, 3));
    std::ofstream(part(3, 4)) << "GGUF";
    std::vector<Error> problems;
    static_cast<void>(openGguf(part(1, 4), problems));
    QCOMPARE(problems.size(), std::size_t{3});
    QVERIFY(problems[0].sentence().find("split.no: expected part 2 of 4, found part 4 of 4") != std::string::npos);
    QVERIFY(problems[1].sentence().find("00003-of-00004.gguf: header: expected") != std::string::npos);
    QCOMPARE(problems[2].code, ErrorCode::FileNotFound);
    HEADSCOPE_VERIFY_ERROR(openGguf(part(1, 4)), ErrorCode::BadFormat, "3 problems");
}

void TestGgufSplit::refusesCountsAndNames()
{
    write(part(1, 2), partOf(0, 2, 2).tensor("a", {1}, 0, 4));
    write(part(2, 2), partOf(1, 2, 2).tensor("a", {1}, 0, 4));
    HEADSCOPE_VERIFY_ERROR(openGguf(part(1, 2)), ErrorCode::BadFormat, "a: expected this tensor in only one part");
    write(part(2, 2), partOf(1, 2, 2));
    HEADSCOPE_VERIFY_ERROR(openGguf(part(1, 2)), ErrorCode::BadFormat, "expected 2 tensors in all parts, found 1");
    write(m_base / "renamed.gguf", partOf(0, 2, 2));
    HEADSCOPE_VERIFY_ERROR(openGguf(m_base / "renamed.gguf"), ErrorCode::BadFormat,
                           "expected a name that ends in -00001-of-00002.gguf");
    write(m_base / "text.gguf", GgufBuilder().text("split.count", "2"));
    HEADSCOPE_VERIFY_ERROR(openGguf(m_base / "text.gguf"), ErrorCode::BadFormat, "split.count: expected an integer");
}

HEADSCOPE_TEST_GUILESS(TestGgufSplit)
#include "tst_gguf_split.moc"
