// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/tokens/token_text.h"

#include "tests/support/test_program.h"
#include "viz/axis/text.h"

#include <QImage>
#include <QPainter>

#include <algorithm>

using namespace headscope::viz;

namespace
{

ShadedText textOf(int tokens, std::int64_t acting)
{
    ShadedText text;
    for (int i = 0; i < tokens; ++i)
        text.tokens.push_back({QStringLiteral(" word%1").arg(i), i == 1 ? 0.8 : 0.0});
    text.acting = acting;
    return text;
}

TokenTextStyle style()
{
    TokenTextStyle style;
    style.font = textFont(12);
    style.shade = QColor(Qt::red);
    return style;
}

bool holds(const TokenTextLayout& layout, std::int64_t token)
{
    return std::ranges::any_of(layout.places(), [&](const auto& place) { return place.token == token; });
}

} // namespace

class TestTokenText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLineHoldsTheActingToken_data();
    void aLineHoldsTheActingToken();
    void shortTextsAreWhole();
    void linesDoNotOverlap();
    void longTokensAreCut();
    void whatIsSeenOfTokens();
    void moreWeightIsDarker();
    void thePictureIsShadedWhereTheWeightIs();
};

void TestTokenText::aLineHoldsTheActingToken_data()
{
    QTest::addColumn<int>("acting");
    for (const int acting : {0, 1, 40, 98, 99})
        QTest::addRow("%d", acting) << acting;
}

void TestTokenText::aLineHoldsTheActingToken()
{
    QFETCH(int, acting);
    for (const double width : {60.0, 150.0, 400.0})
    {
        const auto layout = TokenTextLayout::line(textOf(100, acting), style(), width);
        QVERIFY(holds(layout, acting));
        std::int64_t before = -1;
        double x = 0;
        for (const auto& place : layout.places())
        {
            QVERIFY(before < 0 || place.token == before + 1);
            QVERIFY(place.box.left() >= x - 1e-9);
            QVERIFY(place.box.right() <= width + 1e-6);
            before = place.token;
            x = place.box.right();
        }
        QCOMPARE(layout.height(), style().lineHeight);
        QCOMPARE(layout.tokenAt(layout.places().front().box.center()), layout.places().front().token);
        QVERIFY(!layout.tokenAt({-5, 3}));
    }
    // The room is used also where the text ends nearby.
    const auto wide = TokenTextLayout::line(textOf(100, acting), style(), 400);
    QVERIFY(wide.places().back().box.right() > 330);
}

void TestTokenText::shortTextsAreWhole()
{
    const auto line = TokenTextLayout::line(textOf(5, 4), style(), 2000);
    QCOMPARE(line.places().size(), std::size_t{5});
    QCOMPARE(line.places().front().box.left(), 0.0);
    const auto lines = TokenTextLayout::lines(textOf(5, 0), style(), 2000, 4);
    QCOMPARE(lines.places().size(), std::size_t{5});
    QCOMPARE(lines.height(), style().lineHeight);
    QVERIFY(TokenTextLayout::line({}, style(), 100).places().empty());
}

void TestTokenText::linesDoNotOverlap()
{
    for (const int acting : {0, 150, 299})
    {
        const auto layout = TokenTextLayout::lines(textOf(300, acting), style(), 300, 6);
        QVERIFY(holds(layout, acting));
        QVERIFY(layout.height() <= 6 * style().lineHeight);
        for (std::size_t i = 1; i < layout.places().size(); ++i)
        {
            const QRectF& last = layout.places()[i - 1].box;
            const QRectF& box = layout.places()[i].box;
            QVERIFY(box.right() <= 300 + 1e-6);
            QVERIFY(box.top() > last.top() || box.left() >= last.right() - 1e-9);
        }
    }
}

void TestTokenText::longTokensAreCut()
{
    ShadedText text;
    text.tokens = {{QString(400, u'x'), 0.5}, {QStringLiteral(" b"), 0}};
    for (const auto& layout :
         {TokenTextLayout::line(text, style(), 100), TokenTextLayout::lines(text, style(), 100, 3)})
    {
        QVERIFY(holds(layout, 0));
        QVERIFY(layout.places().front().box.width() <= 100);
    }
}

void TestTokenText::whatIsSeenOfTokens()
{
    QCOMPARE(tokenInText(QStringLiteral(" the")), QStringLiteral(" the"));
    QCOMPARE(tokenInText(QStringLiteral("a\nb")), QStringLiteral("a↵b"));
    QCOMPARE(tokenInText(QStringLiteral("\t")), QStringLiteral(" "));
    QCOMPARE(tokenInText(QString(QChar(7))), QStringLiteral("□"));
    QCOMPARE(tokenInText(QStringLiteral("世界")), QStringLiteral("世界"));
    QCOMPARE(tokenInText(QStringLiteral("😀")), QStringLiteral("😀"));
    QVERIFY(!tokenInText({}).isEmpty());
}

void TestTokenText::moreWeightIsDarker()
{
    double before = -1;
    for (const double weight : {0.0, 0.01, 0.1, 0.5, 1.0})
    {
        QVERIFY(shadeOpacity(weight) > before);
        before = shadeOpacity(weight);
    }
    QCOMPARE(shadeOpacity(2), shadeOpacity(1));
    QVERIFY(shadeOpacity(1) < 1);
}

void TestTokenText::thePictureIsShadedWhereTheWeightIs()
{
    const ShadedText text = textOf(4, 3);
    const auto layout = TokenTextLayout::line(text, style(), 400);
    QImage picture(400, 24, QImage::Format_ARGB32_Premultiplied);
    picture.fill(Qt::white);
    {
        QPainter painter(&picture);
        layout.paint(painter, {0, 0}, text, style());
    }
    const auto redAt = [&](std::int64_t token) {
        const QRectF box = layout.places()[static_cast<std::size_t>(token)].box;
        const QColor color = picture.pixelColor(static_cast<int>(box.center().x()), 4);
        return color.red() - color.green();
    };
    QVERIFY(redAt(1) > 100);
    QCOMPARE(redAt(0), 0);
    QCOMPARE(redAt(2), 0);
}

HEADSCOPE_TEST(TestTokenText)
#include "tst_token_text.moc"
