// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/map/canvas_controller.h"

#include "app/colorings/measure_trust.h"
#include "app/desktop/shell/autosave.h"
#include "app/desktop/start/workbench.h"
#include "app/views/heads/heads_view.h"
#include "app/views/map/map_view.h"
#include "tests/app/sample_cache.h"
#include "tests/support/verify.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_of.h"
#include "tests/ui/window_test.h"
#include "ui/canvas/legend/legend_widget.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/head_picker.h"
#include "ui/settings/settings.h"

#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>

#include <cmath>
#include <functional>
#include <set>

using namespace headscope;
using headscope::desktop::Workbench;
using headscope::ui::MainWindow;

/// The canvas in the whole window: what its points can be coloured by, names, lines, pictures.
class TestDesktopCanvas : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QString m_cache;
    std::unique_ptr<ui::Settings> m_settings;
    test::PreparedDialogs m_dialogs;
    std::unique_ptr<MainWindow> m_window;
    std::unique_ptr<Workbench> m_workbench;

    QAction* action(const char* name) { return m_window->findChild<QAction*>(QLatin1StringView(name)); }
    ui::ScatterWidget* scatter() { return test::viewOf<ui::MapView>(*m_window).scatter(); }
    [[nodiscard]] QString title() { return scatter()->coloring().legend.title; }

    void choose(const char* key)
    {
        QComboBox* box = m_window->dataPanel().colorBox();
        const int at = box->findData(QLatin1StringView(key));
        QVERIFY2(at >= 0, key);
        box->setCurrentIndex(at);
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_cache = m_folder.filePath(QStringLiteral("sample.h5"));
        const Status written = test::writeSampleCache(m_cache.toStdString());
        HEADSCOPE_VERIFY_OK(written);
        m_settings = ui::Settings::temporary();
        m_settings->setNumber(ui::settingNamed("map/iterations"), 60);
        m_settings->setNumber(ui::settingNamed("map/perplexity"), 10);
        m_settings->setNumber(ui::SettingKey::Threads, 1);
        m_window = std::make_unique<MainWindow>(*m_settings, m_dialogs);
        m_workbench = std::make_unique<Workbench>(*m_window, QString());
        m_workbench->keeper().setEnabled(false);
        m_window->resize(1280, 860);
        m_window->show();
        QVERIFY(test::exposed(m_window.get()));
        QSignalSpy settled(m_workbench.get(), &Workbench::mapSettled);
        m_workbench->open(m_cache);
        WAIT_COMPARE(settled.count(), 1);
        WAIT_FOR(!m_workbench->isLoading());
    }

    void cleanupTestCase()
    {
        m_workbench.reset();
        m_window.reset();
        QVERIFY2(QApplication::topLevelWidgets().isEmpty(), "a window was left behind");
    }

    void everyColourHasItsLegend_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QString>("title");
        QTest::addColumn<bool>("number");
        QTest::newRow("head") << QByteArray("head") << QStringLiteral("Head") << false;
        QTest::newRow("strength") << QByteArray("strength") << QStringLiteral("Norm") << false;
        QTest::newRow("label") << QByteArray("label:topic") << QStringLiteral("Topic") << false;
        QTest::newRow("tokens") << QByteArray("number:tokens") << QStringLiteral("Tokens") << true;
        QTest::newRow("characters") << QByteArray("number:characters") << QStringLiteral("Characters") << true;
        QTest::newRow("density") << QByteArray("density") << QStringLiteral("Density") << true;
        QTest::newRow("nearest") << QByteArray("nearest-head") << QStringLiteral("Nearest centroid") << false;
        QTest::newRow("kept") << QByteArray("kept") << QStringLiteral("Neighbours preserved") << true;
        QTest::newRow("divergence") << QByteArray("divergence") << QStringLiteral("Divergence") << true;
    }
    void everyColourHasItsLegend()
    {
        QFETCH(QByteArray, key);
        QFETCH(QString, title);
        QFETCH(bool, number);
        choose(key.constData());
        WAIT_COMPARE(this->title(), title);
        const viz::PointColoring& coloring = scatter()->coloring();
        QCOMPARE(coloring.index.size(), 432u);
        QCOMPARE(std::holds_alternative<viz::NumberLegend>(coloring.legend.content), number);
        QVERIFY(std::set<std::uint16_t>(coloring.index.begin(), coloring.index.end()).size() > 1u);
        QVERIFY(scatter()->legend()->isVisible());
        if (const QByteArray folder = qgetenv("HEADSCOPE_PICTURES"); !folder.isEmpty())
            m_window->grab().save(QString::fromLocal8Bit(folder) +
                                  QStringLiteral("/color-%1.png").arg(QString::fromLatin1(QTest::currentDataTag())));
    }

    /// By all pairs, for every point: the same share of its 10 nearest.
    void keptIsWhatAllPairsSay()
    {
        const auto map = scatter()->map();
        std::vector<std::int32_t> codes;
        test::SampleCacheOptions options;
        for (std::int32_t i = 0; i < options.documents; ++i)
            codes.push_back(i % 4);
        const auto vectors = test::sampleVectors(map->stage, map->layer, options.documents, codes, options);
        JobContext job;
        const auto trust = colorings::measureTrust(*vectors, *map, 2, job);
        HEADSCOPE_VERIFY_OK(trust);
        const auto& points = *map->points;
        const auto nearest = [](std::int64_t count, std::int64_t self, const auto& distance) {
            std::vector<std::pair<double, std::int64_t>> order;
            for (std::int64_t other = 0; other < count; ++other)
                if (other != self)
                    order.emplace_back(distance(other), other);
            std::sort(order.begin(), order.end());
            std::set<std::int64_t> found;
            for (int k = 0; k < 10; ++k)
                found.insert(order[static_cast<std::size_t>(k)].second);
            return found;
        };
        for (std::int64_t i = 0; i < points.count(); i += 37)
        {
            const auto row = [&](std::int64_t p) { return vectors->vector(points.documentOf(p), points.headOf(p)); };
            const auto full = nearest(points.count(), i, [&](std::int64_t other) {
                double sum = 0;
                for (std::size_t d = 0; d < row(i).size(); ++d)
                    sum += std::pow(static_cast<double>(row(i)[d]) - static_cast<double>(row(other)[d]), 2);
                return sum;
            });
            const auto flat = nearest(points.count(), i, [&](std::int64_t other) {
                return std::pow(static_cast<double>(map->xy(i, 0)) - static_cast<double>(map->xy(other, 0)), 2) +
                       std::pow(static_cast<double>(map->xy(i, 1)) - static_cast<double>(map->xy(other, 1)), 2);
            });
            int both = 0;
            for (const std::int64_t other : full)
                both += flat.contains(other) ? 1 : 0;
            QCOMPARE(trust->kept[static_cast<std::size_t>(i)], both / 10.0);
        }
    }

    void namesOfRegionsFollowTheColour()
    {
        choose("head");
        QVERIFY(!action("actionRegionNames")->isChecked());
        choose("label:topic");
        QVERIFY(action("actionRegionNames")->isChecked());
        WAIT_FOR(!scatter()->regionLabels().empty() || scatter()->regionsShown());
        choose("head");
        QVERIFY(!action("actionRegionNames")->isChecked());
        action("actionRegionNames")->trigger(); // now the user has said so
        choose("density");
        QVERIFY(action("actionRegionNames")->isChecked());
    }

    void headsThatAreLitElsewhereAreLitHere()
    {
        choose("head");
        ui::SelectionHub& selection = m_window->selection();
        selection.setLitHeads({1, 4});
        const auto shown = [this] {
            const viz::PointStates& points = scatter()->points();
            std::int64_t bright = 0;
            for (std::int64_t point = 0; point < scatter()->map()->xy.rows(); ++point)
                bright += points.stateOf(point) == viz::PointState::Shown ? 1 : 0;
            return bright;
        };
        QCOMPARE(shown(), 96);
        selection.setHoveredHead(HeadIndex(2));
        QCOMPARE(shown(), 48);
        selection.setHoveredHead({});
        selection.setLitHeads({});
        QCOMPARE(shown(), 432);
    }

    /// Before, nothing let go of a head that Heads had marked: Escape, empty ground and "all" left the map grey.
    void markedHeadsAreLetGoOf()
    {
        choose("head");
        ui::SelectionHub& selection = m_window->selection();
        const auto lit = [this] {
            return test::viewOf<ui::MapView>(*m_window).shownText().contains(QStringLiteral("is highlighted"));
        };
        const std::function<void()> ways[] = {
            [this] { QTest::keyClick(scatter(), Qt::Key_Escape); },
            [this] { Q_EMIT scatter()->backgroundClicked(); },
            [this] {
                Q_EMIT scatter()->legend()->toggleRequested({viz::LegendHit::Kind::Group, 0});
            },
            [this] { m_window->dataPanel().headPicker()->chooseAll(); },
            [this] { m_window->findChild<QAction*>(QStringLiteral("actionAllHeads"))->trigger(); },
        };
        for (const auto& way : ways)
        {
            selection.setDocuments({1, 2});
            selection.setLitHeads({1});
            QVERIFY(lit());
            way();
            QVERIFY(!lit());
            QVERIFY(selection.litHeads().empty());
            QCOMPARE(selection.selection().documents.size(), std::size_t{2}); // the choice is another matter
            QCOMPARE(m_window->dataPanel().headPicker()->heads().size(), std::size_t{9});
        }
        QTest::keyClick(scatter(), Qt::Key_Escape); // the next one takes it
        QVERIFY(selection.selection().documents.empty());
        // What lay under the pointer in another view does not stay lit.
        selection.setHoveredHead(HeadIndex(2));
        m_window->setView(ui::kHeadsView);
        m_window->setView(ui::kMapView);
        QVERIFY(!lit());
    }

    void theCanvasIsSavedAtAnyScale()
    {
        action("actionJoinDots")->trigger();
        QVERIFY(scatter()->joined());
        m_dialogs.nextPath = m_folder.filePath(QStringLiteral("canvas"));
        QSignalSpy saved(m_workbench.get(), &Workbench::viewSaved);
        action("actionSaveCanvas")->trigger();
        auto* dialog = m_window->findChild<QDialog*>(QStringLiteral("pictureDialog"));
        QVERIFY(dialog != nullptr);
        dialog->findChild<QSpinBox*>(QStringLiteral("pictureDpi"))->setValue(288);
        QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("pictureSave")), Qt::LeftButton);
        WAIT_COMPARE(saved.count(), 1);
        const QImage picture(m_dialogs.nextPath + QStringLiteral(".png"));
        QCOMPARE(picture.size(), scatter()->size() * 3);
        action("actionJoinDots")->trigger();
    }
};

HEADSCOPE_WINDOW_TEST(TestDesktopCanvas)
#include "tst_desktop_canvas.moc"
