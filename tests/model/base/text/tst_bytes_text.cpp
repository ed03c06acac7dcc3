// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/text/bytes_text.h"

#include "tests/support/test_program.h"

using headscope::bytesText;

class TestBytesText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void threeDigits()
    {
        QCOMPARE(bytesText(0), std::string("0 bytes"));
        QCOMPARE(bytesText(999), std::string("999 bytes"));
        QCOMPARE(bytesText(1000), std::string("1.00 kB"));
        QCOMPARE(bytesText(98'362'432), std::string("98.4 MB"));
        QCOMPARE(bytesText(999'600), std::string("1.00 MB"));
        QCOMPARE(bytesText(14'221'320'192), std::string("14.2 GB"));
    }
};

HEADSCOPE_TEST_GUILESS(TestBytesText)
#include "tst_bytes_text.moc"
