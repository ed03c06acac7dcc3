// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/engine/engine_servers.h"
#include "tests/app/desktop/engine_script.h"
#include "tests/support/process.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"
#include "tests/support/waiting.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

using namespace headscope;
using desktop::EngineServer;
using Json = nlohmann::json;
using test::answering;

/// The engine that stays is played by small shell scripts, and once is itself.
class TestEngineServer : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    int m_scripts = 0;

    std::filesystem::path script(const test::EngineScript& engine)
    {
        const QString path = m_folder.filePath(QStringLiteral("engine%1.sh").arg(++m_scripts));
        return test::writeEngine(path, engine) ? path.toStdString() : std::string();
    }
    std::filesystem::path script(const QByteArray& body) { return script(test::EngineScript{body}); }

    static inline const QByteArray kBegun = answering("\"progress\":{\"stage\":\"begun\",\"done\":1,\"total\":2}");

    static bool isThere(pid_t process) { return test::signal(process, 0); }

private Q_SLOTS:
    void answersAndStays()
    {
        std::atomic<int> told = 0;
        EngineServer engine(script(answering("\"progress\":{\"stage\":\"a\",\"done\":1,\"total\":2}") + "\n" +
                                   answering("\"result\":{\"n\":3},\"memory\":{\"resident\":5000,\"weights\":7}")),
                            [&told] { ++told; });
        QCOMPARE(engine.processId(), 0); // it is started by the first question
        std::vector<std::string> stages;
        JobContext job({}, [&stages](const Progress& progress) { stages.push_back(progress.stage); });
        const auto first = engine.ask("embed", {{"text", "a"}}, job);
        HEADSCOPE_VERIFY_OK(first);
        QCOMPARE(first.value().value("n", 0), 3);
        const pid_t process = engine.processId();
        QVERIFY(process > 0);
        QCOMPARE(engine.memory().resident, std::uint64_t(5000));
        QCOMPARE(engine.memory().weights, std::uint64_t(7));
        HEADSCOPE_VERIFY_OK(engine.ask("embed", {{"text", "b"}}, job));
        QCOMPARE(engine.processId(), process);
        WAIT_FOR(told >= 2); // it is told after the answer
    }

    void errorsAreThoseOfTheEngine()
    {
        EngineServer engine(script(answering("\"error\":{\"code\":\"bad_format\",\"message\":\"expected A, found B\","
                                             "\"file\":\"x.gguf\",\"place\":\"header\"}")),
                            {});
        JobContext job;
        HEADSCOPE_VERIFY_ERROR(engine.ask("embed", Json::object(), job), ErrorCode::BadFormat,
                               "x.gguf: header: expected A, found B");
        QVERIFY(engine.processId() > 0);
    }

    /// A line that it could not read has no id: nobody waits for ever.
    void anAnswerToNobodyIsForAll()
    {
        EngineServer engine(script("echo '{\"id\":null,\"error\":{\"code\":\"bad_format\",\"message\":\"too long\"}}'"),
                            {});
        JobContext job;
        HEADSCOPE_VERIFY_ERROR(engine.ask("embed", Json::object(), job), ErrorCode::BadFormat, "too long");
    }

    void dyingEngineIsASentenceAndIsStartedAgain_data()
    {
        QTest::addColumn<QByteArray>("death");
        QTest::addColumn<QString>("part");
        QTest::newRow("killed") << QByteArray("kill -9 $$") << QStringLiteral("SIGKILL");
        QTest::newRow("crashed") << QByteArray("kill -11 $$") << QStringLiteral("SIGSEGV");
        QTest::newRow("aborted") << QByteArray("echo 'terminate called' >&2; echo '  what(): bad' >&2; kill -6 $$")
                                 << QStringLiteral("SIGABRT (internal error); its last message: terminate called /   "
                                                   "what(): bad");
        QTest::newRow("ended") << QByteArray("echo 'headscope: no memory is left' >&2; exit 4")
                               << QStringLiteral("exit code 4; its last message: no memory is left");
        QTest::newRow("no answer") << QByteArray("echo 'not json'; exit 0") << QStringLiteral("exit code 0");
    }
    void dyingEngineIsASentenceAndIsStartedAgain()
    {
        QFETCH(QByteArray, death);
        QFETCH(QString, part);
        const QByteArray once = m_folder.filePath(QStringLiteral("died%1").arg(m_scripts)).toLocal8Bit();
        EngineServer engine(script("if [ ! -e " + once + " ]; then touch " + once + "; " + death + "; fi\n" +
                                   answering("\"result\":{},\"memory\":{\"resident\":9,\"weights\":0}")),
                            {});
        JobContext job;
        const auto died = engine.ask("embed", Json::object(), job);
        HEADSCOPE_VERIFY_ERROR(died, ErrorCode::Internal, part.toStdString());
        QVERIFY(died.error().message.ends_with("; the engine restarts with the next request"));
        QCOMPARE(engine.processId(), 0);
        QCOMPARE(engine.memory().resident, std::uint64_t(0));
        HEADSCOPE_VERIFY_OK(engine.ask("embed", Json::object(), job));
        QCOMPARE(engine.memory().resident, std::uint64_t(9));
    }

    void oneThatDiedMeanwhileIsStartedAgain()
    {
        EngineServer engine(script(answering("\"result\":{}")), {});
        JobContext job;
        HEADSCOPE_VERIFY_OK(engine.ask("embed", Json::object(), job));
        const pid_t process = engine.processId();
        QVERIFY(test::signal(process, SIGKILL));
        WAIT_COMPARE(engine.processId(), 0);
        HEADSCOPE_VERIFY_OK(engine.ask("embed", Json::object(), job));
        QVERIFY(engine.processId() != process);
    }

    void strangersAreRefused_data()
    {
        QTest::addColumn<QByteArray>("hello");
        QTest::newRow("another protocol") << QByteArray("{\"protocol\":2,\"version\":\"9\"}");
        QTest::newRow("no protocol") << QByteArray("hello");
        QTest::newRow("a number") << QByteArray("7");
        QTest::newRow("a memory that is none") << QByteArray("{\"protocol\":1,\"memory\":{\"resident\":\"much\"}}");
    }
    void strangersAreRefused()
    {
        QFETCH(QByteArray, hello);
        EngineServer engine(script({.body = "sleep 0.1", .hello = hello}), {});
        JobContext job;
        HEADSCOPE_VERIFY_ERROR(engine.ask("embed", Json::object(), job), ErrorCode::Unsupported, "of this version");
    }

    void missingEngine()
    {
        EngineServer engine("/nowhere/headscope-engine", {});
        JobContext job;
        const auto answer = engine.ask("embed", Json::object(), job);
        HEADSCOPE_VERIFY_ERROR(answer, ErrorCode::Resource, "install the package headscope-engine");
        QVERIFY(answer.error().message.find("serve") == std::string::npos); // which a user of the window never typed
    }

    void stopCancels_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<bool>("stays");
        QTest::newRow("obeys") << QByteArray() << true;
        QTest::newRow("deaf") << QByteArray("while :; do sleep 0.05; done") << false;
    }
    void stopCancels()
    {
        QFETCH(QByteArray, body);
        QFETCH(bool, stays);
        EngineServer engine(
            script({.body = kBegun + body, .cancel = test::answeringCancelled(), .before = "trap '' TERM"}), {});
        std::stop_source stop;
        // Once it is at work. One that is deaf never answers: that this ends at all is what is tested.
        JobContext job(stop.get_token(), [&stop](const Progress&) { stop.request_stop(); });
        HEADSCOPE_VERIFY_ERROR(engine.ask("embed", Json::object(), job), ErrorCode::Cancelled, "");
        QCOMPARE(engine.processId() > 0, stays);
        HEADSCOPE_VERIFY_ERROR(engine.ask("embed", Json::object(), job), ErrorCode::Cancelled, "");
    }

    /// What was made before the stop was heard is there.
    void aResultInSpiteOfAStop()
    {
        EngineServer engine(script({.body = kBegun, .cancel = answering("\"result\":{\"n\":3}", "$request")}), {});
        std::stop_source stop;
        JobContext job(stop.get_token(), [&stop](const Progress&) { stop.request_stop(); });
        const auto made = engine.ask("extract", Json::object(), job);
        HEADSCOPE_VERIFY_OK(made);
        QCOMPARE(made.value().value("n", 0), 3);
    }

    /// Each once, in their order, whether they came on the way or with the answer; what is no answer is passed over.
    void noticesAreHandedOn()
    {
        EngineServer engine(
            script("echo 'a warning of a library'; echo '[1]'; echo '{\"id\":99,\"result\":1}'; echo '{}'\n" +
                   answering("\"notice\":\"one\"") + answering("\"notice\":\"two\"") +
                   answering("\"notice\":\"of another\"", "98") +
                   answering("\"result\":{\"n\":3},\"notices\":[\"one\",\"two\",\"three\"]")),
            {});
        JobContext job;
        std::vector<std::string> notices;
        const auto answer = engine.ask("extract", Json::object(), job,
                                       [&notices](const std::string& notice) { notices.push_back(notice); });
        HEADSCOPE_VERIFY_OK(answer);
        QCOMPARE(answer.value().value("n", 0), 3);
        QCOMPARE(notices, (std::vector<std::string>{"one", "two", "three"}));
    }

    void noticesOfAFailureAreHandedOn()
    {
        EngineServer engine(script(answering("\"notice\":\"one\"") +
                                   answering("\"error\":{\"code\":\"resource\",\"message\":\"full\"},\"notices\":"
                                             "[\"one\",\"4 of 9 documents are kept\"]")),
                            {});
        JobContext job;
        std::vector<std::string> notices;
        HEADSCOPE_VERIFY_ERROR(engine.ask("extract", Json::object(), job,
                                          [&notices](const std::string& notice) { notices.push_back(notice); }),
                               ErrorCode::Resource, "full");
        QCOMPARE(notices, (std::vector<std::string>{"one", "4 of 9 documents are kept"}));
    }

    /// The engine of a job ends with it, and those that stay are not disturbed.
    void oneForAJobEndsWithIt()
    {
        desktop::EngineServers engines(QString::fromStdString(
            script(answering("\"result\":{},\"memory\":{\"resident\":5000,\"weights\":0}")).string()));
        JobContext job;
        const auto stays = engines.of(QStringLiteral("model"));
        HEADSCOPE_VERIFY_OK(stays->ask("embed", Json::object(), job));
        const QString memory = engines.memoryText();
        auto once = engines.forOneJob();
        HEADSCOPE_VERIFY_OK(once->ask("extract", Json::object(), job));
        const pid_t process = once->processId();
        QVERIFY(process > 0 && process != stays->processId());
        QCOMPARE(engines.memoryText(), memory);
        once.reset();
        QVERIFY(!isThere(process));
        QVERIFY(isThere(stays->processId()));
    }

    void noneIsLeftBehind_data()
    {
        QTest::addColumn<QByteArray>("before");
        QTest::newRow("obeys") << QByteArray();
        QTest::newRow("deaf") << QByteArray("trap '' TERM");
    }
    void noneIsLeftBehind()
    {
        QFETCH(QByteArray, before);
        pid_t process = 0;
        {
            EngineServer engine(script({.body = answering("\"result\":{}"), .before = before}), {});
            JobContext job;
            HEADSCOPE_VERIFY_OK(engine.ask("embed", Json::object(), job));
            process = engine.processId();
            QVERIFY(isThere(process));
        }
        QVERIFY(!isThere(process));
    }

    void twoDoNotDisturbEachOther()
    {
        const auto program = test::program("headscope-engine");
        if (!std::filesystem::exists(program))
            QSKIP("headscope-engine is not built");
        EngineServer one(program, {});
        const Json params = {{"model", test::golden("models/mistral_f32").string()}, {"text", "a text"}};
        JobContext job;
        std::string file;
        {
            EngineServer other(program, {});
            const auto first = one.ask("embed", params, job);
            const auto second = other.ask("embed", params, job);
            HEADSCOPE_VERIFY_OK(first);
            HEADSCOPE_VERIFY_OK(second);
            QVERIFY(one.processId() != other.processId());
            file = first.value().value("file", "");
            QVERIFY(file != second.value().value("file", ""));
        }
        QVERIFY(std::filesystem::exists(file)); // the other took nothing of it along
        HEADSCOPE_VERIFY_OK(one.ask("embed", params, job));
    }
};

HEADSCOPE_TEST_GUILESS(TestEngineServer)
#include "tst_desktop_engine_server.moc"
