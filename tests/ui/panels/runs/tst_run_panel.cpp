// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/waiting.h"
#include "ui/panels/runs/run_panel.h"
#include "ui/widgets/widgets.h"

#include "tests/ui/window_test.h"
#include "ui/canvas/picture_widget.h"
#include "ui/charts/kl_chart.h"
#include "ui/panels/runs/run_form.h"
#include "ui/panels/runs/run_list.h"
#include "ui/settings/settings.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QToolButton>

using namespace headscope;
using namespace headscope::ui;

class TestRunPanel : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<MapLibrary> m_library;
    std::unique_ptr<RunPanel> m_panel;

    template <class T>
    T* child(const char* name)
    {
        return m_panel->findChild<T*>(QLatin1StringView(name));
    }

    static std::shared_ptr<const HeadMap> named(const std::string& name)
    {
        auto map = std::make_shared<HeadMap>(*test::sampleMap(4, 8));
        map->name = name;
        map->hash = "hash of " + name;
        return map;
    }

    static RunCurve sampleCurve(int checks)
    {
        RunCurve curve;
        curve.exaggerationEnd = 250;
        curve.iterations = 750;
        for (int i = 1; i <= checks; ++i)
            curve.points.push_back({10 * i, 3.0 + 2.0 / i});
        return curve;
    }

    void showSample()
    {
        m_panel->setReady(true, QStringLiteral("432 points of layer 11, stage 1"));
        m_panel->setCurve(sampleCurve(48));
        MapRunProgress progress{480, 750, 3.04, true, 31, 9, {}};
        m_panel->setRun(MapRunState::Running, progress);
        std::vector<int> iterations;
        for (int i = 0; i <= 480; i += 8)
            iterations.push_back(i);
        m_panel->setHistory(iterations, 480);
    }

