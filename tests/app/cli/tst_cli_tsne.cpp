// SPDX-License-Identifier: GPL-3.0-or-later
// State files, trust and aligned sets of `tsne`: through the verb, and through the built program
// where a real signal matters.
#include "app/cli/verbs/map_comparison.h"
#include "model/data/application_name.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/results/result_writer.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/model/io/foreign_cache.h"
#include "tests/support/golden_file.h"
#include "tests/support/named_point.h"
#include "tests/support/process.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QProcess>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <fstream>

using namespace headscope;
using test::runVerb;
using test::tellingContents;
using JsonValue = nlohmann::json;

class TestCliTsne : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void interruptedProgramGoesOn_data();
    void interruptedProgramGoesOn();
    void goesOnWithMore();
    void stateOfAnotherRun_data();
    void stateOfAnotherRun();
    void stateOfAnotherCacheOfTheSameName();
    void stateIsNoInput();
    void quality();
    void qualityOfAnotherKernel();
    void oneDivergence();
    void seedWithoutAPart();
    void severalSeeds();
    void severalSeedsInCache();
    void aligned();
    void alignedInCache();
    void alignedRefusals_data();
    void alignedRefusals();
    void noiseFloor();
    void noiseFloorOfASet();
    void someHeadsOfTheMap();
    void drawsAStoredMap();
    void saysLayerAndStage();
    void colorsOfLabels();
    void labelsThatNoLegendHolds();
    void colorsOfNumbers();

private:
    [[nodiscard]] std::string file(const std::string& name) const { return m_folder.file(name).string(); }

    test::TemporaryFolder m_folder;
    std::string m_cache;
};

void TestCliTsne::initTestCase()
{
    m_cache = file("cache.h5");
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(m_cache, tellingContents(), NumberType::F32, job));
}

void TestCliTsne::interruptedProgramGoesOn_data()
{
    QTest::addColumn<int>("signal");
    QTest::addColumn<int>("exitCode");
    QTest::newRow("interrupt") << SIGINT << 130;
    QTest::newRow("terminate") << SIGTERM << 143;
}

