// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/load/gguf_pre_tokenizer.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

using namespace headscope;
using namespace headscope::tokenize;

class TestGgufPreTokenizer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cuts_data();
    void cuts();
    void cutsOfMoreText_data();
    void cutsOfMoreText();
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
    const auto* const found = ggufPreTokenizerFromName(name.toStdString());
    QVERIFY(found != nullptr);
    Normalizer normalizer;
    PreTokenizer preTokenizer;
    HEADSCOPE_VERIFY_OK(addGgufPreTokenizer(*found, normalizer, preTokenizer));
    QCOMPARE(normalizer.empty(), !found->nfc);
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

/// As the tokenizers library splits by the same patterns and writes the bytes.
void TestGgufPreTokenizer::cutsOfMoreText_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("pieces");
    const auto row = [](const char* name, const char* pieces) {
        QTest::newRow(name) << QByteArray(name) << QByteArray(pieces);
    };
    row("gpt-2", "it|'|S|\u01201234567|!/|\u010d\u010a\u010a\u0120|\u0120Don|'t|\u0120cafe\u00c3\u00a9|\u00cc"
                 "\u0123|Big|\u0120\u0120|\u0109|\u00e6\u0139\u00a5\u00e6\u013e\u00ac\u00e8\u00aa\u0140\u00e3"
                 "\u0124\u00ab\u00e3\u0124\u00bf|\u0120na\u00c3\u00afve|'ll|(|x|)|\u0120\u00c2\u00bd|\u0120<_|a|>|"
                 "\u0120\u0120|\u0120end|\u0120\u0120");
    row("smollm", "it|'|S|\u0120|1|2|3|4|5|6|7|!/|\u010d\u010a\u010a\u0120|\u0120Don|'t|\u0120cafe\u00c3\u00a9|"
                  "\u00cc\u0123|Big|\u0120\u0120|\u0109|\u00e6\u0139\u00a5\u00e6\u013e\u00ac\u00e8\u00aa\u0140"
                  "\u00e3\u0124\u00ab\u00e3\u0124\u00bf|\u0120na\u00c3\u00afve|'ll|(|x|)|\u0120|\u00c2\u00bd|\u0120"
                  "<_|a|>|\u0120\u0120|\u0120end|\u0120\u0120");
    row("llama-bpe", "it|'S|\u0120|123|456|7|!/\u010d\u010a\u010a|\u0120|\u0120Don|'t|\u0120cafe\u00c3\u00a9|\u00cc"
                     "\u0123Big|\u0120\u0120|\u0109\u00e6\u0139\u00a5\u00e6\u013e\u00ac\u00e8\u00aa\u0140\u00e3\u0124"
                     "\u00ab\u00e3\u0124\u00bf|\u0120na\u00c3\u00afve|'ll|(x|)|\u0120|\u00c2\u00bd|\u0120<_|a|>|\u0120"
                     "\u0120|\u0120end|\u0120\u0120");
    row("jais-2", "it|'S|\u0120|123|456|7|!/\u010d\u010a\u010a|\u0120|\u0120Don|'t|\u0120cafe\u00c3\u00a9|\u00cc"
                  "\u0123Big|\u0120\u0120|\u0109\u00e6\u0139\u00a5\u00e6\u013e\u00ac\u00e8\u00aa\u0140\u00e3\u0124"
                  "\u00ab\u00e3\u0124\u00bf|\u0120na\u00c3\u00afve|'ll|(x|)|\u0120|\u00c2\u00bd|\u0120<_|a|>|\u0120"
                  "\u0120|\u0120end|\u0120\u0120");
    row("qwen2", "it|'S|\u0120|1|2|3|4|5|6|7|!/\u010d\u010a\u010a|\u0120|\u0120Don|'t|\u0120cafe\u00c3\u00a9|"
                 "\u00cc\u0123Big|\u0120\u0120|\u0109\u00e6\u0139\u00a5\u00e6\u013e\u00ac\u00e8\u00aa\u0140\u00e3"
                 "\u0124\u00ab\u00e3\u0124\u00bf|\u0120na\u00c3\u00afve|'ll|(x|)|\u0120|\u00c2\u00bd|\u0120<_|a|>|"
                 "\u0120\u0120|\u0120end|\u0120\u0120");
    row("qwen35", "it|'S|\u0120|1|2|3|4|5|6|7|!/\u010d\u010a\u010a|\u0120|\u0120Don|'t|\u0120cafe\u00c3\u00a9\u00cc"
                  "\u0123Big|\u0120\u0120|\u0109\u00e6\u0139\u00a5\u00e6\u013e\u00ac\u00e8\u00aa\u0140\u00e3\u0124"
                  "\u00ab\u00e3\u0124\u00bf|\u0120na\u00c3\u00afve|'ll|(x|)|\u0120|\u00c2\u00bd|\u0120<_|a|>|\u0120"
                  "\u0120|\u0120end|\u0120\u0120");
    row("tekken", "it|'S|\u0120|1|2|3|4|5|6|7|!/\u010d\u010a\u010a|\u0120|\u0120Don|'t|\u0120cafe\u00c3\u00a9\u00cc"
                  "\u0123|Big|\u0120\u0120|\u0109\u00e6\u0139\u00a5\u00e6\u013e\u00ac\u00e8\u00aa\u0140\u00e3\u0124"
                  "\u00ab\u00e3\u0124\u00bf|\u0120na\u00c3\u00afve|'ll|(x|)|\u0120|\u00c2\u00bd|\u0120<_|a|>|\u0120"
                  "\u0120|\u0120end|\u0120\u0120");
    row("gpt-4o", "it'S|\u0120|123|456|7|!/\u010d\u010a\u010a|\u0120|\u0120Don't|\u0120cafe\u00c3\u00a9\u00cc\u0123"
                  "|Big|\u0120\u0120|\u0109\u00e6\u0139\u00a5\u00e6\u013e\u00ac\u00e8\u00aa\u0140\u00e3\u0124\u00ab"
                  "\u00e3\u0124\u00bf|\u0120na\u00c3\u00afve'll|(x|)|\u0120|\u00c2\u00bd|\u0120<_|a|>|\u0120\u0120|"
                  "\u0120end|\u0120\u0120");
    row("tiny_aya", "it'S|\u0120|1|234|567|!/\u010d\u010a\u010a|\u0120|\u0120Don't|\u0120cafe\u00c3\u00a9\u00cc\u0123"
                    "|Big|\u0120\u0120|\u0109\u00e6\u0139\u00a5\u00e6\u013e\u00ac\u00e8\u00aa\u0140\u00e3\u0124\u00ab"
                    "\u00e3\u0124\u00bf|\u0120na\u00c3\u00afve'll|(x|)|\u0120|\u00c2\u00bd|\u0120<_|a|>|\u0120\u0120|"
                    "\u0120end|\u0120\u0120");
    row("deepseek-coder",
        "it|'|S|\u0120|1|2|3|4|5|6|7|!/|\u010d|\u010a|\u010a|\u0120|\u0120Don|'|t|\u0120cafe\u00c3\u00a9|"
        "\u00cc\u0123|Big|\u0120\u0120|\u0109|\u00e6\u0139\u00a5\u00e6\u013e\u00ac\u00e8\u00aa\u0140"
        "\u00e3\u0124\u00ab\u00e3\u0124\u00bf|\u0120na\u00c3\u00afve|'|ll|(|x|)|\u0120|\u00c2\u00bd|"
        "\u0120<|_|a|>\u0120\u0120|\u0120end|\u0120\u0120");
    row("deepseek-v3",
        "it|'S|\u0120|123|456|7|!/\u010d\u010a\u010a|\u0120|\u0120Don|'t|\u0120cafe\u00c3\u00a9\u00cc"
        "\u0123Big|\u0120\u0120\u0109|\u00e6\u0139\u00a5\u00e6\u013e\u00ac\u00e8\u00aa\u0140\u00e3\u0124"
        "\u00ab\u00e3\u0124\u00bf|\u0120na\u00c3\u00afve|'ll|(x|)|\u0120|\u00c2\u00bd|\u0120<_|a|>|\u0120"
        "\u0120|\u0120end|\u0120\u0120");
    row("falcon", "it|'|S|\u0120|123|456|7|!/|\u010d\u010a\u010a\u0120|\u0120Don|'|t|\u0120cafe\u00c3\u00a9|\u00cc"
                  "\u0123|Big|\u0120\u0120|\u0109|\u00e6\u0139\u00a5\u00e6\u013e\u00ac\u00e8\u00aa\u0140\u00e3"
                  "\u0124\u00ab\u00e3\u0124\u00bf|\u0120na\u00c3\u00afve|'|ll|(|x|)|\u0120\u00c2\u00bd|\u0120|<_|a|"
                  ">|\u0120\u0120|\u0120end|\u0120\u0120");
    row("poro-chat", "it'S|\u01201234567|!|/|\u010d\u010a\u010a\u0120|\u0120Don't|\u0120cafe\u00c3\u00a9\u00cc\u0123Bi"
                     "g|\u0120\u0120\u0109|\u00e6\u0139\u00a5\u00e6\u013e\u00ac\u00e8\u00aa\u0140\u00e3\u0124\u00ab"
                     "\u00e3\u0124\u00bf|\u0120na\u00c3\u00afve'll|(|x|)|\u0120\u00c2\u00bd|\u0120<_a>|\u0120\u0120|"
                     "\u0120end|\u0120\u0120");
    row("viking", "it'S|\u0120|1|2|3|4|5|6|7|!|/|\u010d\u010a\u010a\u0120|\u0120Don't|\u0120cafe\u00c3\u00a9\u00cc"
                  "\u0123Big|\u0120\u0120\u0109|\u00e6\u0139\u00a5\u00e6\u013e\u00ac\u00e8\u00aa\u0140\u00e3\u0124"
                  "\u00ab\u00e3\u0124\u00bf|\u0120na\u00c3\u00afve'll|(|x|)|\u0120|\u00c2\u00bd|\u0120<_a>|\u0120"
                  "\u0120|\u0120end|\u0120\u0120");
    row("bailingmoe", "it|'S|\u0120|1|2|3|4|5|6|7|!/\u010d\u010a\u010a|\u0120|\u0120Don|'t|\u0120cafe\u00c3\u00a9|"
                      "\u00cc\u0123Big|\u0120\u0120|\u0109\u00e6\u0139\u00a5\u00e6\u013e\u00ac\u00e8\u00aa\u0140\u00e3"
                      "\u0124\u00ab\u00e3\u0124\u00bf|\u0120na\u00c3\u00afve|'ll|(x|)|\u0120|\u00c2\u00bd|\u0120<_|a|>|"
                      "\u0120\u0120|\u0120end|\u0120\u0120");
    row("seed-coder", "it|'S|\u0120|1|2|3|4|5|6|7|!/|\u010d\u010a\u010a|\u0120|\u0120Don|'t|\u0120cafe\u00c3\u00a9|"
                      "\u00cc\u0123Big|\u0120\u0120|\u0109\u00e6\u0139\u00a5\u00e6\u013e\u00ac\u00e8\u00aa\u0140\u00e3"
                      "\u0124\u00ab\u00e3\u0124\u00bf|\u0120na\u00c3\u00afve|'ll|(x|)|\u0120|\u00c2\u00bd|\u0120<_|a|>|"
                      "\u0120\u0120|\u0120end|\u0120\u0120");
    row("exaone-moe", "it|'S|\u0120|1|2|3|4|5|6|7|!/\u010d|\u010a\u010a|\u0120|\u0120Don|'t|\u0120cafe\u00c3\u00a9"
                      "\u00cc\u0123Big|\u0120\u0120|\u0109\u00e6\u0139\u00a5\u00e6\u013e\u00ac\u00e8\u00aa\u0140\u00e3"
                      "\u0124\u00ab\u00e3\u0124\u00bf\u0120na\u00c3\u00afve|'ll|(x|)|\u0120|\u00c2\u00bd|\u0120<_|a|>|"
                      "\u0120\u0120|\u0120end|\u0120\u0120");
    row("minicpm5", "it|'S|\u0120|123|456|7|!/\u010d\u010a\u010a|\u0120|\u0120Don|'t|\u0120cafe\u00c3\u00a9|\u00cc"
                    "\u0123Big|\u0120\u0120|\u0109\u00e6\u0139\u00a5\u00e6\u013e\u00ac\u00e8\u00aa\u0140\u00e3\u0124"
                    "\u00ab\u00e3\u0124\u00bf|\u0120na\u00c3\u00afve|'ll|(x|)|\u0120|\u00c2\u00bd|\u0120<_|a|>|\u0120"
                    "\u0120|\u0120end|\u0120\u0120");
    row("default", "it|'|S|\u0120|123|456|7|!/|\u010d\u010a\u010a\u0120|\u0120Don|'|t|\u0120cafe\u00c3\u00a9|\u00cc"
                   "\u0123|Big|\u0120\u0120|\u0109|\u00e6\u0139\u00a5\u00e6\u013e\u00ac\u00e8\u00aa\u0140\u00e3"
                   "\u0124\u00ab\u00e3\u0124\u00bf|\u0120na\u00c3\u00afve|'|ll|(|x|)|\u0120|\u00c2\u00bd|\u0120|<_|a"
                   "|>|\u0120\u0120|\u0120end|\u0120\u0120");
}

