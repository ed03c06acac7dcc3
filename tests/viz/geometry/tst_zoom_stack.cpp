// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "viz/geometry/zoom_stack.h"

#include <QTest>

using namespace headscope::viz;

namespace
{

ViewTransform view(double scale)
{
    return {QPointF(0, 0), scale, QSizeF(100, 100)};
}

} // namespace

class TestZoomStack : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void backAndForward();
    void pushForgetsForward();
    void replaceAddsNothing();
    void depthIsBounded();
};

void TestZoomStack::backAndForward()
{
    ZoomStack stack;
    QVERIFY(!stack.present() && !stack.back() && !stack.forward());
    stack.push(view(1));
    stack.push(view(2));
    stack.push(view(2)); // not remembered twice
    stack.push(view(3));
    QVERIFY(stack.canGoBack() && !stack.canGoForward());
    QCOMPARE(stack.back()->scale(), 2.0);
    QCOMPARE(stack.back()->scale(), 1.0);
    QVERIFY(!stack.back().has_value());
    QCOMPARE(stack.forward()->scale(), 2.0);
    QCOMPARE(stack.present()->scale(), 2.0);
}

void TestZoomStack::pushForgetsForward()
{
    ZoomStack stack;
    for (const double scale : {1.0, 2.0, 3.0})
        stack.push(view(scale));
    stack.back();
    stack.back();
    stack.push(view(9));
    QVERIFY(!stack.canGoForward());
    QCOMPARE(stack.back()->scale(), 1.0);
}

void TestZoomStack::replaceAddsNothing()
{
    ZoomStack stack;
    stack.replace(view(1));
    stack.replace(view(2));
    QVERIFY(!stack.canGoBack());
    QCOMPARE(stack.present()->scale(), 2.0);
    stack.clear();
    QVERIFY(!stack.present().has_value());
}

void TestZoomStack::depthIsBounded()
{
    ZoomStack stack;
    for (std::size_t i = 1; i <= ZoomStack::kDepth + 50; ++i)
        stack.push(view(static_cast<double>(i)));
    std::size_t steps = 0;
    while (stack.back())
        ++steps;
    QCOMPARE(steps, ZoomStack::kDepth - 1);
    QCOMPARE(stack.present()->scale(), 51.0);
}

HEADSCOPE_TEST_GUILESS(TestZoomStack)
#include "tst_zoom_stack.moc"
