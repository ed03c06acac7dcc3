// SPDX-License-Identifier: GPL-3.0-or-later
// State files, trust and aligned sets of `tsne`: through the verb, and through the built program
// where a real signal matters.
#include "model/io/cache/cache_reader.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/golden_file.h"
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
using Json = nlohmann::json;

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
    void stateIsNoInput();
    void quality();
    void qualityOfAnotherKernel();
    void aligned();
    void alignedInCache();
    void alignedRefusals_data();
    void alignedRefusals();
    void saysLayerAndStage();
    void colorsOfLabels();

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
    QVERIFY(straight.waitForFinished(60'000));
    QCOMPARE(straight.exitCode(), 0);
    const Json whole = Json::parse(straight.readAllStandardOutput().toStdString());

    arguments += {QStringLiteral("--state"), QString::fromStdString(state), QStringLiteral("-o"),
                  QString::fromStdString(map), QStringLiteral("--json")};
    QProcess stopped;
    stopped.start(program, arguments + QStringList{QStringLiteral("--progress"), QStringLiteral("json")});
    stopped.setReadChannel(QProcess::StandardError);
    QByteArray progress;
    while (!progress.contains("optimising") && stopped.waitForReadyRead(30'000))
        progress += stopped.readAll();
    QVERIFY2(progress.contains("optimising"), progress.constData());
    QCOMPARE(::kill(static_cast<pid_t>(stopped.processId()), signal), 0);
    QVERIFY(stopped.waitForFinished(30'000));
    progress += stopped.readAllStandardError();
    QVERIFY2(stopped.exitStatus() == QProcess::NormalExit, progress.constData());
    QVERIFY2(stopped.exitCode() == exitCode, progress.constData());
    QVERIFY2(progress.contains("of 12000 iterations, which are kept"), progress.constData());
    QVERIFY2(progress.contains("to go on: headscope tsne "), progress.constData());
    QVERIFY2(progress.contains(("--state '" + state + "'").c_str()), progress.constData());
    QCOMPARE(Json::parse(stopped.readAllStandardOutput().toStdString())["error"]["code"].get<std::string>(),
             std::string("cancelled"));
    QVERIFY(std::filesystem::exists(state));
    QVERIFY(!std::filesystem::exists(map));

    QProcess resumed;
    resumed.start(program, arguments);
    QVERIFY(resumed.waitForFinished(60'000));
    QVERIFY2(resumed.exitCode() == 0, resumed.readAllStandardError().constData());
    const Json rest = Json::parse(resumed.readAllStandardOutput().toStdString());
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
    const Json quality = run.json()["quality"];
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

void TestCliTsne::aligned()
{
    const auto path = file("set.h5");
    const std::vector<std::string> arguments = {"tsne", m_cache,        "--aligned", "--stage",      "1,3", "--heads",
                                                "1-3",  "--iterations", "80",        "--perplexity", "8",   "--json"};
    auto withOutput = arguments;
    withOutput.insert(withOutput.end(), {"-o", path, "--quality", "--threads", "2"});
    const auto run = runVerb(withOutput);
    QVERIFY2(run.code == 0, run.err.c_str());
    const Json json = run.json();
    QCOMPARE(json["points"].get<int>(), 60);
    QCOMPARE(json["maps"].size(), std::size_t{7});
    QCOMPARE(json["maps"][0]["name"].get<std::string>(), std::string("full"));
    QVERIFY(json["maps"][0]["head"].is_null());
    QCOMPARE(json["maps"][1]["name"].get<std::string>(), std::string("s1_h00"));
    QCOMPARE(json["maps"][1]["head"].get<int>(), 1);
    QCOMPARE(json["maps"][6]["name"].get<std::string>(), std::string("s3_h02"));
    QVERIFY(json["maps"][2]["quality"]["knn10"].is_number());
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
    add("state", "CACHE --aligned --state s.h5", 2, "--state: expected a single map");
    add("matrix", "--vectors KNN:/X --aligned", 2, "--aligned: expected a cache");
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

void TestCliTsne::saysLayerAndStage()
{
    const auto run = runVerb({"tsne", m_cache, "--stage", "2", "--iterations", "5"});
    QVERIFY2(run.code == 0, run.err.c_str());
    QVERIFY2(run.out.find("layer       1\n") != std::string::npos, run.out.c_str());
    QVERIFY2(run.out.find("stage       2, ") != std::string::npos, run.out.c_str());
    const Json json = runVerb({"tsne", m_cache, "--stage", "2", "--iterations", "5", "--json"}).json();
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

HEADSCOPE_TEST(TestCliTsne)
#include "tst_cli_tsne.moc"
