// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/command.h"
#include "app/shell/common_options.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

using namespace headscope;
using namespace headscope::shell;

namespace
{

using Words = std::vector<std::string>;

struct Values
{
    std::string cache;
    std::string metric = "euclidean";
    std::string layers = "last";
    std::int64_t limit = 0;
    std::vector<double> perplexities = {30};
    std::vector<std::string> pool;
    std::optional<double> merge;
    std::optional<std::int64_t> keep;
    bool aligned = false;
    bool secret = false;
};

void declare(Command& command, Values& values)
{
    command.option("CACHE", values.cache, "a cache").required().valueName("FILE");
    command.option("--metric", values.metric).oneOf({"euclidean", "cosine"});
    command.option("--layers,--layer", values.layers, "layers");
    command.option("--limit", values.limit, "only the first").positive();
    command.option("--perplexity", values.perplexities, "neighbours").separatedBy(',');
    command.option("--pool", values.pool, "names").separatedBy(',');
    command.option("--merge", values.merge, "cosine");
    command.option("--keep", values.keep, "units");
    command.flag("--aligned", values.aligned, "laid onto each other");
    command.flag("--secret", values.secret, "of a later version").hidden();
    command.footer("That is all.");
}

} // namespace

class TestCommand : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fillsWhatWasTyped();
    void keepsWhatWasNot();
    void refuses_data();
    void refuses();
    void helps();
    void commonOptions();
};

void TestCommand::fillsWhatWasTyped()
{
    Values values;
    Command command("summary", "headscope verb");
    declare(command, values);
    const Words words = {"--metric", "cosine",  "my cache.h5", "--perplexity", "30,300", "--merge",
                         "-0.5",     "--keep",  "3",           "--layer",      "all",    "--pool",
                         "a,b",      "--limit", "7",           "--aligned"};
    const auto reading = command.parse(words);
    HEADSCOPE_VERIFY_OK(reading);
    QVERIFY(*reading == Reading::Done);
    QCOMPARE(values.cache, std::string("my cache.h5"));
    QCOMPARE(values.metric, std::string("cosine"));
    QCOMPARE(values.layers, std::string("all"));
    QVERIFY((values.perplexities == std::vector<double>{30, 300}));
    QVERIFY((values.pool == Words{"a", "b"}));
    QCOMPARE(values.merge.value(), -0.5);
    QCOMPARE(values.keep.value(), std::int64_t{3});
    QCOMPARE(values.limit, std::int64_t{7});
    QVERIFY(values.aligned && command.given("--aligned") && command.given("--layers"));
}

void TestCommand::keepsWhatWasNot()
{
    Values values;
    Command command("summary", "headscope verb");
    declare(command, values);
    HEADSCOPE_VERIFY_OK(command.parse(Words{"c.h5", "--metric", "euclidean"}));
    QVERIFY((values.perplexities == std::vector<double>{30}));
    QVERIFY(!values.merge && !values.keep && !values.aligned);
    QVERIFY(command.given("--metric") && !command.given("--merge"));
}

void TestCommand::refuses_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* name, const QStringList& words, const char* part) {
        QTest::newRow(name) << words << QString::fromUtf8(part);
    };
    row("missing", {}, "CACHE is required");
    row("word", {QStringLiteral("c"), QStringLiteral("--metric"), QStringLiteral("l1")},
        "--metric: expected one of euclidean, cosine, found \"l1\"");
    row("zero", {QStringLiteral("c"), QStringLiteral("--limit"), QStringLiteral("0")},
        "--limit: expected a number above 0, found \"0\"");
    row("text", {QStringLiteral("c"), QStringLiteral("--keep"), QStringLiteral("x")}, "--keep");
    row("hexadecimal", {QStringLiteral("c"), QStringLiteral("--keep"), QStringLiteral("0x10")}, "a whole number");
    row("fraction", {QStringLiteral("c"), QStringLiteral("--keep"), QStringLiteral("1.5")}, "a whole number");
    row("too large", {QStringLiteral("c"), QStringLiteral("--keep"), QStringLiteral("9223372036854775808")}, "--keep");
    row("NaN", {QStringLiteral("c"), QStringLiteral("--merge"), QStringLiteral("nan")}, "expected a number");
    row("infinite", {QStringLiteral("c"), QStringLiteral("--merge"), QStringLiteral("inf")}, "expected a number");
    row("overflow", {QStringLiteral("c"), QStringLiteral("--merge"), QStringLiteral("1e999")}, "expected a number");
    row("one of several", {QStringLiteral("c"), QStringLiteral("--perplexity"), QStringLiteral("30,nan")}, "nan");
    row("unknown", {QStringLiteral("c"), QStringLiteral("--what")}, "--what");
    row("no value", {QStringLiteral("c"), QStringLiteral("--merge")}, "--merge");
}

void TestCommand::refuses()
{
    QFETCH(QStringList, words);
    QFETCH(QString, part);
    Values values;
    Command command("summary", "headscope verb");
    declare(command, values);
    Words all;
    for (const QString& word : words)
        all.push_back(word.toStdString());
    HEADSCOPE_VERIFY_ERROR(command.parse(all), ErrorCode::WrongUse, part.toStdString());
}

void TestCommand::helps()
{
    Values values;
    Command command("What it does", "headscope verb");
    declare(command, values);
    const auto reading = command.parse(Words{"--help"}); // what is required may be missing
    HEADSCOPE_VERIFY_OK(reading);
    QVERIFY(*reading == Reading::Help);
    const std::string help = command.help();
    for (const char* part : {"What it does", "headscope verb", "CACHE FILE REQUIRED", "euclidean", "That is all."})
        QVERIFY2(help.find(part) != std::string::npos, help.c_str());
    QVERIFY2(help.find("--secret") == std::string::npos, help.c_str());
}

void TestCommand::commonOptions()
{
    CommonOptions common;
    QVERIFY(common.numThreads() >= 1);
    Command command("summary", "headscope verb");
    common.declare(command);
    HEADSCOPE_VERIFY_OK(command.parse(Words{"--threads", "99", "--seed", "18446744073709551615", "--json"}));
    QCOMPARE(common.numThreads(), 99);
    QCOMPARE(common.seed, std::numeric_limits<std::uint64_t>::max());
    QVERIFY(common.json && !common.overwrite);
    for (const Words& words : {Words{"--threads", "0"}, Words{"--threads", "4097"}, Words{"--progress", "loud"},
                               Words{"--seed", "-1"}, Words{"--seed", "x"}})
    {
        CommonOptions other;
        Command again("summary", "headscope verb");
        other.declare(again);
        HEADSCOPE_VERIFY_ERROR(again.parse(words), ErrorCode::WrongUse, words[0]);
    }
}

HEADSCOPE_TEST_GUILESS(TestCommand)
#include "tst_command.moc"
