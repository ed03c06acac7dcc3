// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "tests/support/waiting.h"
#include "ui/widgets/wrap_row.h"

#include <QLabel>
#include <QPushButton>
#include <QTest>
#include <QVBoxLayout>

#include <vector>

using headscope::ui::makeTogether;
using headscope::ui::WrapRow;

class TestWrapRow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void controlsGoOnInTheNextRow()
    {
        QWidget window;
        auto* column = new QVBoxLayout(&window);
        column->setContentsMargins(0, 0, 0, 0);
        auto* bar = new QWidget(&window);
        column->addWidget(bar);
        column->addStretch(1);
        auto* row = new WrapRow(bar);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(8);
        QList<QPushButton*> buttons;
        for (const char* text : {"First of them", "Second of them", "Third of them"})
        {
            buttons << new QPushButton(QLatin1StringView(text), bar);
            row->addWidget(buttons.back());
        }
        auto* label = new QLabel(QStringLiteral("what is left over"), bar);
        row->addWidget(label, 1);
        auto* last = new QPushButton(QStringLiteral("Last"), bar);
        row->addWidget(last);
        const int wide = row->sizeHint().width() + 100;
        window.resize(wide, 200);
        window.show();
        QVERIFY(headscope::test::exposed(&window));
        const int oneRow = bar->height();
        QCOMPARE(last->geometry().right(), bar->width() - 1); // the label took the rest
        QCOMPARE(last->geometry().center().y(), buttons.front()->geometry().center().y());
        for (int width = wide; width >= row->minimumSize().width(); width -= 7)
        {
            window.resize(width, 200);
            headscope::test::passMs(1);
            for (const QWidget* widget : std::initializer_list<QWidget*>{buttons[0], buttons[1], buttons[2], last})
            {
                QVERIFY(widget->geometry().right() < bar->width());
                QVERIFY(widget->geometry().bottom() < bar->height());
                QVERIFY(widget->width() >= widget->minimumSizeHint().width());
                QCOMPARE(widget->height(), buttons.front()->height());
            }
        }
        QVERIFY(bar->height() > 2 * oneRow);
        // What is hidden takes no room, and wide again all stand in one row.
        buttons[1]->hide();
        window.resize(wide, 200);
        headscope::test::passMs(5);
        QCOMPARE(bar->height(), oneRow);
        QCOMPARE(buttons[2]->x(), buttons[0]->geometry().right() + 1 + 8);
    }

    void whatBelongsTogetherStaysInOneLine()
    {
        QWidget bar;
        auto* row = new WrapRow(&bar);
        row->setSpacing(8);
        auto* title = new QPushButton(QStringLiteral("a longer title before them"), &bar);
        row->addWidget(title);
        std::vector<QPushButton*> pages;
        for (const char* name : {"one", "two", "three"})
            pages.push_back(new QPushButton(QLatin1StringView(name), &bar));
        row->addWidget(makeTogether({pages[0], pages[1], pages[2]}, 2, &bar));
        const int wide = row->sizeHint().width();
        bar.resize(wide, 200);
        bar.show();
        for (int width = wide; width >= row->minimumSize().width(); width -= 3)
        {
            bar.resize(width, 200);
            const auto top = [&bar](const QWidget* each) { return each->mapTo(&bar, QPoint()).y(); };
            QVERIFY(top(pages[0]) == top(pages[1]) && top(pages[1]) == top(pages[2]));
            for (const QPushButton* each : pages)
                QVERIFY(each->mapTo(&bar, QPoint(each->width(), 0)).x() <= width);
        }
        QVERIFY(pages[0]->mapTo(&bar, QPoint()).y() > title->geometry().bottom());
    }
};

HEADSCOPE_TEST(TestWrapRow)
#include "tst_wrap_row.moc"
