// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/vector_export.h"

#include "model/base/file.h"
#include "model/formats/safetensors.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/results/matrix_file.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <cmath>
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

    /// A map of (row, head) points (1, 0), (2, 0), (1, 2), (3, 2), one of documents 3 and 1 with what its twins keep.
    static VectorExport withMaps()
    {
        VectorExport all = sample();
        HeadMap heads;
        heads.name = "a/b";
        heads.points = std::make_shared<const PointIds>(PointIds{{1, 2, 1, 3}, {0, 0, 2, 2}});
        heads.xy = MatrixF(4, 2, {1, 2, 3, 4, 5, 6, 7.5F, 8});
        heads.trust = MapTrust{.klExact = 0.5, .knn10 = 0.75, .sampled = 4};
        HeadMap documents;
        documents.name = "full";
        documents.points = std::make_shared<const PointIds>(PointIds{{3, 1}, {}});
        documents.xy = MatrixF(2, 2, {-1, -2, -3, -4});
        documents.floor.emplace().keptByPoint = {0.25F, 1};
        documents.kl = std::numeric_limits<double>::quiet_NaN();
        all.maps = {*placeMap(heads, MapUnit::Head, all.rows, all.heads),
                    *placeMap(documents, MapUnit::Document, all.rows, all.heads)};
        return all;
    }

private Q_SLOTS:
    void placesPoints()
    {
        const VectorExport all = withMaps();
        QCOMPARE(all.maps[0].xy.rows(), std::int64_t{4});
        QCOMPARE(all.maps[0].xy(0, 0), 1.0F);
        QCOMPARE(all.maps[0].xy(1, 1), 6.0F);
        QVERIFY(std::isnan(all.maps[0].xy(2, 0))); // document 3 has no point of head 0
        QCOMPARE(all.maps[0].xy(3, 0), 7.5F);
        QVERIFY(all.maps[0].kept.empty());
        // A place of a document is that of all its heads.
        QCOMPARE(all.maps[1].xy.values(), (std::vector<float>{-3, -4, -3, -4, -1, -2, -1, -2}));
        QCOMPARE(all.maps[1].kept, (std::vector<float>{1, 1, 0.25F, 0.25F}));
    }

    void plainNumbersHaveNoPlace()
    {
        HeadMap map;
        map.xy = MatrixF(2, 2);
        const auto placed = placeMap(map, MapUnit::Head, std::vector<std::int64_t>{0}, std::vector<std::int64_t>{0});
        QVERIFY(!placed.has_value());
        QCOMPARE(placed.error().code, ErrorCode::InvalidArgument);
    }

    void mapsInText()
    {
        const auto csv = m_folder.file("maps.csv");
        HEADSCOPE_VERIFY_OK(writeVectorsCsv(csv, withMaps()));
        QCOMPARE(text(csv), std::string("document,id,topic,head,group,v0,v1,tsne_a/b_x,tsne_a/b_y,tsne_full_x,"
                                        "tsne_full_y,tsne_full_kept\n"
                                        "1,\"b, c\",y,1,1,1,2,1,2,-3,-4,1\n"
                                        "1,\"b, c\",y,3,2,3.5,4,5,6,-3,-4,1\n"
                                        "3,d,,1,1,5,,,,-1,-2,0.25\n"
                                        "3,d,,3,2,7,8,7.5,8,-1,-2,0.25\n"));
        const auto jsonl = m_folder.file("maps.jsonl");
        HEADSCOPE_VERIFY_OK(writeVectorsJsonl(jsonl, withMaps()));
        const std::string lines = text(jsonl);
        QVERIFY(lines.find(R"("vector":[1,2],"maps":{"a/b":[1,2],"full":[-3,-4,1]}})") != std::string::npos);
        QVERIFY(lines.find(R"("maps":{"a/b":[null,null],"full":[-1,-2,0.25]}})") != std::string::npos);
    }

    void mapsInSafetensors()
    {
        const auto path = m_folder.file("maps.safetensors");
        HEADSCOPE_VERIFY_OK(writeVectorsSafetensors(path, withMaps()));
        const auto read = openSafetensors(path);
        HEADSCOPE_VERIFY_OK(read);
        const auto shapeOf = [&](const std::string& name) {
            const auto found = std::ranges::find_if(read->tensors, [&](const auto& each) { return each.name == name; });
            return found == read->tensors.end() ? std::vector<std::int64_t>() : found->shape;
        };
        QCOMPARE(shapeOf("maps/a/b"), (std::vector<std::int64_t>{2, 2, 2}));
        QCOMPARE(shapeOf("kept/full"), (std::vector<std::int64_t>{2, 2}));
        QVERIFY(shapeOf("kept/a/b").empty());
        const std::string facts = factsJson(withMaps().maps[0]);
        QVERIFY2(facts.find(R"("kl_exact":0.5,"knn10":0.75,)") != std::string::npos, facts.c_str());
        QVERIFY2(factsJson(withMaps().maps[1]).find(R"("kl":null,"kl_exact":null,)") != std::string::npos,
                 facts.c_str());
    }

    void mapsInAnnData()
    {
        const auto path = m_folder.file("maps.h5ad");
        HEADSCOPE_VERIFY_OK(writeVectorsAnnData(path, withMaps()));
        JobContext job;
        const auto file = Hdf5Reader::open(path, job);
        HEADSCOPE_VERIFY_OK(file);
        QCOMPARE(file->describe("/obsm/X_tsne_a%2Fb")->shape, (std::vector<std::int64_t>{4, 2}));
        QCOMPARE(*readNumbers<float>(*file, "/obsm/X_tsne_full"), (std::vector<float>{-3, -4, -3, -4, -1, -2, -1, -2}));
        QCOMPARE(*readNumbers<float>(*file, "/obs/tsne_full_kept"), (std::vector<float>{1, 1, 0.25F, 0.25F}));
        QVERIFY(!file->has("/obs/tsne_a%2Fb_kept"));
        QCOMPARE(*file->readStrings("/uns/maps/_index", 0, 2), (std::vector<std::string>{"a/b", "full"}));
        QCOMPARE(*file->readStrings("/uns/maps/of", 0, 2), (std::vector<std::string>{"heads", "documents"}));
        QCOMPARE(readNumbers<double>(*file, "/uns/maps/knn10")->front(), 0.75);
        QVERIFY(std::isnan(readNumbers<double>(*file, "/uns/maps/knn10")->back()));
        QCOMPARE(*file->readStrings("/uns/headscope/value", 0, 1), (std::vector<std::string>{"export"}));
        QCOMPARE(file->textAttribute("/uns", "verb").value_or(""), std::string("export"));
    }

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
        const auto read = readNpy<double>(path);
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
