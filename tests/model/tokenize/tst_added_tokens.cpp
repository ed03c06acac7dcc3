// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/added_tokens.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using namespace headscope::tokenize;

class TestAddedTokens : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void splits_data();
    void splits();
};

void TestAddedTokens::splits_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("withSpecial");
    QTest::addColumn<QByteArray>("parts"); // text in its place, tokens as {id:range}
    const auto row = [](const char* name, const char* text, bool special, const char* parts) {
        QTest::newRow(name) << QByteArray(text) << special << QByteArray(parts);
    };
    row("none", "plain", true, "plain");
    row("empty", "", true, "");
    row("between", "a</s>b", true, "a|{1:</s>}|b");
    row("kept as text", "a</s>b", false, "a</s>b");
    row("longest", "norma normal norm", true, "{4:norm}|a |{5:normal}| |{4:norm}");
    row("not special, always found", "<think>", false, "{6:<think>}");
    row("strip left", "a  <mask> b", true, "a|{2:  <mask>}| b");
    row("strip right", "a <cut>  b", true, "a |{3:<cut>  }|b");
    row("both want the same spaces", "<cut>  <mask>", true, "{3:<cut>  }|{2:<mask>}");
    row("single word", "word sword words word", true, "{7:word}| sword words |{7:word}");
    row("prefix of a token", "</s", true, "</s");
}

void TestAddedTokens::splits()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, withSpecial);
    QFETCH(QByteArray, parts);
    AddedTokens tokens;
    const auto add = [&](const char* content, TokenId id, bool special) -> AddedToken {
        AddedToken token;
        token.content = content;
        token.id = id;
        token.special = special;
        return token;
    };
    AddedToken mask = add("<mask>", 2, true);
    mask.stripLeft = true;
    AddedToken cut = add("<cut>", 3, true);
    cut.stripRight = true;
    AddedToken word = add("word", 7, false);
    word.singleWord = true;
    for (const AddedToken& token : {add("</s>", 1, true), mask, cut, add("norm", 4, false), add("normal", 5, false),
                                    add("<think>", 6, false), word})
        tokens.add(token.content, token);

    QByteArrayList found;
    const std::string bytes = text.toStdString();
    for (const TextPart& part : tokens.split(bytes, withSpecial))
    {
        const QByteArray piece = QByteArray::fromStdString(std::string(part.range.of(bytes)));
        found << (part.token == kNoToken ? piece : "{" + QByteArray::number(part.token) + ":" + piece + "}");
    }
    QCOMPARE(found.join('|'), parts);
}

HEADSCOPE_TEST_GUILESS(TestAddedTokens)
#include "tst_added_tokens.moc"
