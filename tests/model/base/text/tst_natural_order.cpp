// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/text/natural_order.h"

#include "tests/support/test_program.h"

#include <algorithm>
#include <string>
#include <vector>

using headscope::naturalOrder;

/// The order of ids and labels in tables.
class TestNaturalOrder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void numbersByTheirValues()
    {
        // Each comes before the next.
        const std::vector<std::string> ordered{"",
                                               "-",
                                               "0",
                                               "00",
                                               "1",
                                               "2",
                                               "10",
                                               "10a",
                                               "10b",
                                               "010b",
                                               "99999999999999999999",
                                               "100000000000000000000",
                                               "Z",
                                               "a",
                                               "a1",
                                               "a1b",
                                               "a2",
                                               "a9",
                                               "a10",
                                               "a10-2",
                                               "a10-10",
                                               "b",
                                               "doc-9",
                                               "doc-10",
                                               "doc-10x",
                                               "\xC3\xA9"
                                               "1",
                                               "\xC3\xA9"
                                               "12"};
        for (std::size_t i = 0; i < ordered.size(); ++i)
            for (std::size_t j = 0; j < ordered.size(); ++j)
                QVERIFY2((naturalOrder(ordered[i], ordered[j]) < 0) == (i < j) &&
                             (naturalOrder(ordered[i], ordered[j]) == 0) == (i == j),
                         qPrintable(QString::fromStdString(ordered[i] + " and " + ordered[j])));
    }
};

HEADSCOPE_TEST_GUILESS(TestNaturalOrder)
#include "tst_natural_order.moc"
