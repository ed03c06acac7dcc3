// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lesson/lesson_picture.h"

#include "tests/support/test_program.h"
#include "tests/viz/lesson/sample_pictures.h"
#include "tests/viz/paper.h"
#include "viz/axis/figure_texts.h"
#include "viz/axis/text.h"
#include "viz/export/figure_text.h"

#include <QDir>
#include <QPainter>
#include <QTest>

using namespace headscope;
using namespace headscope::viz;
using test::lessonPictures;

namespace
{

constexpr int kAround = 20;

/// A picture on white, with free paper around its box.
QImage painted(const LessonPicture& picture, QSize size, const LessonStyle& style)
{
    QImage image(size + QSize(2 * kAround, 2 * kAround), QImage::Format_RGB32);
    image.fill(inks(style.theme).background);
    QPainter painter(&image);
    paintLessonPicture(painter, picture, QRectF(QPointF(kAround, kAround), QSizeF(size)), style);
    return image;
}

bool staysInside(const QImage& image, QRgb ground)
{
    const QRect box = image.rect().adjusted(kAround - 2, kAround - 2, 2 - kAround, 2 - kAround);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (!box.contains(x, y) && image.pixel(x, y) != ground)
                return false;
    return true;
}

int inked(const QImage& image, QRgb ground)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            count += image.pixel(x, y) != ground ? 1 : 0;
    return count;
}

/// The smallest rectangle around all pixels of a colour.
QRect extent(const QImage& image, const QColor& color)
{
    QRect found;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixel(x, y) == color.rgb())
                found = found.united(QRect(x, y, 1, 1));
    return found;
}

} // namespace

