// SPDX-License-Identifier: GPL-3.0-or-later
// Files that make HDF5 crash, read for ever or leave the file: none of them does so in this process.
#include "model/io/hdf5/hdf5_open.h"

#include "model/base/file.h"
#include "model/base/random.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/hdf5/hdf5_writer.h"
#include "model/io/results/matrix_file.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/model/io/lock_faults.h"
#include "tests/support/process.h"
#include "tests/support/sanitized.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <thread>
#include <vector>

using namespace headscope;

class TestHdf5Door : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void refusesEndlessRows();
    void refusesWhatBreaksHdf5_data();
    void refusesWhatBreaksHdf5();
    void neverLeavesTheFile();
    void readsNoNumberOfOddBits();
    void anyFlippedByteEndsInASentence();
    void whatThisProcessWroteNeedsNoProgram();
    void aSealIsNoProof();
    void saysWhichProgramIsMissing();
    void asksOnceForEachState();
    void asksOnceForSeveralThreads();
    void saysHowTheProgramEnded_data();
    void saysHowTheProgramEnded();
    void aStopEndsTheProgram();
    void opensWithoutLocks();
    void failuresOfTheSystemAreNoDamage_data();
    void failuresOfTheSystemAreNoDamage();
    void refusesPipes();

private:
    /// A cache without a seal.
    [[nodiscard]] std::filesystem::path unsealed(const std::string& name)
    {
        const auto path = m_folder.file(name);
        static_cast<void>(writeCache(path, test::sampleContents(), NumberType::F32, m_job));
        const auto size = sizeWithoutSeal(path);
        std::filesystem::resize_file(path, size ? *size : 0);
        return path;
    }
    /// Another program in place of the one that tries files.
    void useProgram(const std::string& commands)
    {
        const auto path = m_folder.file("program");
        std::ofstream(path) << "#!/bin/sh\n" << commands << '\n';
        ::chmod(path.c_str(), 0755);
        ::setenv("HEADSCOPE_HDF5_CHECK", path.c_str(), 1);
    }

    test::TemporaryFolder m_folder;
    JobContext m_job;
};

void TestHdf5Door::init()
{
    test::lockError = 0;
    ::setenv("HEADSCOPE_HDF5_CHECK", test::program("headscope-hdf5-check").c_str(), 1);
}

void TestHdf5Door::refusesWhatBreaksHdf5_data()
{
    QTest::addColumn<QString>("dataset");
    QTest::addColumn<QString>("part");
    const auto add = [](const char* name, const char* dataset, const char* part) {
        QTest::newRow(name) << QString::fromLatin1(dataset) << QString::fromLatin1(part);
    };
    // A sanitizer may end the check itself, and sets no limit to its addresses.
    const char* crash = test::kSanitized ? "the file is damaged: the HDF5 library crashes on it (signal"
                                         : "the file is damaged: the HDF5 library crashes on it (signal 11";
    if (!test::kSanitized)
        add("long-text", "/documents/tokens", "it requests more memory than a file of its size can need");
    for (const char* name : {"unsealed-25", "unsealed-156", "unsealed-198", "unsealed-273", "unsealed-beyond"})
        add(name, "/documents/tokens", crash);
    for (const char* name : {"map-flip", "map-crash-197", "map-crash-255", "map-loops"})
        add(name, "/maps/map/xy", "the file is damaged");
    // The same with seals that are right: anybody can write one.
    add("resealed-156", "/documents/tokens", crash);
    add("resealed-crash-197", "/maps/map/xy", crash);
    add("resealed-loops", "/maps/map/xy", "the file is damaged: reading it never finishes");
    add("within-itself", "/a",
        "/a/b/again: the file is damaged: expected nested groups, found a group that contains itself");
}

/// 72,057,594,037,927,960 rows without columns: walking through them took for ever.
void TestHdf5Door::refusesEndlessRows()
{
    const std::string path = test::golden("faults/map-rows.h5").string();
    HEADSCOPE_VERIFY_ERROR(readMatrix(path + ":/maps/map/xy", m_job), ErrorCode::BadFormat, "the file is damaged");
    HEADSCOPE_VERIFY_ERROR(CacheReader::open(path), ErrorCode::BadFormat, path);
}

