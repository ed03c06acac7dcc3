// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/safetensors.h"

#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTemporaryDir>

#include <cstring>
#include <fstream>

using namespace headscope;

class TestSafetensorsIndex : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void readsShards();
    void followsLinks();
    void listsAllProblems();
    void refusesNames_data();
    void refusesNames();
    void refusesIndexes_data();
    void refusesIndexes();
    void warnsOfUnlisted();
    void goldenModels_data();
    void goldenModels();

private:
    void write(const std::string& name, const std::string& bytes) const;
    void writeShard(const std::string& name, const std::vector<std::string>& tensors) const;
    void writeIndex(const std::string& weightMap) const;
    [[nodiscard]] std::filesystem::path index() const { return m_base / "model.safetensors.index.json"; }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_base;
};

void TestSafetensorsIndex::write(const std::string& name, const std::string& bytes) const
{
    std::ofstream(m_base / name, std::ios::binary) << bytes;
}

/// A shard with tensors of one byte each.
void TestSafetensorsIndex::writeShard(const std::string& name, const std::vector<std::string>& tensors) const
{
    std::string header = "{";
    for (std::size_t i = 0; i < tensors.size(); ++i)
        header += (i > 0 ? ",\"" : "\"") + tensors[i] + R"(":{"dtype":"U8","shape":[1],"data_offsets":[)" +
                  std::to_string(i) + "," + std::to_string(i + 1) + "]}";
    header += "}";
    const std::uint64_t length = header.size();
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &length, 8);
    write(name, bytes + header + std::string(tensors.size(), 'x'));
}

void TestSafetensorsIndex::writeIndex(const std::string& weightMap) const
{
    write("model.safetensors.index.json", R"({"metadata":{"total_size":12},"weight_map":)" + weightMap + "}");
}

void TestSafetensorsIndex::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_base = m_folder->path().toStdString();
}

void TestSafetensorsIndex::readsShards()
{
    writeShard("s1", {"b", "d"});
    writeShard("s2", {"a", "c"});
    writeIndex(R"({"a":"s2","b":"s1","c":"s2","d":"s1"})");
    const auto directory = openSafetensorsIndex(index());
    HEADSCOPE_VERIFY_OK(directory);
    QCOMPARE(directory->files.size(), std::size_t{2});
    QCOMPARE(directory->tensors.size(), std::size_t{4});
    QCOMPARE(directory->fileName(*directory->find("a")), std::string("s2"));
    QCOMPARE(directory->fileName(*directory->find("d")), std::string("s1"));
    QVERIFY(directory->warnings.empty());
}

void TestSafetensorsIndex::followsLinks()
{
    std::filesystem::create_directory(m_base / "blobs");
    std::filesystem::create_directory(m_base / "snapshot");
    writeShard("blobs/0123", {"a"});
    std::filesystem::create_symlink("../blobs/0123", m_base / "snapshot/model-1.safetensors");
    write("snapshot/model.safetensors.index.json", R"({"weight_map":{"a":"model-1.safetensors"}})");
    HEADSCOPE_VERIFY_OK(openSafetensorsIndex(m_base / "snapshot/model.safetensors.index.json"));
}

/// Fault row 3.
void TestSafetensorsIndex::listsAllProblems()
{
    writeShard("s1", {"a", "twice"});
    writeShard("s2", {"twice"});
    write("s3", "broken");
    writeIndex(R"({"a":"s1","twice":"s1","lost":"s1","b":"s2","c":"s3","d":"s4","e":"../s5","f":7})");
    std::vector<Error> problems;
    static_cast<void>(openSafetensorsIndex(index(), problems));
    std::string all;
    for (const auto& problem : problems)
        all += problem.sentence() + "\n";
    QVERIFY2(problems.size() == 7, all.c_str());
    for (const char* part : {"s1: lost: this tensor is missing, although the index lists it in this file",
                             "s2: b: this tensor is missing, although the index lists it in this file",
                             "s2: twice: expected this tensor in only one shard, found it also in s1",
                             "s3: expected a file of at least 8 bytes, found 6 bytes", "/s4: ",
                             "e: expected the plain name of a file in the same folder as the index, found \"../s5\"",
                             "f: expected a string, found an integer"})
        QVERIFY2(all.find(part) != std::string::npos, (part + ("\n" + all)).c_str());
    const auto directory = openSafetensorsIndex(index());
    HEADSCOPE_VERIFY_ERROR(directory, ErrorCode::BadFormat, "index.json: 7 problems\n  1. ");
}

void TestSafetensorsIndex::refusesNames_data()
{
    QTest::addColumn<QByteArray>("name");
    for (const char* name : {"", ".", "..", "../x", "a/b", "/etc/passwd", "a\\\\b", "a\\u0000b"})
        QTest::newRow(name) << QByteArray(name);
}

void TestSafetensorsIndex::refusesNames()
{
    QFETCH(QByteArray, name);
    writeIndex("{\"a\":\"" + name.toStdString() + "\"}");
    HEADSCOPE_VERIFY_ERROR(openSafetensorsIndex(index()), ErrorCode::BadFormat, "a: expected the plain name of a file");
}

void TestSafetensorsIndex::refusesIndexes_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("part");
    QTest::newRow("no map") << QByteArray("{}") << QByteArray("weight_map: expected an object, found none");
    QTest::newRow("array") << QByteArray(R"({"weight_map":[]})") << QByteArray("found an array");
    QTest::newRow("empty") << QByteArray(R"({"weight_map":{}})") << QByteArray("at least one tensor");
    QTest::newRow("twice") << QByteArray(R"({"weight_map":{"a":"x","a":"y"}})") << QByteArray("\"a\" twice");
    QTest::newRow("no JSON") << QByteArray(R"({"weight_map":{)") << QByteArray("expected valid JSON");
}

void TestSafetensorsIndex::refusesIndexes()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, part);
    write("model.safetensors.index.json", text.toStdString());
    HEADSCOPE_VERIFY_ERROR(openSafetensorsIndex(index()), ErrorCode::BadFormat, part.toStdString());
}

void TestSafetensorsIndex::warnsOfUnlisted()
{
    writeShard("s1", {"a", "extra"});
    writeIndex(R"({"a":"s1"})");
    const auto directory = openSafetensorsIndex(index());
    HEADSCOPE_VERIFY_OK(directory);
    QCOMPARE(directory->warnings.size(), std::size_t{1});
    QVERIFY(directory->find("extra") != nullptr);
}

void TestSafetensorsIndex::goldenModels_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"llama_bf16", "mistral_f16", "mistral_f32"})
        QTest::newRow(name) << QString::fromUtf8(name);
}

void TestSafetensorsIndex::goldenModels()
{
    QFETCH(QString, name);
    const auto directory =
        openSafetensorsIndex(test::golden("models/" + name.toStdString()) / "model.safetensors.index.json");
    HEADSCOPE_VERIFY_OK(directory);
    QVERIFY(directory->files.size() > 1);
    QVERIFY(directory->find("layers.0.self_attn.o_proj.weight") != nullptr ||
            directory->find("model.layers.0.self_attn.o_proj.weight") != nullptr);
}

HEADSCOPE_TEST_GUILESS(TestSafetensorsIndex)
#include "tst_safetensors_index.moc"
