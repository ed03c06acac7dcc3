// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/command_words.h"
#include "app/shell/common_options.h"
#include "app/shell/completion.h"
#include "app/shell/help_text.h"
#include "app/shell/parse_words.h"
#include "model/base/fields/fields.h"

#include "tests/support/process.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <limits>

using namespace headscope;
using namespace headscope::shell;

namespace
{

using Words = std::vector<std::string>;

/// A grammar: as many letters as an even number.
std::string evenFault(const std::string& text)
{
    return text.size() % 2 == 0 ? std::string() : fmt::format("expected an even text, found \"{}\"", text);
}

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
    std::optional<std::string> column;
    bool aligned = false;
    bool secret = false;

    void declare(Fields& table);

    friend bool operator==(const Values&, const Values&) = default;
};

void Values::declare(Fields& table)
{
    table.option("CACHE", cache, "a cache").required().valueName("FILE");
    table.option("--metric", metric).oneOf({"euclidean", "cosine"});
    table.option("--layers,--layer", layers, "layers").checkedBy(evenFault, "last");
    table.option("--limit", limit, "only the first").countFrom(1).defaultMeans("all");
    table.option("--perplexity", perplexities, "neighbours").within(1e-9, 1e6).separatedBy(',');
    table.option("--pool", pool, "names").separatedBy(',');
    table.option("--merge", merge, "cosine").within(NumberRange{-1, 1, false, true});
    table.option("--keep", keep, "units");
    table.option("--column", column, "'': none").valueName("NAME");
    table.flag("--aligned", aligned, "laid onto each other");
    table.flag("--secret", secret, "of a later version").hidden();
    table.footer("That is all.");
}

/// Reads words into values.
Result<Reading> parse(Values& values, const Words& words)
{
    Fields table;
    values.declare(table);
    return parseWords(table, words);
}

std::string helpOf(Values values)
{
    Fields table;
    values.declare(table);
    return helpText(table, "headscope verb", "What it does");
}

} // namespace

class TestCommandOptions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fillsWhatWasTyped();
    void keepsWhatWasNot();
    void refuses_data();
    void refuses();
    void helps();
    void helpTellsTheDefaults();
    void helpFitsTheTerminal();
    void wordsAreReadBack_data();
    void wordsAreReadBack();
    void manualPage();
    void completes_data();
    void completes();
    void commonOptions();
};

void TestCommandOptions::fillsWhatWasTyped()
{
    Values values;
    const Words words = {"--metric", "cosine",  "my cache.h5", "--perplexity", "30,300", "--merge",
                         "-0.5",     "--keep",  "3",           "--layer",      "some",   "--pool",
                         "a,b",      "--limit", "7",           "--aligned"};
    const auto reading = parse(values, words);
    HEADSCOPE_VERIFY_OK(reading);
    QVERIFY(*reading == Reading::Done);
    QCOMPARE(values.cache, std::string("my cache.h5"));
    QCOMPARE(values.metric, std::string("cosine"));
    QCOMPARE(values.layers, std::string("some"));
    QVERIFY((values.perplexities == std::vector<double>{30, 300}));
    QVERIFY((values.pool == Words{"a", "b"}));
    QCOMPARE(values.merge.value(), -0.5);
    QCOMPARE(values.keep.value(), std::int64_t{3});
    QCOMPARE(values.limit, std::int64_t{7});
    QVERIFY(values.aligned && !values.secret);
}

void TestCommandOptions::keepsWhatWasNot()
{
    Values values;
    HEADSCOPE_VERIFY_OK(parse(values, Words{"c.h5", "--metric", "euclidean"}));
    QVERIFY((values.perplexities == std::vector<double>{30}));
    QVERIFY(!values.merge && !values.keep && !values.aligned);
    QVERIFY(!values.column);
    HEADSCOPE_VERIFY_OK(parse(values, Words{"--column", "", "c.h5"}));
    QCOMPARE(values.column.value(), std::string()); // typed, if nothing
}

