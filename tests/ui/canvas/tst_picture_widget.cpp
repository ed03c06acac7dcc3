// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/picture_widget.h"

#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "ui/canvas/hover_card.h"
#include "ui/theme/theme.h"

#include <QAccessible>
#include <QPainter>
#include <QSignalSpy>
#include <QToolTip>

using namespace headscope;
using namespace headscope::ui;

namespace
{

/// Bars beside each other, 40 pixels wide; the first takes no click.
template <viz::Saying saying>
class Bars : public viz::Picture
{
public:
    Bars()
        : Picture({.name = "bars",
                   .saying = saying,
                   .hasGround = true,
                   .hasFrame = true,
                   .wanted = {120, 50},
                   .least = {60, 50}})
    {}
    void setBars(std::size_t bars)
    {
        m_bars = bars;
        replaced();
    }
    void mark() const { marked(); }
    void setWidth(double width)
    {
        m_width = width;
        changed();
    }
    [[nodiscard]] int paints() const { return m_paints; }
    [[nodiscard]] int arrangements() const { return m_arrangements; }
    [[nodiscard]] const viz::PictureMarks& marks() const { return m_marks; }

    void paint(QPainter& painter, const viz::PictureMarks& marks) const override
    {
        ++m_paints;
        m_marks = marks;
        for (std::size_t bar = 0; bar < m_bars; ++bar)
            painter.fillRect(placeOf(bar).adjusted(2, 2, -2, -2), Qt::red);
    }
    [[nodiscard]] std::size_t count() const override { return m_bars; }
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override
    {
        const auto bar = static_cast<std::size_t>(place.x() / m_width);
        return bar < m_bars ? std::optional(bar) : std::nullopt;
    }
    [[nodiscard]] QRectF placeOf(std::size_t bar) const override
    {
        return {m_width * static_cast<double>(bar), 0, m_width, box().height()};
    }
    [[nodiscard]] viz::ItemText textOf(std::size_t bar) const override
    {
        return {.title = QStringLiteral("bar %1").arg(bar), .value = QString::number(10 * bar)};
    }
    [[nodiscard]] bool isClickable(std::size_t bar) const override { return bar > 0; }
    [[nodiscard]] std::optional<std::size_t> next(std::optional<std::size_t> from, viz::Step step) const override
    {
        return step == viz::Step::Last ? std::optional(m_bars - 1) : viz::nextAround(from, step, m_bars);
    }
    [[nodiscard]] QString title() const override { return QStringLiteral("Bars"); }
    [[nodiscard]] QString summary() const override { return QStringLiteral("%1 bars").arg(m_bars); }

protected:
    void arrange() override { ++m_arrangements; }

private:
    std::size_t m_bars = 3;
    double m_width = 40;
    int m_arrangements = 0;
    mutable int m_paints = 0;
    mutable viz::PictureMarks m_marks;
};

using TipBars = Bars<viz::Saying::Tooltip>;
using CardBars = Bars<viz::Saying::Card>;

QString described(QWidget& widget)
{
    return QAccessible::queryAccessibleInterface(&widget)->text(QAccessible::Description);
}

} // namespace

