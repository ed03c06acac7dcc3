// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/map/map_view.h"

#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "ui/state/origin_guard.h"
#include "ui/widgets/widgets.h"

#include <QComboBox>
#include <QLabel>
#include <QProgressBar>

using namespace headscope;
using headscope::ui::MapRunState;

class TestMapView : public QObject
{
    Q_OBJECT

private:
    static bool hasItsRoom(const QLabel& label)
    {
        return label.isHidden() ||
               (label.width() >= label.sizeHint().width() && label.geometry().right() < label.parentWidget()->width());
    }

private Q_SLOTS:
    /// The bar says its numbers in full; the progress bar gives way first.
    void numbersAreNeverCut_data()
    {
        QTest::addColumn<int>("width");
        QTest::newRow("as the smallest window leaves it") << 480;
        QTest::newRow("in a window of 1,100 pixels") << 554;
        QTest::newRow("of 1,366") << 820;
        QTest::newRow("wide") << 1200;
    }
    void numbersAreNeverCut()
    {
        QFETCH(int, width);
        ui::MapView view;
        view.resize(width, 400);
        view.setMap(test::sampleMap());
        view.show();
        ui::MapRunProgress progress;
        progress.iterations = 75'032;
        progress.kl = 2.52;
        progress.klFalls = true;
        progress.rate = 1431;
        const auto* bar = view.findChild<QProgressBar*>();
        const auto* iterations = view.findChild<QLabel*>(QStringLiteral("mapIterations"));
        const auto* numbers = view.findChild<QLabel*>(QStringLiteral("mapNumbers"));
        const auto* shown = view.findChild<ui::ElidedLabel*>(QStringLiteral("mapShown"));
        const auto* mode = view.findChild<QComboBox*>(QStringLiteral("mapMode"));
        for (const int iteration : {43, 43'111, 75'030})
            for (const MapRunState state :
                 {MapRunState::Running, MapRunState::Paused, MapRunState::Stopped, MapRunState::Finished})
            {
                progress.iteration = iteration;
                progress.eta = (75'032 - iteration) * 0.002;
                view.setRun(state, progress);
                test::passMs(1);
                const QString said = iterations->text() % u' ' % numbers->text();
                QVERIFY2(hasItsRoom(*iterations) && hasItsRoom(*numbers), qPrintable(said));
                QVERIFY(mode->geometry().right() < mode->parentWidget()->width());
                QVERIFY(mode->width() >= mode->minimumSizeHint().width());
                QVERIFY(!bar->isVisible() || !shown->isHidden());
                if (!shown->isHidden())
                    QVERIFY2(shown->text().startsWith(QStringLiteral("1,280\u00A0points")), qPrintable(shown->text()));
                if (state == MapRunState::Stopped)
                    QVERIFY2(said.contains(QStringLiteral("stopped")), qPrintable(said));
                if (state == MapRunState::Running && width >= 554)
                    QVERIFY2(said.contains(QStringLiteral("1,431 it/s")) && said.endsWith(QStringLiteral(" left")),
                             qPrintable(said));
            }
        view.setRun(MapRunState::Running, progress);
        QCOMPARE(bar->isVisible(), width > 700);
    }

    /// The start instead of a seed that had no part in it; dense affinities beside the divergence, which is of these.
    void whatAMapWasMadeFrom()
    {
        ui::MapView view;
        view.resize(1600, 400);
        auto map = std::make_shared<HeadMap>(*test::sampleMap());
        view.setMap(map);
        view.show();
        const auto* numbers = view.findChild<QLabel*>(QStringLiteral("mapNumbers"));
        const auto* shown = view.findChild<ui::ElidedLabel*>(QStringLiteral("mapShown"));
        const auto plain = [](QString text) { return text.replace(QChar(0x00A0), u' '); };
        WAIT_FOR2(plain(shown->text()).endsWith(QStringLiteral("PCA initialization")), qPrintable(shown->text()));
        QVERIFY(!shown->text().contains(QStringLiteral("dense")));
        map = std::make_shared<HeadMap>(*map);
        QVERIFY(!shown->text().contains(QStringLiteral("exaggeration")));
        map->options.exaggerationIterations = static_cast<int>(map->iteration);
        map->options.affinities = TsneAffinities::Dense;
        map->options.start = TsneStart::Random;
        map->options.seed = 7;
        view.setMap(map);
        WAIT_FOR2(plain(shown->text()).endsWith(QStringLiteral("random initialization, seed 7")),
                  qPrintable(shown->text()));
        QVERIFY(plain(shown->text()).contains(QStringLiteral("dense affinities")));
        QVERIFY(plain(shown->text()).contains(QStringLiteral("during early exaggeration")));
        QVERIFY2(plain(numbers->text()).contains(QStringLiteral("KL 1.25 (dense)")), qPrintable(numbers->text()));
    }
};

HEADSCOPE_TEST(TestMapView)
#include "tst_map_view.moc"