void TestCliTsne::interruptedProgramGoesOn()
{
    QFETCH(int, signal);
    QFETCH(int, exitCode);
    const std::string state = file("state " + std::to_string(signal) + ".h5"); // a name that needs quotes
    const std::string map = file("map" + std::to_string(signal) + ".h5");
    QStringList arguments = {QStringLiteral("tsne"),         QString::fromStdString(m_cache),
                             QStringLiteral("--iterations"), QStringLiteral("12000"),
                             QStringLiteral("--perplexity"), QStringLiteral("12"),
                             QStringLiteral("--threads"),    QStringLiteral("2")};
    const QString program = QString::fromStdString(test::program("headscope").string());
    QProcess straight;
    straight.start(program, arguments + QStringList{QStringLiteral("--json")});
    QVERIFY(straight.waitForFinished(test::kPatienceMs));
    QCOMPARE(straight.exitCode(), 0);
    const JsonValue whole = JsonValue::parse(straight.readAllStandardOutput().toStdString());

    arguments += {QStringLiteral("--state"), QString::fromStdString(state), QStringLiteral("-o"),
                  QString::fromStdString(map), QStringLiteral("--json")};
    QProcess stopped;
    stopped.setProcessEnvironment(
        test::heldAt({.kind = test::NamedPoint::Kind::Said, .text = QStringLiteral("optimising")}));
    stopped.start(program, arguments + QStringList{QStringLiteral("--progress"), QStringLiteral("json")});
    QVERIFY(test::waitUntilHeld(stopped));
    QVERIFY(test::goOn(stopped, signal));
    QVERIFY(stopped.waitForFinished(test::kPatienceMs));
    const QByteArray progress = stopped.readAllStandardError();
    QVERIFY2(stopped.exitStatus() == QProcess::NormalExit, progress.constData());
    QVERIFY2(stopped.exitCode() == exitCode, progress.constData());
    QVERIFY2(progress.contains("of 12000 iterations, which are saved"), progress.constData());
    QVERIFY2(progress.contains("to continue: headscope tsne "), progress.constData());
    QVERIFY2(progress.contains(("--state '" + state + "'").c_str()), progress.constData());
    QCOMPARE(JsonValue::parse(stopped.readAllStandardOutput().toStdString())["error"]["code"].get<std::string>(),
             std::string("cancelled"));
    QVERIFY(std::filesystem::exists(state));
    QVERIFY(!std::filesystem::exists(map));

    QProcess resumed;
    resumed.start(program, arguments);
    QVERIFY(resumed.waitForFinished(test::kPatienceMs));
    QVERIFY2(resumed.exitCode() == 0, resumed.readAllStandardError().constData());
    const JsonValue rest = JsonValue::parse(resumed.readAllStandardOutput().toStdString());
    QCOMPARE(rest["hash"], whole["hash"]);
    QCOMPARE(rest["kl"], whole["kl"]);
    QCOMPARE(rest["iterations"].get<int>(), 12'000);
    QVERIFY(rest["resumed_from"].get<int>() < 12'000);
    QCOMPARE(test::GoldenFile(map).text("/maps/map", "hash"), whole["hash"].get<std::string>());
}

void TestCliTsne::goesOnWithMore()
{
    const std::string state = file("more.h5");
    const auto run = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {"tsne", m_cache, "--perplexity", "12", "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return runVerb(arguments);
    };
    const auto first = run({"--iterations", "300", "--state", state});
    QVERIFY2(first.code == 0, first.err.c_str());
    QVERIFY(first.json()["resumed_from"].is_null());
    // The same command again: nothing is left to do, and the answer is the same.
    const auto again = run({"--iterations", "300", "--state", state});
    QVERIFY2(again.code == 0, again.err.c_str());
    QCOMPARE(again.json()["hash"], first.json()["hash"]);
    QCOMPARE(again.json()["resumed_from"].get<int>(), 300);
    const auto more = run({"--iterations", "420", "--state", state, "--threads", "3"});
    QVERIFY2(more.code == 0, more.err.c_str());
    QCOMPARE(more.json()["hash"], run({"--iterations", "420"}).json()["hash"]);
    QCOMPARE(more.json()["resumed_from"].get<int>(), 300);
    const auto other = run({"--iterations", "500", "--late-exaggeration", "3", "--state", state});
    QVERIFY2(other.code == 0, other.err.c_str());
    QCOMPARE(other.json()["resumed_from"].get<int>(), 420);
    QVERIFY(other.json()["hash"] != run({"--iterations", "500"}).json()["hash"]);
}

void TestCliTsne::stateOfAnotherRun_data()
{
    QTest::addColumn<QStringList>("change");
    QTest::addColumn<QString>("part");
    const auto words = [](const char* text) { return QString::fromLatin1(text).split(QLatin1Char(' ')); };
    QTest::newRow("stage") << words("--stage 2") << QStringLiteral("the input has changed");
    QTest::newRow("heads") << words("--heads 1-3") << QStringLiteral("expected the state of 180 points of 6 numbers");
    QTest::newRow("perplexity") << words("--perplexity 10") << QStringLiteral("perplexity: expected 12");
    QTest::newRow("metric") << words("--metric cosine") << QStringLiteral("metric: expected euclidean");
    QTest::newRow("init") << words("--init random") << QStringLiteral("init: expected pca");
    QTest::newRow("affinities") << words("--affinities dense") << QStringLiteral("affinities: expected sparse");
    QTest::newRow("seed") << words("--seed 5") << QStringLiteral("seed: expected 1");
    QTest::newRow("fewer") << words("--iterations 10") << QStringLiteral("expected at least the 40 iterations");
}

void TestCliTsne::stateOfAnotherRun()
{
    QFETCH(QStringList, change);
    QFETCH(QString, part);
    const std::string state = file("other.h5");
    std::vector<std::string> arguments = {"tsne",         m_cache, "--state",      state,
                                          "--iterations", "40",    "--perplexity", "12"};
    if (!std::filesystem::exists(state))
        QCOMPARE(runVerb(arguments).code, 0);
    const auto replaced = std::find(arguments.begin(), arguments.end(), change.at(0).toStdString());
    if (replaced != arguments.end())
        *(replaced + 1) = change.at(1).toStdString();
    else
        arguments.insert(arguments.end(), {change.at(0).toStdString(), change.at(1).toStdString()});
    const auto run = runVerb(arguments);
    QVERIFY2(run.code == 3, run.err.c_str());
    QVERIFY2(run.err.starts_with("headscope: " + state + ": "), run.err.c_str());
    QVERIFY2(run.err.find(part.toStdString()) != std::string::npos, run.err.c_str());
}

/// The state of a run belongs to its vectors, whatever their file is called.
void TestCliTsne::stateOfAnotherCacheOfTheSameName()
{
    const std::string cache = file("named.h5");
    const std::string state = file("named.state.h5");
    HEADSCOPE_VERIFY_OK(test::writeForeignCache(cache));
    const std::vector<std::string> words = {"tsne", cache, "--state", state, "--iterations", "20", "--json"};
    QCOMPARE(runVerb(words).code, 0);
    QCOMPARE(runVerb(words).json()["resumed_from"].get<int>(), 20);
    HEADSCOPE_VERIFY_OK(test::changeForeignCacheUnseen(cache));
    const auto run = runVerb(words);
    QVERIFY2(run.code == 3, run.err.c_str());
    QVERIFY2(run.err.find("the input has changed") != std::string::npos, run.err.c_str());
}

void TestCliTsne::stateIsNoInput()
{
    const auto onCache = runVerb({"tsne", m_cache, "--state", m_cache, "--iterations", "5"});
    QCOMPARE(onCache.code, 2);
    const auto onOutput =
        runVerb({"tsne", m_cache, "--state", file("x.h5"), "-o", file("./x.h5"), "--iterations", "5"});
    QCOMPARE(onOutput.code, 2);
    QVERIFY2(onOutput.err.find("--state") != std::string::npos, onOutput.err.c_str());
    const auto text = file("notes.txt");
    std::ofstream(text) << "mine";
    const auto onText = runVerb({"tsne", m_cache, "--state", text, "--iterations", "5"});
    QVERIFY2(onText.code == 3, onText.err.c_str());
    QCOMPARE(std::filesystem::file_size(text), std::uintmax_t{4});
    QCOMPARE(runVerb({"tsne", m_cache, "--state", "/no/such/folder/s.h5", "--iterations", "5"}).code, 4);
}

void TestCliTsne::quality()
{
    const auto map = file("trust.h5");
    const auto run =
        runVerb({"tsne", m_cache, "--iterations", "120", "--perplexity", "12", "--quality", "-o", map, "--json"});
    QVERIFY2(run.code == 0, run.err.c_str());
    const JsonValue quality = run.json()["quality"];
    const auto verb = runVerb({"quality", m_cache, "--map", map + ":/maps/map/xy", "--perplexity", "12", "--json"});
    QVERIFY2(verb.code == 0, verb.err.c_str());
    const test::GoldenFile written(map);
    for (const char* key : {"kl_exact", "knn10", "trustworthiness", "continuity", "spearman"})
    {
        QCOMPARE(quality[key], verb.json()[key]);
        QCOMPARE(written.number("/maps/map", key), quality[key].get<double>());
    }
    QCOMPARE(quality["sampled"].get<int>(), 240);
    const auto plain = runVerb({"tsne", m_cache, "--iterations", "5", "--json"});
    QVERIFY(!plain.json().contains("quality"));
}

/// A map is judged by the kernel it was made with: its file says which.
void TestCliTsne::qualityOfAnotherKernel()
{
    const std::string map = file("dof.h5");
    const auto run = runVerb({"tsne", m_cache, "--iterations", "200", "--perplexity", "12", "--dof", "0.5", "--quality",
                              "-o", map, "--json"});
    QVERIFY2(run.code == 0, run.err.c_str());
    const auto quality = [&](std::vector<std::string> more) {
        std::vector<std::string> words = {"quality",      m_cache, "--map", map + ":/maps/map/xy",
                                          "--perplexity", "12",    "--json"};
        words.insert(words.end(), more.begin(), more.end());
        return runVerb(words);
    };
    const auto own = quality({});
    QVERIFY2(own.code == 0, own.err.c_str());
    QCOMPARE(own.json()["degrees_of_freedom"].get<double>(), 0.5);
    const double kl = run.json()["kl"].get<double>();
    const double exact = own.json()["kl_exact"].get<double>();
    QVERIFY2(std::abs(exact - kl) < 0.01 * kl, qPrintable(QStringLiteral("%1, the run %2").arg(exact).arg(kl)));
    QCOMPARE(run.json()["quality"]["kl_exact"].get<double>(), exact);
    QVERIFY(std::abs(quality({"--dof", "1"}).json()["kl_exact"].get<double>() - exact) > 0.02 * kl);
    QCOMPARE(quality({"--dof", "0"}).code, 2);
}

/// The divergence of the run and the one to compare by have one P by default; a dense map says that its own is another.
void TestCliTsne::oneDivergence()
{
    const auto made = [&](const std::string& affinities, const std::string& name) {
        std::vector<std::string> words = {"tsne", m_cache,     "--iterations", "200",      "--perplexity",
                                          "12",   "--quality", "-o",           file(name), "--json"};
        if (!affinities.empty())
            words.insert(words.end(), {"--affinities", affinities});
        return runVerb(words);
    };
    const auto sparse = made("", "sparse.h5");
    QVERIFY2(sparse.code == 0, sparse.err.c_str());
    const JsonValue json = sparse.json();
    QCOMPARE(json["affinities"].get<std::string>(), std::string("sparse"));
    QCOMPARE(json["affinity_neighbors"].get<int>(), 36);
    QCOMPARE(json["quality"]["kl_exact_neighbors"].get<int>(), 36);
    const double kl = json["kl"].get<double>();
    const double exact = json["quality"]["kl_exact"].get<double>();
    QVERIFY2(std::abs(kl - exact) < 1e-4 * exact, qPrintable(QStringLiteral("%1 and %2").arg(kl).arg(exact)));
    const auto verb = runVerb({"quality", m_cache, "--map", file("sparse.h5") + ":/maps/map/xy", "--json"});
    QVERIFY2(verb.code == 0, verb.err.c_str());
    QCOMPARE(verb.json()["perplexity"].get<double>(), 12.0); // that of the map
    QCOMPARE(verb.json()["kl_exact"].get<double>(), exact);
    QCOMPARE(test::GoldenFile(file("sparse.h5")).text("/maps/map", "affinities"), std::string("sparse"));

    const auto dense = made("dense", "dense.h5");
    QVERIFY2(dense.code == 0, dense.err.c_str());
    QCOMPARE(dense.json()["affinities"].get<std::string>(), std::string("dense"));
    QVERIFY(dense.json()["affinity_neighbors"].is_null());
    const double own = dense.json()["kl"].get<double>();
    const double comparable = dense.json()["quality"]["kl_exact"].get<double>();
    QVERIFY2(std::abs(comparable - own) > 1e-4 * own, qPrintable(QStringLiteral("%1 and %2").arg(own).arg(comparable)));
    QVERIFY(dense.json()["hash"] != json["hash"]);
    QCOMPARE(test::GoldenFile(file("dense.h5")).text("/maps/map", "affinities"), std::string("dense"));
    QCOMPARE(runVerb({"tsne", m_cache, "--affinities", "thick"}).code, 2);
}

void TestCliTsne::seedWithoutAPart()
{
    const auto run = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"tsne", m_cache, "--iterations", "30", "--perplexity", "12"});
        return runVerb(more);
    };
    const JsonValue first = run({"--json"}).json();
    const JsonValue other = run({"--json", "--seed", "7"}).json();
    QCOMPARE(other["hash"], first["hash"]);
    QCOMPARE(other["start"].get<std::string>(), std::string("PCA initialization"));
    QVERIFY(other["seed"].is_null());
    const JsonValue random = run({"--json", "--seed", "7", "--init", "random"}).json();
    QCOMPARE(random["start"].get<std::string>(), std::string("random initialization, seed 7"));
    QCOMPARE(random["seed"].get<int>(), 7);
    const auto printed = run({"--seed", "7"});
    QVERIFY2(printed.out.find("PCA initialization\n") != std::string::npos, printed.out.c_str());
    QVERIFY2(printed.out.find("sparse affinities (36 neighbours)") != std::string::npos, printed.out.c_str());
    QVERIFY2(printed.out.find("seed") == std::string::npos, printed.out.c_str());
}

