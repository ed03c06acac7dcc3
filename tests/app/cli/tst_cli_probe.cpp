// SPDX-License-Identifier: GPL-3.0-or-later
// The probe verb beyond its plain run: sweeps over layers, the files it writes, data that is off.
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>

using namespace headscope;
using test::runVerb;
using Json = nlohmann::json;

namespace
{

std::string contentsOf(const std::string& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

/// Other numbers in the place of some head vectors.
std::shared_ptr<const HeadVectors> spoiled(const HeadVectors& vectors, std::int64_t head, std::int64_t documents,
                                           float value)
{
    std::vector<float> values(vectors.values().begin(), vectors.values().end());
    for (std::int64_t document = 0; document < documents; ++document)
    {
        const auto begin = values.begin() + (document * vectors.heads() + head) * vectors.dims();
        std::fill(begin, begin + vectors.dims(), value);
    }
    return std::make_shared<const HeadVectors>(vectors.stage(), vectors.layer(), vectors.documents(), vectors.heads(),
                                               vectors.dims(), std::move(values));
}

} // namespace

class TestCliProbe : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void sweep();
    void sweepFiles();
    void singleResultHeadByHead();
    void segmentsAreInNoGroup();
    void rowsAreWarned();
    void badVectors();
    void headWithoutTraining();
    void refusals();

private:
    [[nodiscard]] std::string file(const std::string& name) const { return m_folder.file(name).string(); }

    test::TemporaryFolder m_folder;
    std::string m_cache;
};

void TestCliProbe::initTestCase()
{
    m_cache = file("cache.h5");
    CacheContents contents = test::tellingContents();
    for (const Stage stage : kStages)
        contents.embeddings.push_back(test::tellingVectors(stage, 0, test::kDocuments, false));
    std::stable_sort(contents.embeddings.begin(), contents.embeddings.end(),
                     [](const auto& a, const auto& b) { return a->layer().value() < b->layer().value(); });
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(m_cache, contents, NumberType::F32, job));
}

void TestCliProbe::sweep()
{
    const auto run = runVerb({"probe", m_cache, "--layer", "all", "--stage", "1,2,3", "--json"});
    QVERIFY2(run.code == 0, run.err.c_str());
    QCOMPARE(run.json()["results"].size(), std::size_t{6});
    // Each is what it is alone: nothing goes over from one layer to the next.
    const auto alone = runVerb({"probe", m_cache, "--layer", "1", "--stage", "2", "--json"});
    Json one = alone.json()["results"][0];
    Json same = run.json()["results"][4];
    QCOMPARE(same["layer"].get<int>(), 1);
    QCOMPARE(same["stage"].get<int>(), 2);
    for (const char* timed : {"seconds", "steps"})
    {
        one.erase(timed);
        same.erase(timed);
    }
    QVERIFY(one == same);
    const auto table = runVerb({"probe", m_cache, "--layer", "all", "--stage", "1,2,3"});
    QVERIFY2(contains(table.out, "stage 3 (segments)"), table.out.c_str());
    QVERIFY2(contains(table.out, "Wilson"), table.out.c_str());
}

void TestCliProbe::sweepFiles()
{
    for (const std::string ending : {"csv", "tex", "h5"})
    {
        const auto run = runVerb({"probe", m_cache, "--layer", "all", "--stage", "1,3", "-o", file("sweep." + ending)});
        QVERIFY2(run.code == 0, run.err.c_str());
    }
    const std::string csv = contentsOf(file("sweep.csv"));
    QVERIFY2(csv.starts_with("layer,stage,accuracy,"), csv.c_str());
    QCOMPARE(std::count(csv.begin(), csv.end(), '\n'), std::ptrdiff_t{5});
    QVERIFY(contains(contentsOf(file("sweep.tex")), "\\toprule"));
    const test::GoldenFile h5(file("sweep.h5"));
    QCOMPARE(h5.integers("/probe/sweep/layer"), (std::vector<std::int64_t>{0, 0, 1, 1}));
    QCOMPARE(h5.strings("/probe/sweep/stage"), (std::vector<std::string>{"1", "3", "1", "3"}));
    QCOMPARE(h5.shape("/probe/layer_000_stage3/confusion"), (std::vector<std::int64_t>{4, 4}));
    QCOMPARE(runVerb({"probe", m_cache, "-o", file("sweep.txt")}).code, 2);
}

