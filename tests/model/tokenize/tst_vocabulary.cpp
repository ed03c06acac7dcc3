// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/vocabulary.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

using namespace headscope;
using namespace headscope::tokenize;

class TestVocabulary : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsBothWays();
    void refusesContradictions();
};

void TestVocabulary::findsBothWays()
{
    Vocabulary vocabulary;
    QVERIFY(!vocabulary.find("a"));
    for (int i = 0; i < 5000; ++i)
        HEADSCOPE_VERIFY_OK(vocabulary.add("token " + std::to_string(i), i * 2));
    HEADSCOPE_VERIFY_OK(vocabulary.addHidden("hidden", 1));
    QCOMPARE(vocabulary.count(), std::size_t{5000});
    QCOMPARE(vocabulary.size(), 9999);
    QCOMPARE(vocabulary.find("token 4321").value_or(-1), 8642);
    QVERIFY(!vocabulary.find("hidden") && vocabulary.has(1) && !vocabulary.has(3));
    QCOMPARE(std::string(vocabulary.text(1)), std::string("hidden"));
    QVERIFY(vocabulary.text(3).empty() && vocabulary.text(-1).empty() && vocabulary.text(9999).empty());
}

void TestVocabulary::refusesContradictions()
{
    Vocabulary vocabulary;
    HEADSCOPE_VERIFY_OK(vocabulary.add("a", 0));
    HEADSCOPE_VERIFY_ERROR(vocabulary.add("a", 1), ErrorCode::BadFormat, "each token once");
    HEADSCOPE_VERIFY_ERROR(vocabulary.add("b", 0), ErrorCode::BadFormat, "one token for each id");
    HEADSCOPE_VERIFY_ERROR(vocabulary.add("b", -1), ErrorCode::BadFormat, "found -1");
    HEADSCOPE_VERIFY_ERROR(vocabulary.add("b", kMaxVocabulary), ErrorCode::BadFormat, "2097152");
}

HEADSCOPE_TEST_GUILESS(TestVocabulary)
#include "tst_vocabulary.moc"