void TestCliTsne::severalSeeds()
{
    const std::string path = file("seeds.h5");
    const std::vector<std::string> words = {"tsne",    m_cache, "--iterations", "120", "--perplexity", "12",
                                            "--seeds", "3",     "--seed",       "5"};
    auto asJson = words;
    asJson.insert(asJson.end(), {"--json", "--quality", "-o", path});
    const auto run = runVerb(asJson);
    QVERIFY2(run.code == 0, run.err.c_str());
    const JsonValue json = run.json();
    QCOMPARE(json["jitter"].get<double>(), 0.01);
    QCOMPARE(json["maps"].size(), std::size_t{3});
    QCOMPARE(json["maps"][0]["seed"].get<int>(), 5);
    QCOMPARE(json["maps"][2]["name"].get<std::string>(), std::string("map-seed7"));
    QVERIFY(json["maps"][0]["hash"] != json["maps"][1]["hash"]);
    QVERIFY(json["maps"][1]["quality"]["knn10"].is_number());
    const JsonValue agreement = json["agreement"];
    QCOMPARE(agreement["k"].get<int>(), 10);
    QCOMPARE(agreement["pairs"].size(), std::size_t{3});
    double mean = 0;
    for (const JsonValue& pair : agreement["pairs"])
        mean += pair["neighbors_kept"].get<double>() / 3;
    QVERIFY(std::abs(mean - agreement["neighbors_kept"].get<double>()) < 1e-12);
    QVERIFY(mean > agreement["chance"].get<double>() && mean <= 1);
    QVERIFY(agreement["correlation"].get<double>() > 0 && agreement["correlation"].get<double>() <= 1);
    const test::GoldenFile written(path);
    QCOMPARE(written.number("/maps/map-seed6", "seed"), 6.0);
    QCOMPARE(written.number("/maps/map-seed6", "start_jitter"), 0.01);
    QCOMPARE(written.text("/maps/map-seed7", "hash"), json["maps"][2]["hash"].get<std::string>());
    // One of them alone, by its parameters.
    const auto alone = runVerb(
        {"tsne", m_cache, "--iterations", "120", "--perplexity", "12", "--seed", "6", "--jitter", "0.01", "--json"});
    QVERIFY2(alone.code == 0, alone.err.c_str());
    QCOMPARE(alone.json()["hash"], json["maps"][1]["hash"]);
    QCOMPARE(alone.json()["start"].get<std::string>(),
             std::string("PCA initialization jittered by 1% of its spread, seed 6"));

    const auto printed = runVerb(words);
    // 240 points of 4 heads: what maps keep that have nothing in common, and that only know the heads.
    QCOMPARE(agreement["chance"].get<double>(), 10.0 / 239);
    QCOMPARE(agreement["chance_within_heads"].get<double>(), 10.0 / 59);
    QVERIFY(agreement["correlation_shuffled"] < agreement["correlation"]);
    for (const char* word :
         {"range over 3 pairs, which have maps in common: ", "perplexity",
          "chance: unrelated maps share 4.2%, maps that only separate the heads share 16.9%. Proportion of a point's "
          "10",
          "documents permuted inside heads: ", "comparable only with maps", "not measured (--quality"})
        QVERIFY2(printed.out.find(word) != std::string::npos, (word + ('\n' + printed.out)).c_str());
    auto two = words;
    two[7] = "2";
    const auto pair = runVerb(two);
    QVERIFY2(pair.out.find("for one pair of maps") != std::string::npos, pair.out.c_str());
    QVERIFY2(pair.out.find("range over") == std::string::npos, pair.out.c_str());
    auto refused = [&](std::vector<std::string> more, const char* part) {
        more.insert(more.begin(), words.begin(), words.end());
        const auto wrong = runVerb(more);
        QCOMPARE(wrong.code, 2);
        QVERIFY2(wrong.err.find(part) != std::string::npos, wrong.err.c_str());
    };
    refused({"--aligned"}, "--seeds: cannot be combined with --aligned");
    refused({"--state", file("s.h5")}, "--state: cannot be combined with --seeds");
    refused({"-o", file("x.png")}, "expected a name ending in .h5 for several maps");
}

