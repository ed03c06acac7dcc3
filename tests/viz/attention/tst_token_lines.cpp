// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/attention/token_lines.h"

#include "tests/support/attention_runs.h"
#include "tests/support/test_program.h"
#include "viz/axis/text.h"

#include <QGuiApplication>
#include <QImage>
#include <QPainter>
#include <QTest>

using namespace headscope;
using namespace headscope::viz;

namespace
{

LinePool poolOf(const AttentionRun& run, const QColor& color)
{
    return LinePool({{ShownWeights(run.weights[3].rows, run.causal, false), color}});
}

} // namespace

class TestTokenLines : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyTokenIsFoundOnBothSides()
    {
        const auto run = test::makeAttentionRun();
        const TokenNames names(run->tokens, textFont(12));
        const TokenLinesLayout layout(names, {10, 20, 420, 300}, {});
        QVERIFY(layout.contentHeight() <= layout.window().height() + 1);
        for (const LineEnd::Side side : {LineEnd::Side::Reading, LineEnd::Side::Read})
            for (std::int64_t token = 0; token < 17; ++token)
            {
                const LineEnd end{side, token};
                const QPointF outwards(side == LineEnd::Side::Reading ? -20 : 20, 0);
                QVERIFY(layout.endAt(layout.endOf(end) + outwards) == end);
            }
        QVERIFY(!layout.endAt({0, 0}));
        QVERIFY(layout.endOf({LineEnd::Side::Reading, 0}).x() < layout.endOf({LineEnd::Side::Read, 0}).x());
    }

    /// 4,096 tokens: all fit, few are named; as large as text, all in view are.
    void longTextsFitAndZoom()
    {
        std::vector<std::string> tokens(4096, " word");
        const TokenNames names(tokens, textFont(12));
        const TokenLinesLayout all(names, {0, 0, 400, 600}, {});
        QVERIFY(all.contentHeight() <= all.window().height() + 1);
        QVERIFY(all.nameStride() > 50);
        TokenLinesStyle close;
        close.rowHeight = 16;
        close.offset = 1e9;
        const TokenLinesLayout end(names, {0, 0, 400, 600}, close);
        QCOMPARE(end.nameStride(), 1);
        QCOMPARE(end.endAt({10, end.window().bottom() - 1})->token, 4095);
        QVERIFY(end.inView().last <= 4096 + 1e-6);
    }

    /// Lines are drawn in their head's colour, and only as many as were allowed.
    void paintsAndCounts()
    {
        const auto run = test::makeAttentionRun();
        const TokenNames names(run->tokens, textFont(12));
        const TokenLinesLayout layout(names, {0, 0, 420, 320}, {});
        const LinePool pool = poolOf(*run, QColor(255, 0, 0));
        const auto paint = [&](std::optional<LineEnd> focus, std::int64_t most, QImage& image) {
            image = QImage(420, 320, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            return layout.paint(painter, pool, focus, most);
        };
        QImage image;
        const LineChoice all = paint({}, 10'000, image);
        QCOMPARE(all.left, 0);
        QCOMPARE(all.seen, pool.count());
        const auto reds = [](const QImage& of) {
            std::int64_t count = 0;
            for (int y = 0; y < of.height(); ++y)
                for (int x = 0; x < of.width(); ++x)
                    count += qRed(of.pixel(x, y)) > 200 && qGreen(of.pixel(x, y)) < 180 ? 1 : 0;
            return count;
        };
        const std::int64_t many = reds(image);
        QVERIFY(many > 100);
        QImage few;
        QCOMPARE(paint({}, 5, few).left, all.seen - 5);
        QVERIFY(reds(few) < many);
        // One token stands out: the lines of the others turn pale.
        QImage focused;
        static_cast<void>(paint(LineEnd{LineEnd::Side::Reading, 3}, 10'000, focused));
        QVERIFY(reds(focused) < many / 2);
    }

    void nothingIsPaintedOfNothing()
    {
        const TokenNames names(std::vector<std::string>{}, textFont(12));
        const TokenLinesLayout layout(names, {0, 0, 300, 200}, {});
        QImage image(300, 200, QImage::Format_RGB32);
        QPainter painter(&image);
        QCOMPARE(layout.paint(painter, LinePool(), {}, 10).seen, 0);
        QVERIFY(!layout.endAt({20, 20}));
    }
};

HEADSCOPE_TEST_UNDER(QGuiApplication, TestTokenLines)
#include "tst_token_lines.moc"
