// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/text/fixed_text.h"

#include "tests/support/test_program.h"

using namespace headscope;

class TestFixedText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void zeroHasNoSign()
    {
        QCOMPARE(fixedText(-0.0, 2), std::string("0.00"));
        QCOMPARE(fixedText(-0.004, 2), std::string("0.00"));
        QCOMPARE(fixedText(-0.4, 0), std::string("0"));
    }

    void numbersThatLieCloseHaveMoreDecimals()
    {
        QCOMPARE(decimalsOfExtent(0.5), 2);
        QCOMPARE(decimalsOfExtent(0.2), 2);
        QCOMPARE(decimalsOfExtent(0.02), 3);
        QCOMPARE(decimalsOfExtent(0.002), 4);
        QCOMPARE(decimalsOfExtent(0), 4);
    }

    void allElseIsAsItRounds()
    {
        QCOMPARE(fixedText(-0.006, 2), std::string("-0.01"));
        QCOMPARE(signedText(-0.004, 2), std::string("0.00"));
        QCOMPARE(signedText(0.004, 2), std::string("0.00"));
        QCOMPARE(signedText(0.5, 1), std::string("+0.5"));
        QCOMPARE(signedText(-0.5, 1), std::string("-0.5"));
        QCOMPARE(fixedText(-10, 0), std::string("-10"));
        QCOMPARE(fixedText(0.126, 2), std::string("0.13"));
    }
};

HEADSCOPE_TEST_GUILESS(TestFixedText)
#include "tst_fixed_text.moc"
