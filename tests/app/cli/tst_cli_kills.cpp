// SPDX-License-Identifier: GPL-3.0-or-later
// Fault rows 13, 14, 43: figures and reports that are killed, or written where there is no room or no right to.
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/named_point.h"
#include "tests/support/process.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>

#include <sys/mount.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

using namespace headscope;
using test::tellingContents;

namespace
{

using Files = std::map<std::string, std::string>;

std::string bytesOf(const std::filesystem::path& path)
{
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// Every file below a folder, by its name.
/// @param parts  also what a killed program was writing, which the next one clears away
Files filesOf(const std::filesystem::path& folder, bool parts = true)
{
    Files files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && (parts || entry.path().filename().string().find(".part-") == std::string::npos))
            files[std::filesystem::relative(entry.path(), folder).string()] = bytesOf(entry.path());
    return files;
}

/// A disk of its own at a folder, as long as it lives.
class SmallDisk
{
public:
    SmallDisk(std::filesystem::path folder, const std::string& options) : m_folder(std::move(folder))
    {
        m_isMounted = ::mount("tmpfs", m_folder.c_str(), "tmpfs", 0, options.c_str()) == 0;
    }
    ~SmallDisk()
    {
        if (m_isMounted)
            ::umount2(m_folder.c_str(), MNT_DETACH);
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

    [[nodiscard]] bool isMounted() const { return m_isMounted; }
    [[nodiscard]] bool change(const std::string& options) const
    {
        return ::mount("tmpfs", m_folder.c_str(), "tmpfs", MS_REMOUNT, options.c_str()) == 0;
    }
    [[nodiscard]] bool setReadOnly() const
    {
        return ::mount("tmpfs", m_folder.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr) == 0;
    }

private:
    std::filesystem::path m_folder;
    bool m_isMounted = false;
};

bool isFullDisk(const QByteArray& sentence)
{
    return sentence.contains("disk full") || sentence.contains("No space left");
}

int wanted(const char* variable, int usual)
{
    bool isNumber = false;
    const int number = qEnvironmentVariableIntValue(variable, &isNumber);
    return isNumber ? number : usual;
}

} // namespace

class TestCliKills : public QObject
{
    Q_OBJECT

private:
    [[nodiscard]] QString name(const char* file) const { return m_folder.filePath(QString::fromUtf8(file)); }
    [[nodiscard]] std::filesystem::path path(const char* file) const { return name(file).toStdString(); }

    [[nodiscard]] QStringList figureWords(const char* preset) const
    {
        return {QStringLiteral("heatmap"),     name("cache.h5"),           QStringLiteral("--permutations"),
                QStringLiteral("5"),           QStringLiteral("--preset"), QString::fromLatin1(preset),
                QStringLiteral("--recipe"),    QStringLiteral("--also"),   QStringLiteral("svg,png"),
                QStringLiteral("--overwrite"), QStringLiteral("-o"),       name("paper/figure.pdf")};
    }
    [[nodiscard]] QStringList reportWords(const char* folder) const
    {
        return {QStringLiteral("report"), name("cache.h5"), QStringLiteral("-o"), name(folder)};
    }

    static bool runToItsEnd(const QStringList& words)
    {
        const auto ended = test::run(test::program("headscope"), words);
        if (ended.exitCode != 0)
            qWarning("%s", ended.err.constData());
        return ended.exitCode == 0;
    }
    /// The points at which a program is killed that makes as many changes of files as one that is run here to its end.
    [[nodiscard]] std::vector<int> pointsOf(const QStringList& words, int count) const
    {
        const auto ended =
            test::run(test::program("headscope"), words, {}, test::kPatienceMs, test::countedInto(path("changes")));
        const int changes = test::changesIn(path("changes"));
        return ended.exitCode == 0 && changes > 1 ? test::spreadPoints(count, changes) : std::vector<int>();
    }
    static void start(QProcess& program, const QStringList& words, const test::Environment& environment)
    {
        program.setProcessEnvironment(environment);
        program.start(QString::fromStdString(test::program("headscope").string()), words);
    }

    QTemporaryDir m_folder;

private Q_SLOTS:
    void initTestCase()
    {
        JobContext job;
        HEADSCOPE_VERIFY_OK(writeCache(path("cache.h5"), tellingContents(), NumberType::F32, job));
    }

