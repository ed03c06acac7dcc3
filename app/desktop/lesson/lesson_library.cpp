// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/lesson/lesson_library.h"

#include "model/base/folder_entries.h"
#include "model/io/lessons/lesson_reader.h"
#include "model/io/lessons/regroup_file.h"
#include "ui/words/wording.h"

#include <QCoreApplication>
#include <QDir>
#include <QStandardPaths>

#include <algorithm>
#include <system_error>
#include <utility>

namespace headscope::desktop
{
namespace
{

constexpr std::size_t kMaxFiles = 200; ///< of a folder

/// The .json files of a folder by their names; none where it cannot be read.
std::vector<std::filesystem::path> jsonFiles(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> files;
    std::error_code fault;
    for (const auto& each : entriesOf(folder, FolderDepth::Folder, fault))
        if (each.path().extension() == ".json" && files.size() < kMaxFiles)
            files.push_back(each.path());
    std::ranges::sort(files);
    return files;
}

} // namespace

LessonFolders lessonFolders()
{
    LessonFolders folders;
    const QDir program(QCoreApplication::applicationDirPath());
    for (const QString& folder :
         {program.filePath(QStringLiteral("../share/headscope/lessons")), QStringLiteral(HEADSCOPE_LESSONS_DIR)})
        if (folders.program.empty() && QDir(folder).exists())
            folders.program = ui::toStdString(QDir::cleanPath(folder));
    folders.own = ui::toStdString(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) %
                                  QStringLiteral("/headscope/lessons"));
    return folders;
}

Result<LessonLibrary> readLessons(const LessonFolders& folders, JobContext& job)
{
    LessonLibrary library;
    for (const auto& [folder, own] : {std::pair{folders.program, false}, std::pair{folders.own, true}})
        for (const std::filesystem::path& file : jsonFiles(folder))
        {
            if (job.stopRequested())
                return JobContext::cancelled();
            auto lesson = readLesson(file);
            if (lesson)
                library.lessons.push_back({file, std::make_shared<const Lesson>(std::move(*lesson)), own});
            else
                library.faults.push_back(std::move(lesson).error());
        }
    for (const std::filesystem::path& file : jsonFiles(folders.program / "numbers"))
    {
        auto numbers = readRegroup(file);
        if (numbers)
            library.numbers.push_back(std::make_shared<const RegroupResult>(std::move(*numbers)));
        else
            library.faults.push_back(std::move(numbers).error());
    }
    return library;
}

} // namespace headscope::desktop
