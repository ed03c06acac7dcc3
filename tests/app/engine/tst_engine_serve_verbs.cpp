// SPDX-License-Identifier: GPL-3.0-or-later
// The methods of `headscope-engine serve` are those of the list of verbs (app/shell/verbs.h): nobody writes a test for
// a verb that is served as it is.
#include "app/engine/serve/serving.h"
#include "app/shell/request_params.h"
#include "app/shell/verbs.h"
#include "model/base/fields/fields.h"
#include "tests/app/engine/engine_run.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <algorithm>

using namespace headscope;
namespace fs = std::filesystem;

namespace
{

/// What a verb is called with on a tiny model, as words and as the parameters of a request.
struct Call
{
    QStringList words;
    QJsonObject params;
};

QByteArray lineOf(int id, const QString& method, const QJsonObject& params)
{
    return QJsonDocument(QJsonObject{{"id", id}, {"method", method}, {"params", params}})
               .toJson(QJsonDocument::Compact) +
           '\n';
}

/// Without what differs from run to run: times, speed, memory, and the digest of a cache, which holds its time.
QByteArray timeless(const QByteArray& json)
{
    static const QRegularExpression kTimes(
        QStringLiteral("\"seconds\":\\{[^}]*\\}|\"(seconds|tokens_per_second|peak_bytes)\":[-+.e0-9]+"
                       "|\"sha256\":\"[0-9a-f]*\""));
    return QString::fromUtf8(json).remove(kTimes).toUtf8();
}

/// What a served answer holds in front of its notices and its memory.
QByteArray resultOf(const QByteArray& line, int id)
{
    const QByteArray head = "{\"id\":" + QByteArray::number(id) + ",\"result\":";
    static const QRegularExpression kTail(QStringLiteral("(,\"notices\":\\[.*\\])?,\"memory\":\\{[^{}]*\\}\\}$"));
    return line.startsWith(head) ? QString::fromUtf8(line.sliced(head.size())).remove(kTail).toUtf8() : line;
}

} // namespace

class TestEngineServeVerbs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void answersAsTheVerbPrints_data();
    void answersAsTheVerbPrints();
    void failsAsTheVerb_data() { answersAsTheVerbPrints_data(); }
    void failsAsTheVerb();
    void everyServedVerbIsAMethod();
    void theProtocolListsTheMethods();

private:
    [[nodiscard]] fs::path folder() const { return m_folder.path().toStdString(); }
    [[nodiscard]] Call callOf(const engine::EngineVerb& verb, const QString& model) const;
    /// The lines of a `serve` that is asked these requests.
    [[nodiscard]] QList<QByteArray> served(const QByteArray& requests) const;

    QTemporaryDir m_folder;
    QString m_model = test::text(test::golden("models/mistral_f32"));
};

void TestEngineServeVerbs::initTestCase()
{
    std::string lines;
    for (int i = 0; i < 6; ++i)
        lines += "{\"text\": \"Text " + std::to_string(i) + " of the cat\", \"topic\": \"" + (i % 2 == 0 ? "a" : "b") +
                 "\"}\n";
    test::writeFile(folder() / "few.jsonl", lines);
}

Call TestEngineServeVerbs::callOf(const engine::EngineVerb& verb, const QString& model) const
{
    const QString name = QString::fromUtf8(verb.name.data(), qsizetype(verb.name.size()));
    Call call{{name}, {}};
    Fields table;
    const auto unused = verb.declare(table);
    for (const Field& row : table.options())
    {
        if (!row.isPositional())
            continue;
        const QString parameter = QString::fromStdString(shell::parameterName(row));
        const bool texts = parameter == QStringLiteral("documents");
        call.words << (texts ? test::text(folder() / "few.jsonl") : model);
        call.params[parameter] = texts ? QJsonValue(QJsonArray{call.words.back()}) : QJsonValue(model);
    }
    call.words << "--json";
    const auto tried = test::runEngine(call.words);
    if (test::jsonOf(tried)["error"].toObject()["place"].toString() == QStringLiteral("--output"))
    {
        const QString output = test::text(folder() / (std::string(verb.name) + ".h5"));
        call.words << "-o" << output << "--overwrite";
        call.params["output"] = output;
        call.params["overwrite"] = true;
    }
    return call;
}