class TestLessonPictures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void picturesStayInTheirBoxes_data()
    {
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("kvHeads");
        QTest::newRow("9 on 3") << 9 << 3;
        QTest::newRow("32 on 8") << 32 << 8;
        QTest::newRow("12 of their own") << 12 << 12;
        QTest::newRow("8 on 1") << 8 << 1;
        QTest::newRow("71 on 1") << 71 << 1;
        QTest::newRow("1") << 1 << 1;
    }
    void picturesStayInTheirBoxes()
    {
        QFETCH(const int, heads);
        QFETCH(const int, kvHeads);
        const QString folder = qEnvironmentVariable("HEADSCOPE_PICTURES");
        for (const auto& [name, picture] : lessonPictures(heads, kvHeads))
            for (const QSize size : {QSize(980, 640), QSize(480, 420)})
                for (const InkTheme theme : {InkTheme::Light, InkTheme::Dark})
                {
                    const QImage image = painted(picture, size, {theme, 13});
                    const QRgb ground = inks(theme).background.rgb();
                    const std::string what = name + " " + std::to_string(size.width());
                    QVERIFY2(staysInside(image, ground), what.c_str());
                    QVERIFY2(inked(image, ground) > 200, what.c_str());
                    if (!folder.isEmpty())
                        image.save(QDir(folder).filePath(
                            QStringLiteral("lesson-%1-%2-%3-%4%5.png")
                                .arg(QString::fromStdString(name))
                                .arg(heads)
                                .arg(kvHeads)
                                .arg(size.width())
                                .arg(theme == InkTheme::Dark ? QStringLiteral("-dark") : QString())));
                }
    }

    /// On paper each picture is as high as it says, and nothing is smaller than 6 points.
    void heightsHoldOnPaper()
    {
        for (const auto& [heads, kvHeads] : {std::pair{9, 3}, std::pair{32, 8}, std::pair{12, 12}})
            for (const auto& [name, picture] : lessonPictures(heads, kvHeads))
            {
                const LessonStyle style{InkTheme::Light, 10};
                const double height = lessonPictureHeight(picture, 480, style);
                QVERIFY2(height > 10 && height < 640, (name + " " + std::to_string(height)).c_str());
                const QImage image = painted(picture, QSize(480, static_cast<int>(std::ceil(height))), style);
                QVERIFY2(staysInside(image, inks(InkTheme::Light).background.rgb()), name.c_str());
                FigureDevice<QImage> canvas(520, 700, QImage::Format_RGB32);
                {
                    QPainter painter(&canvas);
                    paintLessonPicture(painter, picture, {20, 20, 480, height}, style);
                }
                QVERIFY2(canvas.leastPt.value_or(9) >= 5.9, name.c_str());
            }
    }

    /// A line ends where the text says so, also where a term is bold.
    void markedTextsKeepTheirLines()
    {
        const QFont font = textFont(12);
        QCOMPARE(blockHeight(QStringLiteral("One?\nOther **term**."), font, 400), 2 * lineHeight(font));
        QCOMPARE(blockHeight(QStringLiteral("One?\nOther term."), font, 400), 2 * lineHeight(font));
    }

    void picturesAreToldInWords()
    {
        for (const auto& [name, picture] : lessonPictures(9, 3))
        {
            const QString words = lessonPictureWords(picture);
            QVERIFY2(words.contains(picture.note) && words.size() > 40, name.c_str());
        }
        const auto words = [](const char* name) { return lessonPictureWords(lessonPictures(9, 3).at(name)); };
        QVERIFY(words("wiring").contains(QStringLiteral("query heads 4 to 6 use KV head 2")));
        QVERIFY(words("counts").contains(QStringLiteral("Keys: 3 × 64 = 192 dimensions")));
        QVERIFY(words("bytes").contains(QStringLiteral("3 KV heads (GQA): sample-model: 94.4 MB")));
        QVERIFY(words("errors").contains(QStringLiteral("40 of 100 errors")));
        QVERIFY(words("mixing").contains(QStringLiteral("segments, not heads")));
    }

    void hullsHoldTheirPoints()
    {
        const std::vector<QPointF> points = {{0, 0}, {4, 0}, {4, 3}, {0, 3}, {2, 1}, {4, 1.5}, {0, 0}};
        const std::vector<std::size_t> hull = convexHull(points);
        QCOMPARE(hull.size(), std::size_t{4});
        for (const QPointF& each : points)
            QVERIFY(isInHull(points, hull, each, 1e-9));
        QVERIFY(!isInHull(points, hull, {4.1, 1}, 0.05));
        QVERIFY(isInHull(points, hull, {4.04, 1}, 0.05));
        QVERIFY(convexHull(std::vector<QPointF>{}).empty());
        QCOMPARE(convexHull(std::vector<QPointF>{{1, 1}}).size(), std::size_t{1});
        QVERIFY(convexHull(std::vector<QPointF>{{0, 0}, {1, 1}, {2, 2}}).size() < 3);
        // Means of the points, with any weights, are inside.
        for (int i = 0; i < 50; ++i)
        {
            QPointF mean;
            double sum = 0;
            for (std::size_t k = 0; k < points.size(); ++k)
            {
                const double weight = 1 + std::sin(static_cast<double>(i * 7) + static_cast<double>(k) * 3);
                mean += weight * points[k];
                sum += weight;
            }
            QVERIFY(isInHull(points, hull, mean / sum, 1e-9));
        }
    }

    /// Bold terms take part in the line breaks, and no asterisk is painted.
    void termsAreBold()
    {
        const QFont font = bodyFont({});
        const QString plain = QStringLiteral("A query head reads the KV head that it shares.");
        const QString marked = QStringLiteral("A **query head** reads the **KV head** that it shares.");
        QCOMPARE(blockHeight(marked, font, 2000), blockHeight(plain, font, 2000));
        QVERIFY(blockHeight(marked, font, 90) >= blockHeight(plain, font, 90));
        QVERIFY(blockHeight(marked, font, 90) < 3 * blockHeight(plain, font, 90));
    }

    void tablesAreComputed()
    {
        const KvTable table{{*knownKvShape("Llama-3-8B"), *knownKvShape("Falcon-7B")}};
        QCOMPARE(
            kvTableCells(table, table.shapes[0]),
            (QStringList{QStringLiteral("Llama-3-8B"), QStringLiteral("32"), QStringLiteral("8"), QStringLiteral("128"),
                         QStringLiteral("131"), QStringLiteral("4.29"), QStringLiteral("18")}));
        QCOMPARE(kvTableCells(table, table.shapes[1]).mid(1),
                 (QStringList{QStringLiteral("71"), QStringLiteral("1"), QStringLiteral("64"), QStringLiteral("8.19"),
                              QStringLiteral("0.27"), QStringLiteral("298")}));
    }

    /// On their way KV heads stay in the box, and the query heads with them.
    void movingHeadsStayInTheirBox()
    {
        LessonPicture picture;
        for (const auto& [from, to] : {std::pair{9, 3}, std::pair{3, 1}, std::pair{1, 9}})
            for (const double share : {0.0, 0.5, 0.9})
            {
                HeadWiring wiring{test::lessonModel(9, to), {}};
                wiring.fromKvHeads = from;
                wiring.share = share;
                picture.content = wiring;
                const QImage image = painted(picture, {480, 420}, {InkTheme::Light, 13});
                QVERIFY(staysInside(image, inks(InkTheme::Light).background.rgb()));
                QVERIFY(inked(image, inks(InkTheme::Light).background.rgb()) > 200);
            }
    }

    void curvesAreThoseOfTheShape()
    {
        CacheBytes bytes{{"m", 30, 9, 3, 64}};
        bytes.groups = 1;
        std::vector<std::int64_t> pairs;
        for (const CacheCurve& curve : cacheCurves(bytes))
        {
            pairs.push_back(curve.kvHeads);
            QCOMPARE(curve.own, curve.kvHeads == 3);
        }
        QCOMPARE(pairs, (std::vector<std::int64_t>{9, 3, 1}));
        bytes.shape.kvHeads = 9;
        QCOMPARE(cacheCurves(bytes).size(), std::size_t{2});
        bytes.shape = {"one", 2, 8, 1, 64};
        bytes.groups = 4;
        QCOMPARE(cacheCurves(bytes).size(), std::size_t{3});
    }

    void fewKeysAreTheStrongest()
    {
        GroupScores scores = test::sampleScores(test::lessonModel(9, 3), 10);
        scores.weights(1, 7) = 0.9;
        scores.weights(0, 2) = 0.5;
        QCOMPARE(shownKeys(scores, 2), (std::vector<std::size_t>{2, 7}));
        QCOMPARE(shownKeys(scores, 20).size(), std::size_t{10});
    }

    /// Before a class the letters are large; what the picture is about is not made small by them.
    void largeLettersLeaveRoomForTheHull()
    {
        HullPlane plane = test::samplePlane(test::lessonModel(9, 3));
        for (QPointF& each : plane.outputs)
            each = {0.1, 0.1}; // all in one place
        LessonPicture picture;
        picture.content = plane;
        const LessonStyle style{InkTheme::Light, 40, 20};
        const QImage image = painted(picture, {860, 700}, style);
        const HeadPalette palette(plane.model, InkTheme::Light);
        const QRect hull =
            extent(image, paled(palette.color(HeadIndex(plane.heads.front())), inks(InkTheme::Light).background, 0.12));
        QVERIFY2(hull.width() > 400 && hull.height() > 400, qPrintable(QStringLiteral("%1").arg(hull.width())));
        // No disc hides another one, and all are where the text says: inside.
        for (const std::int64_t head : plane.heads)
        {
            const QRect disc = extent(image, palette.color(HeadIndex(head)));
            QVERIFY(disc.width() > 20);
            QVERIFY(hull.contains(disc));
        }
    }

    void largeLettersLeaveRoomForTheWeights()
    {
        GroupScores scores = test::sampleScores(test::lessonModel(9, 3), 9);
        scores.weights(1, 4) = 1;
        LessonPicture picture;
        picture.content = scores;
        const QImage image = painted(picture, {860, 700}, {InkTheme::Light, 40, 20});
        const HeadPalette palette(scores.model, InkTheme::Light);
        QVERIFY(extent(image, palette.color(HeadIndex(1))).width() > 80);
    }

    /// Twelve heads in a small window: their numbers go beside the scale, and nothing lies over the note.
    void manyRowsFitSmallWindows()
    {
        ShareRows rows;
        rows.title = QStringLiteral("Topic selectivity");
        rows.below = QStringLiteral("Bars: 95% CI. Dashed: chance.");
        rows.least = -0.1;
        for (int i = 0; i < 12; ++i)
            rows.rows.push_back(
                {QStringLiteral("Head %1").arg(i + 1), 0.3, {0.2, 0.4}, 0.0, true, QStringLiteral("q = 0.0015")});
        LessonPicture picture;
        picture.content = rows;
        for (const QSize size : {QSize(700, 330), QSize(700, 640)})
        {
            const LessonStyle style{InkTheme::Light, 13};
            QVERIFY(staysInside(painted(picture, size, style), inks(InkTheme::Light).background.rgb()));
        }
        QVERIFY(lessonPictureHeight(picture, 700, {InkTheme::Light, 13}) > 330);
    }

    void clicksFindTheirGroup()
    {
        const HeadWiring wiring{test::lessonModel(9, 3), {}};
        const QRectF box(0, 0, 700, 400);
        int found = 0;
        QSet<qint64> groups;
        for (int y = 0; y < 400; y += 4)
            for (int x = 0; x < 700; x += 4)
                if (const auto group = wiringGroupAt(wiring, box, {}, QPointF(x, y)))
                {
                    ++found;
                    groups.insert(*group);
                }
        QVERIFY(found > 50);
        QCOMPARE(groups, (QSet<qint64>{0, 1, 2}));
        QVERIFY(!wiringGroupAt(wiring, box, {}, QPointF(1, 399)));
    }

    /// A view fills its room, and its text is as large as that of the lesson.
    void viewsAreFiguresOfTheTextsSize()
    {
        const auto drawing = [](QPainter& painter, const QRectF& box, double) {
            painter.fillRect(QRectF(box.topLeft(), QSizeF(kFigureTextPt, kFigureTextPt)), Qt::red);
            painter.fillRect(QRectF(box.left(), box.bottom() - 1, box.width(), 1), Qt::blue);
        };
        const ViewPicture view{[drawing](FigureOptions options) -> Result<FigureSpec> {
                                   return FigureSpec{drawing, std::move(options)};
                               },
                               {}};
        for (const double dpr : {1.0, 2.0})
        {
            const QImage image = viewPictureImage(view, {600, 400}, {InkTheme::Light, 20}, dpr);
            QCOMPARE(image.size(), (QSizeF(600, 400) * dpr).toSize());
            QVERIFY(std::abs(extent(image, Qt::red).height() - 20 * dpr) <= 1);
            const QRect line = extent(image, Qt::blue);
            QVERIFY(line.bottom() > 0.94 * image.height() && line.width() > 0.94 * image.width());
        }
        const ViewPicture none{
            [](const FigureOptions&) -> Result<FigureSpec> {
                return Error{ErrorCode::InvalidArgument, "no point", {}, {}};
            },
            {}};
        QVERIFY(inked(viewPictureImage(none, {600, 400}, {InkTheme::Light, 20}, 1),
                      inks(InkTheme::Light).background.rgb()) > 20);
    }

    void bytesForPeople()
    {
        QCOMPARE(shownBytes(512), QStringLiteral("512 bytes"));
        QCOMPARE(shownBytes(17'179'869'184.0), QStringLiteral("17.2 GB"));
        QCOMPARE(shownBytes(1'500'000), QStringLiteral("1.50 MB"));
        QCOMPARE(shownBytes(999'900), QStringLiteral("1.00 MB"));
    }
};

HEADSCOPE_TEST(TestLessonPictures)
#include "tst_lesson_pictures.moc"
#include "viz/axis/text.h"
