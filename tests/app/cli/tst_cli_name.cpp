// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/hdf5/hdf5_reader.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTemporaryDir>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>

using namespace headscope;
using test::runVerb;
using Json = nlohmann::json;

/// The verb name: texts that explain what varies in a head.
class TestCliName : public QObject
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

    /// Vectors of this cache are a direction of their topic, which its name has, too, and noise.
    void topicNames()
    {
        const auto outcome = runVerb({"name", m_cache, "--json", "--steps", "2"});
        QCOMPARE(outcome.code, 0);
        const Json heads = outcome.json().at("heads");
        QCOMPARE(heads.size(), std::size_t{4});
        for (const Json& head : heads)
        {
            QCOMPARE(head.at("layer").get<int>(), 1);
            QCOMPARE(head.at("documents").get<int>(), 48);
            QCOMPARE(head.at("held_out_documents").get<int>(), 12);
            const Json& words = head.at("words");
            QCOMPARE(words.size(), std::size_t{2}); // three names, minus their mean: two directions
            const double held = head.at("held_out").get<double>();
            QCOMPARE(words.at(1).at("held_out").get<double>(), held);
            QVERIFY(words.at(0).at("variance").get<double>() >= words.at(1).at("variance").get<double>());
            QVERIFY(words.at(0).at("text").get<std::string>().starts_with("topic "));
            QVERIFY2(held > 0.5 && held <= 1, head.dump().c_str());
            QVERIFY(head.at("ci95")[0].get<double>() <= held && held <= head.at("ci95")[1].get<double>());
            QVERIFY(head.at("null_p").get<double>() > 0 && head.at("null_mean").get<double>() < held);
        }
        const Json one = runVerb({"name", m_cache, "--json", "--steps", "1", "--heads", "3", "--permutations", "0",
                                  "--method", "somp"})
                             .json()
                             .at("heads");
        QCOMPARE(one.size(), std::size_t{1});
        QVERIFY(one.at(0).at("head") == 3 && one.at(0).at("null_p").is_null());
    }

    /// Documents of another cache are texts, too.
    void textsOfACache()
    {
        const Json json = runVerb({"name", m_cache, "--texts", m_cache, "--json", "--steps", "3"}).json();
        QCOMPARE(json.at("texts").get<int>(), 60);
        const Json& words = json.at("heads").at(0).at("words");
        QCOMPARE(words.size(), std::size_t{3});
        QVERIFY(words.at(0).at("text").get<std::string>().starts_with("d")); // it has no texts: their ids
    }

    void wrongUse()
    {
        QCOMPARE(runVerb({"name", m_cache, "--texts", "words.txt"}).code, 2); // no model
        QCOMPARE(runVerb({"name", m_cache, "--model", "M"}).code, 2);
        QCOMPARE(runVerb({"name", m_cache, "--texts", m_cache, "--model", "M"}).code, 2);
        QCOMPARE(runVerb({"name", m_cache, "--stage", "1,2"}).code, 2);
        QCOMPARE(runVerb({"name", m_cache, "--documents", "0-3"}).code, 3);
    }

    /// A vector with NaN names no head and is named by none: how many there are is told.
    void vectorsThatAreNotFinite()
    {
        CacheContents contents = test::tellingContents();
        const HeadVectors& whole = *contents.embeddings.front(); // stage 1, the default
        std::vector<float> values(whole.values().begin(), whole.values().end());
        for (const std::int64_t document : {3, 7})
            values[static_cast<std::size_t>((document * whole.heads() + 1) * whole.dims())] =
                std::numeric_limits<float>::quiet_NaN();
        contents.embeddings.front() = std::make_shared<const HeadVectors>(
            whole.stage(), whole.layer(), whole.documents(), whole.heads(), whole.dims(), std::move(values));
        const std::string path = file("nan.h5");
        JobContext job;
        HEADSCOPE_VERIFY_OK(writeCache(path, contents, NumberType::F32, job));
        const std::vector<std::string> words = {"name", path, "--texts", path, "--steps", "1", "--permutations", "0"};
        std::vector<std::string> asJson = words;
        asJson.emplace_back("--json");
        const Json heads = runVerb(asJson).json().at("heads");
        QCOMPARE(heads.size(), std::size_t{4});
        for (std::size_t head = 0; head < heads.size(); ++head)
            for (const char* key : {"left_out", "left_out_texts"})
                QCOMPARE(heads.at(head).at(key).get<int>(), head == 1 ? 2 : 0);
        const std::string shown = runVerb(words).out;
        QVERIFY2(shown.find("contain NaN or infinity: 0 to 2 documents, 0 to 2 texts.") != std::string::npos,
                 shown.c_str());
        const std::string usual = runVerb({"name", m_cache, "--steps", "1", "--permutations", "0"}).out;
        QVERIFY2(usual.find("NaN") == std::string::npos, usual.c_str());
    }

    void files()
    {
        const std::string csv = file("name.csv");
        QCOMPARE(runVerb({"name", m_cache, "--steps", "2", "-o", csv}).code, 0);
        std::ifstream stream(csv);
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        QVERIFY2(text.rfind("layer,head,step,text,variance,explained,held out\n", 0) == 0, text.c_str());
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), 9);
        const std::string h5 = file("name.h5");
        QCOMPARE(runVerb({"name", m_cache, "--steps", "2", "-o", h5}).code, 0);
        JobContext job;
        const auto reader = Hdf5Reader::open(h5, job);
        HEADSCOPE_VERIFY_OK(reader);
        const auto explained = readNumbers<double>(*reader, "/name/explained");
        HEADSCOPE_VERIFY_OK(explained);
        QCOMPARE(explained->size(), std::size_t{8});
        const auto shown = runVerb({"name", m_cache, "--steps", "2"}).out;
        for (const char* part : {"60 documents, 3 texts", "bootstrap by document", "permuted among the texts",
                                 "Benjamini-Hochberg", "Proportion of the held-out documents' variance"})
            QVERIFY2(shown.find(part) != std::string::npos, shown.c_str());
    }
};

HEADSCOPE_TEST_GUILESS(TestCliName)
#include "tst_cli_name.moc"
