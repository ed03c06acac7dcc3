// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/canvas/scatter/scatter_fixture.h"
#include "ui/canvas/scatter/minimap.h"

#include <QSignalSpy>

#include <algorithm>

using namespace headscope;
using headscope::ui::ScatterWidget;

class TestScatterWidget : public test::ScatterFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init() { show(); }

    void cleanup() { m_widget.reset(); }

    void showsAllPointsInTheirColours()
    {
        QCOMPARE(m_widget->pointCount(), 1280);
        QCOMPARE(m_widget->points().shownCount(), 1280);
        m_widget->setLegendShown(false); // it may lie over some
        const QImage picture = m_widget->grab().toImage();
        // Every head's cluster lies in view and has coloured pixels around its points.
        const viz::HeadPalette palette(8, 4);
        for (std::int64_t head = 0; head < 32; ++head)
        {
            const QPointF place = placeOf(head);
            QVERIFY(m_widget->rect().contains(place.toPoint()));
            const QColor found = picture.pixelColor((place * picture.devicePixelRatio()).toPoint());
            QVERIFY2(found.saturation() > 20, qPrintable(QString::number(head)));
        }
    }

    void otherDocumentsTurnPaleAndTheChosenCanFillTheView()
    {
        m_widget->setChosen({2, 5});
        QCOMPARE(m_widget->points().chosenCount(), 64);
        QCOMPARE(m_widget->points().shownCount(), 1280);
        const auto& documents = m_widget->map()->points->document;
        for (std::size_t point = 0; point < documents.size(); ++point)
            QCOMPARE(m_widget->points().states()[point],
                     documents[point] == 2 || documents[point] == 5 ? viz::PointState::Shown : viz::PointState::Dimmed);
        m_widget->setShownHeads({4});
        QCOMPARE(m_widget->points().chosenCount(), 2);
        const double scale = m_widget->view().scale();
        QTest::keyClick(m_widget.get(), Qt::Key_F);
        WAIT_FOR(m_widget->view().scale() > scale);
        m_widget->setChosen({});
        QCOMPARE(m_widget->points().chosenCount(), 0);
        QVERIFY(std::ranges::count(m_widget->points().states(), viz::PointState::Dimmed) == 0);
    }

    void headsThatAreNotChosenAreHidden()
    {
        m_widget->setPrimary(DocumentIndex(3), HeadIndex(1));
        QCOMPARE(m_widget->points().marked().size(), 32u);
        m_widget->setShownHeads({0, 1});
        QCOMPARE(m_widget->points().shownCount(), 80);
        QCOMPARE(m_widget->points().marked().size(), 2u); // no mark stands where no dot does
        m_widget->setPrimary(DocumentIndex(4), HeadIndex(7));
        QCOMPARE(m_widget->points().marked().size(), 2u);
        m_widget->setPrimary(std::nullopt, std::nullopt);
        test::passMs(200);
        QSignalSpy clicked(m_widget.get(), &ScatterWidget::documentClicked);
        QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, placeOf(16).toPoint());
        QCOMPARE(clicked.count(), 0);
        m_widget->setShownHeads({});
        QCOMPARE(m_widget->points().shownCount(), 0);
        QVERIFY(!m_widget->grab().isNull());
    }

    void litHeadsLeaveTheOthersPale()
    {
        m_widget->setLitHeads({3, 7});
        QCOMPARE(countOf(viz::PointState::Shown), 80);
        QCOMPARE(countOf(viz::PointState::Dimmed), 1200);
        m_widget->setChosen({2});
        QCOMPARE(countOf(viz::PointState::Shown), 2);
        m_widget->setLitHeads({});
        QCOMPARE(countOf(viz::PointState::Shown), 32);
    }

    void joinedDotsAreJoined()
    {
        m_widget->setPrimary(DocumentIndex(5), HeadIndex(3));
        const QImage before = m_widget->grab().toImage();
        m_widget->setJoined(true);
        const QImage joined = m_widget->grab().toImage();
        // Halfway between the focus and another dot of the document there is a line now.
        const QPoint middle = ((placeOf(5 * 32 + 3) + placeOf(5 * 32 + 19)) / 2 * joined.devicePixelRatio()).toPoint();
        int changed = 0;
        for (int y = -3; y <= 3; ++y)
            for (int x = -3; x <= 3; ++x)
                changed += before.pixel(middle + QPoint(x, y)) != joined.pixel(middle + QPoint(x, y)) ? 1 : 0;
        QVERIFY(changed >= 5);
    }

    void namesOfRegionsAreShown()
    {
        std::vector<viz::Region> regions;
        for (int i = 0; i < 4; ++i)
            regions.push_back({QStringLiteral("Region %1").arg(i), QPointF(6 * i - 9, 0), 3.0, 100.0 - i});
        m_widget->setRegions(regions);
        QVERIFY(m_widget->regionLabels().empty());
        m_widget->setRegionsShown(true);
        QVERIFY(!m_widget->regionLabels().empty());
        for (const viz::RegionLabel& label : m_widget->regionLabels())
            QVERIFY(!label.box.intersects(m_widget->legendRect()));
    }

    void picturesOfAnyScaleShowTheSame_data()
    {
        QTest::addColumn<double>("scale");
        for (const double scale : {1.0, 2.0, 3.5})
            QTest::addRow("%g", scale) << scale;
    }
    void picturesOfAnyScaleShowTheSame()
    {
        QFETCH(double, scale);
        m_widget->setPrimary(DocumentIndex(5), HeadIndex(3));
        WAIT_FOR(!m_widget->moving());
        const QImage picture = m_widget->shot().render(scale);
        QCOMPARE(picture.size(), (QSizeF(m_widget->size()) * scale).toSize());
        QCOMPARE(picture.devicePixelRatio(), scale);
        m_widget->setToolsShown(false);
        const QImage screen = m_widget->grab().toImage().convertToFormat(QImage::Format_RGB32);
        const QImage small = picture.scaled(screen.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                                 .convertToFormat(QImage::Format_RGB32);
        double difference = 0;
        for (int y = 0; y < screen.height(); ++y)
            for (int x = 0; x < screen.width(); ++x)
                difference += std::abs(qGray(screen.pixel(x, y)) - qGray(small.pixel(x, y)));
        QVERIFY2(difference / (screen.width() * screen.height()) < 1.5, qPrintable(QString::number(difference)));
        if (const QByteArray folder = qgetenv("HEADSCOPE_PICTURES"); !folder.isEmpty())
            picture.save(QString::fromLocal8Bit(folder) + QStringLiteral("/canvas-%1.png").arg(scale));
    }

    /// A picture of the canvas shares what there is of every point, and stays as the canvas was.
    void shotsShareStatesAndColours()
    {
        const ui::MapSnapshot shot = m_widget->shot();
        QVERIFY(shot.map == m_widget->map());
        QVERIFY(shot.states == m_widget->points().stateBlock() &&
                shot.states->data() == m_widget->points().states().data());
        QVERIFY(shot.coloring.get() == &m_widget->coloring());
        const QImage picture = shot.render(1);
        m_widget->setChosen({3}, nullptr);
        m_widget->setColoring(viz::PointColoring());
        QVERIFY(m_widget->shot().render(1) != picture);
        QVERIFY(shot.render(1) == picture);
    }

    void hitsAreMarkedOnTheCard()
    {
        m_widget->setCardSource([](std::int64_t) {
            ui::HoverContent content;
            content.title = QStringLiteral("Head 6");
            content.text = QStringLiteral("Some words of the document");
            content.hits = {{5, 10}};
            return content;
        });
        m_widget->setValueSource([](std::int64_t point) { return QStringLiteral("value %1").arg(point); });
        moveTo(*m_widget, placeOf(5).toPoint());
        WAIT_FOR(m_widget->hoverCard()->isVisible());
        QCOMPARE(m_widget->hoverCard()->markedText(), QStringList{QStringLiteral("words")});
        QVERIFY(m_widget->hoverCard()->content().value.startsWith(QStringLiteral("value ")));
    }

    void paintsNothingWhileIdle_data()
    {
        QTest::addColumn<bool>("everything");
        QTest::newRow("plain") << false;
        QTest::newRow("with overview, names and lines") << true;
    }
    void paintsNothingWhileIdle()
    {
        QFETCH(bool, everything);
        if (everything)
        {
            colorByTopic();
            m_widget->setRegions({{QStringLiteral("Here"), QPointF(10, 0), 3.0, 9.0}});
            m_widget->setRegionsShown(true);
            m_widget->setJoined(true);
            m_widget->setPrimary(DocumentIndex(5), HeadIndex(3));
            wheel(*m_widget, {700, 300}, 480);
        }
        test::passMs(700);
        QCOMPARE(m_widget->minimap()->isVisible(), everything);
        const auto before = m_widget->paintCount();
        const auto beforeOverview = m_widget->minimap()->paintCount();
        test::passMs(1000);
        QCOMPARE(m_widget->paintCount(), before);
        QCOMPARE(m_widget->minimap()->paintCount(), beforeOverview);
    }

    void liveMapKeepsTheUsersView()
    {
        auto moved = std::make_shared<HeadMap>(*m_widget->map());
        for (float& value : moved->xy.values())
            value *= 3;
        m_widget->setMap(moved);
        const QRectF shown = m_widget->view().visibleData();
        QVERIFY(shown.width() > 55); // followed the growth
        wheel(*m_widget, {400, 300}, 240);
        const auto chosen = m_widget->view();
        auto grown = std::make_shared<HeadMap>(*moved);
        for (float& value : grown->xy.values())
            value *= 2;
        m_widget->setMap(grown);
        QCOMPARE(m_widget->view(), chosen);
    }

    void oddMaps_data()
    {
        QTest::addColumn<int>("points");
        QTest::addColumn<int>("kind");
        QTest::newRow("none") << 0 << 0;
        QTest::newRow("one") << 1 << 0;
        QTest::newRow("two") << 2 << 0;
        QTest::newRow("all at one place") << 50 << 1;
        QTest::newRow("not numbers") << 50 << 2;
    }
    void oddMaps()
    {
        QFETCH(int, points);
        QFETCH(int, kind);
        auto map = std::make_shared<HeadMap>();
        auto ids = std::make_shared<PointIds>();
        std::vector<float> xy;
        for (int i = 0; i < points; ++i)
        {
            ids->document.push_back(i);
            ids->head.push_back(0);
            xy.push_back(kind == 2 && i % 2 == 0 ? std::nanf("") : kind == 1 ? 3.0F : float(i));
            xy.push_back(kind == 1 ? 4.0F : float(i));
        }
        map->points = ids;
        map->xy = MatrixF(points, 2, xy);
        m_widget->setMap(map);
        m_widget->setColoring(viz::colorByHead(*ids, viz::HeadPalette(8, 4), QStringLiteral("head")));
        QVERIFY(!m_widget->grab().isNull());
        moveTo(*m_widget, {400, 300});
        QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, {400, 300});
        wheel(*m_widget, {400, 300}, 1200);
        m_widget->fit();
        test::passMs(200);
        QVERIFY(!m_widget->grab().isNull());
        m_widget->setMap(nullptr);
        QVERIFY(!m_widget->grab().isNull());
    }
};

HEADSCOPE_WINDOW_TEST(TestScatterWidget)
#include "tst_scatter_widget.moc"
