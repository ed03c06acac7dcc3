// SPDX-License-Identifier: GPL-3.0-or-later
// The one door by which files come into being: what was there before is never lost.
#include "model/base/output/output_file.h"

#include "model/base/file.h"
#include "model/base/output/process_tag.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <span>

using namespace headscope;
namespace fs = std::filesystem;

namespace
{

void writeText(const fs::path& path, const std::string& text)
{
    std::ofstream(path, std::ios::binary) << text;
}

std::string textOf(const fs::path& path)
{
    return readTextFile(path).value_or(std::string("nothing"));
}

/// Runs `work` in a child that ends without unwinding, as by kill -9.
void inChild(const std::function<void()>& work)
{
    const pid_t child = ::fork();
    if (child == 0)
    {
        work();
        std::_Exit(0);
    }
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

} // namespace

class TestOutputFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void linksAreFollowed();
    void linksInACircleAreRefused();
    void onlyFilesAreReplaced();
    void everyNameThatMayBeWorks();
    void permissionsAreKept();
    void weightsStay_data();
    void weightsStay();
    void partsOfEndedProcessesGo();
    void aForcedEndLeavesNothing();
    void aPartAtAPlaceOfItsOwnStays();
    void aFullDiskSaysHowMuch();
    void temporaryFoldersOfEndedProcessesGo();
};

void TestOutputFile::linksAreFollowed()
{
    const test::TemporaryFolder folder;
    fs::create_directory(folder.file("data"));
    writeText(folder.file("data/real.csv"), "old");
    fs::create_symlink("data/real.csv", folder.file("link.csv"));
    HEADSCOPE_VERIFY_OK(checkOutputPath(folder.file("link.csv"), true));
    HEADSCOPE_VERIFY_OK(writeFileAtomically(folder.file("link.csv"), "new"));
    QVERIFY(fs::is_symlink(folder.file("link.csv")));
    QCOMPARE(textOf(folder.file("data/real.csv")), std::string("new"));
    QVERIFY(!fs::is_symlink(folder.file("data/real.csv")));

    fs::create_symlink("data/fresh.csv", folder.file("leads-nowhere.csv"));
    HEADSCOPE_VERIFY_OK(checkOutputPath(folder.file("leads-nowhere.csv"), false));
    HEADSCOPE_VERIFY_OK(writeFileAtomically(folder.file("leads-nowhere.csv"), "made"));
    QVERIFY(fs::is_symlink(folder.file("leads-nowhere.csv")));
    QCOMPARE(textOf(folder.file("data/fresh.csv")), std::string("made"));
}

void TestOutputFile::linksInACircleAreRefused()
{
    const test::TemporaryFolder folder;
    fs::create_symlink("b", folder.file("a"));
    fs::create_symlink("a", folder.file("b"));
    HEADSCOPE_VERIFY_ERROR(checkOutputPath(folder.file("a"), true), ErrorCode::Resource, "form a loop");
    HEADSCOPE_VERIFY_ERROR(writeFileAtomically(folder.file("a"), "x"), ErrorCode::Resource, "form a loop");
    QVERIFY(fs::is_symlink(folder.file("a")));
}

void TestOutputFile::onlyFilesAreReplaced()
{
    const test::TemporaryFolder folder;
    const auto pipe = folder.file("pipe");
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    HEADSCOPE_VERIFY_ERROR(checkOutputPath(pipe, true), ErrorCode::WrongUse, "found a pipe");
    HEADSCOPE_VERIFY_ERROR(writeFileAtomically(pipe, "x"), ErrorCode::WrongUse, "found a pipe");
    QVERIFY(fs::is_fifo(pipe));
    for (const char* device : {"/dev/full", "/dev/stdout", "/dev/fd/1", "-"})
        HEADSCOPE_VERIFY_ERROR(checkOutputPath(device, true), ErrorCode::WrongUse, "found a device");
    if (fs::is_directory("/dev/shm")) // a folder of files like any other
    {
        const fs::path shared = "/dev/shm/headscope-test-" + std::to_string(::getpid());
        HEADSCOPE_VERIFY_OK(writeFileAtomically(shared, "x"));
        QVERIFY(fs::remove(shared));
    }
    // It may become something else between question and answer.
    auto file = OutputFile::create(folder.file("later"));
    HEADSCOPE_VERIFY_OK(file);
    HEADSCOPE_VERIFY_OK(file->write("x"));
    QCOMPARE(::mkfifo(folder.file("later").c_str(), 0600), 0);
    HEADSCOPE_VERIFY_ERROR(file->publish(), ErrorCode::WrongUse, "found a pipe");
    QVERIFY(fs::is_fifo(folder.file("later")));
    QCOMPARE(folder.files(), std::size_t{2});
}

