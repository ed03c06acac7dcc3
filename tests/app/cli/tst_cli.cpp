// SPDX-License-Identifier: GPL-3.0-or-later
// What every verb keeps: exit codes, sentences, progress lines, signals, help.
#include "app/cli/cli.h"

#include "app/shell/verbs.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/process.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <unistd.h>

#include <csignal>
#include <ostream>
#include <sstream>
#include <utility>

using namespace headscope;
using test::runVerb;
using test::tellingContents;
using Json = nlohmann::json;

namespace
{

/// What is written to standard error; with its first line, which is progress, comes a signal to this process.
class SignallingBuffer : public std::stringbuf
{
public:
    explicit SignallingBuffer(int number) : m_number(number) {}
    [[nodiscard]] bool sent() const { return m_sent; }

protected:
    int sync() override
    {
        if (!std::exchange(m_sent, true))
            return test::signal(::getpid(), m_number) ? 0 : -1;
        return 0;
    }

private:
    int m_number;
    bool m_sent = false;
};

} // namespace

class TestCli : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void wrongUse_data();
    void wrongUse();
    void badData_data();
    void badData();
    void columnsOfNumbers();
    void progressLines();
    void stopsOnSignals_data();
    void stopsOnSignals();
    void helpOfEveryVerb();
    void textsForPackages();
    void doctor();

private:
    [[nodiscard]] std::string file(const std::string& name) const { return m_folder.file(name).string(); }

    test::TemporaryFolder m_folder;
    std::string m_cache;
};

void TestCli::initTestCase()
{
    m_cache = file("cache.h5");
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(m_cache, tellingContents(), NumberType::F32, job));
}

void TestCli::wrongUse_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("part");
    const auto add = [](const char* name, const QStringList& arguments, const char* part) {
        QTest::newRow(name) << arguments << QString::fromLatin1(part);
    };
    const QString cache = QStringLiteral("CACHE");
    const auto words = [](const char* text) { return QString::fromLatin1(text).split(QLatin1Char(' ')); };
    add("unknown verb", words("dance"), "expected a verb, found \"dance\"");
    add("mistyped verb", words("porbe CACHE"), "found \"porbe\"; did you mean \"probe\"?");
    add("unknown option", words("tsne CACHE --speed 3"), "--speed");
    add("mistyped option", words("tsne CACHE --perplexty 3"), "; did you mean \"--perplexity\"?");
    add("heads to what", words("heads CACHE -o a.doc"),
        "expected a name ending in .csv, .tex, .h5, .png, .pdf or .svg");
    add("no input", words("tsne"), "expected a cache or --vectors, found neither");
    add("both inputs", words("tsne CACHE --vectors a.npy"), "found both");
    add("threads", words("tsne CACHE --threads 0"), "--threads");
    add("stage", words("probe CACHE --stage 4"), "expected 1, 2, 3, contribution or embedding");
    add("layer", words("probe CACHE --layer first"), "expected last, all or numbers");
    add("heads", words("probe CACHE --heads 5-"), "--heads");
    add("documents", words("probe CACHE --documents 5-1"), "expected rows such as 0-99,120");
    add("ending", words("tsne CACHE -o map.doc"), "expected a name ending in");
    add("many stages", words("tsne CACHE --stage 1,2"), "a map accepts only one, found several");
    add("iterations", words("tsne CACHE --iterations -3"),
        "--iterations: expected an integer from 0 to 1000000000, found \"-3\"");
    add("exaggeration", words("tsne CACHE --exaggeration 0"),
        "--exaggeration: expected a number above 0 to 1000000, found \"0\"");
    add("late exaggeration", words("tsne CACHE --late-exaggeration -1"),
        "--late-exaggeration: expected a number above 0");
    add("not a number", words("tsne CACHE --late-exaggeration nan"), "--late-exaggeration: expected a number");
    add("hexadecimal", words("tsne CACHE --iterations 0x10"), "--iterations: expected an integer");
    add("perplexity", words("tsne CACHE --perplexity 0.5"), "perplexity");
    add("probe without labels", words("probe --vectors x.npy"), "--labels");
    add("k", words("neighbors CACHE -k 0"), "-k");
    add("similarity", words("similarity CACHE -o x.json"), "--merge");
    // Refused before a file is opened: there is none.
    add("top", words("retrieve none.h5 --query-document d1 --top 9223372036854775807"),
        "--top: expected an integer from 1 to 1000000000, found \"9223372036854775807\"");
    add("momentum", words("tsne none.h5 --momentum 1"), "--momentum: expected a number from 0 to below 1");
    add("dof", words("tsne none.h5 --dof -1"), "--dof: expected a number from 0.1 to 100");
    add("pool", words("match none.h5 --pool best:0"), "--pool: expected concat, mean, score, best:K, groups or all");
    add("sort", words("heads none.h5 --sort beauty"), "--sort: expected one of head, ");
    add("layer of none", words("match none.h5 --layer first"), "--layer: expected last, all or numbers");
    add("rows of none", words("match none.h5 --documents 5-1"), "--documents: expected rows such as 0-99,120");
}