QList<QByteArray> TestEngineServeVerbs::served(const QByteArray& requests) const
{
    QList<QByteArray> lines = test::runEngine({"serve"}, requests).out.trimmed().split('\n');
    lines.removeFirst(); // its hello
    lines.removeIf([](const QByteArray& line) { return line.contains("\"progress\":"); });
    return lines;
}

void TestEngineServeVerbs::answersAsTheVerbPrints_data()
{
    QTest::addColumn<qsizetype>("place");
    const auto verbs = engine::engineVerbs();
    for (std::size_t i = 0; i < verbs.size(); ++i)
        if (verbs[i].served == shell::Served::Verb || verbs[i].served == shell::Served::Alone)
            QTest::newRow(verbs[i].name.data()) << qsizetype(i);
}

/// By a model that this request opens, and by one that is in memory.
void TestEngineServeVerbs::answersAsTheVerbPrints()
{
    QFETCH(qsizetype, place);
    const Call call = callOf(engine::engineVerbs()[std::size_t(place)], m_model);
    const auto printed = test::runEngine(call.words);
    QVERIFY2(printed.exitCode == 0, printed.err.constData());
    const QString& name = call.words.front();
    const auto lines =
        served(lineOf(1, name, call.params) + lineOf(2, "open", {{"model", m_model}, {"layers", "all"}}) +
               lineOf(3, name, call.params));
    QCOMPARE(lines.size(), 3);
    QCOMPARE(timeless(resultOf(lines[0], 1)), timeless(printed.out.trimmed()));
    QVERIFY2(lines[1].startsWith("{\"id\":2,\"result\":"), lines[1].constData());
    QCOMPARE(timeless(resultOf(lines[2], 3)), timeless(printed.out.trimmed()));
}

void TestEngineServeVerbs::failsAsTheVerb()
{
    QFETCH(qsizetype, place);
    const Call call = callOf(engine::engineVerbs()[std::size_t(place)], test::text(folder() / "no model"));
    const auto printed = test::runEngine(call.words);
    QVERIFY(printed.exitCode != 0);
    const auto lines = served(lineOf(1, call.words.front(), call.params));
    QCOMPARE(lines.size(), 1);
    QCOMPARE(QJsonDocument::fromJson(lines[0]).object()["error"], test::jsonOf(printed)["error"]);
}

void TestEngineServeVerbs::everyServedVerbIsAMethod()
{
    for (const engine::EngineVerb& verb : engine::engineVerbs())
    {
        const int forms = verb.name == "attention" ? 1 : 0; // of a text; the verb itself answers for documents
        QCOMPARE(std::ranges::count(engine::servedMethods(), verb.name, &engine::ServedMethod::name),
                 verb.served == shell::Served::No ? 0 : 1 + forms);
    }
}

/// In its table of methods, a line for one or several of them.
void TestEngineServeVerbs::theProtocolListsTheMethods()
{
    QFile page(test::text(test::source("app/engine/PROTOCOL.md")));
    QVERIFY(page.open(QIODevice::ReadOnly));
    QStringList listed;
    for (const QByteArray& line : page.readAll().split('\n'))
        if (line.startsWith("| `"))
            for (const QByteArray& name : line.split('|').at(1).split(','))
                listed << QString::fromUtf8(name.trimmed()).remove(u'`');
    QStringList methods{"cancel", "quit"};
    for (const engine::ServedMethod& method : engine::servedMethods())
        methods << QString::fromUtf8(method.name.data(), qsizetype(method.name.size()));
    listed.sort();
    methods.sort();
    QCOMPARE(listed, methods);
}

HEADSCOPE_TEST_GUILESS(TestEngineServeVerbs)
#include "tst_engine_serve_verbs.moc"
