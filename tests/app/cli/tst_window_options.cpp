// SPDX-License-Identifier: GPL-3.0-or-later
// The window's own options on the command line: what is refused, with which sentence and exit code, and that
// nothing is written then. Runs the built program.
#include "app/cli/window_options.h"

#include "tests/app/sample_cache.h"
#include "tests/support/process.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QFile>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace headscope;

class TestWindowOptions : public QObject
{
    Q_OBJECT

private:
    struct Outcome
    {
        int code = -1;
        QString out;
        QString err;
    };

    QTemporaryDir m_folder;

    [[nodiscard]] QString file(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    [[nodiscard]] Outcome run(const QStringList& arguments, const QString& platform = QStringLiteral("offscreen")) const
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
            environment.remove(QString::fromLatin1(name));
        if (platform.startsWith(u':'))
            environment.insert(QStringLiteral("DISPLAY"), platform);
        else if (!platform.isEmpty())
            environment.insert(QStringLiteral("QT_QPA_PLATFORM"), platform);
        environment.insert(QStringLiteral("HOME"), m_folder.path());
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_folder.path());
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(m_folder.path());
        process.start(QString::fromStdString(test::program("headscope").string()), arguments);
        if (!process.waitForFinished(test::kPatienceMs) || process.exitStatus() != QProcess::NormalExit)
            return {-1, {}, QString::fromUtf8(process.readAllStandardError())};
        return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
                QString::fromUtf8(process.readAllStandardError())};
    }

