// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/file.h"
#include "model/base/output/output_file.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTemporaryDir>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <vector>

using namespace headscope;
namespace fs = std::filesystem;

class TestFile : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    [[nodiscard]] fs::path path(const char* name) const { return fs::path(m_folder.path().toStdString()) / name; }

private Q_SLOTS:
    void readsAnyPlace()
    {
        HEADSCOPE_VERIFY_OK(writeFileAtomically(path("a"), "0123456789"));
        const auto file = File::openForReading(path("a"));
        HEADSCOPE_VERIFY_OK(file);
        QCOMPARE(file->size(), std::uint64_t{10});
        std::array<std::byte, 3> bytes{};
        HEADSCOPE_VERIFY_OK(file->readAt(4, bytes));
        QCOMPARE(static_cast<char>(bytes[0]), '4');
        HEADSCOPE_VERIFY_ERROR(file->readAt(8, bytes), ErrorCode::BadFormat, "byte 10");
    }

    void missingFileAndFolderAreNamed()
    {
        HEADSCOPE_VERIFY_ERROR(File::openForReading(path("none")), ErrorCode::FileNotFound, "none");
        HEADSCOPE_VERIFY_ERROR(File::openForReading(m_folder.path().toStdString()), ErrorCode::BadFormat, "folder");
        HEADSCOPE_VERIFY_ERROR(readTextFile(path("none")), ErrorCode::FileNotFound, "none");
    }

    void pointersOfGitLfsAreNamed()
    {
        const std::string pointer = "version https://git-lfs.github.com/spec/v1\n"
                                    "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n"
                                    "size 12345\n";
        HEADSCOPE_VERIFY_OK(writeFileAtomically(path("pointer"), pointer));
        HEADSCOPE_VERIFY_ERROR(File::openForReading(path("pointer")), ErrorCode::BadFormat, "git lfs pull");
        HEADSCOPE_VERIFY_ERROR(readTextFile(path("pointer")), ErrorCode::BadFormat, path("pointer").string());
        HEADSCOPE_VERIFY_OK(writeFileAtomically(path("about"), pointer + std::string(2000, 'x'))); // a text about them
        HEADSCOPE_VERIFY_OK(File::openForReading(path("about")));
        HEADSCOPE_VERIFY_OK(writeFileAtomically(path("short"), pointer.substr(0, 20)));
        HEADSCOPE_VERIFY_OK(File::openForReading(path("short")));
    }

    void onlyFilesAreOpened()
    {
        // Each of these would wait for ever, or never end.
        QCOMPARE(::mkfifo(path("pipe").c_str(), 0600), 0);
        HEADSCOPE_VERIFY_ERROR(File::openForReading(path("pipe")), ErrorCode::BadFormat, "found a pipe");
        HEADSCOPE_VERIFY_ERROR(readTextFile(path("pipe")), ErrorCode::BadFormat, "found a pipe");
        HEADSCOPE_VERIFY_ERROR(MappedFile::open("/dev/zero"), ErrorCode::BadFormat, "found a device");
        const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr_un address = {};
        address.sun_family = AF_UNIX;
        const std::string name = path("socket").string();
        QVERIFY(name.size() < sizeof address.sun_path);
        std::copy(name.begin(), name.end(), address.sun_path);
        QCOMPARE(::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        HEADSCOPE_VERIFY_ERROR(File::openForReading(path("socket")), ErrorCode::BadFormat, "found a socket");
        ::close(descriptor);
        fs::create_symlink(path("pipe"), path("link"));
        HEADSCOPE_VERIFY_ERROR(File::openForReading(path("link")), ErrorCode::BadFormat, "found a pipe");
        for (const char* each : {"pipe", "socket", "link"})
            fs::remove(path(each));
    }

    void mapNoticesAChange()
    {
        HEADSCOPE_VERIFY_OK(writeFileAtomically(path("m"), "weights"));
        const auto mapped = MappedFile::open(path("m"));
        HEADSCOPE_VERIFY_OK(mapped);
        QCOMPARE(mapped->bytes().size(), std::size_t{7});
        QVERIFY(mapped->unchanged());
        std::ofstream(path("m")) << "other weights";
        QVERIFY(!mapped->unchanged());
        HEADSCOPE_VERIFY_OK(writeFileAtomically(path("empty"), ""));
        QVERIFY(MappedFile::open(path("empty"))->bytes().empty());
    }

    void atomicWriteReplacesWholeAndLeavesNoPart()
    {
        HEADSCOPE_VERIFY_OK(writeFileAtomically(path("t"), "old"));
        HEADSCOPE_VERIFY_OK(writeFileAtomically(path("t"), "new contents"));
        QCOMPARE(*readTextFile(path("t")), std::string("new contents"));
        for (const auto& entry : fs::directory_iterator(m_folder.path().toStdString()))
            QVERIFY(entry.path().string().find(".part-") == std::string::npos);
        QVERIFY(!writeFileAtomically(path("no/such/folder"), "x").has_value());
    }

    void largeTextIsRefused()
    {
        HEADSCOPE_VERIFY_OK(writeFileAtomically(path("large"), std::string(100, 'x')));
        HEADSCOPE_VERIFY_ERROR(readTextFile(path("large"), 99), ErrorCode::BadFormat, "at most 99");
    }

    void outputPathsAreCheckedBeforeWork()
    {
        HEADSCOPE_VERIFY_OK(writeFileAtomically(path("out"), "x"));
        HEADSCOPE_VERIFY_ERROR(checkOutputPath(path("out"), false), ErrorCode::WrongUse, "--overwrite");
        HEADSCOPE_VERIFY_OK(checkOutputPath(path("out"), true));
        HEADSCOPE_VERIFY_OK(checkOutputPath(path("fresh"), false));
        const std::vector<fs::path> inputs{path("none"), path("out")};
        HEADSCOPE_VERIFY_ERROR(checkOutputPath(path("out"), true, inputs), ErrorCode::WrongUse, "one of the inputs");
        fs::create_symlink(path("out"), path("link"));
        HEADSCOPE_VERIFY_ERROR(checkOutputPath(path("link"), true, inputs), ErrorCode::WrongUse, "one of the inputs");
        HEADSCOPE_VERIFY_OK(checkOutputPath(path("fresh"), false, inputs));
        HEADSCOPE_VERIFY_ERROR(checkOutputPath(m_folder.path().toStdString(), true), ErrorCode::Resource, "folder");
        HEADSCOPE_VERIFY_ERROR(checkOutputPath(path("no/such/x"), false), ErrorCode::Resource, "no such folder");
        // Without the question before, the folder is named too, and not the file as if it were to be read.
        HEADSCOPE_VERIFY_ERROR(writeFileAtomically(path("no/such/x"), "text"), ErrorCode::Resource,
                               "there is no such folder to write into");
    }
};

HEADSCOPE_TEST_GUILESS(TestFile)
#include "tst_file.moc"
