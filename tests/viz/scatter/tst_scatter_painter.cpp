// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/scatter_painter.h"

#include "tests/viz/golden_image.h"
#include "tests/viz/sample_values.h"

#include "tests/support/test_program.h"
#include "viz/scatter/point_coloring.h"

#include <QPainter>
#include <QTest>

#include <cmath>
#include <numeric>
#include <stop_token>
#include <thread>
#include <vector>

using namespace headscope;
using namespace headscope::viz;

class TestScatterPainter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void golden_data();
    void golden();
    void pixelRatioScales();
    void sameForAnyThreadCount();
    void stoppedPaintsShowNothing_data();
    void stoppedPaintsShowNothing();
    void automaticSizes();
    void vectorDotsHideNoClass();
    void emptyViews();

private:
    HeadMap m_map;
    PointColoring m_coloring;
    std::vector<PointState> m_states;
    std::vector<std::int64_t> m_marked;

    [[nodiscard]] ScatterData data(bool chosen) const;
    [[nodiscard]] ViewTransform fitted(QSizeF size) const;
};

void TestScatterPainter::init()
{
    m_map = test::sampleMap(60, 12);
    m_coloring = colorByHead(*m_map.points, HeadPalette(4, 3), QStringLiteral("head"));
    m_states.assign(m_coloring.index.size(), PointState::Shown);
    for (std::size_t i = 0; i < m_states.size(); ++i)
        if (m_coloring.index[i] % 4 == 1)
            m_states[i] = PointState::Dimmed;
    m_marked.resize(12);
    std::iota(m_marked.begin(), m_marked.end(), 24);
}

ScatterData TestScatterPainter::data(bool chosen) const
{
    ScatterData values;
    values.xy = m_map.xy.values();
    values.index = m_coloring.index;
    values.colors = m_coloring.colors;
    values.shapes = m_coloring.shapes;
    if (chosen)
    {
        values.states = m_states;
        values.marked = m_marked;
        values.focus = m_marked[3];
    }
    return values;
}

ViewTransform TestScatterPainter::fitted(QSizeF size) const
{
    return ViewTransform::fit(*dataBounds(m_map.xy.values()), size, 12);
}

void TestScatterPainter::golden_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("chosen");
    QTest::addColumn<int>("mode");
    QTest::addColumn<int>("theme");
    QTest::addColumn<double>("radius");
    const int dots = static_cast<int>(ScatterMode::Dots);
    const int light = static_cast<int>(InkTheme::Light);
    QTest::newRow("dots") << QStringLiteral("scatter_dots") << false << dots << light << 0.0;
    QTest::newRow("small") << QStringLiteral("scatter_small") << false << dots << light << 1.0;
    QTest::newRow("chosen") << QStringLiteral("scatter_chosen") << true << dots << light << 0.0;
    QTest::newRow("dark") << QStringLiteral("scatter_dark") << true << dots << static_cast<int>(InkTheme::Dark) << 2.0;
    QTest::newRow("density") << QStringLiteral("scatter_density") << false << static_cast<int>(ScatterMode::Density)
                             << light << 2.0;
    QTest::newRow("mean colour") << QStringLiteral("scatter_mean_color") << true
                                 << static_cast<int>(ScatterMode::MeanColor) << light << 2.0;
    QTest::newRow("contours") << QStringLiteral("scatter_contours") << false << static_cast<int>(ScatterMode::Contours)
                              << light << 0.0;
}

void TestScatterPainter::golden()
{
    QFETCH(QString, name);
    QFETCH(bool, chosen);
    QFETCH(int, mode);
    QFETCH(int, theme);
    QFETCH(double, radius);
    ScatterStyle style;
    style.mode = static_cast<ScatterMode>(mode);
    style.theme = static_cast<InkTheme::Ground>(theme);
    style.radiusPx = radius;
    ScatterPainter painter;
    const ScatterPicture picture = painter.paint(data(chosen), style, fitted({240, 200}), 1, 2);
    QCOMPARE(picture.counts.points, std::int64_t{720});
    const QString difference = test::differsFromGolden(picture.image, name);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
}

