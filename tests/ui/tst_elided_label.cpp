// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "ui/widgets.h"

#include <QtTest>

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
