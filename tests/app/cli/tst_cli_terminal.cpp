// SPDX-License-Identifier: GPL-3.0-or-later
// What both programs are to the shell they run in: names that would act on a terminal, outputs that are full, closed
// or left by their reader, inputs that never end, signals, and no display.
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/process.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include "model/base/utf8.h"

#include <QProcess>

#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

using namespace headscope;
using test::kDocuments;
using test::ProcessOutcome;
using test::runVerb;

namespace
{

/// Bytes that do something to a terminal.
bool acts(const std::string& text)
{
    if (!isValidUtf8(text))
        return true;
    for (std::size_t at = 0; at < text.size(); at += utf8At(text, at).size)
    {
        const char32_t c = utf8At(text, at).codePoint;
        if ((c < 0x20 && c != U'\n' && c != U'\t') || (c >= 0x7F && c < 0xA0) || (c >= 0x202A && c <= 0x202E))
            return true;
    }
    return false;
}

/// A line for the shell, $H and $E the two programs.
ProcessOutcome shellRun(const QString& line)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("H"), QString::fromStdString(test::program("headscope").string()));
    environment.insert(QStringLiteral("E"), QString::fromStdString(test::program("headscope-engine").string()));
    return test::run("/bin/sh", {QStringLiteral("-c"), line}, {}, test::kPatienceMs, environment);
}

} // namespace

class TestCliTerminal : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void namesAreMadeVisible_data();
    void namesAreMadeVisible();
    void outputsThatTakeNothing_data();
    void outputsThatTakeNothing();
    void readerThatWentAway();
    // Fault row 36
    void sameInEveryLocale();
    void inputsThatNeverEnd_data();
    void inputsThatNeverEnd();
    // Fault row 18
    void signalsEndIt_data();
    void signalsEndIt();
    void colorIsAskedForBeforeTheRun();
    void largestNumbersAreNoTrouble_data();
    void largestNumbersAreNoTrouble();
    // Fault row 40
    void noDisplay_data();
    void noDisplay();

private:
    [[nodiscard]] QString file(const char* name) const { return QString::fromStdString(m_folder.file(name).string()); }

    test::TemporaryFolder m_folder;
    std::string m_cache;
    std::string m_hostile;
};

void TestCliTerminal::initTestCase()
{
    m_cache = m_folder.file("cache.h5").string();
    m_hostile = m_folder.file("hostile \x1b]0;owned\x07.h5").string();
    JobContext job;
    CacheContents contents = test::tellingContents();
    HEADSCOPE_VERIFY_OK(writeCache(m_cache, contents, NumberType::F32, job));
    contents.header.model.name = "\x1b]0;owned\x07\x1b[2J";
    for (std::string& id : contents.documents.ids)
        id += "\x1b[31m\r\xc2\x9b"
              "4m\xe2\x80\xae";
    std::vector<std::string> topics;
    for (std::int64_t i = 0; i < kDocuments; ++i)
        topics.push_back("topic\n\x1b[3" + std::to_string(i % 3) + "m");
    contents.documents.labels = {makeLabelColumn("to\x7fpic", topics)};
    for (TopicVectors& each : contents.topics)
        each.column = "to\x7fpic";
    HEADSCOPE_VERIFY_OK(writeCache(m_hostile, contents, NumberType::F32, job));
    QCOMPARE(::mkfifo(m_folder.file("pipe").c_str(), 0600), 0);
    for (const char* name : {"pipe.h5", "pipe.npy", "pipe.jsonl", "pipe.json", "pipe.gguf"})
        std::filesystem::create_symlink("pipe", m_folder.file(name));
}

void TestCliTerminal::namesAreMadeVisible_data()
{
    QTest::addColumn<QStringList>("words");
    const auto row = [](const char* line) { QTest::newRow(line) << QString::fromLatin1(line).split(QLatin1Char(' ')); };
    for (const char* line : {"inspect CACHE",
                             "match CACHE",
                             "heads CACHE",
                             "heatmap CACHE",
                             "similarity CACHE --merge 0.1",
                             "layers CACHE",
                             "probe CACHE",
                             "neighbors CACHE",
                             "tsne CACHE --iterations 5",
                             "retrieve CACHE --query-document d1",
                             "retrieve CACHE --query-document ID",
                             "prune CACHE",
                             "match CACHE --label x",
                             "heatmap CACHE --topics x",
                             "match CACHE --documents x=1",
                             "\x1b[31m",
                             "match \x1b[31m",
                             "match CACHE --pool \x1b[31m",
                             "match CACHE --\x1b[31m 3",
                             "match CACHE --k \x1b[31m",
                             "man \x1b[31m"})
        row(line);
}

