// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/input/disk_stamp.h"

#include "tests/support/test_program.h"
#include "tests/support/unseen_change.h"
#include "tests/support/verify.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>

using namespace headscope;
namespace fs = std::filesystem;

class TestDiskStamp : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    fs::path file(const char* name) const { return fs::path(m_folder.path().toStdString()) / name; }

private Q_SLOTS:
    void staysWithTheFile()
    {
        std::ofstream(file("a")) << "four";
        const auto stamp = diskStampOf(file("a"));
        HEADSCOPE_VERIFY_OK(stamp);
        QCOMPARE(stamp->size, std::uint64_t{4});
        fs::create_symlink(file("a"), file("link"));
        QVERIFY(*diskStampOf(file("link")) == *stamp);
        HEADSCOPE_VERIFY_OK(checkUnchanged(file("a"), *stamp));
    }
    void tellsContentsOfTheSameSizeAndTime()
    {
        std::ofstream(file("b")) << "four";
        const auto stamp = diskStampOf(file("b"));
        HEADSCOPE_VERIFY_OK(stamp);
        // Until the clock of the file system has gone on.
        do
            std::ofstream(file("clock")) << "tick";
        while (diskStampOf(file("clock"))->changedNs == stamp->changedNs);
        test::changeUnseen(file("b"), [](std::string& bytes) { bytes = "five"; });
        const auto written = diskStampOf(file("b"));
        HEADSCOPE_VERIFY_OK(written);
        QCOMPARE(written->size, stamp->size);
        QCOMPARE(written->modifiedNs, stamp->modifiedNs);
        HEADSCOPE_VERIFY_ERROR(checkUnchanged(file("b"), *stamp), ErrorCode::Resource, "changed");
        // Another file in its place.
        std::ofstream(file("other")) << "nine";
        fs::last_write_time(file("other"), fs::last_write_time(file("b")));
        fs::rename(file("other"), file("b"));
        const auto replaced = diskStampOf(file("b"));
        HEADSCOPE_VERIFY_OK(replaced);
        QVERIFY(replaced->inode != written->inode && *replaced != *written);
    }
    void onlyOfFiles()
    {
        HEADSCOPE_VERIFY_ERROR(diskStampOf(file("nowhere")), ErrorCode::FileNotFound, "nowhere");
        QVERIFY(!diskStampOf(m_folder.path().toStdString()));
    }
};

HEADSCOPE_TEST_GUILESS(TestDiskStamp)
#include "tst_disk_stamp.moc"
