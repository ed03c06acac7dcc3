// SPDX-License-Identifier: GPL-3.0-or-later
// Figures that were saved from the window, made again from the shell: byte for byte, and what cannot be is named.
#include "app/cli/input_search.h"
#include "app/cli/pictures/window_figure.h"
#include "app/desktop/start/make_window_figure.h"
#include "app/desktop/work/work_session.h"
#include "app/views/attention/attention_view.h"
#include "app/views/heatmap/heatmap_view.h"
#include "app/views/map/map_view.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/app/desktop/keep_fixture.h"
#include "tests/support/file_bytes.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_of.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/settings/field_settings.h"
#include "ui/state/bind_controls.h"

#include <QDir>
#include <QFile>
#include <QImage>

#include <algorithm>

using namespace headscope;
using desktop::Workbench;
using headscope::Json; // not in a group with another Json
using test::bytesOf;
using test::runVerb;

class TestDesktopFigureAgain : public QObject, private test::KeepFixture
{
    Q_OBJECT

private:
    QString file(const QString& name) const
    {
        QDir(m_place->path()).mkpath(QStringLiteral("paper"));
        QDir(m_place->path()).mkpath(QStringLiteral("again"));
        return m_place->filePath(name);
    }
    ui::Choices& choices() { return m_workbench->study().choices(); }

    bool save(const QString& path)
    {
        QSignalSpy saved(m_workbench.get(), &Workbench::viewSaved);
        m_dialogs.nextPath = path;
        action("actionSaveView")->trigger();
        return test::waitFor([&saved] { return saved.count() == 1; });
    }
    void show(const QString& tab)
    {
        m_window->setView(m_window->views().idOf(tab));
        waitForCalm(); // a view may begin a second job once the first has ended
        if (tab == QStringLiteral("attention"))
            WAIT_FOR(test::viewOf<ui::AttentionView>(*m_window).run() != nullptr);
    }
    /// The map of four heads in another colouring, zoomed, with a choice and a label.
    void prepare()
    {
        openAndSettle(m_cache);
        waitForJobs();
        choices().setHeads({0, 2, 3, 5});
        choices().setColor(ui::ColorChoice::fromKey("strength"));
        hub().setDocuments({2, 3, 4, 20});
        ui::ScatterWidget& canvas = *test::viewOf<ui::MapView>(*m_window).scatter();
        canvas.setView(canvas.view().zoomedAt({200, 150}, 1.7));
        waitForJobs();
    }
    /// The figures lie in another folder than their cache.
    test::Outcome again(const QString& from, const QString& to, std::vector<std::string> more = {})
    {
        cli::setWindowFigureMaker(desktop::makeWindowFigure);
        std::vector<std::string> words = {"figure", file(from).toStdString(), "-o", file(to).toStdString()};
        if (std::ranges::find(more, "--input") == more.end())
            more.insert(more.end(), {"--input", m_cache.toStdString()});
        words.insert(words.end(), more.begin(), more.end());
        return runVerb(words);
    }

private Q_SLOTS:
    void init() { beginTest(); }
    void cleanup()
    {
        cli::setWindowFigureMaker(nullptr);
        endTest();
    }

    void theSameBytes_data()
    {
        QTest::addColumn<QString>("tab");
        QTest::addColumn<QString>("name");
        QTest::newRow("map") << "map"
                             << "map.pdf";
        QTest::newRow("map, pixels") << "map"
                                     << "map.png";
        QTest::newRow("grid") << "grid"
                              << "grid.pdf";
        QTest::newRow("heatmap") << "heatmap"
                                 << "heatmap.svg";
        QTest::newRow("heatmap, after another layer") << "heatmap"
                                                      << "after.svg";
        QTest::newRow("heads") << "heads"
                               << "heads.pdf";
        QTest::newRow("attention, a stored run") << "attention"
                                                 << "attention.pdf";
        QTest::newRow("layers, by their verb") << "layers"
                                               << "layers.pdf";
        QTest::newRow("map, beside what another view was asked") << "map"
                                                                 << "beside.pdf";
    }

