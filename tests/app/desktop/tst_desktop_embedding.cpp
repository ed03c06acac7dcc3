// SPDX-License-Identifier: GPL-3.0-or-later
// The sentence embedding as a stage of the window: every view shows it, or says that it has no heads.
#include "tests/app/desktop/desktop_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/waiting.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/head_picker.h"
#include "ui/panels/data/stage_cards.h"
#include "ui/window/notice_bar.h"
#include "ui/window/view_id.h"
#include "ui/window/view_stack.h"

using namespace headscope;

class TestDesktopEmbedding : public QObject, private test::DesktopFixture
{
    Q_OBJECT

private:
    [[nodiscard]] ui::StageCard* card(Stage stage) const { return m_window->dataPanel().stageCards()->card(stage); }
    desktop::Study& study() { return m_workbench->study(); }

    /// Chooses the stage by its card, and waits for its vectors.
    void choose(Stage stage)
    {
        QSignalSpy loaded(&study(), &desktop::Study::sourceLoaded);
        QTest::mouseClick(card(stage), Qt::LeftButton);
        WAIT_COMPARE(loaded.count(), 1);
        QCOMPARE(study().stage(), stage);
    }

private Q_SLOTS:
    void init() { makeWindow({.iterations = 30}); }
    void cleanup() { dropWindow(); }

    void aCacheWithoutItOffersNone()
    {
        writeSample();
        openAndLoad(m_cache);
        QVERIFY(!card(Stage::Embedding)->isVisible());
        waitForJobs();
    }

    void everyViewShowsItOrSaysWhyNot()
    {
        test::SampleCacheOptions options;
        options.embedding = true;
        writeSample(options);
        openAndSettle(m_cache);
        QVERIFY(card(Stage::Embedding)->isVisible() && card(Stage::Embedding)->isEnabled());
        study().choices().setHeads({1, 4});
        choose(Stage::Embedding);
        QCOMPARE(study().heads(), (std::vector<std::int64_t>{0}));
        QCOMPARE(study().headsOfLayers(), (std::vector<std::int64_t>{1, 4}));
        QVERIFY(!m_window->dataPanel().headPicker()->isVisible());
        for (const ui::ViewEntry& entry : m_window->views().entries())
        {
            m_window->setView(entry.id);
            waitForJobs();
            QVERIFY2(!m_window->notices().isVisible(), qPrintable(entry.title));
        }
        QCOMPARE(study().source().vectors->heads(), 1);
        // In another layer there is none: a stage of heads is shown, with the heads that were chosen.
        study().choices().setLayer(LayerIndex(3));
        QCOMPARE(study().stage(), Stage::HeadOutput);
        QCOMPARE(study().heads(), (std::vector<std::int64_t>{1, 4}));
        QVERIFY(m_window->dataPanel().headPicker()->isVisible());
        waitForJobs();
    }
};

HEADSCOPE_WINDOW_TEST(TestDesktopEmbedding)
#include "tst_desktop_embedding.moc"