private Q_SLOTS:
    void init()
    {
        m_settings = Settings::temporary();
        m_library = std::make_unique<MapLibrary>();
        m_panel = std::make_unique<RunPanel>(*m_settings, *m_library);
        m_panel->resize(292, 900);
        m_panel->show();
        QVERIFY(test::exposed(m_panel.get()));
    }

    void cleanup()
    {
        m_panel.reset();
        m_library.reset();
        Theme::instance().setScheme(Theme::Scheme::Light);
        QVERIFY(QApplication::topLevelWidgets().isEmpty());
    }

    void parametersAreKeptAndGiven()
    {
        QCOMPARE(m_panel->form()->options().perplexities, std::vector<double>{30.0});
        auto* perplexity = child<QSpinBox>("runPerplexity");
        perplexity->setFocus();
        perplexity->selectAll();
        QTest::keyClicks(perplexity, QStringLiteral("50"));
        QTest::keyClick(perplexity, Qt::Key_Return);
        QCOMPARE(m_settings->number(settingNamed("map/perplexity")), 50);
        child<QComboBox>("runMetric")->setCurrentIndex(1);
        child<QComboBox>("runStart")->setCurrentIndex(1);
        QTest::mouseClick(child<QToolButton>("runMoreParameters"), Qt::LeftButton);
        QVERIFY(child<QDoubleSpinBox>("runMomentum")->isVisible());
        child<QComboBox>("runAffinities")->setCurrentIndex(1);
        child<QDoubleSpinBox>("runMomentum")->setValue(0.5);
        child<QDoubleSpinBox>("runDegreesOfFreedom")->setValue(0.7);
        child<QDoubleSpinBox>("runExaggeration")->setValue(4);
        child<QDoubleSpinBox>("runLateExaggeration")->setValue(1.5);
        child<QDoubleSpinBox>("runLearningRate")->setValue(400);
        child<QSpinBox>("runExaggerationIterations")->setValue(100);
        child<QSpinBox>("runIterations")->setValue(600);
        child<QSpinBox>("runSeed")->setValue(7);
        QTest::mouseClick(child<QCheckBox>("runAutoStop"), Qt::LeftButton, {}, {8, 8});
        // Another form on the same settings says the same.
        const RunForm again(*m_settings);
        const TsneOptions options = again.options();
        QCOMPARE(options.perplexities, std::vector<double>{50.0});
        QCOMPARE(options.iterations, 600);
        QCOMPARE(options.exaggeration, 4.0);
        QCOMPARE(options.exaggerationIterations, 100);
        QCOMPARE(options.lateExaggeration, 1.5);
        QCOMPARE(options.learningRate, 400.0);
        QCOMPARE(options.momentum, 0.5);
        QCOMPARE(options.degreesOfFreedom, 0.7);
        QVERIFY(options.autoStop);
        QCOMPARE(options.affinities, TsneAffinities::Dense);
        QCOMPARE(options.metric, Metric::Cosine);
        QCOMPARE(options.start, TsneStart::Random);
        QCOMPARE(options.seed, 7u);
        QTest::mouseClick(child<QToolButton>("runDefaults"), Qt::LeftButton);
        QCOMPARE(m_panel->form()->options().momentum, 0.8);
        QCOMPARE(m_panel->form()->options().affinities, TsneAffinities::Sparse);
        QCOMPARE(m_panel->form()->options().metric, Metric::Euclidean);
        QCOMPARE(m_settings->number(settingNamed("map/seed")), 1);
    }

    void perplexityIsBoundByThePoints()
    {
        auto* perplexity = child<QSpinBox>("runPerplexity");
        m_panel->form()->setLargestPerplexity(11);
        QCOMPARE(perplexity->maximum(), 11);
        QCOMPARE(m_panel->form()->options().perplexities.front(), 11.0);
        QCOMPARE(m_settings->number(settingNamed("map/perplexity")), 30); // for the next cache
        m_panel->form()->setLargestPerplexity(1000);
        QCOMPARE(perplexity->value(), 30);
        m_panel->form()->setLargestPerplexity(0);
        QCOMPARE(perplexity->maximum(), perplexity->minimum());
    }

    void presentMapIsOfferedWhereThereIsOne()
    {
        auto* start = child<QComboBox>("runStart");
        const auto enabled = [start] {
            return qobject_cast<QStandardItemModel*>(start->model())->item(2)->isEnabled();
        };
        m_panel->form()->setPresentMap(false);
        QVERIFY(!enabled());
        m_panel->form()->setPresentMap(true);
        QVERIFY(enabled());
        start->setCurrentIndex(2);
        QVERIFY(m_panel->form()->fromPresentMap());
        QCOMPARE(m_panel->form()->options().start, TsneStart::Given);
    }

    void buttonsSayWhatIsWanted()
    {
        auto* run = child<QPushButton>("runStart");
        QVERIFY(!run->isEnabled());
        showSample();
        QSignalSpy wanted(m_panel.get(), &RunPanel::runRequested);
        QTest::mouseClick(run, Qt::LeftButton);
        QCOMPARE(wanted.count(), 1);
        QSignalSpy pause(m_panel.get(), &RunPanel::pauseRequested);
        QTest::mouseClick(child<QPushButton>("runPause"), Qt::LeftButton);
        QCOMPARE(pause.count(), 1);
        QSignalSpy stop(m_panel.get(), &RunPanel::stopRequested);
        QTest::mouseClick(child<QPushButton>("runStop"), Qt::LeftButton);
        QCOMPARE(stop.count(), 1);
        QVERIFY(!child<QPushButton>("runMore")->isEnabled());
        m_panel->setRun(MapRunState::Stopped, {480, 750, 3.04, true, 0, -1, {}});
        QSignalSpy resume(m_panel.get(), &RunPanel::continueRequested);
        QTest::mouseClick(child<QPushButton>("runPause"), Qt::LeftButton);
        QCOMPARE(resume.count(), 1);
        child<QSpinBox>("runMoreAmount")->setValue(100);
        QSignalSpy more(m_panel.get(), &RunPanel::goOnRequested);
        QTest::mouseClick(child<QPushButton>("runMore"), Qt::LeftButton);
        QCOMPARE(more.count(), 1);
        QCOMPARE(more.at(0).at(0).toInt(), 100);
        child<QSpinBox>("runPerturbAmount")->setValue(25);
        QSignalSpy noise(m_panel.get(), &RunPanel::perturbRequested);
        QTest::mouseClick(child<QPushButton>("runPerturb"), Qt::LeftButton);
        QCOMPARE(noise.at(0).at(0).toDouble(), 0.25);
        QCOMPARE(m_settings->number(settingNamed("map/noise")), 25);
    }

    void sliderLooksBackAndReturns()
    {
        showSample();
        QSlider* slider = m_panel->history();
        QCOMPARE(slider->value(), 480);
        QSignalSpy past(m_panel.get(), &RunPanel::iterationRequested);
        QSignalSpy newest(m_panel.get(), &RunPanel::newestRequested);
        // A real drag of the knob, from the right end towards the middle and back.
        const int y = slider->height() / 2;
        QTest::mousePress(slider, Qt::LeftButton, {}, {slider->width() - 6, y});
        QTest::mouseMove(slider, {slider->width() / 2, y});
        QVERIFY(!past.isEmpty());
        const int iteration = past.last().at(0).toInt();
        QVERIFY(iteration > 150 && iteration < 350);
        m_panel->setLookedAt(240, 3.5);
        QCOMPARE(slider->value(), iteration); // held: stays under the finger
        QVERIFY(child<QLabel>("runAt")->text().contains(QStringLiteral("240")));
        QVERIFY(child<ui::ElidedLabel>("runAt")->fullText().contains(QStringLiteral("exaggerated")));
        QVERIFY(child<QToolButton>("runNewest")->isVisible());
        QTest::mouseMove(slider, {slider->width() + 40, y});
        QTest::mouseRelease(slider, Qt::LeftButton, {}, {slider->width() + 40, y});
        QCOMPARE(newest.count(), 1);
        m_panel->setLookedAt(std::nullopt, 0);
        QVERIFY(!child<QToolButton>("runNewest")->isVisible());
        // A run that goes on takes the knob along.
        m_panel->setHistory({0, 8, 16, 480}, 488);
        QCOMPARE(slider->value(), 488);
        QCOMPARE(past.count() > 0 && past.last().at(0).toInt() == 488, false);
        slider->setFocus();
        past.clear();
        QTest::keyClick(slider, Qt::Key_Left);
        QCOMPARE(past.count(), 1);
        QCOMPARE(past.at(0).at(0).toInt(), 480);
    }

    /// Whatever it shows, the curve lies in its box, and there are numbers at both axes.
    void curvesOfEveryShape()
    {
        PictureOf<KlChart> chart;
        for (const int width : {180, 256, 420})
            for (const auto& points : std::vector<std::vector<KlPoint>>{{},
                                                                        {{0, 0.0}},
                                                                        {{0, 1.0}, {10, 1.0}},
                                                                        {{0, 1e12}, {10, 1e12}},
                                                                        {{0, 5}, {10, 1e-9}},
                                                                        {{0, 21.0}, {1'000'000, 2.0}}})
            {
                RunCurve curve;
                curve.points = points;
                curve.iterations = points.empty() ? 10 : std::max(10, points.back().iteration);
                curve.exaggerationEnd = 5;
                chart.resize(width, 132);
                chart.picture().setCurve(curve);
                QVERIFY(!chart.grab().isNull());
                for (const KlPoint& point : points)
                    QVERIFY(chart.picture()
                                .plot()
                                .adjusted(-1, -1, 1, 1)
                                .contains(chart.picture().at(point.iteration, point.kl)));
                QVERIFY(chart.picture().plot().height() > 80 && chart.rect().contains(chart.picture().plot().toRect()));
                QVERIFY(chart.picture().ticks() >= 2);
            }
    }

    void listOfKeptMaps()
    {
        RunListModel* model = m_panel->list()->runs();
        const QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        QVERIFY(!m_panel->list()->isVisible());
        const auto first = m_library->add(named("run 1"));
        const auto second = m_library->add(named("run 2"));
        m_library->add(named("run 2")); // becomes another name
        QCOMPARE(model->rowCount(), 3);
        QCOMPARE(model->index(0).data().toString(), QStringLiteral("run 2 2"));
        QCOMPARE(model->idAt(2), first);
        QVERIFY(m_panel->list()->isVisible());
        WAIT_COMPARE(m_panel->list()->height(), m_panel->list()->sizeHint().height());
        // Nothing is cut off at the right, also beside a scroll bar.
        QVERIFY(m_panel->widget()->minimumSizeHint().width() <= 258);

        QSignalSpy show(m_panel.get(), &RunPanel::showRequested);
        const auto place = [&](int row) { return m_panel->list()->visualRect(model->index(row)).center(); };
        QTest::mouseClick(m_panel->list()->viewport(), Qt::LeftButton, {}, place(1));
        QCOMPARE(show.at(0).at(0).toULongLong(), second);
        QTest::keyClick(m_panel->list(), Qt::Key_Down);
        QTest::keyClick(m_panel->list(), Qt::Key_Return);
        QCOMPARE(show.at(1).at(0).toULongLong(), first);

        QTest::keyClick(m_panel->list(), Qt::Key_F2);
        auto* editor = m_panel->list()->findChild<QLineEdit*>(QStringLiteral("runNameEditor"));
        QVERIFY(editor != nullptr);
        editor->selectAll();
        QTest::keyClicks(editor, QStringLiteral("best/one"));
        QTest::keyClick(editor, Qt::Key_Return);
        WAIT_COMPARE(model->index(2).data().toString(), QStringLiteral("best-one"));

        QSignalSpy store(m_panel.get(), &RunPanel::storeRequested);
        m_panel->setStorable(true);
        QTest::mouseClick(child<QPushButton>("runStore"), Qt::LeftButton);
        QCOMPARE(store.at(0).at(0).toULongLong(), first);
        m_library->setStored(first, true);
        QVERIFY(!child<QPushButton>("runStore")->isEnabled());

        m_library->setMeasuring(second, true);
        QVERIFY(model->index(1).data(RunListModel::NumbersRole).toString().contains(QStringLiteral("measuring")));
        auto measured = std::make_shared<HeadMap>(*m_library->find(second)->map);
        measured->trust = MapTrust{1.5, 0.432, 0.951, 0.9, 0.8, 32, 0, 0};
        m_library->replace(second, measured);
        m_library->setMeasuring(second, false);
        const QString numbers = model->index(1).data(RunListModel::NumbersRole).toString();
        QVERIFY2(numbers.contains(QStringLiteral("43")) && numbers.contains(QStringLiteral("0.95")),
                 qPrintable(numbers));
        QTest::keyClick(m_panel->list(), Qt::Key_Delete);
        QCOMPARE(model->rowCount(), 2);
        QVERIFY(m_library->find(first) == nullptr);
        m_library->clear();
        QCOMPARE(model->rowCount(), 0);
    }

    /// Before, a stopped map lost "348 it" once it was measured, and nothing said that it was stopped.
    void aStoppedMapKeepsItsMark()
    {
        auto map = std::make_shared<HeadMap>(*named("run 1"));
        map->iteration = 348;
        map->options.iterations = 750;
        map->options.perplexities = {30};
        map->trust = MapTrust{1.5, 0.432, 0.951, 0.9, 0.8, 32, 0, 0};
        const auto id = m_library->add(map);
        m_library->add(named("run 2"));
        const RunListModel* model = m_panel->list()->runs();
        const auto said = [model](int row, int role) { return model->index(row).data(role).toString(); };
        QCOMPARE(said(1, RunListModel::MarkRole), QStringLiteral("stopped at 348"));
        QVERIFY(said(1, Qt::ToolTipRole).contains(QStringLiteral("stopped at 348 of 750")));
        QVERIFY(said(1, Qt::AccessibleTextRole).contains(QStringLiteral("stopped at 348")));
        QVERIFY(said(0, RunListModel::MarkRole).isEmpty());
        m_library->setStored(id, true);
        QVERIFY(said(1, RunListModel::MarkRole).startsWith(QStringLiteral("348")));
        QVERIFY(said(1, RunListModel::MarkRole).endsWith(QStringLiteral("in cache")));
        // Where the line is too long the layer is told in short, and the perplexity stays.
        QVERIFY(said(1, RunListModel::ShortSourceRole).endsWith(QStringLiteral("perplexity 30")));
        QVERIFY(said(1, RunListModel::ShortSourceRole).size() < said(1, RunListModel::SourceRole).size());
    }

    void theCurveSaysWhoseItIs()
    {
        showSample();
        QVERIFY(!child<QToolButton>("runNewest")->isVisible());
        m_panel->setAside(true);
        QVERIFY(child<QToolButton>("runNewest")->isVisible());
        QVERIFY(child<ElidedLabel>("runAt")->fullText().startsWith(QStringLiteral("Current run: iteration")));
        m_panel->setAside(false);
        QVERIFY(!child<QToolButton>("runNewest")->isVisible());
    }

    void aMapThatGoesOnKeepsItsNameAndLosesItsMarks()
    {
        const auto id = m_library->add(named("run 1"));
        m_library->setThumbnail(id, QImage(4, 4, QImage::Format_ARGB32));
        m_library->setStored(id, true);
        auto measured = std::make_shared<HeadMap>(*m_library->find(id)->map);
        measured->trust = MapTrust{};
        m_library->replace(id, measured); // stands where it stood
        QVERIFY(m_library->find(id)->stored && !m_library->find(id)->thumbnail.isNull());
        auto later = std::make_shared<HeadMap>(*measured);
        later->hash = "another";
        later->name = "map";
        m_library->replace(id, later);
        QVERIFY(!m_library->find(id)->stored && m_library->find(id)->thumbnail.isNull());
        QCOMPARE(m_library->find(id)->map->name, std::string("run 1"));
        QCOMPARE(m_library->maps().size(), 1u);
    }

    void everyControlHasAName()
    {
        showSample();
        m_library->add(named("run 1"));
        m_panel->form()->setMoreShown(true);
        for (const auto* widget : m_panel->findChildren<QWidget*>())
        {
            // A page is a place, no control; inner parts of a control speak through it.
            if (widget->focusPolicy() == Qt::NoFocus || widget->objectName().startsWith(QStringLiteral("qt_")) ||
                !widget->isVisible() || widget->metaObject() == &QWidget::staticMetaObject)
                continue;
            QVERIFY2(!widget->accessibleName().isEmpty() || widget == m_panel.get(),
                     qPrintable(QStringLiteral("no accessible name: %1 %2")
                                    .arg(QLatin1StringView(widget->metaObject()->className()), widget->objectName())));
        }
    }

    void pictures()
    {
        const QString folder = qEnvironmentVariable("HEADSCOPE_PICTURES");
        if (folder.isEmpty())
            QSKIP("set HEADSCOPE_PICTURES to a folder to look at the panel");
        showSample();
        m_library->setStored(m_library->add(named("stage1-last")), true);
        auto measured = std::make_shared<HeadMap>(*named("run 1"));
        measured->trust = MapTrust{1.5, 0.432, 0.951, 0.9, 0.8, 32, 0, 0};
        const auto id = m_library->add(measured);
        m_panel->list()->runs()->setShown(id);
        m_panel->list()->setCurrentId(id);
        m_panel->resize(292, 1800);
        m_panel->form()->setMoreShown(true);
        for (const auto scheme : {Theme::Scheme::Light, Theme::Scheme::Dark})
        {
            Theme::instance().setScheme(scheme);
            test::passMs(200);
            const QString name = scheme == Theme::Scheme::Light ? QStringLiteral("light") : QStringLiteral("dark");
            QVERIFY(m_panel->grab().save(folder + QStringLiteral("/run-panel-%1.png").arg(name)));
        }
    }
};

HEADSCOPE_WINDOW_TEST(TestRunPanel)
#include "tst_run_panel.moc"
