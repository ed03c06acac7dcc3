// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/start/workbench.h"
#include "app/views/atlas/atlas_canvas.h"
#include "app/views/atlas/atlas_controller.h"
#include "app/views/atlas/atlas_view.h"
#include "model/io/results/attention/attention_file.h"
#include "tests/app/desktop/desktop_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_of.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/head_picker.h"
#include "ui/state/origin_guard.h"
#include "ui/widgets/widgets.h"
#include "ui/window/main_window.h"

#include <QFile>
#include <QJsonDocument>
#include <QLabel>
#include <QPushButton>

#include <algorithm>
#include <cmath>
#include <memory>

using namespace headscope;
using namespace headscope::desktop;

/// The atlas with everything behind it.
class TestDesktopAtlas : public QObject, private test::DesktopFixture
{
    Q_OBJECT

private:
    ui::AtlasView& view() { return test::viewOf<ui::AtlasView>(*m_window); }
    AtlasController& controller()
    {
        auto* found = m_workbench->findChild<AtlasController*>();
        Q_ASSERT(found != nullptr);
        return *found;
    }
    [[nodiscard]] std::int64_t known(const char* key)
    {
        const auto measures = view().measures();
        const HeadMeasure* const measure = measures == nullptr ? nullptr : measures->find(key);
        return measure == nullptr ? 0 : measure->known();
    }
    void openAtlas()
    {
        openAndLoad(m_cache);
        m_window->setView(ui::kAtlasView);
        WAIT_COMPARE(known("match"), std::int64_t{27});
        WAIT_FOR(!controller().busy());
    }
    [[nodiscard]] QPoint placeOf(const HeadPlace& head)
    {
        const auto& scatter = view().canvas()->picture().scatter();
        return scatter.placeOf(*scatter.dots().indexOf(head)).toPoint();
    }

private Q_SLOTS:
    void initTestCase() { writeSample(); }
    void init() { makeWindow({}); }
    void cleanup() { dropWindow(); }

    void emptySaysHowToGetIt()
    {
        m_window->setView(ui::kAtlasView);
        QVERIFY(view().emptyState()->text().contains(QStringLiteral("Open a cache")));
    }

    void layersAreMeasuredWhenLookedAt()
    {
        openAndLoad(m_cache);
        waitForCalm();
        QCOMPARE(known("mean_norm"), std::int64_t{0}); // nobody looks
        m_window->setView(ui::kAtlasView);
        WAIT_COMPARE(known("match"), std::int64_t{27});
        WAIT_FOR(!controller().busy());
        QVERIFY(view()
                    .lackText()
                    .replace(QChar::Nbsp, u' ')
                    .contains(QStringLiteral("3 of 12 layers"))); // and how to get the others
        QVERIFY(view().bar()->note().replace(QChar::Nbsp, u' ').contains(QStringLiteral("27 of 108 heads")));
        // What cannot be measured says why.
        QVERIFY(view().bar()->offer(MeasureKind::Attention)->isEnabled());
        QVERIFY(!view().bar()->offer(MeasureKind::Vectors)->isEnabled());
    }

    void aClickChoosesLayerAndHead()
    {
        openAtlas();
        ui::Choices& choices = m_workbench->study().choices();
        QCOMPARE(choices.now().layer, LayerIndex(11));
        QTest::mouseClick(view().canvas(), Qt::LeftButton, {}, placeOf({3, 4}));
        QCOMPARE(choices.now().layer, LayerIndex(3));
        QCOMPARE(choices.now().heads, std::vector<std::int64_t>{4});
        QCOMPARE(view().canvas()->picture().marks().chosen, (std::vector<HeadPlace>{{3, 4}}));
        WAIT_FOR(!m_workbench->isLoading());
        QCOMPARE(known("match"), std::int64_t{27}); // another layer of the same stage: nothing is measured again
        controller().chooseHead({7, 4});            // the same number in another layer is another head
        QCOMPARE(choices.now().layer, LayerIndex(7));
        QCOMPARE(choices.now().heads, std::vector<std::int64_t>{4});
        controller().chooseHead({7, 4}); // again: all
        QCOMPARE(choices.now().heads.size(), std::size_t{9});
        controller().chooseHead({5, 2}); // the cache has no layer 5
        QCOMPARE(choices.now().layer, LayerIndex(7));
        QCOMPARE(choices.now().heads, std::vector<std::int64_t>{2});
    }

    void markingChoosesThoseOfTheLayer()
    {
        openAtlas();
        ui::Choices& choices = m_workbench->study().choices();
        controller().markHeads({{3, 1}, {11, 2}, {11, 5}}, Qt::NoModifier);
        QCOMPARE(view().marked().size(), std::size_t{3});
        QCOMPARE(choices.now().heads, (std::vector<std::int64_t>{2, 5}));
        controller().markHeads({{11, 8}}, Qt::ShiftModifier);
        QCOMPARE(view().marked().size(), std::size_t{4});
        QCOMPARE(choices.now().heads, (std::vector<std::int64_t>{2, 5, 8}));
        controller().markHeads({{3, 1}}, Qt::ControlModifier);
        QCOMPARE(view().marked(), (std::vector<HeadPlace>{{11, 2}, {11, 5}, {11, 8}}));
        controller().markHeads({}, Qt::NoModifier);
        QVERIFY(view().marked().empty());
        QCOMPARE(choices.now().heads.size(), std::size_t{3}); // what is chosen stays
    }

