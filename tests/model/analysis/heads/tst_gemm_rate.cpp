// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/gemm_rate.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;

class ProductSpeedTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesWhatMultiplies();
};

void ProductSpeedTest::namesWhatMultiplies()
{
    for (const int threads : {1, 2})
    {
        const ProductSpeed speed = measureProducts(threads);
        QVERIFY(speed.library.find("oneDNN") != std::string::npos);
        QVERIFY(speed.gflops > 0);
    }
}

HEADSCOPE_TEST_GUILESS(ProductSpeedTest)
#include "tst_gemm_rate.moc"
