// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/memory/pages.h"
#include "tests/support/memory_peak.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <utility>

using namespace headscope;

class PagesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void partsGoBack();
    void moved();
};

void PagesTest::partsGoBack()
{
    constexpr std::size_t kPart = std::size_t{16} << 20;
    const test::MemoryPeak peak;
    const Pages pages(4 * kPart);
    for (std::size_t part = 0; part < 4; ++part)
    {
        std::byte* begin = pages.data() + part * kPart;
        QVERIFY(std::all_of(begin, begin + kPart, [](std::byte value) { return value == std::byte{0}; }));
        std::fill_n(begin, kPart, std::byte{1});
        pages.giveBack(part * kPart, part == 3 ? 0 : kPart);
    }
    QCOMPARE(pages.data()[0], std::byte{0});
    QCOMPARE(pages.data()[3 * kPart], std::byte{1});
    const auto taken = peak.bytes();
    if (!taken)
        QSKIP("the peak of this process cannot be asked for here");
    QVERIFY2(*taken < 1.5 * kPart, qPrintable(QString::number(*taken)));
}

void PagesTest::moved()
{
    QCOMPARE(Pages::rounded(0), std::size_t{0});
    QCOMPARE(Pages::rounded(1), Pages::rounded(Pages::rounded(1)));
    Pages pages(100);
    pages.data()[99] = std::byte{7};
    Pages other = std::move(pages);
    QVERIFY(pages.data() == nullptr); // NOLINT(bugprone-use-after-move)
    pages = std::move(other);
    QCOMPARE(pages.data()[99], std::byte{7});
    QVERIFY(Pages().data() == nullptr);
}

HEADSCOPE_TEST_GUILESS(PagesTest)
#include "tst_pages.moc"
