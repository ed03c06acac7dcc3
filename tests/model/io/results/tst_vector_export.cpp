// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/vector_export.h"

#include "model/base/file.h"
#include "model/formats/safetensors.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/results/matrix_file.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <limits>

using namespace headscope;

class TestVectorExport : public QObject
{
    Q_OBJECT

    test::TemporaryFolder m_folder;

    /// Rows 1 and 3, heads 0 and 2 of a cache of four documents.
    static VectorExport sample()
    {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        VectorExport all;
        all.vectors = {std::make_shared<const HeadVectors>(Stage::HeadOutput, LayerIndex(3), 2, 2, 2,
                                                           std::vector<float>{1, 2, 3.5F, 4, 5, nan, 7, 8})};
        all.rows = {1, 3};
        all.heads = {0, 2};
        auto documents = std::make_shared<DocumentSet>();
        documents->ids = {"a", "b, c", "c", "d"};
        documents->labels = {makeLabelColumn("topic", std::vector<std::string>{"x", "y", "x", ""})};
        all.documents = documents;
        all.model.heads = 4;
        all.model.kvHeads = 2;
        all.facts = {{"verb", "export"}};
        return all;
    }

    [[nodiscard]] std::string text(const std::filesystem::path& path) const { return *readTextFile(path); }

private Q_SLOTS:
    void csv()
    {
        const auto path = m_folder.file("x.csv");
        HEADSCOPE_VERIFY_OK(writeVectorsCsv(path, sample()));
        QCOMPARE(text(path), std::string("document,id,topic,head,group,v0,v1\n"
                                         "1,\"b, c\",y,1,1,1,2\n"
                                         "1,\"b, c\",y,3,2,3.5,4\n"
                                         "3,d,,1,1,5,\n"
                                         "3,d,,3,2,7,8\n"));
    }

    void jsonl()
    {
        const auto path = m_folder.file("x.jsonl");
        HEADSCOPE_VERIFY_OK(writeVectorsJsonl(path, sample()));
        QVERIFY(text(path).starts_with(
            R"({"document":1,"id":"b, c","labels":{"topic":"y"},"head":1,"group":1,"vector":[1,2]})"
            "\n"));
        QVERIFY(text(path).find("\"vector\":[5,null]") != std::string::npos);
    }

    void npy()
    {
        const auto path = m_folder.file("x.npy");
        HEADSCOPE_VERIFY_OK(writeVectorsNpy(path, sample()));
        const auto read = readNpy(path);
        HEADSCOPE_VERIFY_OK(read);
        QCOMPARE(read->shape, (std::vector<std::int64_t>{2, 2, 2}));
        QCOMPARE(read->values[2], 3.5);
        QCOMPARE(read->values[7], 8.0);
        QCOMPARE((std::filesystem::file_size(path) - 8 * sizeof(float)) % 64, std::uintmax_t{0});
    }

    void safetensors()
    {
        const auto path = m_folder.file("x.safetensors");
        HEADSCOPE_VERIFY_OK(writeVectorsSafetensors(path, sample()));
        const auto read = openSafetensors(path);
        HEADSCOPE_VERIFY_OK(read);
        std::vector<std::string> names;
        for (const auto& tensor : read->tensors)
            names.push_back(tensor.name);
        std::sort(names.begin(), names.end());
        QCOMPARE(names, (std::vector<std::string>{"documents", "heads", "labels/topic", "layer_003/stage1"}));
    }

    void annData()
    {
        const auto path = m_folder.file("x.h5ad");
        HEADSCOPE_VERIFY_OK(writeVectorsAnnData(path, sample()));
        JobContext job;
        const auto file = Hdf5Reader::open(path, job);
        HEADSCOPE_VERIFY_OK(file);
        QCOMPARE(file->textAttribute("/", "encoding-type").value_or(""), std::string("anndata"));
        QCOMPARE(file->describe("/X")->shape, (std::vector<std::int64_t>{4, 2}));
        QCOMPARE(*file->readStrings("/obs/id", 0, 4), (std::vector<std::string>{"b, c", "b, c", "d", "d"}));
        QCOMPARE(*readNumbers<std::int64_t>(*file, "/obs/head"), (std::vector<std::int64_t>{0, 2, 0, 2}));
        QCOMPARE(*readNumbers<std::int32_t>(*file, "/obs/topic/codes"), (std::vector<std::int32_t>{1, 1, -1, -1}));
        QCOMPARE(file->textAttribute("/uns", "verb").value_or(""), std::string("export"));
    }
};

HEADSCOPE_TEST_GUILESS(TestVectorExport)
#include "tst_vector_export.moc"
