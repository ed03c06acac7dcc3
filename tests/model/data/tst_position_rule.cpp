// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/position_rule.h"

#include "model/data/model_family.h"
#include "tests/support/test_program.h"

using namespace headscope;

class TestPositionRule : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyEncodersRotateNothing()
    {
        ModelInfo info;
        QVERIFY(!rotatesByPosition(info).has_value()); // the file does not say
        for (const FamilyTraits& traits : modelFamilies())
        {
            info.family = traits.name;
            QVERIFY(rotatesByPosition(info) == (traits.name != "bert"));
        }
    }
};

HEADSCOPE_TEST_GUILESS(TestPositionRule)
#include "tst_position_rule.moc"
