// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/compare/compare_view.h"

#include "tests/support/live_objects.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_controls.h"
#include "tests/ui/window_test.h"
#include "ui/canvas/scatter/move_lines.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QVariantAnimation>
#include <QWheelEvent>

using namespace headscope;
using headscope::ui::CompareView;

namespace
{

/// Points on a circle in A, on a line in B.
std::shared_ptr<const MapPair> samplePair(std::int64_t count = 400)
{
    auto pair = std::make_shared<MapPair>();
    auto map = std::make_shared<HeadMap>();
    map->iteration = 750;
    pair->a = map;
    pair->b = map;
    pair->match = MapMatch::Documents;
    auto points = std::make_shared<PointIds>();
    pair->xyA = MatrixF(count, 2);
    pair->xyB = MatrixF(count, 2);
    for (std::int64_t i = 0; i < count; ++i)
    {
        points->document.push_back(static_cast<std::int32_t>(i));
        points->head.push_back(2);
        pair->headInB.push_back(3);
        const double share = static_cast<double>(i) / static_cast<double>(count);
        pair->xyA(i, 0) = static_cast<float>(10 * std::cos(6.283 * share));
        pair->xyA(i, 1) = static_cast<float>(10 * std::sin(6.283 * share));
        pair->xyB(i, 0) = static_cast<float>(24 * share - 12);
        pair->xyB(i, 1) = 0;
        pair->difference.changed.push_back(static_cast<float>(i % 11) / 10.0F);
    }
    map->points = points;
    pair->points = std::move(points);
    pair->onlyInA = 12;
    pair->correlation = 0.5;
    pair->difference.mean = 0.41;
    pair->difference.histogram.assign(11, count / 11);
    return pair;
}

} // namespace

class TestCompareView : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<CompareView> m_view;

    template <class T>
    T* child(const char* name)
    {
        return m_view->findChild<T*>(QLatin1StringView(name));
    }