void TestCommandOptions::refuses_data()
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
        "--limit: expected an integer from 1 to 1000000000, found \"0\"");
    row("too many", {QStringLiteral("c"), QStringLiteral("--limit"), QStringLiteral("9223372036854775807")},
        "--limit: expected an integer from 1 to 1000000000, found \"9223372036854775807\"");
    row("plus", {QStringLiteral("c"), QStringLiteral("--limit"), QStringLiteral("+5")},
        "--limit: expected an integer from 1");
    row("blank", {QStringLiteral("c"), QStringLiteral("--limit"), QStringLiteral(" 5")},
        "--limit: expected an integer from 1");
    row("empty", {QStringLiteral("c"), QStringLiteral("--limit"), QString()}, "--limit: expected an integer from 1");
    row("exponent", {QStringLiteral("c"), QStringLiteral("--limit"), QStringLiteral("1e3")},
        "--limit: expected an integer from 1");
    row("below", {QStringLiteral("c"), QStringLiteral("--merge"), QStringLiteral("-1.01")},
        "--merge: expected a number from -1 to below 1, found \"-1.01\"");
    row("the end itself", {QStringLiteral("c"), QStringLiteral("--merge"), QStringLiteral("1")}, "--merge: expected");
    row("range of one of several", {QStringLiteral("c"), QStringLiteral("--perplexity"), QStringLiteral("30,1e7")},
        "from 1e-09 to 1000000, found \"1e7\"");
    row("grammar", {QStringLiteral("c"), QStringLiteral("--layers"), QStringLiteral("odd")},
        "--layers: expected an even text, found \"odd\"");
    row("text", {QStringLiteral("c"), QStringLiteral("--keep"), QStringLiteral("x")}, "--keep");
    row("hexadecimal", {QStringLiteral("c"), QStringLiteral("--keep"), QStringLiteral("0x10")}, "an integer");
    row("fraction", {QStringLiteral("c"), QStringLiteral("--keep"), QStringLiteral("1.5")}, "an integer");
    row("too large", {QStringLiteral("c"), QStringLiteral("--keep"), QStringLiteral("9223372036854775808")}, "--keep");
    row("NaN", {QStringLiteral("c"), QStringLiteral("--merge"), QStringLiteral("nan")}, "expected a number");
    row("infinite", {QStringLiteral("c"), QStringLiteral("--merge"), QStringLiteral("inf")}, "expected a number");
    row("overflow", {QStringLiteral("c"), QStringLiteral("--merge"), QStringLiteral("1e999")}, "expected a number");
    row("one of several", {QStringLiteral("c"), QStringLiteral("--perplexity"), QStringLiteral("30,nan")}, "nan");
    row("unknown", {QStringLiteral("c"), QStringLiteral("--what")}, "--what");
    row("no value", {QStringLiteral("c"), QStringLiteral("--merge")}, "--merge");
}

void TestCommandOptions::refuses()
{
    QFETCH(QStringList, words);
    QFETCH(QString, part);
    Values values;
    Words all;
    for (const QString& word : words)
        all.push_back(word.toStdString());
    HEADSCOPE_VERIFY_ERROR(parse(values, all), ErrorCode::WrongUse, part.toStdString());
}

void TestCommandOptions::helps()
{
    Values values;
    const auto reading = parse(values, Words{"--help"}); // what is required may be missing
    HEADSCOPE_VERIFY_OK(reading);
    QVERIFY(*reading == Reading::Help);
    const std::string help = helpOf({});
    for (const char* part : {"What it does", "Usage: headscope verb [OPTIONS] FILE", "--metric euclidean|cosine",
                             "--layers,--layer TEXT", "--perplexity X,...", "That is all."})
        QVERIFY2(help.find(part) != std::string::npos, help.c_str());
    QVERIFY2(help.find("--secret") == std::string::npos, help.c_str());
}

void TestCommandOptions::helpTellsTheDefaults()
{
    Values values;
    const std::string help = helpOf(values);
    for (const char* part : {"(default: euclidean)", "neighbours, from 1e-09 to 1000000 (default: 30)",
                             "only the first, from 1 to 1000000000 (default: all)"})
        QVERIFY2(QString::fromStdString(help).simplified().contains(QLatin1StringView(part)), help.c_str());
    for (const char* line :
         {"a cache\n", "cosine, from -1 to below 1\n", "laid onto each other\n"}) // nothing worth telling
        QVERIFY2(help.find(line) != std::string::npos, help.c_str());
    values.perplexities = {5, 50.5};
    QVERIFY2(helpOf(values).find("(default: 5,50.5)") != std::string::npos, helpOf(values).c_str());
}

void TestCommandOptions::helpFitsTheTerminal()
{
    std::string long_ = "a";
    for (int i = 0; i < 50; ++i)
        long_ += fmt::format(" word{}", i);
    Values values;
    Fields table;
    table.option("--layer", values.layers, long_);
    table.option("--a-name-that-leaves-no-place-for-more", values.metric, "the metric");
    const std::string help = helpText(table, "headscope verb", "summary");
    const QStringList lines = QString::fromStdString(help).split(u'\n');
    for (const QString& line : lines)
        QVERIFY2(line.size() <= 80, qPrintable(line));
    QVERIFY2(help.find("\n                              the metric (default: euclidean)\n") != std::string::npos,
             help.c_str());
    QVERIFY2(QString::fromStdString(help).simplified().contains(QString::fromStdString(long_)), help.c_str());
}

void TestCommandOptions::wordsAreReadBack_data()
{
    QTest::addColumn<Words>("words");
    QTest::newRow("nothing") << Words{"c.h5"};
    QTest::newRow("text") << Words{"my cache.h5", "--metric", "cosine", "--layers", "it's"};
    QTest::newRow("empty texts") << Words{"c.h5", "--layers", "", "--column", ""};
    QTest::newRow("numbers") << Words{"c.h5", "--limit", "7", "--merge", "-0.30000000000000004", "--keep", "-3"};
    QTest::newRow("lists") << Words{"c.h5", "--perplexity", "30,300.5", "--pool", "a,b"};
    QTest::newRow("flags") << Words{"c.h5", "--aligned", "--secret"};
    QTest::newRow("looks like an option") << Words{"--limit", "7", "--", "-c.h5"};
}

