// SPDX-License-Identifier: GPL-3.0-or-later
// What the analyses say of data that is not as it should be.
#include "model/base/file.h"
#include "model/io/cache/map_io.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <cmath>
#include <fstream>
#include <limits>

using namespace headscope;
using test::runVerb;
using Json = nlohmann::json;

class TestCliBadData : public QObject
{
    Q_OBJECT

    test::TemporaryFolder m_folder;

    [[nodiscard]] std::string file(const std::string& name) const { return m_folder.file(name).string(); }

    /// Writes a cache of the contents and returns its path.
    [[nodiscard]] std::string written(const std::string& name, const CacheContents& contents) const
    {
        JobContext job;
        const auto path = file(name);
        const auto status = writeCache(path, contents, NumberType::F32, job);
        return status ? path : status.error().sentence();
    }

    /// The telling cache with one value of its stage-1 vectors changed.
    template <class Change>
    [[nodiscard]] static CacheContents changed(const Change& change, bool topics = false)
    {
        CacheContents contents = test::tellingContents();
        auto& vectors = topics ? contents.topics.front().vectors : contents.embeddings.front();
        std::vector<float> values(vectors->values().begin(), vectors->values().end());
        change(values);
        vectors = std::make_shared<const HeadVectors>(vectors->stage(), vectors->layer(), vectors->documents(),
                                                      vectors->heads(), vectors->dims(), std::move(values));
        return contents;
    }

private Q_SLOTS:
    void vectorsThatAreNotFinite()
    {
        const auto cache = written("nan.h5", changed([](std::vector<float>& values) {
                                       values[0] = std::numeric_limits<float>::quiet_NaN(); // document 0, head 1
                                   }));
        const auto run = runVerb({"match", cache, "--json"});
        QVERIFY2(run.code == 0, run.err.c_str());
        QVERIFY2(run.err.find("excluded 1 document with vectors that contain NaN or infinity (head 1: "
                              "1)") != std::string::npos,
                 run.err.c_str());
        QVERIFY2(run.err.find("head 1: 1") != std::string::npos, run.err.c_str());
        QCOMPARE(run.json()["heads"][0]["documents"].get<int>(), 58); // of 59 with a label
        QVERIFY(!run.json()["heads"][1].contains("documents"));
        const auto pruned = runVerb({"prune", cache, "--json"});
        QCOMPARE(pruned.json()["documents"].get<int>(), 58);
        QVERIFY(pruned.err.find("head 1: 1") != std::string::npos);
        const auto heads = runVerb({"heads", cache});
        QVERIFY2(heads.code == 0 && heads.err.find("head 1: 1") != std::string::npos, heads.err.c_str());
    }

    void zeroVectors()
    {
        const auto cache = written("zero.h5", changed([](std::vector<float>& values) {
                                       std::fill_n(values.begin() + test::kDims, 2 * test::kDims, 0.0F); // heads 2, 3
                                   }));
        const auto run = runVerb({"match", cache, "--k", "3", "--json"});
        QVERIFY2(run.code == 0, run.err.c_str());
        QVERIFY2(
            run.err.find(
                "zero vectors, which have no direction: these documents are counted, but never match (heads 2-3: 1)") !=
                std::string::npos,
            run.err.c_str());
        QVERIFY(std::abs(run.json()["heads"][1]["top3"].get<double>() - 58.0 / 59) < 1e-12);
        QCOMPARE(run.json()["heads"][0]["top3"].get<double>(), 1.0);
    }

    void aTopicWithoutVectors()
    {
        const auto cache = written(
            "topic.h5",
            changed([](std::vector<float>& values) { std::fill_n(values.begin(), test::kHeads * test::kDims, 0.0F); },
                    true));
        const auto run = runVerb({"heatmap", cache});
        QVERIFY2(run.code == 0, run.err.c_str());
        QVERIFY2(run.err.find("topic \"topic a\" has no usable vector in 4 of 4 heads") != std::string::npos,
                 run.err.c_str());
        CacheContents none = test::tellingContents();
        none.topics.clear();
        const auto refused = runVerb({"match", written("none.h5", none)});
        QCOMPARE(refused.code, 3);
        QVERIFY2(refused.err.find("expected topic vectors of \"topic\"") != std::string::npos, refused.err.c_str());
        const auto heads = runVerb({"heads", file("none.h5")});
        QCOMPARE(heads.code, 0);
        QVERIFY(heads.err.find("no topic vectors") != std::string::npos);
    }

