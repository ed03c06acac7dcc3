// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/data/head_picker.h"

#include "tests/ui/window_test.h"
#include "ui/theme/theme.h"
#include "viz/color/oklab.h"

#include <QAccessible>
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

QPoint centerOf(const HeadPicker& picker, std::size_t item)
{
    return picker.picture().placeOf(item).toRect().center();
}

QPoint labelOf(const HeadPicker& picker, std::int64_t head)
{
    return centerOf(picker, picker.picture().labelOf(head));
}

void click(HeadPicker& picker, std::size_t head, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
{
    QTest::mouseClick(&picker, Qt::LeftButton, modifiers, centerOf(picker, head));
}

} // namespace

class TestHeadPicker : public QObject
{
    Q_OBJECT

private:
    static void prepare(HeadPicker& picker, std::int64_t heads = 32, std::int64_t groups = 8)
    {
        picker.setModel(shaped(heads, groups));
        picker.picture().setHeadPalette(viz::HeadPalette(groups, heads / groups));
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
        QTest::mousePress(&picker, Qt::LeftButton, {}, centerOf(picker, 2));
        QTest::mouseMove(&picker, centerOf(picker, 4));
        QTest::mouseMove(&picker, centerOf(picker, 9));
        QTest::mouseRelease(&picker, Qt::LeftButton, {}, centerOf(picker, 9));
        QCOMPARE(picker.heads(), (Heads{2, 3, 4, 5, 6, 7, 8, 9}));
        // Back over the start: the range shrinks again.
        QTest::mousePress(&picker, Qt::LeftButton, {}, centerOf(picker, 5));
        QTest::mouseMove(&picker, centerOf(picker, 7));
        QTest::mouseMove(&picker, centerOf(picker, 4));
        QTest::mouseRelease(&picker, Qt::LeftButton, {}, centerOf(picker, 4));
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
        QTest::mouseClick(&picker, Qt::LeftButton, {}, labelOf(picker, 9));
        QCOMPARE(picker.heads(), (Heads{8, 9, 10, 11}));
        QTest::mouseClick(&picker, Qt::LeftButton, Qt::ControlModifier, labelOf(picker, 0));
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

    /// A group of check boxes; the labels of rows are buttons.
    void screenReadersSeeTheHeads()
    {
        HeadPicker picker;
        prepare(picker);
        click(picker, 3);
        QAccessibleInterface* group = QAccessible::queryAccessibleInterface(&picker);
        QCOMPARE(group->role(), QAccessible::Grouping);
        QCOMPARE(group->childCount(), 32 + 8);
        QCOMPARE(group->child(3)->text(QAccessible::Name), QStringLiteral("Head 4, KV group 1"));
        QCOMPARE(group->child(3)->role(), QAccessible::CheckBox);
        QVERIFY(group->child(3)->state().checked && !group->child(4)->state().checked);
        QCOMPARE(group->child(32)->role(), QAccessible::Button);
        QCOMPARE(group->childAt(group->child(9)->rect().center().x(), group->child(9)->rect().center().y()),
                 group->child(9));
        QCOMPARE(group->indexOfChild(group->child(9)), 9);
        group->child(33)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(picker.heads(), (Heads{4, 5, 6, 7}));
    }

    /// Letters of at least 4.5 to their ground, chosen or not, under the pointer or not.
    void numbersCanBeRead()
    {
        for (const ui::Theme::Scheme scheme : {ui::Theme::Scheme::Dark, ui::Theme::Scheme::Light})
        {
            ui::Theme::instance().setScheme(scheme);
            const ui::Colors& colors = ui::Theme::instance().colors();
            const viz::HeadPalette palette(8, 4, ui::Theme::instance().vizTheme());
            for (std::int64_t head = 0; head < 32; ++head)
                for (const bool isChosen : {true, false})
                    for (const bool isPointed : {true, false})
                    {
                        const auto [ground, letters] =
                            ui::HeadCells::inksOf(palette.color(HeadIndex(head)), isChosen, isPointed);
                        QVERIFY(viz::contrastRatio(letters, ground) >= 4.5);
                    }
            QVERIFY(viz::contrastRatio(colors.muted, colors.frame) >= 4.5); // names of rows
        }
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
        for (std::size_t head = 0; head < static_cast<std::size_t>(heads); ++head)
        {
            const QRect cell = picker.picture().placeOf(head).toRect();
            QVERIFY(picker.rect().contains(cell));
            QVERIFY(cell.width() >= 16);
            for (std::size_t other = 0; other < head; ++other)
                QVERIFY(!picker.picture().placeOf(other).toRect().intersects(cell));
            picker.chooseNone();
            click(picker, head);
            QCOMPARE(picker.heads(), Heads{static_cast<std::int64_t>(head)});
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
