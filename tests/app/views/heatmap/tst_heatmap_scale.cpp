// SPDX-License-Identifier: GPL-3.0-or-later
// The colours of the heatmap's views: what they are called, when they stay and when they change.
#include "app/views/heatmap/heatmap_bar.h"
#include "app/views/heatmap/heatmap_view.h"
#include "app/views/heatmap/heatmap_widget.h"
#include "app/views/heatmap/similarity_page.h"
#include "app/views/heatmap/topic_means_page.h"
#include "tests/support/waiting.h"
#include "ui/canvas/legend/color_bar.h"
#include "viz/heatmap/heatmap_scale.h"

#include "tests/app/views/heatmap/heatmap_values.h"
#include "tests/ui/view_controls.h"
#include "tests/ui/window_test.h"

#include <QComboBox>
#include <QContextMenuEvent>
#include <QMenu>
#include <QToolButton>

#include <cmath>
#include <memory>

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
        QVERIFY(test::exposed(m_view.get()));
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

    /// The scale is that of what is shown, whichever layer was seen first, or one that is kept for all.
    void scaleIsOfWhatIsShownUnlessItIsKept()
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
        const viz::ScaleChoice second = bar->choice();
        QVERIFY(second.limits.high < 0.5 * first.limits.high);
        QCOMPARE(m_view->scale(), second);
        QVERIFY(!bar->isKept() && bar->toolTip().contains(QStringLiteral("data shown")));
        m_view->setPanels({test::samplePanel()}, test::sampleModel(), 4); // and back
        QCOMPARE(bar->choice(), first);
        QContextMenuEvent wanted(QContextMenuEvent::Keyboard, {}, bar->mapToGlobal(QPoint(5, 5)));
        QCoreApplication::sendEvent(bar, &wanted);
        const auto keep = [bar]() -> QAction* {
            for (QAction* action : bar->findChild<QMenu*>()->actions())
                if (action->text().startsWith(QStringLiteral("Keep limits")))
                    return action;
            return nullptr;
        };
        QVERIFY(keep() != nullptr && !keep()->isChecked());
        keep()->trigger();
        bar->findChild<QMenu*>()->close();
        QVERIFY(bar->isKept() && bar->toolTip().contains(QStringLiteral("other layers")));
        m_view->setPanels({other(0.3F)}, test::sampleModel(), 4);
        QCOMPARE(bar->choice(), first);
        QCOMPARE(m_view->heatmap()->picture().isNull(), false);
        m_view->setPanels({}, test::sampleModel(), 4); // labels without topics, and back
        m_view->setPanels({other(0.3F)}, test::sampleModel(), 4);
        QCOMPARE(bar->choice(), first);
        bar->setFocus();
        QTest::keyClick(bar, Qt::Key_Home); // limits of what is shown
        QCOMPARE(bar->choice(), second);
        QVERIFY(!bar->isKept());
        bar->choose(second);
        m_view->forgetScale(); // another cache
        QVERIFY(!bar->isKept());
        m_view->setPanels({test::samplePanel()}, test::sampleModel(), 4);
        QCOMPARE(bar->choice(), first);
    }

    /// Limits of several stages are those that the shell takes, and a scale that is kept can be said there.
    void limitsAreThoseOfTheShell()
    {
        const auto wide = [] {
            HeatmapPanel panel = *test::samplePanel();
            auto heatmap = std::make_shared<Heatmap>(*panel.heatmap);
            heatmap->stage = Stage::OutputSegment;
            for (std::size_t i = 0; i < heatmap->values.values().size(); ++i)
                if (i % 90 == 0) // beyond the percentiles of both together, and within those of its own
                    heatmap->values.values()[i] = 4;
                else if (i % 90 == 1)
                    heatmap->values.values()[i] = 3.9F;
            panel.heatmap = std::move(heatmap);
            return std::make_shared<const HeatmapPanel>(std::move(panel));
        }();
        const auto narrow = test::samplePanel();
        m_view->setPanels({narrow, wide}, test::sampleModel(), 4);
        const std::shared_ptr<const Heatmap> both[] = {narrow->heatmap, wide->heatmap};
        const viz::ScaleLimits shell = viz::commonLimits(both);
        const viz::ScaleLimits shown = m_view->scale().limits;
        QCOMPARE(shown.low, shell.low);
        QCOMPARE(shown.high, shell.high);
        QCOMPARE(m_view->scaleWords(), std::string("data"));
        ColorBar* bar = m_view->bar()->scale();
        bar->choose({viz::ScaleChoice::Kind::Diverging, {-0.25, 0.75}, 0.25});
        QCOMPARE(m_view->scaleWords(), std::string("-0.25,0.75"));
        bar->choose({viz::ScaleChoice::Kind::Diverging, {-0.25, 0.75}, 0.1});
        QVERIFY(m_view->scaleWords().empty());
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
        const QColor white = QColor::fromRgb(viz::scaleOf(m_view->scale(), viz::InkTheme::Light).color(0));
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

    /// A number of the scale stands at the end of the colours that it is the limit of, and the colour in the
    /// middle of the bar is that of the number in the middle.
    void numbersStandAtWhatTheyMark()
    {
        ColorBar bar;
        bar.resize(bar.sizeHint());
        bar.setRange({0, 1});
        bar.setChoice({viz::ScaleChoice::Kind::Diverging, {0.69, 0.95}, 0.82});
        const QRectF ramp = bar.rampRect();
        QCOMPARE(ramp.left(), bar.handlePlace(ColorBar::Handle::Low).x());
        QCOMPARE(ramp.right(), bar.handlePlace(ColorBar::Handle::High).x());
        QVERIFY(std::abs(bar.handlePlace(ColorBar::Handle::Centre).x() - ramp.center().x()) < 1);
        const QRectF low = bar.labelRect(ColorBar::Handle::Low);
        const QRectF high = bar.labelRect(ColorBar::Handle::High);
        QVERIFY(low.left() >= 0 && low.right() < ramp.left() && ramp.left() - low.right() < 12);
        QVERIFY(high.right() <= bar.width() && high.left() > ramp.right() && high.left() - ramp.right() < 12);
        const QImage picture = bar.grab().toImage();
        const auto colorAt = [&](double share) {
            return picture.pixelColor(static_cast<int>(std::lerp(ramp.left(), ramp.right(), share)),
                                      static_cast<int>(ramp.center().y()));
        };
        const viz::ColorScale scale = viz::scaleOf(bar.choice(), viz::InkTheme::Light);
        const QColor middle = QColor::fromRgb(scale.color(0.82));
        QVERIFY2(std::abs(colorAt(0.5).lightness() - middle.lightness()) < 12, qPrintable(colorAt(0.5).name()));
        // Beyond the limits are no colours of the scale.
        const double beyond = (low.left() + bar.rect().left()) / 2;
        QVERIFY(picture.pixelColor(static_cast<int>(beyond), static_cast<int>(ramp.center().y())).saturation() < 40);
    }

    /// White in the light theme is black in the dark one, and the words follow.
    void theColourOfTheMiddleIsNamed()
    {
        ColorBar bar;
        bar.setChoice({viz::ScaleChoice::Kind::Diverging, {-1, 1}, 0});
        const std::unique_ptr<QToolButton> button(makeAroundZeroButton(bar, nullptr));
        QVERIFY(button->toolTip().contains(QStringLiteral("white is 0")));
        Theme::instance().setScheme(Theme::Scheme::Dark);
        const QString told = button->toolTip();
        const QString described = bar.accessibleDescription();
        const QColor middle = QColor::fromRgb(viz::scaleOf(bar.choice(), viz::InkTheme::Dark).color(0));
        Theme::instance().setScheme(Theme::Scheme::Light);
        QVERIFY2(told.contains(QStringLiteral("black is 0")), qPrintable(told));
        QVERIFY2(described.contains(QStringLiteral("black at 0")), qPrintable(described));
        QVERIFY(middle.lightness() < 60);
    }

    void scaleHasATitle()
    {
        m_view->setPanels({test::samplePanel()}, test::sampleModel(), 4);
        ColorBar* bar = m_view->bar()->scale();
        // The middle is that of the limits, and said: blue is not opposed.
        const double middle = bar->choice().centre;
        QVERIFY(middle > 0.01);
        QCOMPARE(bar->title(), QStringLiteral("cosine, middle ") + QLocale().toString(middle, 'g', 2));
        QVERIFY2(bar->accessibleDescription().startsWith(QStringLiteral("cosine, middle ")),
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
