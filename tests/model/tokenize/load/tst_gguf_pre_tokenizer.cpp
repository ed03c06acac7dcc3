// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/load/gguf_pre_tokenizer.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QtTest>

using namespace headscope;
using namespace headscope::tokenize;

class TestGgufPreTokenizer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cuts_data();
    void cuts();
    void unknownNames();
};

void TestGgufPreTokenizer::cuts_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("pieces"); // of "it'S 1234!\n\nab", joined by |
    const auto row = [](const char* name, const char* pieces) {
        QTest::newRow(name) << QByteArray(name) << QByteArray(pieces);
    };
    row("gpt-2", "it|'|S|_1234|!|^|^|ab");
    row("smollm", "it|'|S|_|1|2|3|4|!|^|^|ab");
    row("llama-bpe", "it|'S|_|123|4|!^^|ab");
    row("qwen2", "it|'S|_|1|2|3|4|!^^|ab");
    row("tekken", "it|'S|_|1|2|3|4|!^^|ab");
    row("gpt-4o", "it'S|_|123|4|!^^|ab");
    row("llama4", "it'S|_|123|4|!^^|ab");
    row("default", "it|'|S|_|123|4|!|^|^|ab");
}

void TestGgufPreTokenizer::cuts()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, pieces);
    const auto found = ggufPreTokenizerFromName(name.toStdString());
    QVERIFY(found.has_value());
    Normalizer normalizer;
    PreTokenizer preTokenizer;
    HEADSCOPE_VERIFY_OK(addGgufPreTokenizer(found->cutting, normalizer, preTokenizer));
    QCOMPARE(normalizer.empty(), name != "qwen2");
    PieceBuffer buffer;
    buffer.text = "it'S 1234!\n\nab";
    HEADSCOPE_VERIFY_OK(preTokenizer.apply(buffer));
    QByteArrayList cut;
    for (const ByteRange piece : buffer.pieces)
    {
        QByteArray text = QByteArray::fromStdString(std::string(piece.of(buffer.text)));
        cut << text.replace("\xC4\xA0", "_").replace("\xC4\x8A", "^");
    }
    QCOMPARE(cut.join('|'), pieces);
}

void TestGgufPreTokenizer::unknownNames()
{
    QVERIFY(!ggufPreTokenizerFromName("chatglm-bpe"));
    QVERIFY(!ggufPreTokenizerFromName(""));
}

HEADSCOPE_TEST_GUILESS(TestGgufPreTokenizer)
#include "tst_gguf_pre_tokenizer.moc"