    void fewerDocumentsThanAsked()
    {
        const auto cache = written("few.h5", test::tellingContents());
        const auto run = runVerb({"heatmap", cache, "--per-topic", "30"});
        QVERIFY2(run.code == 0, run.err.c_str());
        QVERIFY2(run.err.find("3 of 3 topics have fewer than 30 documents (the smallest has 19)") != std::string::npos,
                 run.err.c_str());
        QVERIFY2(run.out.find("topic a: 20, topic b: 20, topic c: 19") != std::string::npos, run.out.c_str());
        QVERIFY(runVerb({"heatmap", cache, "--per-topic", "10"}).err.empty());
    }

    void oneClassOnly()
    {
        const auto cache = written("one.h5", test::tellingContents());
        const auto run = runVerb({"match", cache, "--documents", "topic=topic a"});
        QVERIFY2(run.code == 0, run.err.c_str());
        QVERIFY2(run.err.find("all labelled documents have the same \"topic\"") != std::string::npos, run.err.c_str());
        const auto probe = runVerb({"prune", cache, "--measure", "probe", "--documents", "topic=topic a"});
        QCOMPARE(probe.code, 3);
        QVERIFY2(probe.err.find("at least 2 different labels among the documents, found 1") != std::string::npos,
                 probe.err.c_str());
        // With 3 topics every document matches at 5: the default is another match, and no mask is better than another.
        const auto usual = runVerb({"prune", cache, "--order", "backward", "--json"});
        QCOMPARE(usual.json()["measure"].get<std::string>(), std::string("match1"));
        const auto certain = runVerb({"prune", cache, "--order", "backward", "--measure", "match5", "--json"});
        QCOMPARE(certain.code, 0);
        for (const Json& step : certain.json()["steps"])
            QVERIFY2(!step["front"].get<bool>(), step.dump().c_str()); // the table has no front either
        const std::string mask = file("certain.json");
        for (const auto& [option, value] :
             {std::pair("--measure", "match5"), std::pair("--documents", "topic=topic a")})
        {
            const auto refused = runVerb({"prune", cache, "--order", "backward", "--save-mask", mask, option, value});
            QCOMPARE(refused.code, 3);
            QVERIFY2(refused.err.find("--save-mask") != std::string::npos, refused.err.c_str());
            QVERIFY(!std::filesystem::exists(mask));
        }
        // 3 topics of 5 documents might be ids: said for every measure that takes labels.
        for (const char* measure : {"match1", "probe"})
        {
            const auto ids = runVerb({"prune", cache, "--measure", measure, "--documents", "0-4"});
            QVERIFY2(ids.err.find("it may be an id instead of a topic") != std::string::npos, ids.err.c_str());
        }
    }

    void duplicateIds()
    {
        CacheContents contents = test::tellingContents();
        contents.documents.ids[7] = "d3";
        const auto cache = written("ids.h5", contents);
        const auto run = runVerb({"retrieve", cache, "--query-document", "d3", "--top", "3", "--json"});
        QVERIFY2(run.code == 0, run.err.c_str());
        QVERIFY2(run.err.find("1 id names more than one document, for example \"d3\" (2 documents)") !=
                     std::string::npos,
                 run.err.c_str());
        const auto inspect = runVerb({"inspect", cache, "--json"});
        QVERIFY(inspect.json()["warnings"].dump().find("more than one document") != std::string::npos);
    }

    void unknownDocuments()
    {
        const auto cache = written("unknown.h5", test::tellingContents());
        std::ofstream(file("relevant.jsonl")) << R"({"id": "d1", "relevant": ["d2", "nobody"]})"
                                              << "\n";
        const auto run = runVerb({"retrieve", cache, "--query-document", "d1", "--relevant", file("relevant.jsonl")});
        QCOMPARE(run.code, 3);
        QVERIFY2(run.err.find("line 1: expected ids of documents, found \"nobody\"") != std::string::npos,
                 run.err.c_str());
        std::ofstream(file("map.json")) << R"({"topic a": "first", "topic z": "last"})";
        const auto mapped = runVerb({"match", cache, "--label-map", file("map.json")});
        QCOMPARE(mapped.code, 0);
        QVERIFY2(mapped.err.find("1 of 2 names are not values of \"topic\": \"topic z\"") != std::string::npos,
                 mapped.err.c_str());
    }