class TestPictureWidget : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cellsHaveNeighbours()
    {
        using viz::Step;
        QCOMPARE(viz::nextCell(4, Step::Left, 2, 4), std::optional<std::size_t>(4)); // at the edge
        QCOMPARE(viz::nextCell(4, Step::Right, 2, 4), std::optional<std::size_t>(5));
        QCOMPARE(viz::nextCell(4, Step::Up, 2, 4), std::optional<std::size_t>(0));
        QCOMPARE(viz::nextCell(4, Step::Down, 2, 4), std::optional<std::size_t>(4));
        QCOMPARE(viz::nextCell(4, Step::Last, 2, 4), std::optional<std::size_t>());
        QCOMPARE(viz::nextAround(2, Step::Down, 3), std::optional<std::size_t>(0));
        QCOMPARE(viz::nextAround(0, Step::Left, 3), std::optional<std::size_t>(2));
        QCOMPARE(viz::nextAround({}, Step::Left, 3), std::optional<std::size_t>(0));
        QCOMPARE(viz::nextAround({}, Step::Left, 0), std::optional<std::size_t>());
    }

    void screenReadersHaveTheSummaryAndTheItem()
    {
        PictureOf<TipBars> widget;
        widget.resize(widget.sizeHint());
        QCOMPARE(widget.objectName(), QStringLiteral("bars"));
        QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(&widget);
        QCOMPARE(accessible->role(), QAccessible::Canvas);
        QCOMPARE(accessible->text(QAccessible::Name), QStringLiteral("Bars"));
        QCOMPARE(described(widget), QStringLiteral("3 bars"));
        QTest::keyClick(&widget, Qt::Key_End);
        QCOMPARE(described(widget), QStringLiteral("bar 2, 20"));
        widget.picture().setWidth(30); // the same items
        QCOMPARE(described(widget), QStringLiteral("bar 2, 20"));
        widget.picture().setBars(5);
        QCOMPARE(described(widget), QStringLiteral("5 bars"));
        QVERIFY(!widget.pointed());
    }

    void keysGoAndChoose()
    {
        PictureOf<TipBars> widget;
        widget.resize(120, 50);
        widget.show();
        QVERIFY(test::exposed(&widget));
        QSignalSpy pointed(&widget, &PictureWidget::itemPointed);
        QSignalSpy clicked(&widget, &PictureWidget::itemClicked);
        QTest::keyClick(&widget, Qt::Key_Return); // nothing is pointed at
        QCOMPARE(clicked.count(), 0);
        QTest::keyClick(&widget, Qt::Key_Right);
        QCOMPARE(widget.pointed(), std::optional<std::size_t>(0));
        QTest::keyClick(&widget, Qt::Key_Space); // takes no click
        QCOMPARE(clicked.count(), 0);
        QTest::keyClick(&widget, Qt::Key_Left);
        QTest::keyClick(&widget, Qt::Key_Home); // not a key of this picture
        QCOMPARE(widget.pointed(), std::optional<std::size_t>(2));
        QCOMPARE(QToolTip::text(), QStringLiteral("bar 2"));
        QCOMPARE(pointed.count(), 2);
        for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter, Qt::Key_Space})
            QTest::keyClick(&widget, key, Qt::ShiftModifier);
        QCOMPARE(clicked.count(), 3);
        QCOMPARE(clicked[0][0].value<std::size_t>(), std::size_t{2});
        QCOMPARE(clicked[0][1].value<Qt::KeyboardModifiers>(), Qt::KeyboardModifiers(Qt::ShiftModifier));
        for (const bool isUnderMouse : {true, false}) // what is under the pointer stays
        {
            widget.setAttribute(Qt::WA_UnderMouse, isUnderMouse);
            QFocusEvent out(QEvent::FocusOut);
            QCoreApplication::sendEvent(&widget, &out);
            QCOMPARE(widget.pointed().has_value(), isUnderMouse);
        }
    }

    void thePointerPointsAndClicks()
    {
        PictureOf<CardBars> widget;
        widget.resize(200, 120);
        widget.show();
        QVERIFY(test::exposed(&widget));
        QSignalSpy clicked(&widget, &PictureWidget::itemClicked);
        QTest::mouseMove(&widget, {100, 20});
        QCOMPARE(widget.pointed(), std::optional<std::size_t>(2));
        QVERIFY(widget.hoverCard()->isVisible());
        QCOMPARE(widget.hoverCard()->content().value, QStringLiteral("20"));
        QCOMPARE(widget.cursor().shape(), Qt::PointingHandCursor);
        QTest::mouseMove(&widget, {10, 20});
        QCOMPARE(widget.cursor().shape(), Qt::ArrowCursor);
        QTest::mouseClick(&widget, Qt::LeftButton, {}, {10, 20});
        QTest::mouseClick(&widget, Qt::RightButton, {}, {100, 20});
        QCOMPARE(clicked.count(), 0);
        QTest::mouseClick(&widget, Qt::LeftButton, Qt::ControlModifier, {100, 20});
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked[0][1].value<Qt::KeyboardModifiers>(), Qt::KeyboardModifiers(Qt::ControlModifier));
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&widget, &leave);
        QVERIFY(!widget.pointed() && !widget.hoverCard()->isVisible());
    }

    void marksMoveNothing()
    {
        PictureOf<TipBars> widget;
        widget.resize(120, 50);
        widget.show();
        QVERIFY(test::exposed(&widget));
        widget.setFocus();
        const int arrangements = widget.picture().arrangements();
        const int paints = widget.picture().paints();
        widget.picture().mark();
        const QImage image = widget.grab().toImage();
        QVERIFY(widget.picture().paints() > paints);
        QCOMPARE(widget.picture().arrangements(), arrangements);
        QCOMPARE(image.pixelColor(20, 20), QColor(Qt::red));
        QCOMPARE(image.pixelColor(118, 48), Theme::instance().colors().canvas);
        QCOMPARE(widget.picture().marks().hasFocus, widget.hasFocus());
        QCOMPARE(image.pixelColor(60, 0),
                 widget.hasFocus() ? Theme::instance().colors().accent : Theme::instance().colors().canvas);
        Theme::instance().setScheme(Theme::Scheme::Dark);
        QCOMPARE(widget.picture().theme(), viz::InkTheme::Dark);
        Theme::instance().setScheme(Theme::Scheme::Light);
        QCOMPARE(widget.picture().theme(), viz::InkTheme::Light);
    }
};

HEADSCOPE_WINDOW_TEST(TestPictureWidget)
#include "tst_picture_widget.moc"
