// SPDX-License-Identifier: GPL-3.0-or-later
// The colours of the heatmap's views: what they are called, when they stay and when they change.
#include "ui/plots/color_bar.h"
#include "ui/plots/heatmap_bar.h"
#include "ui/plots/heatmap_view.h"
#include "ui/plots/heatmap_widget.h"
#include "ui/plots/similarity_page.h"
#include "ui/plots/topic_means_page.h"

#include "tests/ui/heatmap_values.h"
#include "tests/ui/view_controls.h"
#include "tests/ui/window_test.h"

#include <QComboBox>
#include <QToolButton>

using namespace headscope;
using namespace headscope::ui;

class TestHeatmapScale : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<HeatmapView> m_view;

private Q_SLOTS:
    void init()
    {
        m_view = std::make_unique<HeatmapView>();
        m_view->resize(900, 720);
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    }

    void cleanup() { m_view.reset(); }

    void scaleHandlesByMouseAndKeys()
    {
        m_view->setPanels({test::samplePanel()}, test::sampleModel(), 4);
        ColorBar* bar = m_view->bar()->scale();
        const viz::ScaleChoice before = bar->choice();
        const QPointF high = bar->handlePlace(ColorBar::Handle::High);
        test::dragIn(bar, high, high - QPointF(20, 0));
        QVERIFY(bar->choice().limits.high < before.limits.high);
        QCOMPARE(m_view->scale(), bar->choice());
        bar->setFocus();
        QTest::keyClick(bar, Qt::Key_Up); // from the upper limit round to the lower one
        QCOMPARE(bar->currentHandle(), ColorBar::Handle::Low);
        QTest::keyClick(bar, Qt::Key_Right);
        QVERIFY(bar->choice().limits.low > before.limits.low);
        // What the user set outlives new results; Home gives the data's limits back.
        const viz::ScaleChoice own = bar->choice();
        m_view->setPanels({test::samplePanel()}, test::sampleModel(), 4);
        QCOMPARE(bar->choice(), own);
        QTest::keyClick(bar, Qt::Key_Home);
        QCOMPARE(bar->choice(), before);
    }

    /// One scale for all stages and layers of a cache: a colour is the same cosine wherever one looks.
    void scaleStaysWhileStagesAndLayersChange()
    {
        ColorBar* bar = m_view->bar()->scale();
        m_view->setPanels({test::samplePanel()}, test::sampleModel(), 4);
        const viz::ScaleChoice first = bar->choice();
        const auto other = [](float factor) {
            HeatmapPanel panel = *test::samplePanel();
            auto heatmap = std::make_shared<Heatmap>(*panel.heatmap);
            for (float& value : heatmap->values.values())
                value *= factor;
            panel.heatmap = std::move(heatmap);
            return std::make_shared<const HeatmapPanel>(std::move(panel));
        };
        m_view->setPanels({other(0.3F)}, test::sampleModel(), 4); // another layer
        QCOMPARE(bar->choice(), first);
        QCOMPARE(m_view->heatmap()->picture().isNull(), false);
        m_view->setPanels({}, test::sampleModel(), 4); // labels without topics, and back
        m_view->setPanels({other(0.3F)}, test::sampleModel(), 4);
        QCOMPARE(bar->choice(), first);
        bar->setFocus();
        QTest::keyClick(bar, Qt::Key_Home); // limits of what is shown
        QVERIFY(bar->choice().limits.high < 0.5 * first.limits.high);
        m_view->forgetScale(); // another cache
        m_view->setPanels({test::samplePanel()}, test::sampleModel(), 4);
        QCOMPARE(bar->choice(), first);
    }

    void scaleAroundZeroHasWhiteAtZero()
    {
        m_view->setPanels({test::samplePanel()}, test::sampleModel(), 4);
        ColorBar* bar = m_view->bar()->scale();
        const viz::ScaleChoice before = bar->choice();
        auto* button = m_view->findChild<QToolButton*>(QStringLiteral("colorBarAroundZero"));
        QVERIFY(button != nullptr && !button->isChecked());
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(button->isChecked());
        QCOMPARE(bar->choice().limits.low, -bar->choice().limits.high);
        QCOMPARE(bar->choice().centre, 0.0);
        QCOMPARE(m_view->scale(), bar->choice());
        const QColor white = QColor::fromRgb(viz::scaleOf(m_view->scale(), viz::Theme::Light).color(0));
        QVERIFY(white.lightness() > 235 && white.saturation() < 20);
        // One limit takes the other along; a centre that is moved ends it.
        bar->setFocus();
        QTest::keyClick(bar, Qt::Key_Up);
        while (bar->currentHandle() != ColorBar::Handle::High)
            QTest::keyClick(bar, Qt::Key_Up);
        QTest::keyClick(bar, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(bar->choice().limits.low, -bar->choice().limits.high);
        QVERIFY(button->isChecked());
        const viz::ScaleChoice own = bar->choice();
        m_view->setPanels({test::samplePanel()}, test::sampleModel(), 4);
        QCOMPARE(bar->choice(), own);
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(!button->isChecked());
        QCOMPARE(bar->choice(), before);
    }

    void scaleHasATitle()
    {
        m_view->setPanels({test::samplePanel()}, test::sampleModel(), 4);
        ColorBar* bar = m_view->bar()->scale();
        QCOMPARE(bar->title(), QStringLiteral("cosine"));
        QVERIFY2(bar->accessibleDescription().startsWith(QStringLiteral("cosine ")),
                 qPrintable(bar->accessibleDescription()));
        QVERIFY(bar->accessibleDescription().contains(QStringLiteral("white at")));
        QVERIFY(bar->handlePlace(ColorBar::Handle::Low).x() > 40);
        auto* means = m_view->means()->findChild<ColorBar*>(QStringLiteral("meansScale"));
        auto* what = m_view->means()->findChild<QComboBox*>(QStringLiteral("meansWhat"));
        QCOMPARE(means->title(), QStringLiteral("mean cosine"));
        what->setCurrentIndex(1);
        QCOMPARE(means->title(), QStringLiteral("difference of cosines"));
        QCOMPARE(means->choice().centre, 0.0);
        QVERIFY(means->isAroundZero());
        QCOMPARE(m_view->similarity()->findChild<ColorBar*>(QStringLiteral("similarityScale"))->title(),
                 QStringLiteral("cosine"));
    }
};

HEADSCOPE_WINDOW_TEST(TestHeatmapScale)
#include "tst_heatmap_scale.moc"