void TestCliProbe::singleResultHeadByHead()
{
    const auto run = runVerb({"probe", m_cache});
    QVERIFY2(run.code == 0, run.err.c_str());
    for (const char* part : {"split by documents", "Chance is 0.2500", "precision", "recall", "most often taken for",
                             "share keys and values"})
        QVERIFY2(contains(run.out, part), part);
    QVERIFY(contains(runVerb({"probe", m_cache, "--control"}).out, "only chance is left, 0.2500"));
}

void TestCliProbe::segmentsAreInNoGroup()
{
    const auto json = runVerb({"probe", m_cache, "--stage", "3", "--json"});
    QVERIFY(json.json()["results"][0].contains("within_group_error")); // the keys stay
    const auto run = runVerb({"probe", m_cache, "--stage", "3"});
    QVERIFY2(run.code == 0, run.err.c_str());
    QVERIFY2(!contains(run.out, "share keys"), run.out.c_str());
    QVERIFY2(!contains(run.out, "group  "), run.out.c_str());
    QVERIFY2(contains(run.out, "most confused"), run.out.c_str());
    // Of both stages the heads alone have numbers of groups.
    const auto both = runVerb({"probe", m_cache, "--stage", "1,3", "--layer", "1"});
    std::istringstream lines(both.out);
    for (std::string line; std::getline(lines, line);)
        if (contains(line, "3 (segments)"))
            QVERIFY2(contains(line, " -  "), line.c_str());
    QVERIFY(contains(both.out, "segments belong to none"));
}

void TestCliProbe::rowsAreWarned()
{
    QVERIFY(
        contains(runVerb({"probe", m_cache, "--split", "rows"}).err, "vectors of one document stand on both sides"));
    QVERIFY(!contains(runVerb({"probe", m_cache}).err, "both sides"));
}

void TestCliProbe::badVectors()
{
    CacheContents contents = test::tellingContents();
    contents.embeddings[0] = spoiled(*contents.embeddings[0], 1, 3, std::numeric_limits<float>::quiet_NaN());
    contents.embeddings[0] = spoiled(*contents.embeddings[0], 3, 2, 0.0F);
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(file("bad.h5"), contents, NumberType::F32, job));
    const auto run = runVerb({"probe", file("bad.h5"), "--json"});
    QVERIFY2(run.code == 0, run.err.c_str());
    QVERIFY2(contains(run.err, "left out: 3 of head 2"), run.err.c_str());
    QVERIFY2(contains(run.err, "2 vectors are zero"), run.err.c_str());
    const Json result = run.json()["results"][0];
    QCOMPARE(result["left_out"], (Json{0, 3, 0, 0}));
    QCOMPARE(result["zero_vectors"].get<int>(), 2);
}

void TestCliProbe::headWithoutTraining()
{
    CacheContents contents = test::tellingContents();
    contents.embeddings[0] =
        spoiled(*contents.embeddings[0], 2, test::kDocuments, std::numeric_limits<float>::infinity());
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(file("gone.h5"), contents, NumberType::F32, job));
    const auto run = runVerb({"probe", file("gone.h5"), "--json", "-o", file("gone-result.h5")});
    QVERIFY2(run.code == 0, run.err.c_str());
    QVERIFY2(contains(run.err, "no training row of head 3: never predicted"), run.err.c_str());
    const Json result = run.json()["results"][0];
    QCOMPARE(result["untrained"], (Json{3}));
    QVERIFY(result["accuracy"].get<double>() > 0.9);
    QVERIFY(result["converged"].get<bool>());
}

void TestCliProbe::refusals()
{
    const auto one = runVerb({"probe", m_cache, "--heads", "2"});
    QCOMPARE(one.code, 3);
    QVERIFY2(contains(one.err, "at least 2 classes to tell apart, found 1"), one.err.c_str());
    const auto many = runVerb({"probe", m_cache, "--train", "100000"});
    QCOMPARE(many.code, 3);
    QVERIFY2(contains(many.err, "expected at most 192 training rows"), many.err.c_str());
    const auto single = runVerb({"probe", m_cache, "--documents", "5"});
    QCOMPARE(single.code, 3);
    QVERIFY2(contains(single.err, "at least 2 documents"), single.err.c_str());
    QCOMPARE(runVerb({"probe", m_cache, "--documents", "0-1"}).code, 0); // fewer rows than weights: still a fit
    QCOMPARE(runVerb({"probe", m_cache, "--test", "1"}).code, 2);
}

HEADSCOPE_TEST_GUILESS(TestCliProbe)
#include "tst_cli_probe.moc"