void TestCliTerminal::namesAreMadeVisible()
{
    QFETCH(const QStringList, words);
    std::vector<std::string> arguments;
    for (const QString& word : words)
        arguments.push_back(word == QLatin1String("CACHE") ? m_hostile
                            : word == QLatin1String("ID")  ? "d1\x1b[31m\r\xc2\x9b"
                                                             "4m\xe2\x80\xae"
                                                           : word.toStdString());
    for (const bool json : {false, true})
    {
        if (json)
            arguments.emplace_back("--json");
        const auto run = runVerb(arguments);
        QVERIFY2(!acts(run.out), run.out.c_str());
        QVERIFY2(!acts(run.err), run.err.c_str());
        QVERIFY2(!run.out.empty() || !run.err.empty(), "nothing was said");
        if (json && !run.out.empty() && words.front() != QLatin1String("man"))
            QVERIFY2(!run.json().is_null(), run.out.c_str());
    }
}

void TestCliTerminal::outputsThatTakeNothing_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("said");
    const QString full = QStringLiteral("headscope: standard output: writing failed: No space left on device\n");
    const QString closed = QStringLiteral("headscope: standard output: writing failed: Bad file descriptor");
    const auto row = [](const char* line, int code, const QString& said) {
        QTest::newRow(line) << QString::fromLatin1(line) << code << said;
    };
    for (const char* words : {"match CACHE", "inspect CACHE", "match CACHE --json", "--help", "--version",
                              "match --help", "man tsne", "completion bash"})
    {
        QTest::addRow("%s into a full disk", words)
            << QStringLiteral("\"$H\" %1 > /dev/full").arg(QLatin1StringView(words)) << 4 << full;
        QTest::addRow("%s, closed", words)
            << QStringLiteral("\"$H\" %1 >&-").arg(QLatin1StringView(words)) << 4 << closed;
    }
    row("\"$E\" inspect CACHE > /dev/full", 4, full);
    row("\"$E\" --help > /dev/full", 4, full);
    row("\"$E\" inspect CACHE >&-", 4, closed);
    row("\"$H\" match CACHE >&- 2>&-", 4, {});
    row("\"$E\" inspect CACHE >&- 2>&-", 4, {});
    row("\"$H\" match CACHE <&- >&- 2>&-", 4, {});
    row("\"$H\" match CACHE 2>&- > /dev/null", 0, {});
    row("\"$E\" inspect CACHE 2>&- > /dev/null", 0, {});
    row("\"$H\" match none.h5 2> /dev/full", 3, {});
    row("\"$H\" export CACHE --overwrite -o OUT.npy >&- 2>&-", 4, {}); // the file is there and is not the sentence
}

void TestCliTerminal::outputsThatTakeNothing()
{
    QFETCH(QString, line);
    QFETCH(const int, code);
    QFETCH(const QString, said);
    line.replace(QLatin1String("CACHE"), QString::fromStdString(m_cache));
    line.replace(QLatin1String("OUT"), file("out"));
    const auto run = shellRun(line);
    QVERIFY2(run.exitCode == code, (std::to_string(run.exitCode) + ": " + run.err.toStdString()).c_str());
    QVERIFY2(QString::fromUtf8(run.err).contains(said), run.err.constData());
    if (line.contains(QLatin1String("out.npy")))
    {
        QFile written(file("out.npy"));
        QVERIFY(written.open(QIODevice::ReadOnly));
        QCOMPARE(written.read(6), QByteArray("\x93NUMPY"));
    }
}

