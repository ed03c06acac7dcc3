// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/geometry/singular_values.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

using namespace headscope;
using test::runVerb;
using Json = nlohmann::json;

/// The verb layers: what it prints is what the single verbs say of the same vectors.
class TestCliLayers : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::string m_cache;

    std::string file(const char* name) { return m_folder.filePath(QLatin1StringView(name)).toStdString(); }

private Q_SLOTS:
    void initTestCase()
    {
        m_cache = file("cache.h5");
        JobContext job;
        HEADSCOPE_VERIFY_OK(writeCache(m_cache, test::tellingContents(), NumberType::F32, job));
    }

    void equalsTheSingleVerbs()
    {
        const auto outcome = runVerb({"layers", m_cache, "--json"});
        QCOMPARE(outcome.code, 0);
        const Json results = outcome.json().at("results");
        QCOMPARE(results.size(), std::size_t{3});                  // three stages of the one layer
        QVERIFY(results.at(2).at("after_final_norm").get<bool>()); // the last layer of a decoder
        QVERIFY(runVerb({"layers", m_cache}).out.find("Stage 3 of layer 1 is taken after the final norm") !=
                std::string::npos);
        for (const Json& result : results)
        {
            const std::string stage = std::to_string(result.at("stage").get<int>());
            const Json probe = runVerb({"probe", m_cache, "--stage", stage, "--json"}).json().at("results").at(0);
            QCOMPARE(result.at("accuracy").get<double>(), probe.at("accuracy").get<double>());
            QVERIFY(result.at("ci95") == probe.at("ci95"));
            QVERIFY(result.at("ci95_method") == probe.at("ci95_method"));
            QVERIFY(result.at("effective_rows") == probe.at("effective_rows"));
            QCOMPARE(result.at("test_documents").get<int>(), 12); // of 60
            const Json cka = runVerb({"heads", m_cache, "--stage", stage, "--json"}).json().at("redundancy").at("cka");
            double sum = 0;
            for (std::size_t a = 0; a < cka.size(); ++a)
                for (std::size_t b = a + 1; b < cka.size(); ++b)
                    sum += cka[a][b].get<double>();
            QVERIFY(std::abs(result.at("redundancy").get<double>() - sum / 6) < 1e-12);
            QCOMPARE(result.at("purity_documents").get<int>(), 59); // one has no label
            QVERIFY(result.at("purity").get<double>() > result.at("purity_chance").get<double>());
            QVERIFY(result.at("purity_p").get<double>() < 0.02 && result.at("purity_q").get<double>() < 0.05);
            QCOMPARE(result.at("redundancy_method").get<std::string>(), std::string("debiased"));
            for (const char* what : {"purity", "redundancy"})
            {
                const Json& interval = result.at(std::string(what) + "_ci95");
                const double value = result.at(what).get<double>();
                QVERIFY(interval[0].get<double>() <= value && value <= interval[1].get<double>());
            }
            QVERIFY(!result.at("after_final_norm").get<bool>() || (stage == "3" && result.at("layer").get<int>() == 1));
        }
    }

    /// Before, a cache without stage 2 was refused.
    void whatIsNotThereIsSaid()
    {
        CacheContents contents = test::tellingContents();
        contents.embeddings.erase(contents.embeddings.begin() + 1);
        contents.topics.erase(contents.topics.begin() + 1);
        const std::string cache = file("two.h5");
        JobContext job;
        HEADSCOPE_VERIFY_OK(writeCache(cache, contents, NumberType::F32, job));
        const auto outcome = runVerb({"layers", cache, "--json"});
        QCOMPARE(outcome.code, 0);
        QCOMPARE(outcome.json().at("results").size(), std::size_t{2});
        QVERIFY(outcome.json().at("absent") == Json::array({{{"layer", 1}, {"stage", 2}}}));
        QVERIFY2(outcome.err.find("the cache has no stage 2") != std::string::npos, outcome.err.c_str());
        const auto none = runVerb({"layers", cache, "--stage", "2"});
        QCOMPARE(none.code, 3);
        QVERIFY2(none.err.find("there are no vectors of stage 2") != std::string::npos, none.err.c_str());
    }

    void choices()
    {
        const Json one = runVerb({"layers", m_cache, "--json", "--stage", "1", "--heads", "2", "--neighbors", "3"})
                             .json()
                             .at("results")
                             .at(0);
        QVERIFY(one.at("accuracy").is_null() && one.at("redundancy").is_null());
        QCOMPARE(one.at("missing").size(), std::size_t{2});
        QVERIFY(one.at("purity").is_number());
        const Json few =
            runVerb({"layers", m_cache, "--json", "--stage", "1", "--documents", "0-29"}).json().at("results").at(0);
        QCOMPARE(few.at("documents").get<int>(), 30);
    }

    void geometry()
    {
        const auto outcome = runVerb({"layers", m_cache, "--geometry", "--json"});
        QCOMPARE(outcome.code, 0);
        const Json results = outcome.json().at("results");
        QCOMPARE(results.size(), std::size_t{3 * 5}); // stages of the one layer; full and 4 heads
        JobContext job;
        const auto cache = CacheReader::open(m_cache, job);
        HEADSCOPE_VERIFY_OK(cache);
        const auto vectors = (*cache)->load(LayerIndex(1), Stage::ProjectedSegment, {}, job);
        HEADSCOPE_VERIFY_OK(vectors);
        const auto values = singularValues((*vectors)->head(HeadIndex(2)), 1, job);
        HEADSCOPE_VERIFY_OK(values);
        const Json& third = results.at(5 + 3);
        QCOMPARE(third.at("unit").get<std::string>(), std::string("segment 3"));
        QCOMPARE(third.at("stage").get<int>(), 2);
        QCOMPARE(third.at("documents").get<int>(), 60);
        QCOMPARE(third.at("effective_rank").get<double>(), effectiveRank(values->raw));
        QCOMPARE(third.at("effective_rank_centered").get<double>(), effectiveRank(values->centred));
        QCOMPARE(third.at("participation_ratio").get<double>(), participationRatio(values->raw));
        QCOMPARE(third.at("participation_ratio_centered").get<double>(), participationRatio(values->centred));
        for (const Json& each : results)
        {
            const double value = each.at("anisotropy").get<double>();
            QVERIFY(each.at("anisotropy_ci95")[0].get<double>() <= value);
            QVERIFY(value <= each.at("anisotropy_ci95")[1].get<double>());
            QVERIFY(each.at("anisotropy_centered").get<double>() < value); // the heads of this cache have offsets
            QVERIFY(each.at("twonn").get<double>() > 0);
            QCOMPARE(each.at("after_final_norm").get<bool>(), each.at("stage").get<int>() == 3);
        }
        const Json one = runVerb({"layers", m_cache, "--geometry", "--json", "--stage", "1", "--heads", "2"}).json();
        QCOMPARE(one.at("results").size(), std::size_t{1}); // together with no other it is itself
        QVERIFY(one.at("results").at(0).at("effective_rank") == results.at(2).at("effective_rank"));
        const auto shown = runVerb({"layers", m_cache, "--geometry"}).out;
        for (const char* part :
             {"number of directions", "jackknife by document", "have no interval", "after the final"})
            QVERIFY2(shown.find(part) != std::string::npos, shown.c_str());
    }

    void geometryFiles()
    {
        const std::string h5 = file("geometry.h5");
        QCOMPARE(runVerb({"layers", m_cache, "--geometry", "-o", h5}).code, 0);
        JobContext job;
        const auto reader = Hdf5Reader::open(h5, job);
        HEADSCOPE_VERIFY_OK(reader);
        const auto cka = readNumbers<double>(*reader, "/geometry/cka/1/heads");
        HEADSCOPE_VERIFY_OK(cka);
        const Json same = runVerb({"heads", m_cache, "--json"}).json().at("redundancy").at("cka");
        QCOMPARE(cka->size(), std::size_t{16});
        for (std::size_t i = 0; i < cka->size(); ++i)
            QVERIFY(std::abs((*cka)[i] - same[i / 4][i % 4].get<double>()) < 1e-12);
        const auto ranks = readNumbers<double>(*reader, "/geometry/effective_rank");
        HEADSCOPE_VERIFY_OK(ranks);
        QCOMPARE(ranks->size(), std::size_t{15});
        const std::string csv = file("geometry.csv");
        QCOMPARE(runVerb({"layers", m_cache, "--geometry", "-o", csv}).code, 0);
        std::ifstream stream(csv);
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        QVERIFY2(text.rfind("layer,stage,unit,documents,left out,dims,effective rank,", 0) == 0, text.c_str());
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), 16);
        QCOMPARE(runVerb({"layers", m_cache, "--geometry", "-o", file("geometry.png")}).code, 2);
        const auto few = runVerb({"layers", m_cache, "--geometry", "--documents", "0-2", "-o", file("few.h5")});
        QCOMPARE(few.code, 0);
        QVERIFY2(few.err.find("the CKA of stage 1 is omitted") != std::string::npos, few.err.c_str());
    }

    void files()
    {
        const std::string csv = file("layers.csv");
        QCOMPARE(runVerb({"layers", m_cache, "-o", csv}).code, 0);
        std::ifstream stream(csv);
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        // A number and its interval stand side by side.
        QVERIFY2(text.rfind("layer,stage,probe accuracy,ci95 low,ci95 high,test documents,topic purity,purity low,"
                            "purity high,purity by chance,purity p,purity q,redundancy,redundancy low,",
                            0) == 0,
                 text.c_str());
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), 4);
        QCOMPARE(runVerb({"layers", m_cache, "-o", csv}).code, 2); // is there already
        QCOMPARE(runVerb({"layers", m_cache, "-o", file("layers.tex")}).code, 0);
        std::ifstream written(file("layers.tex"));
        const std::string tex{std::istreambuf_iterator<char>(written), {}};
        QVERIFY2(tex.find("% ci95_method: Wilson, effective rows by document; purity: jackknife by document") !=
                     std::string::npos,
                 tex.c_str());
        const auto shown = runVerb({"layers", m_cache}).out;
        for (const char* part : {"Wilson, effective rows by document", "over the 12 test documents only",
                                 "often near 1 whatever they represent"})
            QVERIFY2(shown.find(part) != std::string::npos, shown.c_str());
        QCOMPARE(runVerb({"layers", m_cache, "--neighbors", "0"}).code, 2);
    }
};

HEADSCOPE_TEST_GUILESS(TestCliLayers)
#include "tst_cli_layers.moc"
