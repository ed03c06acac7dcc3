// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/process.h"

#include "model/base/output/output_file.h"

#include "tests/support/process.h"
#include "tests/support/sanitized.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTemporaryDir>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <barrier>
#include <cerrno>
#include <csignal>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace headscope;
using Program = int (*)(int, char**);

namespace
{

struct End
{
    int code = 0; ///< exit code, or 1000 + the signal that killed it
    std::string said;
};

/// How a child that runs a program ends, and what it said on standard error.
End endOf(Program program, const std::string& argument = {}, int closed = -1)
{
    std::array<int, 2> ends = {-1, -1};
    [[maybe_unused]] const int piped = pipe(ends.data());
    const pid_t child = fork();
    if (child == 0)
    {
        alarm(240);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        if (closed >= 0)
            close(closed);
        std::string text = argument;
        std::array<char*, 2> words = {text.data(), nullptr};
        _exit(shell::runProgram(program, 1, words.data()));
    }
    close(ends[1]);
    End end;
    std::array<char, 1024> buffer{};
    for (ssize_t got = 0; (got = read(ends[0], buffer.data(), buffer.size())) > 0;)
        end.said.append(buffer.data(), static_cast<std::size_t>(got));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    end.code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    return end;
}

int throwHere(int /*argc*/, char** argv)
{
    const std::string what = argv[0];
    if (what == "memory")
        throw std::bad_alloc();
    if (what == "length")
        throw std::length_error("vector::reserve");
    if (what == "number")
        throw 7;
    throw std::runtime_error(what);
}

int throwInThread(int argc, char** argv)
{
    std::thread([=] { throwHere(argc, argv); }).join();
    return 0;
}

} // namespace

class TestProcess : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void exceptionsAreSentences_data();
    void exceptionsAreSentences();
    void libraryExitIsASentence();
    void crashesAreSentences_data();
    void crashesAreSentences();
    void threadsThatCrashTogether();
    void signalsOfOthersStayWhatTheyAre();
    void partFilesGoWithIt();
    void closedDescriptorsAreTaken_data();
    void closedDescriptorsAreTaken();
    void fileSizeLimitIsAnError();
};

void TestProcess::exceptionsAreSentences_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("said");
    QTest::newRow("memory") << QStringLiteral("memory") << 4 << QStringLiteral("not enough memory for this task");
    QTest::newRow("length") << QStringLiteral("length") << 4 << QStringLiteral("not enough memory for this task");
    QTest::newRow("number") << QStringLiteral("number") << 70 << QStringLiteral("of an unknown kind");
    QTest::newRow("words") << QStringLiteral("no \x1b[2J") << 70 << QStringLiteral("unexpected failure: no \\x1b[2J");
}

void TestProcess::exceptionsAreSentences()
{
    QFETCH(const QString, what);
    QFETCH(const int, code);
    QFETCH(const QString, said);
    for (const Program program : {Program(throwHere), Program(throwInThread)})
    {
        const End end = endOf(program, what.toStdString());
        QVERIFY2(end.code == code, (std::to_string(end.code) + " " + end.said).c_str());
        QVERIFY2(end.said.starts_with("headscope: ") && end.said.ends_with("\n"), end.said.c_str());
        QVERIFY2(QString::fromStdString(end.said).contains(said), end.said.c_str());
    }
}

void TestProcess::libraryExitIsASentence()
{
    const End end = endOf([](int, char**) -> int { std::exit(255); });
    QCOMPARE(end.code, 4);
    QVERIFY2(end.said.starts_with("headscope: a library ended the program"), end.said.c_str());
}

void TestProcess::crashesAreSentences_data()
{
    QTest::addColumn<QString>("kind");
    QTest::newRow("memory") << QStringLiteral("memory");
    QTest::newRow("memory, on a thread") << QStringLiteral("thread");
    QTest::newRow("endless recursion") << QStringLiteral("recursion");
    QTest::newRow("division") << QStringLiteral("division");
    QTest::newRow("abort") << QStringLiteral("abort");
}

namespace
{

int deeper(volatile const int* number) // NOLINT(misc-no-recursion)
{
    const std::array<volatile int, 4096> room = {*number};
    return room[0] == 0 ? 0 : deeper(&room[0]) + room[1];
}

int crash(int /*argc*/, char** argv)
{
    const std::string kind = argv[0];
    volatile int number = kind.empty() ? 0 : 1;
    if (kind == "recursion")
        return deeper(&number);
    if (kind == "abort")
        std::abort();
    if (kind == "division")
        return number / (number - 1);
    const auto write = [] {
        volatile int* volatile place = nullptr;
        *place = 1;
    };
    if (kind == "thread")
        std::thread(write).join();
    else
        write();
    return 0;
}

} // namespace