/// Numbers keep their point, letters their case: of the C library's locale as of Qt's.
void TestCliTerminal::sameInEveryLocale()
{
    std::set<QByteArray> outputs;
    for (const char* locale : {"C", "de_DE.UTF-8", "tr_TR.UTF-8", "ar_EG.UTF-8"})
    {
        const auto run = shellRun(QStringLiteral("LC_ALL=%1 LANG=%1; export LC_ALL LANG; \"$H\" match %2 --json && "
                                                 "\"$H\" heatmap %2 --overwrite -o %3 && cat %3")
                                      .arg(QLatin1StringView(locale), QString::fromStdString(m_cache), file("of.csv")));
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QVERIFY(run.out.contains('.'));
        outputs.insert(run.out);
    }
    QCOMPARE(outputs.size(), std::size_t{1});
}

void TestCliTerminal::readerThatWentAway()
{
    for (const char* words : {"\"$H\" man tsne", "\"$H\" --help", "\"$E\" --help"})
    {
        const auto run =
            shellRun(QStringLiteral("{ sleep 0.3; %1; echo \"code $?\" >&2; } | true").arg(QLatin1StringView(words)));
        QCOMPARE(run.err, QByteArray("code 4\n")); // quietly
    }
}

void TestCliTerminal::inputsThatNeverEnd_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* line, const char* said) {
        QTest::newRow(line) << QString::fromLatin1(line) << QString::fromLatin1(said);
    };
    for (const char* line :
         {"\"$H\" match DIR/pipe", "\"$H\" inspect DIR/pipe.h5", "\"$H\" tsne --vectors DIR/pipe.npy",
          "\"$H\" match CACHE --mask DIR/pipe.json", "\"$H\" match CACHE --label-map DIR/pipe.json",
          "\"$E\" inspect DIR/pipe.h5", "\"$E\" inspect DIR/pipe.gguf", "\"$E\" tokenize MODEL --input DIR/pipe.jsonl",
          "\"$E\" extract MODEL DIR/pipe.jsonl -o DIR/new.h5", "\"$H\" inspect DIR/pipe.gguf"})
        row(line, "expected a file, found a pipe");
    row("\"$H\" inspect DIR/pipe.json", "this is not a model");
    row("\"$E\" inspect DIR/pipe", "this is not a model");
    row("\"$E\" tokenize MODEL --input /dev/zero", "expected a file, found a device");
    row("\"$H\" match /dev/zero", "expected a file, found a device");
}

void TestCliTerminal::inputsThatNeverEnd()
{
    QFETCH(QString, line);
    QFETCH(const QString, said);
    line.replace(QLatin1String("CACHE"), QString::fromStdString(m_cache));
    line.replace(QLatin1String("DIR"), QString::fromStdString(m_folder.file("").parent_path().string()));
    line.replace(QLatin1String("MODEL"), QString::fromStdString(test::golden("models/llama_mha").string()));
    const auto run = shellRun(QStringLiteral("timeout -s KILL 240 ") + line);
    QVERIFY2(run.exitCode == 3, (std::to_string(run.exitCode) + ": " + run.err.toStdString()).c_str());
    QVERIFY2(QString::fromUtf8(run.err).contains(said), run.err.constData());
}

void TestCliTerminal::signalsEndIt_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("signal");
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        QTest::addRow("tsne, signal %d", signal)
            << QStringList{QStringLiteral("tsne"), QStringLiteral("CACHE"), QStringLiteral("--iterations"),
                           QStringLiteral("1000000000")}
            << signal;
}

void TestCliTerminal::signalsEndIt()
{
    QFETCH(QStringList, words);
    QFETCH(const int, signal);
    words.replaceInStrings(QStringLiteral("CACHE"), QString::fromStdString(m_cache));
    QProcess program;
    program.start(QString::fromStdString(test::program("headscope").string()),
                  words + QStringList{QStringLiteral("--progress"), QStringLiteral("json")});
    QVERIFY(program.waitForStarted(test::kPatienceMs));
    program.setReadChannel(QProcess::StandardError);
    QVERIFY(program.waitForReadyRead(test::kPatienceMs)); // at work, which has no end
    QVERIFY(test::signal(program, signal));
    QVERIFY(program.waitForFinished(test::kPatienceMs));
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), 128 + signal);
}