void TestCliTsne::severalSeedsInCache()
{
    const auto copy = file("seeds copy.h5");
    std::filesystem::copy_file(m_cache, copy);
    const std::vector<std::string> words = {"tsne",    copy, "--iterations", "20",   "--perplexity", "8",
                                            "--seeds", "2",  "--save",       "twice"};
    QCOMPARE(runVerb(words).code, 0);
    const auto cache = CacheReader::open(copy);
    HEADSCOPE_VERIFY_OK(cache);
    QCOMPARE((*cache)->info().maps, (std::vector<std::string>{"twice-seed1", "twice-seed2"}));
    QVERIFY((*cache)->info().notices.empty());
    JobContext job;
    const auto map = (*cache)->map("twice-seed2", job);
    HEADSCOPE_VERIFY_OK(map);
    QCOMPARE(map->options.seed, 2u);
    QCOMPARE(map->options.startJitter, 0.01);
    QCOMPARE(runVerb(words).code, 2); // the names are taken
}

void TestCliTsne::aligned()
{
    const auto path = file("set.h5");
    const std::vector<std::string> arguments = {"tsne", m_cache,        "--aligned", "--stage",      "1,3", "--heads",
                                                "1-3",  "--iterations", "80",        "--perplexity", "8",   "--json"};
    auto withOutput = arguments;
    withOutput.insert(withOutput.end(), {"-o", path, "--quality", "--threads", "2"});
    const auto run = runVerb(withOutput);
    QVERIFY2(run.code == 0, run.err.c_str());
    const JsonValue json = run.json();
    QCOMPARE(json["points"].get<int>(), 60);
    QCOMPARE(json["maps"].size(), std::size_t{7});
    QCOMPARE(json["maps"][0]["name"].get<std::string>(), std::string("full"));
    QVERIFY(json["maps"][0]["head"].is_null());
    QCOMPARE(json["maps"][1]["name"].get<std::string>(), std::string("s1_h00"));
    QCOMPARE(json["maps"][1]["head"].get<int>(), 1);
    QCOMPARE(json["maps"][6]["name"].get<std::string>(), std::string("s3_h02"));
    QVERIFY(json["maps"][2]["quality"]["knn10"].is_number());
    // No mean of divergences that cannot be compared; segments are no heads.
    QVERIFY(!json.contains("kl") && json["maps"][1]["kl"].is_number());
    QVERIFY(json["maps"][0]["unit"].is_null());
    QCOMPARE(json["maps"][1]["unit"].get<std::string>(), std::string("head"));
    QCOMPARE(json["maps"][6]["unit"].get<std::string>(), std::string("segment"));
    QCOMPARE(json["chance"].get<double>(), 10.0 / 59);
    auto text = withOutput;
    text.erase(std::ranges::find(text, "--json"));
    text.emplace_back("--overwrite");
    const auto printed = runVerb(text);
    QVERIFY2(printed.code == 0, printed.err.c_str());
    for (const char* word : {" row ", "head 3", "segment 3", "principal components of all heads or segments",
                             "unrelated maps share 16.9%", "perplexity"})
        QVERIFY2(printed.out.find(word) != std::string::npos, (word + ('\n' + printed.out)).c_str());
    QVERIFY(printed.out.find("mean KL") == std::string::npos);
    auto alone = arguments;
    alone.insert(alone.end(), {"--threads", "5"});
    QCOMPARE(runVerb(alone).json()["hash"], json["hash"]);

    const test::GoldenFile written(path);
    QCOMPARE(written.number("/maps/map", "aligned"), 7.0);
    QCOMPARE(written.text("/maps/map", "hash"), json["hash"].get<std::string>());
    QCOMPARE(written.shape("/maps/map/start"), (std::vector<std::int64_t>{60, 2}));
    QCOMPARE(written.shape("/maps/map/s3_h02/xy"), (std::vector<std::int64_t>{60, 2}));
    QCOMPARE(written.integers("/maps/map/s3_h02/head")[59], 2);
    QCOMPARE(written.integers("/maps/map/s3_h02/document")[59], 59);
    QVERIFY(!written.has("/maps/map/full/head"));
    // What was written is a map like any other.
    const auto verb = runVerb(
        {"quality", m_cache, "--stage", "3", "--map", path + ":/maps/map/s3_h02/xy", "--perplexity", "8", "--json"});
    QVERIFY2(verb.code == 0, verb.err.c_str());
    QCOMPARE(verb.json()["knn10"], json["maps"][6]["quality"]["knn10"]);
    QCOMPARE(verb.json()["kl_exact"], json["maps"][6]["quality"]["kl_exact"]);
}