void TestScatterPainter::pixelRatioScales()
{
    ScatterPainter painter;
    const ScatterPicture one = painter.paint(data(true), {}, fitted({240, 200}), 1, 1);
    const ScatterPicture two = painter.paint(data(true), {}, fitted({240, 200}), 2, 1);
    QCOMPARE(two.image.size(), QSize(480, 400));
    QCOMPARE(two.image.devicePixelRatio(), 2.0);
    QCOMPARE(two.counts.radiusPx, one.counts.radiusPx);
    // Brought down to half its size it is nearly the same picture.
    const QImage half = two.image.scaled(240, 200, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    double difference = 0;
    for (int y = 0; y < 200; ++y)
        for (int x = 0; x < 240; ++x)
            difference += std::abs(qGreen(half.pixel(x, y)) - qGreen(one.image.pixel(x, y)));
    QVERIFY2(difference / (240 * 200) < 2.5, qPrintable(QString::number(difference / (240 * 200))));
}

void TestScatterPainter::sameForAnyThreadCount()
{
    ScatterPainter kept; // its buffers are used again with other sizes and threads
    const ScatterPicture first = kept.paint(data(true), {}, fitted({301, 257}), 1.5, 1);
    for (const int threads : {2, 3, 8})
    {
        static_cast<void>(kept.paint(data(false), {}, fitted({90, 400}), 1, threads));
        QVERIFY(kept.paint(data(true), {}, fitted({301, 257}), 1.5, threads).image == first.image);
        QVERIFY(ScatterPainter().paint(data(true), {}, fitted({301, 257}), 1.5, threads).image == first.image);
    }
}

void TestScatterPainter::stoppedPaintsShowNothing_data()
{
    QTest::addColumn<int>("mode");
    QTest::newRow("dots") << static_cast<int>(ScatterMode::Dots);
    QTest::newRow("density") << static_cast<int>(ScatterMode::Density);
    QTest::newRow("mean colour") << static_cast<int>(ScatterMode::MeanColor);
    QTest::newRow("contours") << static_cast<int>(ScatterMode::Contours);
}

/// Whenever a paint is stopped, the next picture of the same painter is that of a new one.
void TestScatterPainter::stoppedPaintsShowNothing()
{
    QFETCH(int, mode);
    ScatterStyle style;
    style.mode = static_cast<ScatterMode>(mode);
    const ViewTransform view = fitted({301, 257});
    const QImage wanted = ScatterPainter().paint(data(true), style, view, 1, 2).image;
    ScatterPainter painter;
    for (int pause = 0; pause < 40; ++pause)
    {
        std::stop_source stop;
        const std::jthread stopper([&stop, pause] {
            for (int i = 0; i < 100 * pause; ++i)
                std::this_thread::yield();
            stop.request_stop();
        });
        const auto picture = painter.paint(data(true), style, view, 1, 2, JobContext(stop.get_token()));
        if (picture)
            QVERIFY(picture->image == wanted);
        else
            QCOMPARE(picture.error().code, ErrorCode::Cancelled);
        QVERIFY(painter.paint(data(true), style, view, 1, 2).image == wanted);
    }
    std::stop_source stopped;
    stopped.request_stop();
    const auto none = painter.paint(data(true), style, view, 1, 2, JobContext(stopped.get_token()));
    QVERIFY(!none && none.error().code == ErrorCode::Cancelled);
}

void TestScatterPainter::automaticSizes()
{
    const double area = 1600.0 * 1200.0;
    double last = 100;
    for (const std::int64_t points : {1, 100, 10'000, 100'000, 320'000, 10'000'000})
    {
        const double radius = automaticRadius(points, area);
        QVERIFY(radius <= last && radius >= 0.6 && radius <= 5);
        QVERIFY(automaticRadius(points, area, 4) >= radius);
        const double opacity = automaticOpacity(points, area, radius);
        QVERIFY(opacity >= 0.08 && opacity <= 0.85);
        last = radius;
    }
    QVERIFY(automaticOpacity(10'000'000, area, 0.6) < 0.3);
    QVERIFY(automaticRadius(0, 0) > 0);
}

void TestScatterPainter::emptyViews()
{
    ScatterPainter painter;
    QVERIFY(painter.paint(data(false), {}, ViewTransform(), 1, 1).image.isNull());
    const ScatterPicture nothing = painter.paint({}, {}, ViewTransform({0, 0}, 1, {50, 40}), 1, 4);
    QCOMPARE(nothing.counts.drawn, 0);
    QCOMPARE(nothing.image.pixel(20, 20), qRgb(255, 255, 255));
    // Marks that do not exist are not drawn.
    const std::vector<std::int64_t> wrong = {-1, 5'000'000};
    ScatterData marks;
    marks.marked = wrong;
    marks.focus = 77;
    QVERIFY(painter.paint(marks, {}, ViewTransform({0, 0}, 1, {50, 40}), 1, 1).image == nothing.image);
}

/// Two heads of every document lie at one place: in the mean a figure of shapes has the colours of the window's map.
void TestScatterPainter::vectorDotsHideNoClass()
{
    constexpr int kDocuments = 400;
    std::vector<float> xy;
    std::vector<std::uint16_t> index;
    for (const bool byHead : {true, false}) // head after head, or document after document
    {
        xy.clear();
        index.clear();
        for (int i = 0; i < 2 * kDocuments; ++i)
        {
            const int document = byHead ? i % kDocuments : i / 2;
            xy.insert(xy.end(), {static_cast<float>(document % 20), static_cast<float>(document / 20)});
            index.push_back(static_cast<std::uint16_t>(byHead ? i / kDocuments : i % 2));
        }
        const std::vector<QRgb> colors = {qRgb(255, 0, 0), qRgb(0, 0, 255)};
        ScatterData data;
        data.xy = xy;
        data.index = index;
        data.colors = colors;
        const ViewTransform view = ViewTransform::fit(QRectF(-1, -1, 21, 21), {420, 420}, 0);
        ScatterStyle style;
        style.radiusPx = 5;
        style.opacity = 0.85;
        QImage shapes(420, 420, QImage::Format_ARGB32_Premultiplied);
        shapes.fill(Qt::white);
        QPainter painter(&shapes);
        paintVectorDots(painter, data, style, view);
        painter.end();
        const auto redShare = [](const QImage& image) {
            double red = 0;
            double blue = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                {
                    red += 255 - qBlue(image.pixel(x, y));
                    blue += 255 - qRed(image.pixel(x, y));
                }
            return red / (red + blue);
        };
        QVERIFY(std::abs(redShare(ScatterPainter().paint(data, style, view, 1, 1).image) - 0.5) < 0.02);
        const double share = redShare(shapes);
        QVERIFY2(std::abs(share - 0.5) < 0.06, qPrintable(QString::number(share)));
    }
}

HEADSCOPE_TEST_GUILESS(TestScatterPainter)
#include "tst_scatter_painter.moc"