private Q_SLOTS:
    void init()
    {
        m_view = std::make_unique<CompareView>();
        m_view->resize(1000, 560);
        m_view->setOptions({{QStringLiteral("a"), QStringLiteral("Map of stage 1"), 1},
                            {QStringLiteral("b"), QStringLiteral("Map of stage 3"), 1},
                            {QStringLiteral("c"), QStringLiteral("Grid: Head 4, stage 1, layer 29"), 2, true}});
        m_view->setColors({{QStringLiteral("changed"), QStringLiteral("Colour: neighbours changed")}});
        m_view->show();
        QVERIFY(test::exposed(m_view.get()));
        m_view->setPair(samplePair());
        const viz::ColorScale scale(viz::sequentialMap(), {0, 1});
        m_view->setColoring(viz::colorByNumber(m_view->pair()->difference.changed, scale,
                                               QStringLiteral("Neighbours changed"), viz::InkTheme::Light));
    }

    void cleanup() { m_view.reset(); }

    /// A letter and the box that it names stand beside each other at every width.
    void aLetterStaysWithItsBox()
    {
        for (int width = 1000; width > 420; width -= 20)
        {
            m_view->resize(width, 560);
            test::passMs(2);
            for (const char* name : {"compareA", "compareB"})
            {
                const auto* box = child<QComboBox>(name);
                const QLabel* letter = nullptr;
                for (const QLabel* label : m_view->findChildren<QLabel*>())
                    if (label->buddy() == box)
                        letter = label;
                QVERIFY(letter != nullptr);
                const QPoint ofLetter = letter->mapTo(m_view.get(), letter->rect().center());
                const QPoint ofBox = box->mapTo(m_view.get(), box->rect().center());
                QVERIFY2(std::abs(ofLetter.y() - ofBox.y()) < 4 && ofLetter.x() < ofBox.x(),
                         qPrintable(QStringLiteral("%1 at %2").arg(QLatin1StringView(name)).arg(width)));
            }
        }
    }

    /// The handle of a slider is told from the bar it stands on, in both themes.
    void theSlidersHandleIsSeen()
    {
        for (const auto scheme : {ui::Theme::Scheme::Light, ui::Theme::Scheme::Dark})
        {
            ui::Theme::instance().setScheme(scheme);
            const QSlider* slider = child<QSlider>("compareSlider");
            test::passMs(20);
            const QImage picture = const_cast<QSlider*>(slider)->grab().toImage();
            const QColor ground = ui::Theme::instance().colors().frame;
            int clear = 0;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < 16; ++x)
                {
                    const QColor each = picture.pixelColor(x, y);
                    clear += std::abs(each.red() - ground.red()) + std::abs(each.green() - ground.green()) +
                                         std::abs(each.blue() - ground.blue()) >
                                     150
                                 ? 1
                                 : 0;
                }
            ui::Theme::instance().setScheme(ui::Theme::Scheme::Light);
            QVERIFY2(clear > 60, qPrintable(QString::number(clear)));
        }
    }

    /// One legend stands over B; as both canvases move together, neither map lies under it or the tools.
    void noPointLiesUnderTheLegend()
    {
        LabelColumn column{"topic", {}, {}};
        for (std::int32_t i = 0; i < 25; ++i)
            column.categories.push_back("A label of some length " + std::to_string(i));
        for (std::int32_t i = 0; i < 400; ++i)
            column.codes.push_back(i % 25);
        m_view->setColoring(viz::colorByLabel(*m_view->pair()->points, column, viz::InkTheme::Light));
        const auto covered = [this] {
            std::int64_t count = 0;
            for (const ui::ScatterWidget* canvas : {m_view->left(), m_view->right()})
            {
                if (!canvas->isVisible())
                    continue;
                const auto* tools = canvas->findChild<QWidget*>(QStringLiteral("mapTools"));
                for (const MatrixF* xy : {&m_view->pair()->xyA, &m_view->pair()->xyB})
                    for (std::int64_t point = 0; point < xy->rows(); ++point)
                    {
                        const QPointF place = canvas->view().screenFromData({(*xy)(point, 0), (*xy)(point, 1)});
                        count += canvas->legendRect().contains(place) ||
                                         (tools->isVisible() && QRectF(tools->geometry()).contains(place))
                                     ? 1
                                     : 0;
                    }
            }
            return count;
        };
        WAIT_COMPARE(covered(), 0);
        QTest::mouseClick(child<QPushButton>("compareSide"), Qt::LeftButton);
        WAIT_COMPARE(covered(), 0);
        m_view->left()->fit(); // the button in A
        test::passMs(250);
        QCOMPARE(covered(), 0);
    }

    void sliderMovesThePoints()
    {
        auto* slider = child<QSlider>("compareSlider");
        QCOMPARE(m_view->left()->map()->xy(0, 0), 10.0F);
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_End);
        QCOMPARE(m_view->share(), 1.0);
        QCOMPARE(m_view->left()->map()->xy(0, 0), -12.0F);
        QTest::keyClick(slider, Qt::Key_Home);
        QTest::keyClick(slider, Qt::Key_PageUp);
        QCOMPARE(m_view->share(), 0.1);
        QVERIFY(std::abs(m_view->left()->map()->xy(0, 0) - 7.8F) < 1e-4F);
        QCOMPARE(child<QLabel>("comparePlace")->text(), QStringLiteral("10%"));
        QCOMPARE(m_view->left()->map()->points, m_view->pair()->points); // colours stay
    }

    void theViewStaysWhileThePointsMove()
    {
        const auto view = m_view->left()->view();
        m_view->setShare(0.5);
        QCOMPARE(m_view->left()->view(), view);
        for (const MatrixF* xy : {&m_view->pair()->xyA, &m_view->pair()->xyB})
            for (std::int64_t i = 0; i < xy->rows(); ++i)
                QVERIFY(QRectF(m_view->left()->rect())
                            .contains(view.screenFromData(
                                QPointF(static_cast<double>((*xy)(i, 0)), static_cast<double>((*xy)(i, 1))))));
    }

    void playMovesToTheOtherMapAndStops()
    {
        QTest::mouseClick(child<QPushButton>("comparePlay"), Qt::LeftButton);
        WAIT_COMPARE(m_view->share(), 1.0);
        QTest::mouseClick(child<QPushButton>("comparePlay"), Qt::LeftButton);
        // Stopped on its way, wherever that is: no event comes between, or a busy machine might be at its end.
        std::vector<QVariantAnimation*> running;
        test::LiveObjects::visitThisThread([&running](QObject& object) {
            if (auto* each = qobject_cast<QVariantAnimation*>(&object);
                each != nullptr && each->state() == QAbstractAnimation::Running)
                running.push_back(each);
        });
        for (QVariantAnimation* each : running)
            each->setCurrentTime(each->totalDuration() / 2);
        QTest::mouseClick(child<QPushButton>("comparePlay"), Qt::LeftButton);
        const double share = m_view->share();
        QVERIFY(share > 0 && share < 1);
        test::passMs(10'000);
        QCOMPARE(m_view->share(), share);
    }

    void sideBySideMovesTogether()
    {
        QTest::mouseClick(child<QPushButton>("compareSide"), Qt::LeftButton);
        QVERIFY(m_view->right()->isVisible());
        QVERIFY(!child<QSlider>("compareSlider")->isVisible());
        test::passMs(30);
        QCOMPARE(m_view->left()->map()->xy(0, 0), 10.0F);
        QCOMPARE(m_view->right()->map()->xy(0, 0), -12.0F);
        const QPointF place(100, 120);
        QWheelEvent event(place, m_view->left()->mapToGlobal(place), {}, QPoint(0, 240), Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(m_view->left(), &event);
        QVERIFY(std::abs(m_view->right()->view().scale() / m_view->left()->view().scale() - 1) < 1e-9);
        QCOMPARE(m_view->right()->view().centre(), m_view->left()->view().centre());
        if (qEnvironmentVariableIsSet("HEADSCOPE_TEST_PICTURES"))
            m_view->grab().save(qEnvironmentVariable("HEADSCOPE_TEST_PICTURES") + QStringLiteral("/compare_side.png"));
    }

    void linesOfChosenAndHoveredDocuments()
    {
        QCOMPARE(m_view->lines()->lineCount(), std::size_t{0});
        m_view->setHovered(DocumentIndex(7));
        QCOMPARE(m_view->lines()->lineCount(), std::size_t{1});
        m_view->setChosen({3, 4, 5});
        m_view->setPrimary(DocumentIndex(4), HeadIndex(2));
        QCOMPARE(m_view->lines()->lineCount(), std::size_t{4});
        QVERIFY(m_view->lines()->badge().isEmpty());
        m_view->setLinesKind(CompareView::Lines::None);
        QCOMPARE(m_view->lines()->lineCount(), std::size_t{0});
    }

    void aSampleOfLinesSaysSo()
    {
        auto* box = child<QComboBox>("compareLines");
        box->setCurrentIndex(1);
        QCOMPARE(m_view->lines()->lineCount(), std::size_t{300});
        QCOMPARE(m_view->lines()->badge(), QStringLiteral("lines for 300 of 400 points"));
        m_view->setShare(0.6);
        if (qEnvironmentVariableIsSet("HEADSCOPE_TEST_PICTURES"))
            m_view->grab().save(qEnvironmentVariable("HEADSCOPE_TEST_PICTURES") + QStringLiteral("/compare.png"));
        m_view->setPair(samplePair(100));
        box->setCurrentIndex(0);
        box->setCurrentIndex(1);
        QCOMPARE(m_view->lines()->lineCount(), std::size_t{100});
        QVERIFY(m_view->lines()->badge().isEmpty()); // all of them
    }

    void numbersSayWhatIsCompared()
    {
        QCOMPARE(m_view->matchText().replace(QChar::Nbsp, u' '),
                 QStringLiteral("400 documents · 12 only in A · r 0.50"));
        QCOMPARE(m_view->changedText(), QStringLiteral("41% changed (unrelated maps: 97%)"));
        QCOMPARE(m_view->floorText(), QString());
        // What maps reach that only know the heads, for the share and for r.
        auto pair = std::make_shared<MapPair>(*samplePair());
        pair->keptWithin = 0.052;
        pair->shuffledCorrelation = 0.43;
        m_view->setPair(pair);
        QVERIFY2(m_view->matchText().endsWith(QStringLiteral("r 0.50 (documents permuted inside heads: 0.43)")),
                 qPrintable(m_view->matchText()));
        QCOMPARE(m_view->changedText(),
                 QStringLiteral("41% changed (unrelated maps: 97%; maps that only separate the heads: 95%)"));
    }

    /// Numbers of all heads beside a picture of three say so.
    void numbersOfHiddenHeadsSaySo()
    {
        auto pair = std::make_shared<MapPair>(*samplePair());
        pair->match = MapMatch::Points;
        m_view->setPair(pair);
        QVERIFY(!m_view->matchText().contains(QStringLiteral("hidden")));
        m_view->setShownHeads({});
        QVERIFY2(m_view->matchText().replace(QChar::Nbsp, u' ').contains(QStringLiteral("400 points hidden")),
                 qPrintable(m_view->matchText()));
        m_view->setShownHeads({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
        QVERIFY(!m_view->matchText().contains(QStringLiteral("hidden")));
    }

    void noiseStandsBesideTheDifference()
    {
        // 41% changed: less than noise alone changes, then more.
        const auto pairWith = [](double kept, std::int64_t onlyInA, double r = 0.52, std::int64_t twins = 3) {
            auto pair = std::make_shared<MapPair>(*samplePair());
            auto map = std::make_shared<HeadMap>(*pair->a);
            NoiseFloor floor;
            floor.mean = {10, kept, r};
            floor.leastKept = kept;
            floor.mostKept = kept;
            floor.twins = twins;
            floor.noise = 1e-4;
            floor.keptSd = 0.001;
            floor.leastCorrelation = r - 0.001;
            floor.mostCorrelation = r + 0.001;
            floor.keptByPoint.assign(static_cast<std::size_t>(map->points->count()), static_cast<float>(kept));
            map->floor = floor;
            pair->a = map;
            pair->onlyInA = onlyInA;
            return pair;
        };
        auto* changed = child<QLabel>("compareChanged");
        auto* button = child<QPushButton>("compareFloor");
        QVERIFY(!button->isVisible());
        m_view->setFloorable(true);
        QVERIFY(button->isVisible());
        const QSignalSpy asked(m_view.get(), &CompareView::floorRequested);
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(asked.count(), 1);
        m_view->setPair(pairWith(0.4, 0, 0.4));
        QCOMPARE(m_view->floorText(), QStringLiteral("noise alone 60%: within noise floor"));
        QCOMPARE(changed->text(),
                 QStringLiteral("41% changed\n(unrelated maps: 97%) · noise alone 60%: within noise floor"));
        QVERIFY2(changed->toolTip().contains(
                     QStringLiteral("preserve 40% of the 10 nearest neighbours, range over the replicates")),
                 qPrintable(changed->toolTip()));
        QVERIFY(m_view->accessibleDescription().contains(m_view->floorText()));
        m_view->setPair(pairWith(0.8, 0));
        QCOMPARE(m_view->floorText(), QStringLiteral("noise alone 20%: above noise floor"));
        // However far above noise: maps of the same vectors differ by how they were made.
        const auto same = [&pairWith](std::vector<double> perplexities) {
            auto pair = std::make_shared<MapPair>(*pairWith(0.8, 0));
            auto a = std::make_shared<HeadMap>(*pair->a);
            auto b = std::make_shared<HeadMap>(*pair->b);
            a->inputHash = b->inputHash = "1";
            b->options = a->options;
            b->options.perplexities = std::move(perplexities);
            b->iteration = a->iteration;
            pair->a = a;
            pair->b = b;
            return pair;
        };
        m_view->setPair(same({50}));
        QCOMPARE(m_view->floorText(),
                 QStringLiteral("noise alone 20%: same vectors, so the change is not a property of the data"));
        QVERIFY2(
            changed->toolTip().contains(QStringLiteral("Both maps show the same vectors: differences beyond noise can "
                                                       "only come from perplexity 30 / 50, not from the data.")),
            qPrintable(changed->toolTip()));
        m_view->setPair(pairWith(0.8, 0, 0.52, 1));
        QCOMPARE(m_view->floorText(), QStringLiteral("noise alone 20% (1 noise replicate: inconclusive)"));
        QVERIFY2(changed->toolTip().contains(QStringLiteral("at least 3 replicates are needed")),
                 qPrintable(changed->toolTip()));
        m_view->setPair(pairWith(0.8, 0, 0.4)); // the pair's r is 0.5
        QCOMPARE(m_view->floorText(), QStringLiteral("noise alone 20%: r contradicts"));
        m_view->setPair(pairWith(0.01, 0)); // chance is 10 of 399
        QCOMPARE(m_view->floorText(), QStringLiteral("noise alone 99%: not stable enough to compare"));
        m_view->setPair(pairWith(0.8, 12)); // among fewer points than the floor was measured of
        QCOMPARE(m_view->floorText(), QString());
    }

    void mapsAreChosenAndExchanged()
    {
        QCOMPARE(m_view->idA(), QStringLiteral("a"));
        QCOMPARE(m_view->idB(), QStringLiteral("b"));
        QSignalSpy changed(m_view.get(), &CompareView::choiceChanged);
        QTest::mouseClick(child<QPushButton>("compareSwap"), Qt::LeftButton);
        QCOMPARE(m_view->idA(), QStringLiteral("b"));
        QCOMPARE(changed.count(), 1);
        child<QComboBox>("compareB")->setCurrentIndex(2);
        QCOMPARE(changed.count(), 2);
        m_view->setOptions({{QStringLiteral("c"), QStringLiteral("C")}, {QStringLiteral("b"), QStringLiteral("B")}});
        QCOMPARE(m_view->idA(), QStringLiteral("b")); // those chosen before stay
        QCOMPARE(m_view->idB(), QStringLiteral("c"));
        QCOMPARE(changed.count(), 2);
        m_view->choose(QStringLiteral("nowhere"), QStringLiteral("c"));
        QCOMPARE(m_view->idA(), QStringLiteral("b"));
    }

    /// The two newest maps of the same points, not the first two of the list.
    void pairsMapsOfTheSamePointsFirst()
    {
        const auto option = [](const char* id, std::uint64_t points, bool cell = false) {
            return ui::MapOption{QString::fromLatin1(id), QString::fromLatin1(id), points, cell};
        };
        m_view->setPair(nullptr);
        m_view->setOptions({option("one head", 1), option("old", 2), option("new", 2), option("other", 3)});
        QCOMPARE(m_view->idA(), QStringLiteral("old"));
        QCOMPARE(m_view->idB(), QStringLiteral("new"));
        // A newer pair takes over while nothing is looked at and nothing was chosen.
        m_view->setOptions({option("one head", 1), option("old", 2), option("new", 2), option("other", 3),
                            option("again", 3), option("cell", 4, true), option("cell 2", 4, true)});
        QCOMPARE(m_view->idA(), QStringLiteral("other"));
        QCOMPARE(m_view->idB(), QStringLiteral("again"));
        m_view->setOptions({option("map", 1), option("head 1", 4, true), option("head 2", 5, true),
                            option("segment 1", 4, true), option("segment 2", 5, true)});
        QCOMPARE(m_view->idA(), QStringLiteral("head 1"));
        QCOMPARE(m_view->idB(), QStringLiteral("segment 1"));
        m_view->setOptions({option("map", 4), option("head 1", 4, true), option("segment 1", 4, true)});
        QCOMPARE(m_view->idA(), QStringLiteral("map")); // newer than any cell
        QCOMPARE(m_view->idB(), QStringLiteral("head 1"));
    }

    void aPairThatIsLookedAtOrWasChosenStays()
    {
        const auto with = [](const QString& more) {
            std::vector<ui::MapOption> maps = {{QStringLiteral("a"), QStringLiteral("A"), 1},
                                               {QStringLiteral("b"), QStringLiteral("B"), 1},
                                               {QStringLiteral("c"), QStringLiteral("C"), 2}};
            if (!more.isEmpty())
                maps.push_back({more, more, 1});
            return maps;
        };
        m_view->setOptions(with({}));
        m_view->setOptions(with(QStringLiteral("d")));
        QCOMPARE(m_view->idB(), QStringLiteral("b")); // it is looked at
        m_view->setPair(nullptr);
        m_view->choose(QStringLiteral("a"), QStringLiteral("c"));
        m_view->setOptions(with(QStringLiteral("e")));
        QCOMPARE(m_view->idA(), QStringLiteral("a"));
        QCOMPARE(m_view->idB(), QStringLiteral("c"));
    }

    void mapsOfOtherPointsAreMarked()
    {
        auto* a = child<QComboBox>("compareA");
        auto* b = child<QComboBox>("compareB");
        QCOMPARE(b->itemText(1), QStringLiteral("Map of stage 3"));
        QCOMPARE(b->itemText(2), QStringLiteral("Grid: Head 4, stage 1, layer 29 · other points"));
        QVERIFY(b->itemData(2, Qt::ToolTipRole).toString().contains(QStringLiteral("Map of stage 1")));
        b->setCurrentIndex(2);
        QVERIFY(a->itemText(0).endsWith(QStringLiteral("other points")));
        QCOMPARE(a->itemText(2), QStringLiteral("Grid: Head 4, stage 1, layer 29"));
        // No two of the same points: the newest alone, and a place to choose another.
        m_view->setPair(nullptr);
        m_view->setOptions(
            {{QStringLiteral("x"), QStringLiteral("X"), 1}, {QStringLiteral("y"), QStringLiteral("Y"), 2}});
        QCOMPARE(m_view->idA(), QStringLiteral("y"));
        QCOMPARE(m_view->idB(), QString());
        QCOMPARE(b->placeholderText(), QStringLiteral("Select a map"));
        QVERIFY(a->isVisible());
    }

    void emptyState()
    {
        m_view->setPair(nullptr);
        m_view->setEmpty(QStringLiteral("Nothing to compare yet"), QStringLiteral("Two maps"), QStringLiteral("Go"));
        QVERIFY(m_view->emptyState()->isVisible());
        QSignalSpy wanted(m_view.get(), &CompareView::emptyActionRequested);
        QTest::mouseClick(m_view->emptyState()->findChild<QPushButton*>(), Qt::LeftButton);
        QCOMPARE(wanted.count(), 1);
        m_view->setShare(0.5); // nothing to move
        m_view->setPair(samplePair(1));
        QVERIFY(m_view->left()->isVisible());
    }

    void paintsNothingWhileNothingChanges()
    {
        test::passMs(250);
        const auto canvas = m_view->left()->paintCount();
        const auto lines = m_view->lines()->paintCount();
        test::passMs(300);
        QCOMPARE(m_view->left()->paintCount(), canvas);
        QCOMPARE(m_view->lines()->paintCount(), lines);
    }

    void everyControlHasAName()
    {
        const QString nameless = test::namelessControls(*m_view);
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless));
    }
};

HEADSCOPE_WINDOW_TEST(TestCompareView)
#include "tst_compare_view.moc"