void TestCli::wrongUse()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, part);
    std::vector<std::string> all;
    for (const QString& argument : arguments)
        all.push_back(argument == QLatin1String("CACHE") ? m_cache : argument.toStdString());
    all.emplace_back("--json");
    const auto run = runVerb(all);
    QVERIFY2(run.code == 2, run.err.c_str());
    QVERIFY2(run.err.starts_with("headscope: "), run.err.c_str());
    QVERIFY2(run.err.find(part.toStdString()) != std::string::npos, run.err.c_str());
    QCOMPARE(run.json()["error"]["code"].get<std::string>(), std::string("wrong_use"));
}

void TestCli::badData_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("part");
    const auto words = [](const char* text) { return QString::fromLatin1(text).split(QLatin1Char(' ')); };
    const auto add = [&](const char* name, const char* arguments, const char* part) {
        QTest::newRow(name) << words(arguments) << QString::fromLatin1(part);
    };
    add("missing cache", "tsne /no/such/cache.h5", "/no/such/cache.h5");
    add("layer not there", "probe CACHE --layer 0", "layer 0 stage 1 is not in this cache");
    add("label not there", "heatmap CACHE --label colour", "expected one of topic, found \"colour\"");
    add("topic not there", "heatmap CACHE --topics sports", "--topics");
    add("head not there", "probe CACHE --heads 5", "expected heads such as 1-4,9 within 1-4, found \"5\"");
    add("row not there", "tsne CACHE --documents 60", "expected rows from 0 to 59, found 60");
    add("value not there", "tsne CACHE --documents topic=x", "expected one of the values of topic");
    add("matrix not there", "tsne --vectors /no/x.npy", "/no/x.npy");
    add("not a cache", "inspect KNN", "is not a Headscope cache");
}

void TestCli::badData()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, part);
    std::vector<std::string> all;
    for (const QString& argument : arguments)
        all.push_back(argument == QLatin1String("CACHE") ? m_cache
                      : argument == QLatin1String("KNN") ? test::golden("analysis/knn.h5").string()
                                                         : argument.toStdString());
    const auto run = runVerb(all);
    QVERIFY2(run.code == 3, run.err.c_str());
    QVERIFY2(run.err.find(part.toStdString()) != std::string::npos, run.err.c_str());
    QVERIFY(run.out.empty());
}

/// As extract --number-columns makes them: no default of --label, and colours on a scale.
void TestCli::columnsOfNumbers()
{
    CacheContents contents = tellingContents();
    std::vector<std::string> years;
    for (std::int64_t i = 0; i < test::kDocuments; ++i)
        years.push_back(std::to_string(1960 + i));
    contents.documents.labels.push_back(makeLabelColumn("year", years));
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(file("years.h5"), contents, NumberType::F32, job));
    for (const char* verb : {"match", "heads", "similarity"})
    {
        const auto run = runVerb({verb, file("years.h5"), "--json"});
        QVERIFY2(run.code == 0, run.err.c_str());
    }
    const auto unknown = runVerb({"match", file("years.h5"), "--label", "colour"});
    QVERIFY2(unknown.err.find("expected one of topic, found") != std::string::npos, unknown.err.c_str());
}