    void theSameBytes()
    {
        QFETCH(const QString, tab);
        QFETCH(const QString, name);
        prepare();
        if (name == QStringLiteral("beside.pdf"))
        {
            action("actionProbe")->trigger();
            waitForJobs();
            m_window->resize(1310, 870); // bars break into other lines
        }
        show(tab);
        if (name == QStringLiteral("after.svg"))
        {
            // The colours are those of the layer that was seen first.
            const auto& heatmap = *test::viewOf<ui::HeatmapView>(*m_window).heatmap();
            WAIT_FOR(!heatmap.panels().empty());
            const auto first = heatmap.panels().front()->heatmap;
            for (const auto& [layer, stages] : m_workbench->study().cache()->overview->stages)
                if (layer != first->layer)
                    choices().setLayer(layer);
            WAIT_FOR(heatmap.panels().front()->heatmap->layer != first->layer);
            waitForJobs();
        }
        QVERIFY(save(file(QStringLiteral("paper/") + name)));
        dropWindow();
        const QByteArray kept = QFile::exists(side()) ? bytesOf(side()) : QByteArray();
        const auto run = again(QStringLiteral("paper/") + name, QStringLiteral("again/") + name);
        QVERIFY2(run.code == 0, run.err.c_str());
        QVERIFY(bytesOf(file(QStringLiteral("again/") + name)) == bytesOf(file(QStringLiteral("paper/") + name)));
        QCOMPARE(QDir(file(QStringLiteral("again"))).entryList(QDir::Files), QStringList(name));
        QVERIFY(run.out.find(tab.toStdString()) != std::string::npos);
        // Only the figure was written.
        QCOMPARE(QFile::exists(side()) ? bytesOf(side()) : QByteArray(), kept);
    }

    void aPresetAndLabels()
    {
        prepare();
        QVERIFY(save(file(QStringLiteral("paper/map.png"))));
        dropWindow();
        const auto run = again(QStringLiteral("paper/map.png"), QStringLiteral("again/map.png"),
                               {"--preset", "acl-column", "--annotate", "label 0.5,0.1 here", "--recipe", "--json"});
        QVERIFY2(run.code == 0, run.err.c_str());
        const auto json = run.json();
        QCOMPARE(json.at("view").get<std::string>(), std::string("map"));
        const QImage picture(file(QStringLiteral("again/map.png")));
        QCOMPARE(qRound(picture.width() / (picture.dotsPerMeterX() / 1000.0)), 77);
        QCOMPARE(QDir(file(QStringLiteral("again"))).entryList(QDir::Files, QDir::Name),
                 QStringLiteral("map.csv map.json map.png map.tex").split(u' '));
        // Its own recipe makes it again.
        const auto third = again(QStringLiteral("again/map.json"), QStringLiteral("again/third.png"));
        QVERIFY2(third.code == 0, third.err.c_str());
        QVERIFY(bytesOf(file(QStringLiteral("again/third.png"))) == bytesOf(file(QStringLiteral("again/map.png"))));
    }

    void formerNamesOfEntries_data()
    {
        QTest::addColumn<QString>("tab");
        for (const char* tab : {"probe", "atlas", "attention"})
            QTest::newRow(tab) << QString::fromLatin1(tab);
    }

    /// A recipe of an earlier version, which has other names for the same entries.
    void formerNamesOfEntries()
    {
        QFETCH(const QString, tab);
        prepare();
        if (tab == QStringLiteral("probe"))
            action("actionProbe")->trigger();
        waitForJobs();
        show(tab);
        m_settings->setFlag(ui::settingNamed("files/figureFiles"), true);
        const QString paper = QStringLiteral("paper/%1").arg(tab);
        QVERIFY(save(file(paper + QStringLiteral(".png"))));
        dropWindow();
        const QByteArray before = bytesOf(file(paper + QStringLiteral(".json")));
        QByteArray text = before;
        for (const ui::FormerWords& words : ui::formerWords())
            text.replace(QString(words.now + QLatin1Char('"')).toUtf8(),
                         QString(words.before + QLatin1Char('"')).toUtf8());
        QVERIFY2(text != before, before.constData());
        QFile recipe(file(paper + QStringLiteral("-former.json")));
        QVERIFY(recipe.open(QIODevice::WriteOnly));
        recipe.write(text);
        recipe.close();
        const QString made = QStringLiteral("again/%1.png").arg(tab);
        const auto run = again(paper + QStringLiteral("-former.json"), made);
        QVERIFY2(run.code == 0, run.err.c_str());
        const QImage picture(file(made)); // the recipe inside is the one that was read
        QVERIFY(!picture.isNull() && picture == QImage(file(paper + QStringLiteral(".png"))));
    }