void TestHdf5Door::refusesWhatBreaksHdf5()
{
    QFETCH(QString, dataset);
    QFETCH(QString, part);
    const auto path = test::golden(std::string("faults/") + QTest::currentDataTag() + ".h5");
    HEADSCOPE_VERIFY_ERROR(readMatrix(path.string() + ':' + dataset.toStdString(), m_job), ErrorCode::BadFormat,
                           part.toStdString());
    HEADSCOPE_VERIFY_ERROR(CacheReader::open(path), ErrorCode::BadFormat, path.string());
    HEADSCOPE_VERIFY_ERROR(Hdf5Writer::copyOf(path, m_job), ErrorCode::BadFormat, "damaged");
}

/// What links to other files, and behind a soft link too, is not there; what lies in other files is not read.
void TestHdf5Door::neverLeavesTheFile()
{
    const auto path = test::golden("faults/other-file.h5");
    const auto file = Hdf5Reader::open(path, m_job);
    HEADSCOPE_VERIFY_OK(file);
    for (const char* name : {"/outside", "/soft", "/nowhere", "/loop"})
    {
        QVERIFY2(!file->has(name) && !file->isDataset(name), name);
        HEADSCOPE_VERIFY_ERROR(file->describe(name), ErrorCode::BadFormat, "expected a dataset here, found none");
        QVERIFY(!file->integerAttribute(name, "any"));
    }
    for (const char* name : {"/raw", "/virtual"})
        HEADSCOPE_VERIFY_ERROR(file->describe(name), ErrorCode::Unsupported, "found a reference to other files");
    const auto inside = readMatrix(path.string() + ":/inside", m_job);
    HEADSCOPE_VERIFY_OK(inside);
    QVERIFY((inside->values() == std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}));
}

void TestHdf5Door::readsNoNumberOfOddBits()
{
    HEADSCOPE_VERIFY_ERROR(readIntegers(test::golden("faults/odd-number.h5").string() + ":/v", m_job),
                           ErrorCode::BadFormat, "of a type that cannot be read");
}

/// Fault rows 11 and 12: what stands after the flip is read whole, or refused; this process lives.
void TestHdf5Door::anyFlippedByteEndsInASentence()
{
    const auto path = unsealed("whole.h5");
    const auto whole = readTextFile(path);
    HEADSCOPE_VERIFY_OK(whole);
    const CounterRandom random(20'261'122);
    int refused = 0;
    constexpr int kFlips = 120;
    for (int i = 0; i < kFlips; ++i)
    {
        std::string bytes = *whole;
        const auto at = static_cast<std::size_t>(random.bits(static_cast<std::uint64_t>(2 * i)) % bytes.size());
        const auto bit = 1U << (random.bits(static_cast<std::uint64_t>(2 * i + 1)) % 8);
        bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ bit);
        const auto flipped = m_folder.file("flip-" + std::to_string(i) + ".h5");
        std::ofstream(flipped) << bytes;
        const auto read = [&]() -> Status {
            HEADSCOPE_TRY(const auto cache, CacheReader::open(flipped));
            HEADSCOPE_TRY([[maybe_unused]] const auto documents, cache->documents(m_job));
            for (const VectorsInfo& each : cache->info().embeddings)
            {
                HEADSCOPE_TRY([[maybe_unused]] const auto vectors, cache->load(each.layer, each.stage, {}, m_job));
            }
            return {};
        }();
        QVERIFY2(read || !read.error().message.empty(), flipped.c_str());
        refused += read ? 0 : 1;
        std::filesystem::remove(flipped);
    }
    QVERIFY2(refused > kFlips / 4, std::to_string(refused).c_str());
}

void TestHdf5Door::whatThisProcessWroteNeedsNoProgram()
{
    const auto path = m_folder.file("own.h5");
    HEADSCOPE_VERIFY_OK(writeCache(path, test::sampleContents(), NumberType::F32, m_job));
    ::setenv("HEADSCOPE_HDF5_CHECK", "/nowhere/headscope-hdf5-check", 1);
    HEADSCOPE_VERIFY_OK(CacheReader::open(path));
    // The same bytes from elsewhere are another file.
    std::filesystem::copy_file(path, m_folder.file("copy.h5"));
    HEADSCOPE_VERIFY_ERROR(CacheReader::open(m_folder.file("copy.h5")), ErrorCode::Resource, "headscope-hdf5-check");
    std::filesystem::rename(m_folder.file("copy.h5"), path);
    HEADSCOPE_VERIFY_ERROR(CacheReader::open(path), ErrorCode::Resource, "headscope-hdf5-check");
}

