// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/strong_index.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <type_traits>
#include <unordered_set>

using namespace headscope;

static_assert(!std::is_convertible_v<HeadIndex, LayerIndex>);
static_assert(!std::is_convertible_v<int, HeadIndex>);
static_assert(!std::is_convertible_v<HeadIndex, int>);

class TestStrongIndex : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void comparesAndSteps()
    {
        HeadIndex head(3);
        QVERIFY(head > HeadIndex(2));
        ++head;
        QCOMPARE(head.value(), 4);
        QCOMPARE(head.index(), std::size_t{4});
    }

    void shownNumbersStartAtOne()
    {
        QCOMPARE(shownNumber(HeadIndex(0)), 1);
        QCOMPARE(indexFromShown<HeadIndex>(32).value(), 31);
    }

    void hashes()
    {
        std::unordered_set<LayerIndex> layers{LayerIndex(1), LayerIndex(1), LayerIndex(2)};
        QCOMPARE(layers.size(), std::size_t{2});
    }
};

HEADSCOPE_TEST_GUILESS(TestStrongIndex)
#include "tst_strong_index.moc"