    /// What the recipe says and the window cannot show any more is no other picture, but a sentence.
    void anotherPictureIsNone()
    {
        prepare();
        show(QStringLiteral("attention"));
        m_settings->setFlag(ui::settingNamed("files/figureFiles"), true);
        QVERIFY(save(file(QStringLiteral("paper/attention.png"))));
        dropWindow();
        QFile recipe(file(QStringLiteral("paper/attention.json")));
        QVERIFY(recipe.open(QIODevice::ReadOnly));
        QByteArray text = recipe.readAll();
        const QByteArray before = text;
        for (const char* run : {"smollm2-", "minilm-"})
            text.replace(run, "nowhere-"); // which does not come with the program
        QVERIFY2(text != before, text.constData());
        QVERIFY(QFile::remove(file(QStringLiteral("paper/attention.png"))));
        recipe.close();
        QVERIFY(recipe.open(QIODevice::WriteOnly));
        recipe.write(text);
        recipe.close();
        const auto run = again(QStringLiteral("paper/attention.json"), QStringLiteral("again/attention.png"));
        QCOMPARE(run.code, 3);
        QVERIFY2(run.err.find("differs from") != std::string::npos, run.err.c_str());
        QVERIFY(!QFile::exists(file(QStringLiteral("again/attention.png"))));
    }

    /// A demo that comes with the program is found wherever the figure lies.
    void filesOfTheProgramAreFound()
    {
        prepare();
        QVERIFY(save(file(QStringLiteral("paper/map.pdf"))));
        dropWindow();
        const auto run = [this] {
            cli::setWindowFigureMaker(desktop::makeWindowFigure);
            return runVerb({"figure", file(QStringLiteral("paper/map.pdf")).toStdString(), "-o",
                            file(QStringLiteral("again/map.pdf")).toStdString()});
        };
        QCOMPARE(run().code, 3);
        cli::setInputPlaces({std::filesystem::path(m_cache.toStdString()).parent_path()});
        const auto found = run();
        cli::setInputPlaces({});
        QVERIFY2(found.code == 0, found.err.c_str());
    }

    void whatCannotBe()
    {
        prepare();
        QVERIFY(save(file(QStringLiteral("paper/map.pdf"))));
        dropWindow();
        const auto refused = [&](const std::vector<std::string>& more, int code, const char* part) {
            const auto run = again(QStringLiteral("paper/map.pdf"), QStringLiteral("again/map.pdf"), more);
            QVERIFY2(run.code == code, run.err.c_str());
            QVERIFY2(run.err.find(part) != std::string::npos, run.err.c_str());
            QVERIFY(!QFile::exists(file(QStringLiteral("again/map.pdf"))));
        };
        refused({"--text", "outlines"}, 2, "--text");
        refused({"--input", m_other.toStdString()}, 3, "the file given by --input has different contents");
        QVERIFY(QFile::rename(m_cache, m_cache + QStringLiteral(".gone")));
        refused({}, 3, "a.h5");
        // Under another name it is known by its contents.
        const auto found = again(QStringLiteral("paper/map.pdf"), QStringLiteral("again/map.pdf"),
                                 {"--input", m_cache.toStdString() + ".gone"});
        QVERIFY2(found.code == 0, found.err.c_str());
        QVERIFY(QFile::remove(file(QStringLiteral("again/map.pdf"))));
        QVERIFY(QFile::copy(m_other, m_cache));
        refused({}, 3, "a.h5");
    }
};

HEADSCOPE_WINDOW_TEST(TestDesktopFigureAgain)
#include "tst_desktop_figure_again.moc"