void TestProcess::crashesAreSentences()
{
    if (test::kSanitized)
        QSKIP("sanitizers report crashes themselves");
    QFETCH(const QString, kind);
    const End end = endOf(crash, kind.toStdString());
    QVERIFY2(end.code == 70, (std::to_string(end.code) + " " + end.said).c_str());
    QVERIFY2(end.said.starts_with("headscope: the program crashed"), end.said.c_str());
}

/// As those of a library do that lost what they worked on.
void TestProcess::threadsThatCrashTogether()
{
    if (test::kSanitized)
        QSKIP("sanitizers report crashes themselves");
    constexpr int kTries = 20; // whether they meet is chance
    for (int i = 0; i < kTries; ++i)
    {
        const End end = endOf([](int, char**) -> int {
            constexpr int kThreads = 4;
            std::barrier together(kThreads);
            std::vector<std::thread> threads;
            for (int thread = 0; thread < kThreads; ++thread)
                threads.emplace_back([&] {
                    together.arrive_and_wait();
                    volatile int* volatile nowhere = nullptr;
                    *nowhere = 1;
                });
            for (std::thread& thread : threads)
                thread.join();
            return 0;
        });
        QVERIFY2(end.code == 70, (std::to_string(end.code) + " " + end.said).c_str());
        QCOMPARE(std::ranges::count(end.said, '\n'), 1);
    }
}

/// Who ends a program by a signal, a debugger or a test, sees it end by that signal.
void TestProcess::signalsOfOthersStayWhatTheyAre()
{
    const End end = endOf([](int, char**) -> int {
        if (fork() == 0)
        {
            const bool sent = test::signal(getppid(), SIGSEGV);
            _exit(sent ? 0 : 1);
        }
        std::this_thread::sleep_for(std::chrono::minutes(4));
        return 0;
    });
    QCOMPARE(end.code, 1000 + SIGSEGV);
}

void TestProcess::partFilesGoWithIt()
{
    const QTemporaryDir folder;
    const std::filesystem::path target = folder.filePath(QStringLiteral("map.h5")).toStdString();
    const End end = endOf(
        [](int /*argc*/, char** argv) {
            auto output = OutputFile::create(argv[0]);
            if (!output || !output->write("half") || !std::filesystem::exists(output->part()))
                return 1;
            std::thread([] { throw std::bad_alloc(); }).join();
            return 2;
        },
        target.string());
    QCOMPARE(end.code, 4);
    QVERIFY(std::filesystem::is_empty(folder.path().toStdString()));
}

void TestProcess::closedDescriptorsAreTaken_data()
{
    QTest::addColumn<int>("closed");
    for (const int descriptor : {0, 1, 2})
        QTest::addRow("%d", descriptor) << descriptor;
}

void TestProcess::closedDescriptorsAreTaken()
{
    QFETCH(const int, closed);
    const End end = endOf(
        [](int /*argc*/, char** argv) {
            const int tried = argv[0][0] - '0';
            const int file = open("/dev/null", O_RDWR); // what is opened later has a number of its own
            if (file <= 2)
                return 1;
            char byte = 0;
            errno = 0;
            if (tried == 0)
                return read(0, &byte, 1) == -1 && errno == EBADF ? 9 : 2;
            const bool written = write(tried, "x", 1) == 1;
            return written == (tried == 2) ? 9 : 3; // a sentence that nobody reads is no failure
        },
        std::to_string(closed), closed);
    QCOMPARE(end.code, 9);
}

void TestProcess::fileSizeLimitIsAnError()
{
    const QTemporaryDir folder;
    const std::filesystem::path target = folder.filePath(QStringLiteral("map.csv")).toStdString();
    const End end = endOf(
        [](int /*argc*/, char** argv) {
            const rlimit limit = {1000, 1000};
            setrlimit(RLIMIT_FSIZE, &limit);
            const Status written = writeFileAtomically(argv[0], std::string(5000, 'x'));
            return !written && written.error().code == ErrorCode::Resource ? 9 : 1;
        },
        target.string());
    QVERIFY2(end.code == 9, (std::to_string(end.code) + " " + end.said).c_str());
    QVERIFY(std::filesystem::is_empty(folder.path().toStdString()));
}

HEADSCOPE_TEST_GUILESS(TestProcess)
#include "tst_process.moc"