    /// Such files gave other numbers with exit code 0, crashed or never came back.
    void damagedMaps()
    {
        const auto cache = written("whole.h5", test::tellingContents());
        for (const char* name :
             {"map-flip", "map-loops", "map-crash-197", "map-crash-255", "resealed-loops", "resealed-crash-197"})
        {
            const auto map = test::golden(std::string("faults/") + name + ".h5").string() + ":/maps/map/xy";
            for (const auto& words : {std::vector<std::string>{"quality", cache, "--map", map, "--perplexity", "3"},
                                      std::vector<std::string>{"tsne", cache, "--init", map, "-o", file("out.csv")}})
            {
                const auto run = runVerb(words);
                QVERIFY2(run.code == 3, (words.front() + ' ' + name + ": " + run.err).c_str());
                QVERIFY2(run.err.find(name) != std::string::npos && run.err.find("damaged") != std::string::npos,
                         run.err.c_str());
            }
        }
        QVERIFY(!std::filesystem::exists(file("out.csv")));
    }

    /// `--map` drew such a map with exit code 0, under the hash of the whole one.
    void aFlippedMapOfASealedCache()
    {
        const auto cache = written("map.h5", test::tellingContents());
        const auto saved = runVerb({"tsne", cache, "--perplexity", "5", "--iterations", "5", "--save", "kept"});
        QVERIFY2(saved.code == 0, saved.err.c_str());
        JobContext job;
        const auto reader = Hdf5Reader::open(cache, job);
        HEADSCOPE_VERIFY_OK(reader);
        const auto map = readMapGroup(*reader, "kept");
        HEADSCOPE_VERIFY_OK(map);
        const auto draw = [&] {
            return runVerb({"tsne", cache, "--map", cache + ":/maps/kept/xy", "-o", file("drawn.svg")});
        };
        const auto whole = draw();
        QVERIFY2(whole.code == 0, whole.err.c_str());
        QVERIFY(std::filesystem::remove(file("drawn.svg")));
        auto bytes = readTextFile(cache);
        HEADSCOPE_VERIFY_OK(bytes);
        const std::string numbers(reinterpret_cast<const char*>(map->xy.values().data()), map->xy.values().size() * 4);
        const auto at = bytes->find(numbers);
        QVERIFY(at != std::string::npos);
        (*bytes)[at + numbers.size() / 2 + 2] ^= 0x40;
        std::ofstream(cache) << *bytes;
        const auto run = draw();
        QVERIFY2(run.code == 3, run.err.c_str());
        QVERIFY2(run.err.find("/maps/kept/xy") != std::string::npos && run.err.find("damaged") != std::string::npos,
                 run.err.c_str());
        QVERIFY(!std::filesystem::exists(file("drawn.svg")));
    }

    /// HDF5 crashed in the program itself: the seal is right.
    void aSealOverADamagedCache()
    {
        const auto path = test::golden("faults/resealed-156.h5").string();
        const auto run = runVerb({"inspect", path});
        QVERIFY2(run.code == 3 && run.err.find(path) != std::string::npos, run.err.c_str());
        QVERIFY2(run.err.find("the HDF5 library crashes on it") != std::string::npos, run.err.c_str());
    }

    void asManyLabelsAsDocuments()
    {
        constexpr std::int64_t kMany = 4000;
        CacheContents contents = test::tellingContents();
        contents.documents = {};
        std::vector<std::string> labels;
        for (std::int64_t i = 0; i < kMany; ++i)
        {
            contents.documents.ids.push_back(std::to_string(i));
            labels.push_back("value " + std::to_string(10000 + i));
        }
        contents.documents.labels = {makeLabelColumn("topic", labels)};
        contents.embeddings = {test::tellingVectors(Stage::HeadOutput, 1, kMany, false)};
        contents.topics = {{"topic", {}, test::tellingVectors(Stage::HeadOutput, 1, kMany, false)}};
        const auto cache = written("many.h5", contents);
        const auto match = runVerb({"match", cache, "--k", "1", "--json"});
        QVERIFY2(match.code == 0, match.err.c_str());
        QCOMPARE(match.json()["topics"].get<int>(), 4000);
        QVERIFY2(match.err.find("label \"topic\" has 4,000 values for 4,000 documents: it may be an id") !=
                     std::string::npos,
                 match.err.c_str());
        const auto similarity = runVerb({"similarity", cache, "--merge", "0.9999"});
        QVERIFY2(similarity.code == 0, similarity.err.c_str());
        QVERIFY(similarity.out.find("the 20 most similar pairs") != std::string::npos);
        QVERIFY(similarity.out.size() < 200'000);
        QCOMPARE(runVerb({"heatmap", cache}).code, 0);
    }
};

HEADSCOPE_TEST(TestCliBadData)
#include "tst_cli_bad_data.moc"