void TestCliTsne::alignedInCache()
{
    const auto copy = file("copy.h5");
    std::filesystem::copy_file(m_cache, copy);
    const std::vector<std::string> arguments = {"tsne",         copy, "--aligned",    "--save", "small/multiples",
                                                "--iterations", "20", "--perplexity", "8"};
    const auto saved = runVerb(arguments);
    QVERIFY2(saved.code == 0, saved.err.c_str());
    QVERIFY2(saved.out.find("s1_h03") != std::string::npos, saved.out.c_str());
    JobContext job;
    const auto cache = CacheReader::open(copy);
    HEADSCOPE_VERIFY_OK(cache);
    QVERIFY((*cache)->info().maps.empty());
    QCOMPARE((*cache)->info().mapSets, std::vector<std::string>{"small/multiples"});
    QVERIFY((*cache)->info().notices.empty());
    const auto map = (*cache)->map("small/multiples/s1_h02", job);
    HEADSCOPE_VERIFY_OK(map);
    QCOMPARE(map->points->head[7], 2);
    QCOMPARE(map->xy.rows(), 60);
    const auto full = (*cache)->map("small/multiples/full", job);
    HEADSCOPE_VERIFY_OK(full);
    HEADSCOPE_VERIFY_ERROR((*cache)->map("small/multiples/s9", job), ErrorCode::BadFormat, "");
    const auto whole = (*cache)->mapSet("small/multiples", job);
    HEADSCOPE_VERIFY_OK(whole);
    QCOMPARE(whole->maps.front().map.name, std::string("small/multiples/full"));
    QCOMPARE(whole->maps[3].map.name, std::string("small/multiples/s1_h02"));
    QVERIFY(whole->maps[3].map.xy == map->xy);
    QVERIFY(whole->maps[3].correlation > 0);
    QCOMPARE(whole->start.rows(), 60);
    QVERIFY(!whole->hash.empty() && !whole->fullSource.empty());
    HEADSCOPE_VERIFY_ERROR((*cache)->mapSet("small", job), ErrorCode::InvalidArgument, "");
    QCOMPARE(runVerb(arguments).code, 2); // the name is taken
    auto again = arguments;
    again.emplace_back("--overwrite");
    QCOMPARE(runVerb(again).code, 0);
    QVERIFY(runVerb({"inspect", copy}).out.find("small/multiples") != std::string::npos);
}

void TestCliTsne::alignedRefusals_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("part");
    const auto add = [](const char* name, const char* arguments, int code, const char* part) {
        QTest::newRow(name) << QString::fromLatin1(arguments).split(QLatin1Char(' ')) << code
                            << QString::fromLatin1(part);
    };
    add("state", "CACHE --aligned --state s.h5", 2, "--state: cannot be combined with --aligned");
    add("matrix", "--vectors KNN:/X --aligned", 2, "--aligned: this option needs a cache");
    add("picture", "CACHE --aligned -o x.png", 2, "-o: expected a name ending in .h5");
    add("perplexity", "CACHE --aligned --perplexity 70", 3, "perplexity from 1 to 59");
}

void TestCliTsne::alignedRefusals()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, code);
    QFETCH(QString, part);
    std::vector<std::string> all = {"tsne"};
    for (QString argument : arguments)
    {
        argument.replace(QStringLiteral("CACHE"), QString::fromStdString(m_cache));
        argument.replace(QStringLiteral("KNN"), QString::fromStdString(test::golden("analysis/knn.h5").string()));
        all.push_back(argument.toStdString());
    }
    const auto run = runVerb(all);
    QVERIFY2(run.code == code, run.err.c_str());
    QVERIFY2(run.err.find(part.toStdString()) != std::string::npos, run.err.c_str());
}