void TestCli::progressLines()
{
    const auto run = runVerb({"tsne", m_cache, "--iterations", "260", "--progress", "json", "--json"});
    QCOMPARE(run.code, 0);
    std::istringstream lines(run.err);
    std::string line;
    int count = 0;
    while (std::getline(lines, line))
    {
        const Json progress = Json::parse(line);
        for (const char* key : {"stage", "done", "total", "unit", "rate", "seconds", "eta"})
            QVERIFY2(progress.contains(key), key);
        ++count;
    }
    QVERIFY(count > 0);
    QVERIFY(runVerb({"tsne", m_cache, "--iterations", "260", "--progress", "off"}).err.empty());
}

void TestCli::stopsOnSignals_data()
{
    QTest::addColumn<int>("number");
    QTest::addColumn<int>("code");
    QTest::newRow("interrupt") << SIGINT << 130;
    QTest::newRow("terminate") << SIGTERM << 143;
}

void TestCli::stopsOnSignals()
{
    QFETCH(int, number);
    QFETCH(int, code);
    const auto output = file("stopped.h5");
    std::ostringstream out;
    SignallingBuffer progress(number);
    std::ostream err(&progress);
    QCOMPARE(cli::run({"tsne", m_cache, "--iterations", "10000000", "--progress", "json", "-o", output}, out, err),
             code);
    QVERIFY(progress.sent());
    QVERIFY2(progress.str().find("headscope: ") == std::string::npos, progress.str().c_str()); // quietly
    QVERIFY(!std::filesystem::exists(output));
}

void TestCli::helpOfEveryVerb()
{
    QCOMPARE(runVerb({"--version"}).out, std::string("headscope 0.1.0\n"));
    const auto help = runVerb({"--help"});
    QCOMPARE(help.code, 0);
    for (const std::string verb : {"inspect", "tsne", "neighbors", "probe", "heatmap", "similarity", "match", "doctor"})
    {
        QVERIFY(cli::isVerb(verb));
        QVERIFY(help.out.find(verb) != std::string::npos);
        const auto own = runVerb({verb, "--help"});
        QCOMPARE(own.code, 0);
        QVERIFY(own.out.find("--threads") != std::string::npos);
    }
    QVERIFY(cli::isVerb("extract") && cli::isVerb("retrieve") && !cli::isVerb("cache.h5"));
    // Help and completion name every verb.
    const auto script = runVerb({"completion", "bash"}).out;
    for (const shell::VerbName& verb : shell::allVerbs())
    {
        const std::string name(verb.name);
        QCOMPARE(help.out.find("\n  " + name + ' ') != std::string::npos, true);
        QCOMPARE(script.find("\n    " + name + ") options=") != std::string::npos, true);
    }
}

void TestCli::textsForPackages()
{
    const auto page = runVerb({"man", "tsne"});
    QCOMPARE(page.code, 0);
    QVERIFY2(page.out.starts_with(".TH \"HEADSCOPE\\-TSNE\" 1 \"\" \"headscope 0.1.0\"\n"), page.out.c_str());
    const auto script = runVerb({"completion", "bash"});
    QCOMPARE(script.code, 0);
    QVERIFY(script.out.find("complete -o filenames -F _headscope headscope\n") != std::string::npos);
    QVERIFY(cli::isVerb("man") && cli::isVerb("completion"));
    for (const auto& wrong : {std::vector<std::string>{"man"}, {"man", "dance"}, {"completion", "fish"}})
        QCOMPARE(runVerb(wrong).code, 2);
}

void TestCli::doctor()
{
    const auto run = runVerb({"doctor", "--json"});
    QCOMPARE(run.code, 0);
    QVERIFY(run.json()["cores"].get<int>() >= 1);
    QVERIFY(run.json().contains("problems"));
    QVERIFY(run.json()["product_library"].get<std::string>().starts_with("oneDNN "));
    QVERIFY(run.json()["product_gflops"].get<double>() > 0);
    QVERIFY(run.json()["blas"].is_array());
    QVERIFY(run.json().contains("devices"));
    QCOMPARE(run.json()["file_check"].get<std::string>(), test::program("headscope-hdf5-check").string());
}

HEADSCOPE_TEST_GUILESS(TestCli)
#include "tst_cli.moc"