/// A seal guards against accidents: the program reads a sealed file before HDF5 sees it here.
void TestHdf5Door::aSealIsNoProof()
{
    const auto path = m_folder.file("sealed.h5");
    HEADSCOPE_VERIFY_OK(writeCache(m_folder.file("own.h5"), test::sampleContents(), NumberType::F32, m_job));
    std::filesystem::copy_file(m_folder.file("own.h5"), path);
    useProgram("kill -SEGV $$");
    HEADSCOPE_VERIFY_ERROR(CacheReader::open(path), ErrorCode::BadFormat, "the HDF5 library crashes on it (signal 11");
    HEADSCOPE_VERIFY_ERROR(Hdf5Writer::copyOf(path, m_job), ErrorCode::BadFormat, "the HDF5 library crashes on it");
}

void TestHdf5Door::saysWhichProgramIsMissing()
{
    const auto path = unsealed("missing.h5");
    ::setenv("HEADSCOPE_HDF5_CHECK", "/nowhere/headscope-hdf5-check", 1);
    HEADSCOPE_VERIFY_ERROR(
        CacheReader::open(path), ErrorCode::Resource,
        "missing.h5: the program headscope-hdf5-check, which checks each file before it is opened, does not start "
        "(/nowhere/headscope-hdf5-check: No such file or directory)");
    ::unsetenv("HEADSCOPE_HDF5_CHECK"); // tests do not lie beside it
    HEADSCOPE_VERIFY_ERROR(CacheReader::open(path), ErrorCode::Resource,
                           "was not found next to this program; install Headscope again");
}

void TestHdf5Door::asksOnceForEachState()
{
    const auto path = unsealed("once.h5");
    HEADSCOPE_VERIFY_OK(CacheReader::open(path));
    useProgram("exit 3");
    HEADSCOPE_VERIFY_OK(CacheReader::open(path));
    const auto later = std::filesystem::last_write_time(path) + std::chrono::seconds(1);
    std::filesystem::last_write_time(path, later);
    HEADSCOPE_VERIFY_ERROR(CacheReader::open(path), ErrorCode::Resource, "ended with code 3");
}

void TestHdf5Door::asksOnceForSeveralThreads()
{
    constexpr int kThreads = 8;
    const auto path = unsealed("together.h5");
    const auto starts = m_folder.file("starts");
    const auto go = m_folder.file("go");
    useProgram("echo start >> '" + starts.string() + "'; while [ ! -e '" + go.string() + "' ]; do sleep 0.01; done");
    std::atomic<int> begun = 0;
    std::atomic<int> good = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < kThreads; ++i)
            threads.emplace_back([&] {
                JobContext job;
                ++begun;
                good += checkHdf5(path, job) ? 1 : 0;
            });
        QTRY_VERIFY(begun == kThreads && std::filesystem::exists(starts));
        std::ofstream(go) << "on";
    }
    QCOMPARE(good.load(), kThreads);
    QCOMPARE(std::filesystem::file_size(starts), std::string_view("start\n").size());
}

void TestHdf5Door::saysHowTheProgramEnded_data()
{
    QTest::addColumn<QString>("commands");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("part");
    const auto add = [](const char* commands, ErrorCode code, const char* part) {
        QTest::newRow(commands) << QString::fromLatin1(commands) << static_cast<int>(code) << QString::fromLatin1(part);
    };
    add("kill -BUS $$", ErrorCode::BadFormat, "the HDF5 library crashes on it (signal 7");
    add("kill -XCPU $$", ErrorCode::BadFormat, "reading it never finishes");
    add("kill -KILL $$", ErrorCode::Resource, "was stopped from outside (signal 9)");
    add("printf 'damaged\\t0\\t/a\\tsome reason\\n'; exit 1", ErrorCode::BadFormat,
        "/a: the file is damaged: some reason");
    add("printf 'system\\t5\\t/a\\tread failed\\n'; exit 1", ErrorCode::Resource, "/a: reading failed: Input/output");
    add("printf 'memory\\t0\\t/a\\t\\n'; exit 1", ErrorCode::OutOfMemory, "more memory than is available");
    add("exit 127", ErrorCode::Resource, "ended with code 127");
}