private Q_SLOTS:
    void initTestCase() { HEADSCOPE_VERIFY_OK(test::writeSampleCache(file("sample.h5").toStdString())); }

    void refusals_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("part");
        const auto add = [](const char* name, const char* arguments, int code, const char* part) {
            QTest::newRow(name) << QString::fromLatin1(arguments).split(u' ') << code << QString::fromLatin1(part);
        };
        add("tab", "--screenshot shot.png --tab foo sample.h5", 2,
            "--tab: expected one of map, grid, compare, heatmap, probe, heads, retrieval, layers, attention, atlas, "
            "head, circuits, found \"foo\"");
        add("tab with equals", "--tab=Maps sample.h5 --screenshot=shot.png", 2, "found \"Maps\"");
        add("theme", "--screenshot shot.png --theme pink", 2,
            "--theme: expected light, dark or system, found \"pink\"");
        add("size", "--screenshot shot.png --size 12", 2, "--size: expected WIDTHxHEIGHT");
        add("small size", "--screenshot shot.png --size 10x10", 2, "each from 200 to 16384, found \"10x10\"");
        add("after", "--screenshot shot.png --after soon", 2, "--after: expected seconds from 1 to");
        add("after nothing", "--screenshot shot.png --after 0", 2, "found 0");
        add("no value", "sample.h5 --screenshot", 2, "--screenshot: expected FILE, found nothing");
        add("unknown", "--screenshot shot.png --colour red", 2, "unknown option \"--colour\"");
        add("nearly an option", "--screenshto shot.png", 2, "\"--screenshto\"; did you mean \"--screenshot\"?");
        add("nearly a verb", "haeds sample.h5", 2, "found \"haeds\"; did you mean \"heads\"?");
        add("two files", "--screenshot shot.png sample.h5 other.h5", 2, "expected only one file or folder");
        add("ending", "--screenshot shot.txt sample.h5", 2, "expected a name ending in .png or .jpg");
        add("no folder", "--screenshot nowhere/shot.png sample.h5", 4, "nowhere/shot.png");
        add("a folder", "--screenshot folder.png sample.h5", 4, "this is a folder");
        add("cannot be written", "--screenshot /proc/shot.png --tab heads sample.h5", 4, "/proc/shot.png");
        add("no cache", "--screenshot shot.png broken.h5", 3, "broken.h5");
        add("not there", "--screenshot shot.png missing.h5", 3, "missing.h5");
        add("not there, first", "missing.h5 --screenshot shot.png", 2, "missing.h5");
    }
    void refusals()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QString, part);
        QFile broken(file("broken.h5"));
        QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("no cache at all") > 0);
        broken.close();
        QDir(m_folder.path()).mkdir(QStringLiteral("folder.png"));
        const Outcome outcome = run(arguments);
        QVERIFY2(outcome.code == code, qPrintable(QString::number(outcome.code) + outcome.err));
        QVERIFY2(outcome.err.contains(part), qPrintable(outcome.err));
        QVERIFY2(outcome.err.startsWith(QStringLiteral("headscope: ")), qPrintable(outcome.err));
        QVERIFY(!QFile::exists(file("shot.png")) && !QFile::exists(file("shot.txt")));
    }

    void aDisplayIsNeeded_data()
    {
        QTest::addColumn<QString>("display");
        QTest::newRow("none") << QString();
        QTest::newRow("nobody answers") << QStringLiteral(":9731");
    }
    void aDisplayIsNeeded()
    {
        QFETCH(QString, display);
        const Outcome outcome = run({QStringLiteral("--screenshot"), QStringLiteral("shot.png")}, display);
        QVERIFY2(outcome.code == 2, qPrintable(QString::number(outcome.code) + outcome.err));
        QVERIFY2(outcome.err.contains(QStringLiteral("needs a display")), qPrintable(outcome.err));
        QVERIFY(!QFile::exists(file("shot.png")));
    }

    void takesThePicture()
    {
        const QString target = file("view.png");
        const Outcome outcome =
            run({QStringLiteral("--screenshot"), target, QStringLiteral("--tab"), QStringLiteral("heads"),
                 QStringLiteral("--size"), QStringLiteral("1100x700"), QStringLiteral("--theme"),
                 QStringLiteral("dark"), QStringLiteral("--after"), QStringLiteral("86400"), file("sample.h5")});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.err));
        const QImage picture(target);
        QCOMPARE(picture.size(), QSize(1100, 700));
        QVERIFY(picture.pixelColor(4, 4).lightness() < 100);
    }

    /// Texts open the dialog of the extraction: it is on the picture, as soon as it shows their first rows.
    void thePictureShowsTheDialogOfTexts()
    {
        QFile texts(file("corpus.jsonl"));
        QVERIFY(texts.open(QIODevice::WriteOnly));
        for (int i = 0; i < 5; ++i)
            texts.write("{\"id\": \"a\", \"text\": \"Some words to be read.\", \"topic\": \"one\"}\n");
        texts.close();
        const auto pictureOf = [this](const char* name, const QStringList& what) {
            const Outcome outcome =
                run(QStringList{QStringLiteral("--screenshot"), file(name), QStringLiteral("--size"),
                                QStringLiteral("1200x900"), QStringLiteral("--theme"), QStringLiteral("light"),
                                QStringLiteral("--after"), QStringLiteral("86400")} + // it settles before
                    what);
            return outcome.code == 0 ? QImage(file(name)) : QImage();
        };
        const QImage with = pictureOf("dialog.png", {file("corpus.jsonl")});
        QVERIFY(!with.isNull());
        const QImage without = pictureOf("start.png", {file("sample.h5")});
        QVERIFY(!without.isNull());
        // The dialog's ground is not that of the page behind it.
        const QColor page = with.pixelColor(20, 450);
        QVERIFY2(with.pixelColor(600, 690) != page, qPrintable(page.name()));
        QVERIFY2(without.pixelColor(4, 4) == with.pixelColor(4, 4), "the same menu stands above both");
    }

    void helpHasEveryOption()
    {
        const Outcome help = run({QStringLiteral("--help")}, {});
        QCOMPARE(help.code, 0);
        for (const char* name : {"--screenshot FILE", "--after N", "--tab NAME", "--size WxH", "--theme NAME"})
            QVERIFY2(help.out.contains(QString::fromLatin1(name)), name);
        for (const std::string_view tab : cli::kTabNames)
            QVERIFY(help.out.contains(QString::fromUtf8(tab.data(), static_cast<qsizetype>(tab.size()))));
        QCOMPARE(run({QStringLiteral("--tab"), QStringLiteral("map"), QStringLiteral("--help")}).out, help.out);
    }

    void optionsAreRead()
    {
        const auto options = cli::parseWindowOptions({"--size=800x600", "--after", "7", "--tab", "Layers", "a b.h5"});
        HEADSCOPE_VERIFY_OK(options);
        QCOMPARE(options->size, std::optional(std::pair(800, 600)));
        QCOMPARE(options->seconds, 7);
        QCOMPARE(cli::kTabNames[*options->tab], std::string_view("layers"));
        QCOMPARE(options->path, std::string("a b.h5"));
        QVERIFY(options->screenshot.empty() && options->theme.empty());
        QCOMPARE(cli::parseWindowOptions({"--", "--odd.h5"})->path, std::string("--odd.h5"));
        QVERIFY(!cli::parseWindowOptions({})->tab);
    }
};

HEADSCOPE_TEST_GUILESS(TestWindowOptions)
#include "tst_window_options.moc"
