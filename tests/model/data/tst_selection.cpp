// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/selection.h"

#include "tests/support/verify.h"

using namespace headscope;

class TestSelection : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void knowsItsDocuments()
    {
        Selection selection;
        QVERIFY(!selection.contains(0));
        selection.documents = {2, 5, 9};
        QVERIFY(selection.contains(5));
        QVERIFY(!selection.contains(6));
        Selection other = selection;
        QVERIFY(other == selection);
        other.hovered = 3;
        QVERIFY(!(other == selection));
    }
};

QTEST_GUILESS_MAIN(TestSelection)
#include "tst_selection.moc"
