// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/word_piece.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

using namespace headscope;
using namespace headscope::tokenize;

class TestWordPiece : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void spells_data();
    void spells();
};

void TestWordPiece::spells_data()
{
    QTest::addColumn<QByteArray>("word");
    QTest::addColumn<QList<int>>("expected");
    QTest::newRow("whole") << QByteArray("run") << QList<int>{1};
    QTest::newRow("longest first") << QByteArray("running") << QList<int>{1, 4};
    QTest::newRow("no way back") << QByteArray("runnin") << QList<int>{0};
    QTest::newRow("letters beyond ASCII") << QByteArray("r\xC3\xA9") << QList<int>{2, 5};
    QTest::newRow("unknown") << QByteArray("x") << QList<int>{0};
    QTest::newRow("eight characters") << QByteArray("runninge") << QList<int>{1, 4, 6};
    QTest::newRow("nine characters") << QByteArray("runningee") << QList<int>{0};
    QTest::newRow("empty") << QByteArray("") << QList<int>{};
}

void TestWordPiece::spells()
{
    QFETCH(QByteArray, word);
    QFETCH(QList<int>, expected);
    Vocabulary vocabulary;
    const char* tokens[] = {"[UNK]", "run", "r", "##n", "##ning", "##\xC3\xA9", "##e"};
    for (int i = 0; i < 7; ++i)
        HEADSCOPE_VERIFY_OK(vocabulary.add(tokens[i], i));
    WordPieceOptions options;
    options.maxCharacters = 8;
    const WordPiece model(vocabulary, options);
    std::vector<TokenId> ids{99};
    model.append(word.toStdString(), ids);
    ids.erase(ids.begin());
    QCOMPARE(QList<int>(ids.begin(), ids.end()), expected);
}

HEADSCOPE_TEST_GUILESS(TestWordPiece)
#include "tst_word_piece.moc"