void TestCliTsne::noiseFloor()
{
    const auto tsne = [&](const char* heads, const std::string& path, bool floor) {
        std::vector<std::string> words = {"tsne",         m_cache, "--heads", heads, "--iterations", "300",
                                          "--perplexity", "8",     "-o",      path,  "--json"};
        if (floor)
            words.insert(words.end(), {"--noise-floor", "3"});
        return runVerb(words);
    };
    const std::string one = file("one.h5");
    const std::string two = file("two.h5");
    const auto run = tsne("1", one, true);
    QVERIFY2(run.code == 0, run.err.c_str());
    const JsonValue floor = run.json()["noise_floor"];
    QCOMPARE(floor["twins"].get<int>(), 3);
    QVERIFY(floor["correlation_least"] <= floor["correlation"] && floor["correlation"] <= floor["correlation_most"]);
    QVERIFY(floor["chance_within_heads"].is_null()); // one head
    QVERIFY(floor["correlation_shuffled"] < floor["correlation"]);
    QCOMPARE(floor["noise"].get<double>(), 1e-4);
    QCOMPARE(floor["neighbors"].get<int>(), 10);
    QCOMPARE(floor["chance"].get<double>(), 10.0 / 59);
    QVERIFY(floor["kept_least"] <= floor["kept"] && floor["kept"] <= floor["kept_most"]);
    const test::GoldenFile written(one);
    QCOMPARE(written.number("/maps/map", "noise_floor_kept"), floor["kept"].get<double>());
    QCOMPARE(written.number("/maps/map", "noise_floor_correlation"), floor["correlation"].get<double>());
    const auto plain = tsne("2", two, false);
    QVERIFY2(plain.code == 0, plain.err.c_str());
    QVERIFY(!plain.json().contains("noise_floor"));

    // Where two maps are compared, the floor that a file carries stands beside the difference.
    const auto compare = [&](const std::string& map, const std::string& other, bool json) {
        std::vector<std::string> words = {"quality",      m_cache, "--map",     map + ":/maps/map/xy",
                                          "--perplexity", "8",     "--against", other + ":/maps/map/xy"};
        if (json)
            words.emplace_back("--json");
        return runVerb(words);
    };
    const auto apart = compare(two, one, true);
    QVERIFY2(apart.code == 0, apart.err.c_str());
    const JsonValue against = apart.json()["against"];
    QCOMPARE(against["matched_by"].get<std::string>(), std::string("document"));
    QCOMPARE(against["points"].get<int>(), 60);
    QVERIFY(against["kept_ci95"][0] < against["kept"] && against["kept"] < against["kept_ci95"][1]);
    QVERIFY(compare(two, one, false).out.find("of the nearest neighbours, 95%: ") != std::string::npos);
    QVERIFY(against["noise_floor"].is_null());
    QCOMPARE(against["other_noise_floor"], floor);
    QVERIFY(against["noise_difference"].is_null());
    const JsonValue difference = against["other_noise_difference"];
    QCOMPARE(difference["finding"], against["noise_finding"]);
    QVERIFY(difference["ci95"][0] < difference["value"] && difference["value"] < difference["ci95"][1]);
    const bool told = against["noise_finding"] == "above" || against["noise_finding"] == "within";
    QCOMPARE(against["exceeds_noise"].is_boolean(), told);
    QVERIFY(compare(two, one, false).out.find("noise floor, other") != std::string::npos);
    const JsonValue same = compare(one, one, true).json()["against"];
    QCOMPARE(same["kept"].get<double>(), 1.0);
    QCOMPARE(same["matched_by"].get<std::string>(), std::string("point"));
    QCOMPARE(same["exceeds_noise"].get<bool>(), false);
    QVERIFY(compare(two, two, true).json()["against"]["exceeds_noise"].is_null());
    QVERIFY(compare(one, one, false).out.find("within the noise floor") != std::string::npos);
    QVERIFY(compare(one, one, false).out.find("over documents and 3 noise replicates") != std::string::npos);
    QVERIFY(compare(two, two, false).out.find("not known for these points") != std::string::npos);

    // One twin tells nothing: another draw of the noise gives another number.
    const std::string single = file("single.h5");
    const auto few = runVerb({"tsne", m_cache, "--heads", "1", "--iterations", "300", "--perplexity", "8", "-o", single,
                              "--noise-floor", "1"});
    QVERIFY2(few.out.find("; only one noise replicate") != std::string::npos, few.out.c_str());
    const JsonValue undecided = compare(two, single, true).json()["against"];
    QVERIFY(undecided["exceeds_noise"].is_null());
    QVERIFY(undecided["other_noise_difference"]["ci95"].is_null());
    QVERIFY(undecided["other_noise_difference"]["value"].is_number());
    QCOMPARE(undecided["noise_finding"].get<std::string>(), std::string("too_few_twins"));
    const std::string said = compare(two, single, false).out;
    QVERIFY2(said.find("for this one noise replicate only (no interval)") != std::string::npos, said.c_str());
    QVERIFY2(said.find("other's replicates minus map") != std::string::npos, said.c_str());
    QVERIFY2(said.find("at least 3 replicates are needed") != std::string::npos, said.c_str());

    const auto state = runVerb({"tsne", m_cache, "--noise-floor", "1", "--state", file("floor state.h5")});
    QCOMPARE(state.code, 2);
    QVERIFY(state.err.find("--noise-floor: cannot be combined with --state") != std::string::npos);
}

void TestCliTsne::noiseFloorOfASet()
{
    const std::string path = file("floors.h5");
    const std::vector<std::string> words = {"tsne", m_cache, "--aligned", "--heads",      "1-3", "--iterations",
                                            "300",  "-o",    path,        "--perplexity", "8",   "--noise-floor",
                                            "1"};
    auto json = words;
    json.insert(json.end(), {"--json", "--overwrite"});
    const auto text = runVerb(words);
    QVERIFY2(text.code == 0, text.err.c_str());
    const auto early = runVerb({"tsne", m_cache, "--iterations", "250", "--perplexity", "8"});
    QVERIFY2(early.err.find("during its early exaggeration") != std::string::npos, early.err.c_str());
    const JsonValue earlyJson = runVerb({"tsne", m_cache, "--iterations", "60", "--perplexity", "8", "--json"}).json();
    QVERIFY(earlyJson["notices"][0].get<std::string>().starts_with("the run finished after 60 iterations"));
    const auto later = runVerb({"tsne", m_cache, "--iterations", "251", "--perplexity", "8"});
    QVERIFY2(later.err.find("during its early exaggeration") == std::string::npos, later.err.c_str());
    for (const char* word : {"with others", "with replicate", "replicate - others", "for this noise replicate only",
                             "shows nothing about the data", "r with the documents permuted: at most 0."})
        QVERIFY2(text.out.find(word) != std::string::npos, word);
    for (const char* word : {"above noise", "within noise\n", "95%"})
        QVERIFY2(text.out.find(word) == std::string::npos, text.out.c_str());
    const auto run = runVerb(json);
    QVERIFY2(run.code == 0, run.err.c_str());
    const test::GoldenFile written(path);
    const JsonValue told = run.json();
    for (const JsonValue& map : told["maps"])
    {
        QVERIFY(map["noise_difference"]["ci95"].is_null() && map["noise_difference"]["value"].is_number());
        QVERIFY(map["exceeds_noise"].is_null());
        const double permuted = map["others"]["correlation_shuffled"];
        QVERIFY2(permuted > 0 && permuted < 0.5, std::to_string(permuted).c_str());
        const std::string group = "/maps/map/" + map["name"].get<std::string>();
        QCOMPARE(written.number(group, "noise_floor_kept"), map["noise_floor"]["kept"].get<double>());
        QCOMPARE(written.number(group, "others_kept"), map["others"]["kept"].get<double>());
    }
    // Three twins have a spread, and verdicts that take it into account.
    auto three = json;
    std::ranges::replace(three, "1", "3");
    for (const JsonValue& map : runVerb(three).json()["maps"])
    {
        const JsonValue difference = map["noise_difference"];
        QVERIFY(difference["ci95"][0] < difference["value"] && difference["value"] < difference["ci95"][1]);
        const bool excludesZero = difference["ci95"][0] > 0.0 || difference["ci95"][1] < 0.0;
        QVERIFY(map["exceeds_noise"].is_null() || excludesZero);
        const bool among = map["others"]["kept"] >= map["noise_floor"]["kept_least"] &&
                           map["others"]["kept"] <= map["noise_floor"]["kept_most"];
        QVERIFY(map["exceeds_noise"].is_null() || !among);
    }
    std::erase(three, "--json");
    const auto ranges = runVerb(three);
    for (const char* word : {"with replicates", "range: over the 3 noise replicates", "4 maps are tested, each at 95%"})
        QVERIFY2(ranges.out.find(word) != std::string::npos, (word + ('\n' + ranges.out)).c_str());
    // What a file holds of it is read back.
    JobContext job;
    auto stored = m_folder.file("floors in cache.h5").string();
    std::filesystem::copy_file(m_cache, stored);
    HEADSCOPE_VERIFY_OK(CacheReader::open(stored, job));
    const auto saved = runVerb({"tsne", stored, "--aligned", "--heads", "1,2", "--iterations", "60", "--perplexity",
                                "8", "--noise-floor", "1", "--save", "set", "--json"});
    QVERIFY2(saved.code == 0, saved.err.c_str());
    const auto cache = CacheReader::open(stored, job);
    HEADSCOPE_VERIFY_OK(cache);
    const auto set = (*cache)->mapSet("set", job);
    HEADSCOPE_VERIFY_OK(set);
    for (std::size_t m = 0; m < set->maps.size(); ++m)
    {
        const JsonValue map = saved.json()["maps"][m];
        QVERIFY(set->maps[m].map.floor && set->maps[m].others);
        QCOMPARE(set->maps[m].map.floor->mean.kept, map["noise_floor"]["kept"].get<double>());
        QCOMPARE(set->maps[m].map.floor->noiseSeed, std::uint64_t{1});
        QCOMPARE(set->maps[m].others->correlation, map["others"]["correlation"].get<double>());
    }
}

