// SPDX-License-Identifier: GPL-3.0-or-later
// One writer at a time, whoever else is at it, wherever locks are and are not.
#include "model/base/output/output_lock.h"

#include "tests/model/io/cache_fixture.h"
#include "tests/model/io/lock_faults.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <thread>

using namespace headscope;
namespace fs = std::filesystem;

namespace
{

/// A process that holds the lock of a file until it is let go.
class Holder
{
public:
    explicit Holder(const fs::path& target)
    {
        std::array<int, 2> ready{};
        std::array<int, 2> go{};
        m_fine = ::pipe(ready.data()) == 0 && ::pipe(go.data()) == 0;
        m_child = ::fork();
        char byte = 0;
        if (m_child == 0)
        {
            ::close(go[1]);
            const auto lock = OutputLock::take(target);
            byte = lock ? 'y' : 'n';
            [[maybe_unused]] const auto told = ::write(ready[1], &byte, 1);
            [[maybe_unused]] const auto waited = ::read(go[0], &byte, 1);
            std::_Exit(0); // without removing the lock file, as by kill -9
        }
        ::close(go[0]);
        ::close(ready[1]);
        m_fine = m_fine && ::read(ready[0], &byte, 1) == 1 && byte == 'y';
        ::close(ready[0]);
        m_go = go[1];
    }
    Holder(const Holder&) = delete;
    Holder& operator=(const Holder&) = delete;
    ~Holder() { end(); }

    [[nodiscard]] bool fine() const { return m_fine; }
    [[nodiscard]] pid_t process() const { return m_child; }
    void end()
    {
        if (m_go < 0)
            return;
        ::close(std::exchange(m_go, -1));
        int status = 0;
        ::waitpid(m_child, &status, 0);
    }

private:
    pid_t m_child = -1;
    int m_go = -1;
    bool m_fine = false;
};

} // namespace

class TestOutputLock : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { test::lockError = 0; }
    void saysWhoHoldsIt_data();
    void saysWhoHoldsIt();
    void waitsUntilItIsFree();
    void stopsWaiting();
    void linksAreOneFile();
    void holderIsTold_data() { saysWhoHoldsIt_data(); }
    void holderIsTold();
};

void TestOutputLock::saysWhoHoldsIt_data()
{
    QTest::addColumn<bool>("locks");
    QTest::newRow("with locks") << true;
    QTest::newRow("without locks") << false;
}

void TestOutputLock::saysWhoHoldsIt()
{
    QFETCH(bool, locks);
    test::lockError = locks ? 0 : ENOLCK;
    const test::TemporaryFolder folder;
    const auto target = folder.file("cache.h5");
    Holder holder(target);
    QVERIFY(holder.fine());
    const auto refused = OutputLock::take(target);
    const std::string who = "is already being written by process " + std::to_string(holder.process()) + " on ";
    HEADSCOPE_VERIFY_ERROR(refused, ErrorCode::Resource, who.c_str());
    QVERIFY(refused.error().message.find(", since 20") != std::string::npos);
    QCOMPARE(folder.files(), std::size_t{1});
    holder.end(); // killed: the file is left, the lock is not
    QCOMPARE(folder.files(), std::size_t{1});
    {
        const auto lock = OutputLock::take(target);
        HEADSCOPE_VERIFY_OK(lock);
        HEADSCOPE_VERIFY_ERROR(OutputLock::take(target), ErrorCode::Resource, "is already being written");
    }
    QCOMPARE(folder.files(), std::size_t{0});
}

void TestOutputLock::waitsUntilItIsFree()
{
    const test::TemporaryFolder folder;
    const auto target = folder.file("cache.h5");
    std::atomic<int> inside = 0;
    std::atomic<int> most = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([&] {
            JobContext job;
            for (int round = 0; round < 5; ++round)
            {
                const auto lock = OutputLock::wait(target, job);
                const int now = ++inside;
                most = std::max(most.load(), lock ? now : 100);
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
                --inside;
            }
        });
    for (std::thread& each : threads)
        each.join();
    QCOMPARE(most.load(), 1);
    QCOMPARE(folder.files(), std::size_t{0});
}

void TestOutputLock::stopsWaiting()
{
    const test::TemporaryFolder folder;
    const Holder holder(folder.file("cache.h5"));
    QVERIFY(holder.fine());
    std::stop_source stop;
    stop.request_stop();
    JobContext job(stop.get_token());
    HEADSCOPE_VERIFY_ERROR(OutputLock::wait(folder.file("cache.h5"), job), ErrorCode::Cancelled, "");
}

void TestOutputLock::linksAreOneFile()
{
    const test::TemporaryFolder folder;
    fs::create_symlink("cache.h5", folder.file("link.h5"));
    const auto lock = OutputLock::take(folder.file("link.h5"));
    HEADSCOPE_VERIFY_OK(lock);
    HEADSCOPE_VERIFY_ERROR(OutputLock::take(folder.file("cache.h5")), ErrorCode::Resource, "is already being written");
    const auto longest = OutputLock::take(folder.file(std::string(255, 'n')));
    HEADSCOPE_VERIFY_OK(longest);
}

/// Whoever asks who writes a file holds nobody up, and is told nobody of those that have ended.
void TestOutputLock::holderIsTold()
{
    QFETCH(bool, locks);
    test::lockError = locks ? 0 : ENOLCK;
    const test::TemporaryFolder folder;
    const auto target = folder.file("cache.h5");
    QVERIFY(!OutputLock::holder(target));
    QCOMPARE(folder.files(), std::size_t{0}); // asking makes no lock file
    Holder holder(target);
    QVERIFY(holder.fine());
    const auto who = OutputLock::holder(target);
    QVERIFY(who && who->find("process " + std::to_string(holder.process()) + " on ") == 0);
    QVERIFY(who->find(", since 20") != std::string::npos);
    fs::create_symlink("cache.h5", folder.file("link.h5"));
    QVERIFY(OutputLock::holder(folder.file("link.h5")) == who);
    QVERIFY(!OutputLock::holder(folder.file("other.h5")));
    holder.end(); // killed: its lock file is still there
    QVERIFY(fs::exists(folder.file(".cache.h5.lock")));
    QVERIFY(!OutputLock::holder(target));
    const auto lock = OutputLock::take(target);
    HEADSCOPE_VERIFY_OK(lock);
    QVERIFY(OutputLock::holder(target)->find("process " + std::to_string(::getpid()) + " on ") == 0);
}

HEADSCOPE_TEST_GUILESS(TestOutputLock)
#include "tst_output_lock.moc"
