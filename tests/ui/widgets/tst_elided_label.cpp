// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "tests/support/waiting.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrap_row.h"

#include <QPushButton>

#include <QTest>

using namespace headscope;

class TestElidedLabel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Whole facts go from the last; what is left stands in full.
    void factsGoOneByOne()
    {
        ui::ElidedLabel label(QStringLiteral("35,523 points · all shown · perplexity 30 · seed 1"));
        label.show(); // what is hidden is not laid out
        const QFontMetrics metrics = label.fontMetrics();
        label.resize(2000, 20);
        QCOMPARE(label.text(), label.fullText());
        QVERIFY(label.toolTip().isEmpty());
        label.resize(metrics.horizontalAdvance(label.fullText()) - 4, 20);
        QCOMPARE(label.text(), QStringLiteral("35,523 points · all shown · perplexity 30 …"));
        QCOMPARE(label.toolTip(), label.fullText());
        label.resize(metrics.horizontalAdvance(QStringLiteral("35,523 points …")) + 2, 20);
        QCOMPARE(label.text(), QStringLiteral("35,523 points …"));
        label.resize(metrics.horizontalAdvance(QStringLiteral("35,52")), 20);
        QVERIFY(label.text().size() < 10 && label.text().contains(QChar(0x2026)));
    }

    /// What a label asks for does not shrink with what it shows: in a row of controls it goes to the next line
    /// before its first fact is cut.
    void inARowItKeepsItsFirstFact()
    {
        QWidget bar;
        auto* row = new ui::WrapRow(&bar);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(8);
        auto* button = new QPushButton(QStringLiteral("A control of some width"), &bar);
        auto* label = new ui::ElidedLabel(QStringLiteral("1,728 points · r 0.36 · 12 only in A"), &bar);
        auto* last = new QPushButton(QStringLiteral("Last"), &bar);
        row->addWidget(button);
        row->addWidget(label, 1);
        row->addWidget(last);
        bar.show();
        const int first = label->fontMetrics().horizontalAdvance(QStringLiteral("1,728 points"));
        for (int width = 700; width >= button->sizeHint().width() + 8; width -= 9)
        {
            bar.resize(width, row->heightForWidth(width));
            test::passMs(1);
            QVERIFY2(label->width() >= first, qPrintable(QString::number(width)));
            QVERIFY2(label->text().startsWith(QStringLiteral("1,728 points")), qPrintable(label->text()));
            QVERIFY(label->geometry().right() < bar.width());
        }
        bar.resize(900, row->heightForWidth(900)); // and all of it stands there again
        WAIT_COMPARE(label->text(), label->fullText());
    }

    void aSingleFactElidesInItsMiddle()
    {
        ui::ElidedLabel label(QStringLiteral("a-file-with-a-rather-long-name.h5"));
        label.show();
        label.resize(label.fontMetrics().horizontalAdvance(label.fullText()) / 2, 20);
        QVERIFY(label.text().startsWith(QStringLiteral("a-f")) && label.text().endsWith(QStringLiteral(".h5")));
        QCOMPARE(label.toolTip(), label.fullText());
    }
};

HEADSCOPE_TEST(TestElidedLabel)
#include "tst_elided_label.moc"