void TestOutputFile::everyNameThatMayBeWorks()
{
    const test::TemporaryFolder folder;
    for (const std::size_t length : {1U, 200U, 249U, 255U})
    {
        const auto path = folder.file(std::string(length, 'n'));
        HEADSCOPE_VERIFY_OK(checkOutputPath(path, false));
        HEADSCOPE_VERIFY_OK(writeFileAtomically(path, "x"));
        QCOMPARE(textOf(path), std::string("x"));
    }
    std::string wide = "x";
    while (wide.size() + 2 <= 255)
        wide += "\xc3\xa4"; // never cut in the middle
    HEADSCOPE_VERIFY_OK(writeFileAtomically(folder.file(wide), "x"));
    HEADSCOPE_VERIFY_ERROR(checkOutputPath(folder.file(std::string(256, 'n')), false), ErrorCode::Resource,
                           "at most 255 bytes, found 256");
    QCOMPARE(folder.files(), std::size_t{5});
}

void TestOutputFile::permissionsAreKept()
{
    const test::TemporaryFolder folder;
    const auto modeOf = [](const fs::path& path) {
        struct stat info = {};
        return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 0777U : 0U;
    };
    const mode_t former = ::umask(027);
    HEADSCOPE_VERIFY_OK(writeFileAtomically(folder.file("new"), "x"));
    QCOMPARE(modeOf(folder.file("new")), 0640U);
    for (const mode_t mode : {0600U, 0664U, 0444U})
    {
        QCOMPARE(::chmod(folder.file("new").c_str(), mode), 0);
        HEADSCOPE_VERIFY_OK(writeFileAtomically(folder.file("new"), "y"));
        QCOMPARE(modeOf(folder.file("new")), mode);
    }
    ::umask(former);
}

void TestOutputFile::weightsStay_data()
{
    QTest::addColumn<QByteArray>("contents");
    QTest::addColumn<QString>("said");
    const auto tensors = [](const QByteArray& header) -> QByteArray {
        QByteArray file(8, '\0');
        file[0] = static_cast<char>(header.size());
        return file + header + QByteArray(8, 'w');
    };
    QTest::newRow("gguf") << QByteArray("GGUF\x03\0\0\0 and so on", 18) << QStringLiteral("a GGUF model");
    QTest::newRow("safetensors") << tensors(R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})")
                                 << QStringLiteral("safetensors weights of a model");
    QTest::newRow("own export") << tensors(R"({"documents":{"dtype":"I64","shape":[1],"data_offsets":[0,8]},)"
                                           R"("heads":{"dtype":"I64","shape":[0],"data_offsets":[8,8]}})")
                                << QString();
    QTest::newRow("text") << QByteArray("document,id,head,x,y\n") << QString();
}

void TestOutputFile::weightsStay()
{
    QFETCH(QByteArray, contents);
    QFETCH(QString, said);
    const test::TemporaryFolder folder;
    const auto path = folder.file("out.csv");
    writeText(path, contents.toStdString());
    const Status checked = checkOutputPath(path, true);
    const Status written = writeFileAtomically(path, "x");
    if (said.isEmpty())
    {
        HEADSCOPE_VERIFY_OK(checked);
        HEADSCOPE_VERIFY_OK(written);
        return;
    }
    HEADSCOPE_VERIFY_ERROR(checked, ErrorCode::WrongUse, said.toUtf8().constData());
    HEADSCOPE_VERIFY_ERROR(written, ErrorCode::WrongUse, said.toUtf8().constData());
    QCOMPARE(textOf(path), contents.toStdString());
}

void TestOutputFile::partsOfEndedProcessesGo()
{
    const test::TemporaryFolder folder;
    const auto path = folder.file("out.csv");
    inChild([&] {
        auto file = OutputFile::create(path);
        if (!file || !file->write("half"))
            std::_Exit(1);
        std::_Exit(0); // nothing is unwound
    });
    QCOMPARE(folder.files(), std::size_t{1});
    auto living = OutputFile::create(path); // removes what was left
    HEADSCOPE_VERIFY_OK(living);
    QCOMPARE(folder.files(), std::size_t{1});
    writeText(folder.file("out.csv.part-of-mine"), "a file of somebody's");
    HEADSCOPE_VERIFY_OK(writeFileAtomically(path, "whole")); // and leaves what is being written
    QVERIFY(fs::exists(living->part()));
    QCOMPARE(folder.files(), std::size_t{3});
    HEADSCOPE_VERIFY_OK(living->write("later"));
    HEADSCOPE_VERIFY_OK(living->publish());
    QCOMPARE(textOf(path), std::string("later"));
    QCOMPARE(textOf(folder.file("out.csv.part-of-mine")), std::string("a file of somebody's"));
    QCOMPARE(ownerOf(processTag()), TagOwner::Alive);
    QCOMPARE(ownerOf("of-mine"), TagOwner::Elsewhere);
}