void TestCliTerminal::colorIsAskedForBeforeTheRun()
{
    const auto run = runVerb(
        {"tsne", m_cache, "--color", "nope", "--iterations", "100000000", "-o", m_folder.file("map.png").string()});
    QCOMPARE(run.code, 3);
    QVERIFY2(run.err.find("--color: expected head, strength, the name of a label or of numbers") != std::string::npos, run.err.c_str());
    QVERIFY(!std::filesystem::exists(m_folder.file("map.png")));
}

void TestCliTerminal::largestNumbersAreNoTrouble_data()
{
    QTest::addColumn<QString>("line");
    for (const char* line :
         {"retrieve CACHE --query-document d1 --top 1000000000", "match CACHE --k 1,1000000000",
          "match CACHE --pool best:1000000000", "neighbors CACHE -k 1000000000", "neighbors CACHE --check 1000000000",
          "heatmap CACHE --per-topic 1000000000", "heatmap CACHE --topics 1000000000",
          "layers CACHE --neighbors 1000000000", "probe CACHE --train 1000000000",
          "prune CACHE --save-mask OUT --keep 1000000000", "tsne CACHE --iterations 5 --perplexity 1000000000",
          "tsne CACHE --iterations 5 --learning-rate 1000000000000", "tsne CACHE --iterations 5 --exaggeration 1000000",
          "match CACHE --threads 4096", "match CACHE --heads 1-999999999",
          "match CACHE --documents 0-9223372036854775807", "match CACHE --layer 9223372036854775807"})
        QTest::newRow(line) << QString::fromLatin1(line);
}

void TestCliTerminal::largestNumbersAreNoTrouble()
{
    QFETCH(const QString, line);
    std::vector<std::string> words;
    for (const QString& word : line.split(QLatin1Char(' ')))
        words.push_back(word == QLatin1String("CACHE") ? m_cache
                        : word == QLatin1String("OUT") ? m_folder.file("mask.json").string()
                                                       : word.toStdString());
    const auto run = runVerb(words); // one that would take them at their word has no end
    QVERIFY2(run.code == 0 || run.code == 2 || run.code == 3, run.err.c_str());
}

void TestCliTerminal::noDisplay_data()
{
    QTest::addColumn<QString>("settings");
    QTest::addColumn<QString>("said");
    QTest::newRow("no such plugin") << QStringLiteral("env -u DISPLAY -u WAYLAND_DISPLAY QT_QPA_PLATFORM=nope")
                                    << QStringLiteral("QT_QPA_PLATFORM is set to \"nope\"");
    QTest::newRow("hostile plugin") << QStringLiteral("env QT_QPA_PLATFORM=\"$(printf 'a\\033[31m')\"")
                                    << QStringLiteral("QT_QPA_PLATFORM is set to \"a\\x1b[31m\"");
    QTest::newRow("no display") << QStringLiteral("env -u DISPLAY -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM")
                                << QStringLiteral("the window needs a display (DISPLAY or WAYLAND_DISPLAY), but there "
                                                  "is none");
    QTest::newRow("a display that does not answer")
        << QStringLiteral("env -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM DISPLAY=:973")
        << QStringLiteral("the window needs a display, but none can be reached; commands work without a display");
    QTest::newRow("no runtime folder") << QStringLiteral(
                                              "env -u XDG_RUNTIME_DIR -u WAYLAND_DISPLAY QT_QPA_PLATFORM=xcb "
                                              "DISPLAY=:973")
                                       << QStringLiteral("needs a display, but none can be reached");
}

void TestCliTerminal::noDisplay()
{
    QFETCH(const QString, settings);
    QFETCH(const QString, said);
    const auto run =
        shellRun(QStringLiteral("ulimit -c 0; %1 \"$H\" '%2'").arg(settings, QString::fromStdString(m_cache)));
    QVERIFY(!run.crashed);
    QVERIFY2(run.exitCode == 2, (std::to_string(run.exitCode) + ": " + run.err.toStdString()).c_str());
    QVERIFY2(QString::fromUtf8(run.err).contains(said), run.err.constData());
    QVERIFY(!acts(run.err.toStdString()));
}

HEADSCOPE_TEST_GUILESS(TestCliTerminal)
#include "tst_cli_terminal.moc"
