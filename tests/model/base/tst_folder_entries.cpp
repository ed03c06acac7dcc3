// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/folder_entries.h"
#include "model/base/output/output_file.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTemporaryDir>

#include <set>
#include <string>

using namespace headscope;

class TestFolderEntries : public QObject
{
    Q_OBJECT

    static std::set<std::string> namesOf(const std::filesystem::path& folder, FolderDepth depth)
    {
        std::error_code failed;
        std::set<std::string> names;
        for (const auto& entry : entriesOf(folder, depth, failed))
            names.insert(entry.path().lexically_relative(folder).string());
        return failed ? std::set<std::string>{failed.message()} : names;
    }

private Q_SLOTS:
    void listsAFolderOrItsSubtree()
    {
        const QTemporaryDir place;
        const std::filesystem::path folder = place.path().toStdString();
        std::filesystem::create_directories(folder / "below" / "deeper");
        std::filesystem::create_directory_symlink(folder, folder / "below" / "up"); // no endless walk
        HEADSCOPE_VERIFY_OK(writeFileAtomically(folder / "a", "a"));
        HEADSCOPE_VERIFY_OK(writeFileAtomically(folder / "below" / "b", "b"));
        QCOMPARE(namesOf(folder, FolderDepth::Folder), (std::set<std::string>{"a", "below"}));
        QCOMPARE(namesOf(folder, FolderDepth::Subtree),
                 (std::set<std::string>{"a", "below", "below/b", "below/deeper", "below/up"}));
    }

    void saysWhatFailed()
    {
        std::error_code failed;
        QVERIFY(entriesOf("/nowhere/at/all", FolderDepth::Subtree, failed).empty());
        QCOMPARE(failed, std::make_error_code(std::errc::no_such_file_or_directory));
    }
};

HEADSCOPE_TEST_GUILESS(TestFolderEntries)
#include "tst_folder_entries.moc"