void TestCliTsne::someHeadsOfTheMap()
{
    const auto picture = [&](const std::string& name, std::vector<std::string> more) {
        std::vector<std::string> words = {"tsne", m_cache, "--iterations", "60", "--perplexity", "8", "-o", file(name)};
        words.insert(words.end(), more.begin(), more.end());
        return runVerb(words);
    };
    const auto about = [&](const std::string& name) {
        std::ifstream stream(file(name));
        return std::string(std::istreambuf_iterator<char>(stream), {});
    };
    const auto zoom = picture("zoom.svg", {"--show-heads", "1,2"});
    QVERIFY2(zoom.code == 0, zoom.err.c_str());
    QVERIFY(about("zoom.svg").find("Shown: heads 1\u20132, a zoom of the map of all 4 heads.") != std::string::npos);
    const auto panels = picture("panels.svg", {"--panels", "heads", "--color", "strength"});
    QVERIFY2(panels.code == 0, panels.err.c_str());
    for (const char* words : {">Head 1<", ">Head 4<", "One panel per head, all with the same axes."})
        QVERIFY2(about("panels.svg").find(words) != std::string::npos, words);
    const auto refused = [&](std::vector<std::string> more, int code, const char* words) {
        const auto run = picture("refused.svg", std::move(more));
        QCOMPARE(run.code, code);
        QVERIFY2(run.err.find(words) != std::string::npos, run.err.c_str());
    };
    refused({"--show-heads", "9"}, 3, "--show-heads");
    refused({"--heads", "1,2", "--show-heads", "3"}, 3, "head 3 is not on the map");
    const auto table = runVerb({"tsne", m_cache, "--show-heads", "1", "--iterations", "5", "-o", file("t.csv")});
    QCOMPARE(table.code, 2);
    QVERIFY(table.err.find("--show-heads: expected a figure file") != std::string::npos);
}

void TestCliTsne::drawsAStoredMap()
{
    const std::vector<std::string> run = {"--iterations", "60", "--perplexity", "8",     "--stage", "3",
                                          "--seed",       "7",  "--init",       "random"};
    const auto made = [&](std::vector<std::string> words) {
        words.insert(words.end(), run.begin(), run.end());
        return runVerb(words);
    };
    QCOMPARE(made({"tsne", m_cache, "-o", file("kept.h5")}).code, 0);
    QCOMPARE(made({"tsne", m_cache, "-o", file("run.csv")}).code, 0);
    const std::string map = file("kept.h5") + ":/maps/map/xy";
    const auto drawn = runVerb({"tsne", m_cache, "--map", map, "-o", file("drawn.svg"), "--recipe", "--json"});
    QVERIFY2(drawn.code == 0, drawn.err.c_str());
    QCOMPARE(drawn.json()["stage"].get<int>(), 3);
    QCOMPARE(drawn.json()["seed"].get<int>(), 7);
    QCOMPARE(drawn.json()["iterations"].get<int>(), 60);
    QCOMPARE(drawn.json()["application"].get<std::string>(), applicationName());
    for (const char* word : {"(for these affinities, as estimated by the run)", "Colour: Segment."})
        QVERIFY2(drawn.json()["figure"]["caption"].get<std::string>().find(word) != std::string::npos, word);
    // A map that another version made says so, when it is drawn.
    JobContext job;
    auto older = cli::readNamedMap(map, job);
    HEADSCOPE_VERIFY_OK(older);
    (*older)->application = "Headscope 0.0.1";
    HEADSCOPE_VERIFY_OK(writeMapFile(file("older.h5"), **older, job));
    const auto stale = runVerb({"tsne", m_cache, "--map", file("older.h5") + ":/maps/map/xy", "-o", file("older.svg")});
    QVERIFY2(stale.out.find("Headscope 0.0.1, but this is " + applicationName()) != std::string::npos,
             stale.out.c_str());
    const auto bytes = [&](const std::string& name) {
        std::ifstream stream(file(name), std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(stream), {});
    };
    QCOMPARE(bytes("drawn.csv"), bytes("run.csv")); // the dots are those of the run
    // And back from the recipe, which names the map's file.
    const auto again = runVerb({"figure", file("drawn.svg"), "-o", file("again.svg")});
    QVERIFY2(again.code == 0, again.err.c_str());
    QCOMPARE(bytes("again.svg"), bytes("drawn.svg"));
    const auto zoom = runVerb({"tsne", m_cache, "--map", map, "-o", file("few.svg"), "--show-heads", "1,2"});
    QVERIFY2(zoom.code == 0, zoom.err.c_str());
    QVERIFY(bytes("few.svg").find("a zoom of the map of all 4") != std::string::npos);
    const auto refused = [&](std::vector<std::string> more, int code, const char* words) {
        more.insert(more.begin(), "tsne");
        const auto outcome = runVerb(more);
        QCOMPARE(outcome.code, code);
        QVERIFY2(outcome.err.find(words) != std::string::npos, outcome.err.c_str());
    };
    const std::string picture = file("refused.svg");
    refused({m_cache, "--map", map}, 2, "--map: expected a figure file to write");
    refused({m_cache, "--map", map, "-o", file("t.csv")}, 2, "--map: expected a figure file to write");
    refused({m_cache, "--map", map, "-o", picture, "--perplexity", "9"}, 2,
            "cannot be combined with options that "
            "select points");
    refused({m_cache, "--map", map, "-o", picture, "--heads", "1"}, 2,
            "cannot be combined with options that select "
            "points");
    refused({m_cache, "--map", map, "-o", picture, "--stage", "2"}, 3, "expected the layer and stage of the map");
    refused({m_cache, "--map", file("kept.h5") + ":/maps/map/head", "-o", picture}, 3, "expected a map of heads");
    // Another cache of the same shape, whose vectors the map was not made from.
    auto other = tellingContents();
    other.embeddings.clear();
    for (const Stage stage : kStages)
        other.embeddings.push_back(test::tellingVectors(stage, 1, test::kDocuments, true));
    HEADSCOPE_VERIFY_OK(writeCache(file("other.h5"), other, NumberType::F32, job));
    refused({file("other.h5"), "--map", map, "-o", picture}, 3, "this map does not show the vectors of");
    QVERIFY(!std::filesystem::exists(picture));
}