void TestHdf5Door::saysHowTheProgramEnded()
{
    QFETCH(QString, commands);
    QFETCH(int, code);
    QFETCH(QString, part);
    const auto path = unsealed("ended.h5");
    useProgram(commands.toStdString());
    HEADSCOPE_VERIFY_ERROR(CacheReader::open(path), static_cast<ErrorCode>(code), part.toStdString());
    std::filesystem::remove(path);
}

void TestHdf5Door::aStopEndsTheProgram()
{
    const auto path = unsealed("stopped.h5");
    const std::string note = m_folder.file("number").string(); // which is there when it is whole
    useProgram("echo $$ > " + note + ".part; mv " + note + ".part " + note + "; exec sleep 100000");
    std::stop_source stop;
    JobContext job(stop.get_token());
    std::atomic<bool> over = false;
    std::thread stopper([&] {
        while (!std::filesystem::exists(note) && !over)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        stop.request_stop();
    });
    const auto opened = CacheReader::open(path, job);
    over = true;
    stopper.join();
    HEADSCOPE_VERIFY_ERROR(opened, ErrorCode::Cancelled, "");
    const auto number = readTextFile(note);
    HEADSCOPE_VERIFY_OK(number);
    const auto process = static_cast<pid_t>(std::atoi(number->c_str()));
    QVERIFY2(process > 1, number->c_str());
    QVERIFY(!test::signal(process, 0)); // it is gone
}

/// Fault row 34: network disks without locks. (What the user chose by HDF5_USE_FILE_LOCKING HDF5 asks for once in a
/// process.)
void TestHdf5Door::opensWithoutLocks()
{
    const auto path = unsealed("locks.h5");
    test::lockError = ENOLCK;
    const auto open = CacheReader::open(path);
    HEADSCOPE_VERIFY_OK(open);
    HEADSCOPE_VERIFY_OK(CacheReader::open(path)); // beside the first
    HEADSCOPE_VERIFY_OK(writeCache(m_folder.file("new.h5"), test::sampleContents(), NumberType::F32, m_job));
    HEADSCOPE_VERIFY_OK(saveMap(path, test::sampleContents().maps.front(), true, m_job));
}

void TestHdf5Door::failuresOfTheSystemAreNoDamage_data()
{
    QTest::addColumn<int>("number");
    QTest::addColumn<QString>("part");
    const auto add = [](const char* name, int number, const char* part) {
        QTest::newRow(name) << number << QString::fromLatin1(part);
    };
    add("EIO", EIO, "opening failed: Input/output error");
    add("ENOSPC", ENOSPC, "opening failed: No space left on device");
    add("EDQUOT", EDQUOT, "opening failed: Disk quota exceeded");
    add("EMFILE", EMFILE, "opening failed: Too many open files");
    add("ENFILE", ENFILE, "opening failed: Too many open files in system");
    add("EACCES", EACCES, "opening failed: Permission denied");
    add("ESTALE", ESTALE, "opening failed: Stale file handle");
    add("ENOMEM", ENOMEM, "opening failed: Cannot allocate memory");
    add("EAGAIN", EAGAIN, "another program is writing to it: try again when it has finished");
}

void TestHdf5Door::failuresOfTheSystemAreNoDamage()
{
    QFETCH(int, number);
    QFETCH(QString, part);
    const auto path = m_folder.file("whole.h5");
    HEADSCOPE_VERIFY_OK(writeCache(path, test::sampleContents(), NumberType::F32, m_job));
    test::lockError = number;
    HEADSCOPE_VERIFY_ERROR(CacheReader::open(path), number == ENOMEM ? ErrorCode::OutOfMemory : ErrorCode::Resource,
                           part.toStdString());
}

void TestHdf5Door::refusesPipes()
{
    const auto path = m_folder.file("pipe.h5");
    QCOMPARE(::mkfifo(path.c_str(), 0600), 0);
    HEADSCOPE_VERIFY_ERROR(Hdf5Reader::open(path, m_job), ErrorCode::BadFormat, "found a pipe");
    HEADSCOPE_VERIFY_ERROR(Hdf5Reader::open("/dev/zero", m_job), ErrorCode::BadFormat, "found a device");
}

HEADSCOPE_TEST_GUILESS(TestHdf5Door)
#include "tst_hdf5_open.moc"
