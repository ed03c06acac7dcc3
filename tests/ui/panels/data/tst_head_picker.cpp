// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/data/head_picker.h"

#include "tests/ui/window_test.h"

#include <QSignalSpy>

using namespace headscope;
using headscope::ui::HeadPicker;
using Heads = std::vector<std::int64_t>;

namespace
{

ModelInfo shaped(std::int64_t heads, std::int64_t groups)
{
    ModelInfo info;
    info.heads = heads;
    info.kvHeads = groups;
    return info;
}

void click(HeadPicker& picker, std::int64_t head, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
{
    QTest::mouseClick(&picker, Qt::LeftButton, modifiers, picker.cellRect(head).center());
}

} // namespace

class TestHeadPicker : public QObject
{
    Q_OBJECT

private:
    static void prepare(HeadPicker& picker, std::int64_t heads = 32, std::int64_t groups = 8)
    {
        picker.setModel(shaped(heads, groups));
        picker.setHeadPalette(viz::HeadPalette(groups, heads / groups));
        picker.resize(232, picker.sizeHint().height());
        picker.show();
    }

private Q_SLOTS:
    void allAreChosenAtFirst()
    {
        HeadPicker picker;
        prepare(picker);
        QCOMPARE(picker.heads(), allIndices(32));
    }

    void clickIsolatesAndGivesBack()
    {
        HeadPicker picker;
        prepare(picker);
        QSignalSpy changed(&picker, &HeadPicker::headsChanged);
        click(picker, 17);
        QCOMPARE(picker.heads(), Heads{17});
        QCOMPARE(changed.count(), 1);
        click(picker, 17);
        QCOMPARE(picker.heads().size(), 32u);
    }

    void controlClickAddsAndRemoves()
    {
        HeadPicker picker;
        prepare(picker);
        click(picker, 3);
        click(picker, 8, Qt::ControlModifier);
        QCOMPARE(picker.heads(), (Heads{3, 8}));
        click(picker, 3, Qt::ControlModifier);
        QCOMPARE(picker.heads(), Heads{8});
    }

    void dragTakesARange()
    {
        HeadPicker picker;
        prepare(picker);
        QTest::mousePress(&picker, Qt::LeftButton, {}, picker.cellRect(2).center());
        QTest::mouseMove(&picker, picker.cellRect(4).center());
        QTest::mouseMove(&picker, picker.cellRect(9).center());
        QTest::mouseRelease(&picker, Qt::LeftButton, {}, picker.cellRect(9).center());
        QCOMPARE(picker.heads(), (Heads{2, 3, 4, 5, 6, 7, 8, 9}));
        // Back over the start: the range shrinks again.
        QTest::mousePress(&picker, Qt::LeftButton, {}, picker.cellRect(5).center());
        QTest::mouseMove(&picker, picker.cellRect(7).center());
        QTest::mouseMove(&picker, picker.cellRect(4).center());
        QTest::mouseRelease(&picker, Qt::LeftButton, {}, picker.cellRect(4).center());
        QCOMPARE(picker.heads(), (Heads{4, 5}));
    }

    void shiftClickTakesARange()
    {
        HeadPicker picker;
        prepare(picker);
        click(picker, 10);
        click(picker, 13, Qt::ShiftModifier);
        QCOMPARE(picker.heads(), (Heads{10, 11, 12, 13}));
    }

    void labelTakesTheGroup()
    {
        HeadPicker picker;
        prepare(picker);
        QTest::mouseClick(&picker, Qt::LeftButton, {}, picker.labelRect(9).center());
        QCOMPARE(picker.heads(), (Heads{8, 9, 10, 11}));
        QTest::mouseClick(&picker, Qt::LeftButton, Qt::ControlModifier, picker.labelRect(0).center());
        QCOMPARE(picker.heads(), (Heads{0, 1, 2, 3, 8, 9, 10, 11}));
    }

    void keyboardReachesEverything()
    {
        HeadPicker picker;
        prepare(picker);
        picker.setFocus();
        QTest::keyClick(&picker, Qt::Key_Right);
        QTest::keyClick(&picker, Qt::Key_Down);
        QTest::keyClick(&picker, Qt::Key_Return);
        QCOMPARE(picker.heads(), Heads{5});
        QTest::keyClick(&picker, Qt::Key_Left);
        QTest::keyClick(&picker, Qt::Key_Space);
        QCOMPARE(picker.heads(), (Heads{4, 5}));
        QTest::keyClick(&picker, Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(picker.heads().size(), 32u);
    }

    void shapes_data()
    {
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("groups");
        QTest::newRow("demo 9/3") << 9 << 3;
        QTest::newRow("multi-head 12/12") << 12 << 12;
        QTest::newRow("multi-query 32/1") << 32 << 1;
        QTest::newRow("one head") << 1 << 1;
        QTest::newRow("wide 128/8") << 128 << 8;
    }
    void shapes()
    {
        QFETCH(int, heads);
        QFETCH(int, groups);
        HeadPicker picker;
        prepare(picker, heads, groups);
        // Every head has a cell of its own inside the widget, and clicking it chooses it.
        for (int head = 0; head < heads; ++head)
        {
            const QRect cell = picker.cellRect(head);
            QVERIFY(picker.rect().contains(cell));
            QVERIFY(cell.width() >= 16);
            for (int other = 0; other < head; ++other)
                QVERIFY(!picker.cellRect(other).intersects(cell));
            picker.chooseNone();
            click(picker, head);
            QCOMPARE(picker.heads(), Heads{head});
        }
        QVERIFY(!picker.grab().isNull());
    }

    void choicesOutsideAreIgnored()
    {
        HeadPicker picker;
        prepare(picker);
        picker.setHeads({-1, 4, 99});
        QCOMPARE(picker.heads(), Heads{4});
        picker.invert();
        QCOMPARE(picker.heads().size(), 31u);
    }
};

HEADSCOPE_WINDOW_TEST(TestHeadPicker)
#include "tst_head_picker.moc"