    void segmentsAreCalledSo()
    {
        openAtlas();
        m_workbench->study().choices().setStage(Stage::OutputSegment);
        WAIT_COMPARE(known("match"), std::int64_t{27});
        QCOMPARE(view().measures()->stage, Stage::OutputSegment);
        QCOMPARE(known("cka_group"), std::int64_t{0});
        QVERIFY(view().summary().contains(QStringLiteral("segments")) &&
                !view().summary().contains(QStringLiteral("heads")));
        QVERIFY(!view().bar()->offer(MeasureKind::Attention)->isEnabled());
        QVERIFY(view().bar()->offer(MeasureKind::Attention)->toolTip().contains(QStringLiteral("stage 1")));
    }

    void anotherCacheLeavesNothingBehind()
    {
        const QString first = m_cache;
        openAndLoad(first);
        m_window->setView(ui::kAtlasView); // measuring begins
        const QString other = m_folder.filePath(QStringLiteral("other.h5"));
        test::SampleCacheOptions options;
        options.heads = 6;
        options.documents = 30;
        HEADSCOPE_VERIFY_OK(test::writeSampleCache(other.toStdString(), options));
        const auto refused = ui::OriginGuard::instance().refused();
        openAndLoad(other);
        WAIT_COMPARE(known("match"), std::int64_t{18});
        WAIT_FOR(!controller().busy());
        QCOMPARE(view().measures()->heads, std::int64_t{6});
        QCOMPARE(view().measures()->find("mean_norm")->count, std::int64_t{30});
        QVERIFY(view().measures()->origin == m_workbench->study().origin());
        QCOMPARE(ui::OriginGuard::instance().refused(), refused);
        QVERIFY(view().marked().empty());
    }

    void shownDocumentsAreMeasuredAnew()
    {
        openAtlas();
        std::vector<std::int64_t> some;
        for (std::int64_t document = 0; document < 20; ++document)
            some.push_back(document);
        m_window->selection().showOnly({QStringLiteral("some"), some});
        WAIT_FOR(known("match") == 27 && view().measures()->find("match")->count == 20);
        QCOMPARE(view().measures()->find("mean_norm")->allCount, std::int64_t{48});
    }

    void statisticsOfAFileAreAdded()
    {
        openAtlas();
        const QString path = m_folder.filePath(QStringLiteral("statistics.h5"));
        AttentionShapes shapes;
        shapes.layers = {0, 1, 11};
        shapes.heads = 9;
        shapes.kvHeads = 3;
        shapes.weights = false;
        AttentionOrigin origin;
        origin.documents = 5;
        auto file = AttentionFile::create(path.toStdString(), shapes, origin);
        HEADSCOPE_VERIFY_OK(file);
        HEADSCOPE_VERIFY_OK(file->publish({{"first_token", MatrixD(3, 9)}}));
        controller().addFile(path);
        WAIT_COMPARE(known("file/first_token"), std::int64_t{27});
        QVERIFY(view().bar()->note().replace(QChar::Nbsp, u' ').contains(QStringLiteral("statistics.h5")));
        controller().addFile(m_cache); // no such file
        WAIT_FOR(!controller().busy());
        QCOMPARE(known("file/first_token"), std::int64_t{27}); // what is there stays
    }

    void attentionNeedsTheModel()
    {
        openAtlas();
        controller().measureAttention(); // the model of the sample is nowhere: it is asked for
        QVERIFY(!m_dialogs.asked.empty());
        QVERIFY(m_dialogs.asked.back().contains(QStringLiteral("sample-model")));
        QVERIFY(!controller().busy());
    }

    void filesAreSaved_data()
    {
        QTest::addColumn<QString>("ending");
        for (const char* ending : {"csv", "tex", "pdf", "svg", "png"})
            QTest::newRow(ending) << QString::fromLatin1(ending);
    }

    void filesAreSaved()
    {
        QFETCH(QString, ending);
        openAtlas();
        view().bar()->setWanted({"spread", "match", "mean_norm", "cka_layer"});
        const QString path = m_folder.filePath(QStringLiteral("atlas.") + ending);
        QSignalSpy saved(m_workbench.get(), &Workbench::viewSaved);
        m_dialogs.nextPath = path;
        m_window->findChild<QAction*>(QStringLiteral("actionSaveView"))->trigger();
        WAIT_COMPARE(saved.count(), 1);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        QVERIFY(bytes.size() > 1000);
        if (ending == QStringLiteral("csv"))
        {
            QCOMPARE(bytes.count('\n'), 28);
            QVERIFY(bytes.contains("match q"));
        }
    }

    void workFilesRememberWhatIsShown()
    {
        openAtlas();
        view().bar()->setWanted({"spread", "match", "mean_norm", "cka_layer"});
        controller().markHeads({{3, 1}, {7, 2}}, Qt::NoModifier);
        QJsonObject state;
        controller().saveState(state);
        controller().markHeads({}, Qt::NoModifier);
        view().bar()->setWanted({});
        controller().restoreState(state);
        QCOMPARE(view().bar()->wanted(), (viz::AtlasChoice{"spread", "match", "mean_norm", "cka_layer"}));
        QCOMPARE(view().marked(), (std::vector<HeadPlace>{{3, 1}, {7, 2}}));
        // Values that anyone may have written.
        for (const char* text : {R"({"atlas": 3})", R"({"atlas": {"x": 5}, "atlas_marked": "0-999999"})",
                                 R"({"atlas": {"y": "nothing"}})"})
        {
            controller().restoreState(QJsonDocument::fromJson(text).object());
            QVERIFY(view().marked().empty());
            QVERIFY(!view().bar()->choice().x.empty());
        }
    }
};

HEADSCOPE_TEST(TestDesktopAtlas)
#include "tst_desktop_atlas.moc"