    /// Figure, other formats, numbers, recipe and LaTeX: each of them the old one or the new one, killed fifty times.
    void figuresAreOldOrNew()
    {
        QVERIFY(QDir().mkpath(name("paper")));
        QVERIFY(runToItsEnd(figureWords("acl-column")));
        const Files old = filesOf(path("paper"));
        QCOMPARE(old.size(), std::size_t{6});
        const int kills = wanted("HEADSCOPE_KILLS", 50);
        const auto points = pointsOf(figureWords("acl-page"), kills);
        QCOMPARE(points.size(), static_cast<std::size_t>(kills));
        const Files young = filesOf(path("paper"));
        QVERIFY(young.at("figure.pdf") != old.at("figure.pdf"));
        int replaced = 0;
        const auto isOldOrNew = [&] {
            const Files now = filesOf(path("paper"), false);
            return now.size() == old.size() && std::ranges::all_of(now, [&](const auto& each) {
                       if (!old.contains(each.first))
                           return false;
                       const bool isOld = each.second == old.at(each.first);
                       const bool isNew = each.second == young.at(each.first);
                       replaced += isNew && !isOld ? 1 : 0;
                       return isOld || isNew;
                   });
        };
        const auto wrong = test::killAt(points, {.start =
                                                     [&](QProcess& program, const test::Environment& environment) {
                                                         for (const auto& [file, bytes] : old)
                                                             std::ofstream(path("paper") / file, std::ios::binary)
                                                                 << bytes;
                                                         start(program, figureWords("acl-page"), environment);
                                                     },
                                                 .afterKill = isOldOrNew,
                                                 .afterEnd = isOldOrNew});
        QVERIFY2(wrong.isEmpty(), wrong.constData());
        qInfo("%d of %d files were the new ones", replaced, 6 * kills);
        QVERIFY(replaced > 0);
        QVERIFY(runToItsEnd(figureWords("acl-page")));
        QVERIFY(filesOf(path("paper")) == young);
    }

    /// What was killed goes on, and at last is what a run that nothing interrupted makes.
    void reportsGoOn()
    {
        const auto points = pointsOf(reportWords("whole"), wanted("HEADSCOPE_REPORT_KILLS", 8));
        QVERIFY(!points.empty());
        const Files whole = filesOf(path("whole"));
        const auto isWhole = [&] { return filesOf(path("killed")) == whole; };
        const auto wrong = test::killAt(points, {.start =
                                                     [&](QProcess& program, const test::Environment& environment) {
                                                         start(program, reportWords("killed"), environment);
                                                     },
                                                 .afterKill = [] { return true; },
                                                 .afterEnd =
                                                     [&] {
                                                         const bool same = isWhole();
                                                         std::filesystem::remove_all(path("killed"));
                                                         return same;
                                                     }});
        QVERIFY2(wrong.isEmpty(), wrong.constData());
        QVERIFY(runToItsEnd(reportWords("killed")));
        const Files now = filesOf(path("killed"));
        for (const auto& [file, bytes] : whole)
            QVERIFY2(now.contains(file) && now.at(file) == bytes, file.c_str());
        for (const auto& [file, bytes] : now)
            QVERIFY2(whole.contains(file), file.c_str());
    }

    /// All of a figure or nothing of it, however little room there is.
    void figuresAreWholeOrNotThere()
    {
        QVERIFY(QDir().mkpath(name("paper")));
        QVERIFY(runToItsEnd(figureWords("acl-column")));
        const Files whole = filesOf(path("paper"));
        std::size_t size = 0;
        for (const auto& [file, bytes] : whole)
            size += bytes.size();
        int full = 0;
        bool isDone = false;
        for (std::size_t room = 1 << 14; !isDone; room += size / 10)
        {
            const SmallDisk disk(path("paper"), "size=" + std::to_string(room));
            if (!disk.isMounted())
                QSKIP("no disk can be mounted here");
            const auto ended = test::run(test::program("headscope"), figureWords("acl-column"));
            const Files now = filesOf(path("paper"));
            isDone = ended.exitCode == 0;
            if (isDone)
            {
                QVERIFY(now == whole);
                break;
            }
            ++full;
            QVERIFY2(isFullDisk(ended.err), ended.err.constData());
            QVERIFY2(now.empty(), now.begin()->first.c_str());
            QVERIFY(room < 16 * size);
        }
        QVERIFY(full > 0);
    }

    void reportsOnAFullDiskGoOn()
    {
        QVERIFY(QDir().mkpath(name("small")));
        QVERIFY(runToItsEnd(reportWords("whole")));
        const Files whole = filesOf(path("whole"));
        const SmallDisk disk(path("small"), "size=256k");
        if (!disk.isMounted())
            QSKIP("no disk can be mounted here");
        for (const char* room : {"size=256k", "size=1m"})
        {
            QVERIFY(disk.change(room));
            const auto ended = test::run(test::program("headscope"), reportWords("small"));
            QVERIFY(ended.exitCode > 0);
            QVERIFY2(isFullDisk(ended.err), ended.err.constData());
            for (const auto& [file, bytes] : filesOf(path("small")))
                QVERIFY2(whole.contains(file) && whole.at(file) == bytes, file.c_str());
        }
        QVERIFY(disk.change("size=64m"));
        QVERIFY(runToItsEnd(reportWords("small")));
        QVERIFY(filesOf(path("small")) == whole);
    }

    void placesThatMayNotBeWritten()
    {
        QVERIFY(QDir().mkpath(name("paper")) && QDir().mkpath(name("small")));
        const SmallDisk paper(path("paper"), "size=16m");
        const SmallDisk small(path("small"), "size=16m");
        if (!paper.isMounted() || !small.isMounted())
            QSKIP("no disk can be mounted here");
        QVERIFY(paper.setReadOnly() && small.setReadOnly());
        for (const QStringList& words : {figureWords("acl-column"), reportWords("small")})
        {
            const auto ended = test::run(test::program("headscope"), words);
            QVERIFY(ended.exitCode > 0 && !ended.crashed);
            QVERIFY2(ended.err.contains("ead-only"), ended.err.constData());
        }
    }
};

HEADSCOPE_TEST(TestCliKills)
#include "tst_cli_kills.moc"