void TestCliTsne::saysLayerAndStage()
{
    const auto run = runVerb({"tsne", m_cache, "--stage", "2", "--iterations", "5"});
    QVERIFY2(run.code == 0, run.err.c_str());
    QVERIFY2(run.out.find("layer       1\n") != std::string::npos, run.out.c_str());
    QVERIFY2(run.out.find("stage       2, ") != std::string::npos, run.out.c_str());
    const JsonValue json = runVerb({"tsne", m_cache, "--stage", "2", "--iterations", "5", "--json"}).json();
    QCOMPARE(json["layer"].get<int>(), 1);
    QCOMPARE(json["stage"].get<int>(), 2);
}

void TestCliTsne::colorsOfLabels()
{
    const auto draw = [this](const char* palette) {
        const std::string target = file(std::string(palette) + ".svg");
        const auto run = runVerb({"tsne", m_cache, "--iterations", "50", "--perplexity", "5", "--color", "topic",
                                  "--palette", palette, "-o", target});
        std::ifstream in(target);
        return std::pair(run.code, std::string(std::istreambuf_iterator<char>(in), {}));
    };
    const auto [code, standard] = draw("standard");
    QCOMPARE(code, 0);
    QVERIFY(standard.find("#0072b2") != std::string::npos);
    const auto [greyCode, grey] = draw("grey");
    QCOMPARE(greyCode, 0);
    QVERIFY(grey.find("#0072b2") == std::string::npos);
    QVERIFY(grey.size() > 1000);
    QCOMPARE(draw("purple").first, 2);
}

/// More labels than the legend of the figure has room for are refused before the map is computed, in words of the
/// label.
void TestCliTsne::labelsThatNoLegendHolds()
{
    constexpr std::int64_t kMany = 800;
    CacheContents contents = test::tellingContents();
    std::vector<std::string> labels;
    contents.documents = {};
    for (std::int64_t i = 0; i < kMany; ++i)
    {
        contents.documents.ids.push_back("d" + std::to_string(i));
        labels.push_back("class " + std::to_string(i));
    }
    contents.documents.labels = {makeLabelColumn("label", labels)};
    contents.embeddings = {test::tellingVectors(Stage::HeadOutput, 1, kMany, false)};
    contents.topics.clear();
    JobContext job;
    const std::string cache = m_folder.file("many.h5").string();
    HEADSCOPE_VERIFY_OK(writeCache(cache, contents, NumberType::F32, job));
    const std::string target = m_folder.file("many.pdf").string();
    const auto colored = [&](const std::string& label) {
        // So many iterations would take minutes: none is begun.
        return runVerb({"tsne", cache, "--heads", "1", "--iterations", "100000", "--color", label, "--preset",
                        "acl-column", "-o", target});
    };
    const auto run = colored("label");
    QCOMPARE(run.code, 3);
    QVERIFY2(run.err.find("--color: expected a label whose values fit into a legend, found 800 values of \"label\"") !=
                 std::string::npos,
             run.err.c_str());
    QVERIFY(run.err.find("--label-map") != std::string::npos);
    QVERIFY(!std::filesystem::exists(target));
    const auto fits = runVerb({"tsne", cache, "--heads", "1", "--iterations", "10", "--color", "strength", "--preset",
                               "acl-column", "-o", target});
    QVERIFY2(fits.code == 0, fits.err.c_str());
}

/// A column that was extracted as numbers is coloured on a scale; any other where that is asked for.
void TestCliTsne::colorsOfNumbers()
{
    CacheContents contents = test::tellingContents();
    std::vector<std::string> years;
    for (std::int64_t i = 0; i < test::kDocuments; ++i)
        years.push_back(std::to_string(1960 + i));
    contents.documents.labels.push_back(makeLabelColumn("year", years));
    JobContext job;
    const std::string cache = m_folder.file("years.h5").string();
    HEADSCOPE_VERIFY_OK(writeCache(cache, contents, NumberType::F32, job));
    const auto colored = [&](const std::string& word) {
        return runVerb({"tsne", cache, "--iterations", "10", "--color", word, "-o", m_folder.file("years.svg").string(),
                        "--overwrite"});
    };
    for (const char* word : {"year", "number:year", "topic", "label:topic"})
    {
        const auto run = colored(word);
        QVERIFY2(run.code == 0, run.err.c_str());
    }
    QVERIFY(colored("number:topic").code != 0);
}

HEADSCOPE_TEST(TestCliTsne)
#include "tst_cli_tsne.moc"