void TestOutputFile::aForcedEndLeavesNothing()
{
    const test::TemporaryFolder folder;
    inChild([&] {
        const auto file = OutputFile::create(folder.file("out.h5"));
        const auto scratch = TemporaryPath::makeFolder("headscope-test");
        if (!file || !scratch)
            std::_Exit(1);
        std::ofstream(scratch->path() / "query.h5") << "x";
        const fs::path made = scratch->path();
        removeTemporaryPaths(); // as StopSignals does before it ends the process
        std::_Exit(fs::exists(made) ? 2 : 0);
    });
    QCOMPARE(folder.files(), std::size_t{0});
}

void TestOutputFile::aPartAtAPlaceOfItsOwnStays()
{
    const test::TemporaryFolder folder;
    const auto path = folder.file("out.h5");
    fs::create_directory(folder.file("parts"));
    const auto part = folder.file("parts/one");
    const auto bytesOf = [](std::string_view text) { return std::as_bytes(std::span(text)); };
    inChild([&] {
        auto file = OutputFile::createAt(path, part);
        if (!file || !file->writeAt(6, bytesOf("world")) || !file->writeAt(0, bytesOf("hello ")) || !file->sync())
            std::_Exit(1);
        file->discard();
        removeTemporaryPaths();
        std::_Exit(0);
    });
    QCOMPARE(textOf(part), std::string("hello world"));
    HEADSCOPE_VERIFY_ERROR(OutputFile::createAt(path, part), ErrorCode::Resource, "out.h5"); // it is somebody's
    auto file = OutputFile::createAt(path, folder.file("parts/two"));
    HEADSCOPE_VERIFY_OK(file);
    HEADSCOPE_VERIFY_OK(file->writeAt(3, bytesOf("x")));
    HEADSCOPE_VERIFY_OK(file->publish());
    QCOMPARE(textOf(path), std::string("\0\0\0x", 4));
    QVERIFY(!fs::exists(folder.file("parts/two")));
    QCOMPARE(textOf(part), std::string("hello world"));
}

void TestOutputFile::aFullDiskSaysHowMuch()
{
    const test::TemporaryFolder folder;
    const auto disk = folder.file("disk");
    fs::create_directory(disk);
    if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=64k") != 0)
        QSKIP("mounting a small file system needs root");
    writeText(disk / "out.csv", "of before");
    const Status written = writeFileAtomically(disk / "out.csv", std::string(5'000'000, 'x'));
    const std::string kept = textOf(disk / "out.csv");
    const auto count = std::distance(fs::directory_iterator(disk), fs::directory_iterator());
    ::umount(disk.c_str());
    HEADSCOPE_VERIFY_ERROR(written, ErrorCode::Resource, "disk full: 5.00 MB needed,");
    QCOMPARE(kept, std::string("of before"));
    QCOMPARE(count, 1);
}

void TestOutputFile::temporaryFoldersOfEndedProcessesGo()
{
    const test::TemporaryFolder folder;
    const QByteArray former = qgetenv("TMPDIR");
    qputenv("TMPDIR", QByteArray::fromStdString(folder.file("").string()));
    inChild([] { std::_Exit(TemporaryPath::makeFolder("headscope-test") ? 0 : 1); });
    inChild([] {
        auto left = TemporaryPath::makeFolder("headscope-test");
        std::ofstream(left->path() / "query.h5") << "x";
        std::_Exit(0);
    });
    QCOMPARE(folder.files(), std::size_t{1});
    {
        const auto mine = TemporaryPath::makeFolder("headscope-test");
        const auto other = TemporaryPath::makeFolder("headscope-test");
        HEADSCOPE_VERIFY_OK(mine);
        HEADSCOPE_VERIFY_OK(other);
        QCOMPARE(folder.files(), std::size_t{2}); // what was left has gone, what is in use has not
    }
    QCOMPARE(folder.files(), std::size_t{0});
    former.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", former);
}

HEADSCOPE_TEST_GUILESS(TestOutputFile)
#include "tst_output_file.moc"
