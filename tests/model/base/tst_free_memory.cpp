// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/free_memory.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>

using namespace headscope;

/// Fault row 24: what may still be taken, asked of files that say what a machine would.
class TestFreeMemory : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    void write(const std::string& name, const std::string& text) const
    {
        const auto path = root() / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    [[nodiscard]] std::filesystem::path root() const { return m_folder.path().toStdString(); }

private Q_SLOTS:
    void init()
    {
        std::filesystem::remove_all(root());
        write("proc/meminfo", "MemTotal:  4000000 kB\nMemFree:  5 kB\nMemAvailable:    3000000 kB\n");
    }

    void ofTheMachine()
    {
        const FreeMemory memory = freeMemory(root());
        QCOMPARE(memory.bytes, std::uint64_t{3'000'000} * 1024);
        QCOMPARE(memory.limit, std::string("this machine"));
    }
    void notKnown()
    {
        std::filesystem::remove_all(root());
        QCOMPARE(freeMemory(root()).bytes, std::numeric_limits<std::uint64_t>::max());
    }
    void ofAControlGroup()
    {
        write("proc/self/cgroup", "0::/user.slice/job\n");
        write("sys/fs/cgroup/user.slice/job/memory.max", "max\n");
        write("sys/fs/cgroup/user.slice/job/memory.current", "10\n");
        write("sys/fs/cgroup/user.slice/memory.max", "2000000000\n");
        write("sys/fs/cgroup/user.slice/memory.current", "700000000\n");
        write("sys/fs/cgroup/user.slice/memory.stat", "anon 200000000\ninactive_file 500000000\n");
        const FreeMemory memory = freeMemory(root());
        QCOMPARE(memory.bytes, std::uint64_t{1'800'000'000});
        QVERIFY(memory.limit.find("control group") != std::string::npos);
    }
    void ofAContainer()
    {
        write("proc/self/cgroup", "0::/\n");
        write("sys/fs/cgroup/memory.max", "1000000\n");
        write("sys/fs/cgroup/memory.current", "2000000\n");
        QCOMPARE(freeMemory(root()).bytes, std::uint64_t{0});
    }
    void ofAnOldControlGroup()
    {
        write("proc/self/cgroup", "12:cpu:/a\n9:memory:/slurm/uid_7\n");
        write("sys/fs/cgroup/memory/slurm/uid_7/memory.limit_in_bytes", "900000000\n");
        write("sys/fs/cgroup/memory/slurm/uid_7/memory.usage_in_bytes", "100000000\n");
        QCOMPARE(freeMemory(root()).bytes, std::uint64_t{800'000'000});
    }
    void whatDoesNotFitIsRefused()
    {
        const FreeMemory free = {.bytes = 3'100'000'000, .limit = "the control group"};
        const MemoryNeed need = {5.6e9, "a probe of 10000 labels", "fewer labels take less"};
        HEADSCOPE_VERIFY_OK(checkMemory(need, {}));
        HEADSCOPE_VERIFY_OK(checkMemory({3.1e9, "a probe", "nothing"}, free));
        HEADSCOPE_VERIFY_ERROR(checkMemory(need, free), ErrorCode::OutOfMemory,
                               "a probe of 10000 labels needs about 5.60 GB of memory, but only 3.10 GB is free (the "
                               "control group); fewer labels take less");
        HEADSCOPE_VERIFY_ERROR(checkMemory({1e30, "a probe", "nothing"}), ErrorCode::OutOfMemory, "TB of memory");
    }
    void ofThisMachine()
    {
        const FreeMemory memory = freeMemory();
        QVERIFY(memory.bytes > 0 && !memory.limit.empty());
    }
};

HEADSCOPE_TEST_GUILESS(TestFreeMemory)
#include "tst_free_memory.moc"