void TestGgufPreTokenizer::cutsOfMoreText()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, pieces);
    const auto* const found = ggufPreTokenizerFromName(name.toStdString());
    QVERIFY(found != nullptr);
    Normalizer none;
    PreTokenizer preTokenizer;
    HEADSCOPE_VERIFY_OK(addGgufPreTokenizer(*found, none, preTokenizer));
    PieceBuffer buffer;
    buffer.text = "it'S 1234567!/\r\n\n  Don't cafe\u00e9\u0301Big  \t\u65e5\u672c\u8a9e\u30ab\u30bf na\u00efve'll("
                  "x) \u00bd <_a>   end  ";
    HEADSCOPE_VERIFY_OK(preTokenizer.apply(buffer));
    QByteArrayList cut;
    for (const ByteRange piece : buffer.pieces)
        cut << QByteArray::fromStdString(std::string(piece.of(buffer.text)));
    QCOMPARE(cut.join('|'), pieces);
}

void TestGgufPreTokenizer::unknownNames()
{
    QVERIFY(ggufPreTokenizerFromName("kimi-k2") == nullptr);
    QVERIFY(ggufPreTokenizerFromName("") == nullptr);
}

HEADSCOPE_TEST_GUILESS(TestGgufPreTokenizer)
#include "tst_gguf_pre_tokenizer.moc"