void TestCommandOptions::wordsAreReadBack()
{
    QFETCH(const Words, words);
    Values values;
    HEADSCOPE_VERIFY_OK(parse(values, words));
    QVERIFY2(commandWords(values) == words, fmt::format("{}", fmt::join(commandWords(values), " ")).c_str());
    QVERIFY(commandWords(Values()).empty());
}

void TestCommandOptions::manualPage()
{
    Values values;
    Fields table;
    values.declare(table);
    const std::string page = manPage(table, "headscope verb", "what it does", "headscope 1.2.3");
    for (const char* part :
         {".TH \"HEADSCOPE\\-VERB\" 1 \"\" \"headscope 1.2.3\"\n", "headscope\\-verb \\- what it does",
          ".SH SYNOPSIS\nheadscope verb [OPTIONS] FILE\n",
          ".TP\n\\fB\\-\\-perplexity\\fR \\fIX,...\\fR\nneighbours, from 1e\\-09 to 1000000 (default: 30)\n",
          ".TP\n\\fB\\-\\-aligned\\fR\nlaid onto each other\n",
          "\n\\&'': none\n", // a quote at the start would be a command
          ".SH NOTES\nThat is all.\n"})
        QVERIFY2(page.find(part) != std::string::npos, page.c_str());
    QVERIFY2(page.find("secret") == std::string::npos, page.c_str());
}

void TestCommandOptions::completes_data()
{
    QTest::addColumn<QStringList>("typed");
    QTest::addColumn<QStringList>("offered");
    const QString program = QStringLiteral("headscope");
    QTest::newRow("verb") << QStringList{program, QStringLiteral("ve")} << QStringList{QStringLiteral("verb")};
    QTest::newRow("option") << QStringList{program, QStringLiteral("verb"), QStringLiteral("--me")}
                            << QStringList{QStringLiteral("--metric"), QStringLiteral("--merge")};
    QTest::newRow("word") << QStringList{program, QStringLiteral("verb"), QStringLiteral("--metric"), QString()}
                          << QStringList{QStringLiteral("euclidean"), QStringLiteral("cosine")};
    QTest::newRow("hidden") << QStringList{program, QStringLiteral("verb"), QStringLiteral("--se")} << QStringList{};
    QTest::newRow("file") << QStringList{program, QStringLiteral("verb"), QStringLiteral("comp")}
                          << QStringList{QStringLiteral("completion.bash")};
}

void TestCommandOptions::completes()
{
    QFETCH(const QStringList, typed);
    QFETCH(const QStringList, offered);
    Values values;
    Fields table;
    values.declare(table);
    const std::array verbs = {optionsForCompletion("verb", table)};
    const QTemporaryDir folder;
    QFile script(folder.filePath(QStringLiteral("completion.bash")));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write(QByteArray::fromStdString(bashCompletion("headscope", verbs)));
    script.close();
    QProcess bash;
    bash.setWorkingDirectory(folder.path());
    QStringList words;
    for (const QString& word : typed)
        words << u'\'' + word + u'\'';
    bash.start(QStringLiteral("bash"),
               {QStringLiteral("-c"),
                QStringLiteral("source ./completion.bash && COMP_WORDS=(%1) && COMP_CWORD=%2 && _headscope && "
                               "printf '%s\\n' \"${COMPREPLY[@]}\"")
                    .arg(words.join(u' '))
                    .arg(typed.size() - 1)});
    QVERIFY(bash.waitForFinished(test::kPatienceMs));
    QCOMPARE(bash.readAllStandardError(), QByteArray());
    QCOMPARE(QString::fromUtf8(bash.readAllStandardOutput()).split(u'\n', Qt::SkipEmptyParts), offered);
}

void TestCommandOptions::commonOptions()
{
    CommonOptions common;
    QVERIFY(common.numThreads() >= 1);
    Fields table;
    common.declare(table);
    HEADSCOPE_VERIFY_OK(parseWords(table, Words{"--threads", "99", "--seed", "18446744073709551615", "--json"}));
    QCOMPARE(common.numThreads(), 99);
    QCOMPARE(common.seed, std::numeric_limits<std::uint64_t>::max());
    QVERIFY(common.json && !common.overwrite);
    for (const Words& words : {Words{"--threads", "0"}, Words{"--threads", "4097"}, Words{"--progress", "loud"},
                               Words{"--seed", "-1"}, Words{"--seed", "x"}})
    {
        CommonOptions other;
        Fields again;
        other.declare(again);
        HEADSCOPE_VERIFY_ERROR(parseWords(again, words), ErrorCode::WrongUse, words[0]);
    }
}

HEADSCOPE_TEST_GUILESS(TestCommandOptions)
#include "tst_command_options.moc"
