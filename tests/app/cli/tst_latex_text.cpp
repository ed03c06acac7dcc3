// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/frame_output.h"
#include "app/results/provenance.h"
#include "model/base/escape_controls.h"
#include "model/base/text/latex_text.h"
#include "model/data/frame/frame_text.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <fstream>
#include <iterator>

using namespace headscope;

class TestLatexText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sentences_data();
    void sentences();
    void everyCharacterIsText();
    void commentsAreOneLine();
    void cells();
    void names();
    void tables();
};

void TestLatexText::sentences_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("latex");
    const auto row = [](const char* name, const char* text, const char* latex) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(latex);
    };
    row("harmless", "topic a, 50 documents (p = 0.3)", "topic a, 50 documents (p = 0.3)");
    row("signs", "a<b | 50 % \u2212 c\n", "a\\textless{}b \\textbar{} 50 \\% $-$ c ");
    row("own letters", "\u03b5\u00b2 \u2264 \u03b7", "$\\varepsilon$\u00b2 $\\le$ $\\eta$");
    row("commands", "\\input{x}^~_#$&", "\\textbackslash{}input\\{x\\}\\^{}\\~{}\\_\\#\\$\\&");
    row("carriage return", "a\r\\input{x}", "a \\textbackslash{}input\\{x\\}");
    row("tab", "a\tb", "a b");
    row("escape", "\x1b[31m", "\\textbackslash{}x1b[31m");
    row("form feed, delete", "\f\x7f", "\\textbackslash{}x0c\\textbackslash{}x7f");
    row("C1", "\u0085\u009b", "\\textbackslash{}u0085\\textbackslash{}u009b");
    row("separators", "\u2028\u2029", "\\textbackslash{}u2028\\textbackslash{}u2029");
    row("order of letters", "\u202E\u2066", "\\textbackslash{}u202e\\textbackslash{}u2066");
    row("no UTF-8", "a\xff", "a\uFFFD");
    row("argument of a row's end", "[5pt]", "{}[5pt]");
    row("star", " *", "{} *");
    row("bracket inside", "a[1]", "a[1]");
    row("words of a program", "of `heads`, or `tsne --map`", "of \\texttt{heads}, or \\texttt{tsne --map}");
    row("a grave accent", "5` long", "5` long");
}

void TestLatexText::sentences()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QByteArray, latex);
    QCOMPARE(latexSentence(text.toStdString()).bytes(), latex.toStdString());
}

void TestLatexText::everyCharacterIsText()
{
    for (int byte = 0; byte < 256; ++byte)
    {
        const std::string text = {'a', static_cast<char>(byte), 'b'};
        for (const std::string& made : {latexSentence(text).bytes(), latexCell(text).bytes(), latexName(text).bytes(),
                                        latexComment(text).bytes()})
        {
            QCOMPARE(escapeControls(made), made);
            const auto lines = std::count(made.begin(), made.end(), '\n');
            QVERIFY(lines == 0 || (lines == 1 && made.starts_with("% a") && made.ends_with("b\n")));
        }
    }
}

void TestLatexText::commentsAreOneLine()
{
    QCOMPARE(latexComment("cache: a b").bytes(), std::string("% cache: a b\n"));
    QCOMPARE(latexComment("a\nb\r\\input{x}\x1b").bytes(), std::string("% a b\\x0d\\input{x}\\x1b\n"));
    QCOMPARE(latexComment("\u2028x").bytes(), std::string("% \\u2028x\n"));
}

void TestLatexText::cells()
{
    QCOMPARE(latexCell("-").bytes(), std::string("--"));
    QCOMPARE(latexCell("-0.5").bytes(), std::string("$-$0.5"));
    QCOMPARE(latexCell("-x").bytes(), std::string("-x"));
    QCOMPARE(latexCell("-5\r\\x").bytes(), std::string("$-$5 \\textbackslash{}x"));
}

void TestLatexText::names()
{
    QVERIFY(isLatexName("my map_1.pdf"));
    QCOMPARE(latexName("my map_1.pdf").bytes(), std::string("my map_1.pdf"));
    QVERIFY(!isLatexName("a}b"));
    QVERIFY(!isLatexName("a\rb"));
    QCOMPARE(latexName("a}\\input{b").bytes(), std::string("a\\}\\textbackslash{}input\\{b"));
    QVERIFY(latexEngineComment(latexSentence("\u00E9 \u2212 \u0105")).empty());
    QVERIFY(!latexEngineComment(latexSentence("\u05D0")).empty());
}

void TestLatexText::tables()
{
    static constexpr ColumnInfo kColumns[] = {{"x", "X", "", "A text", "", Shown::Text},
                                              {"n", "N", "", "A number", "", Shown::Count}};
    static constexpr FrameInfo kAbout = {.key = "t", .columns = kColumns};
    Frame frame(kAbout);
    frame.add("x", Column::Texts{"[3cm]\r\\input{x}"}).named("[x]");
    frame.add("n", Column::Wholes{-1});
    QCOMPARE(frameLatex(frame).bytes(),
             std::string("\\begin{tabular}{lr}\n\\toprule\n{}[x] & n \\\\\n\\midrule\n{}[3cm] "
                         "\\textbackslash{}input\\{x\\} & $-$1 \\\\\n\\bottomrule\n"
                         "\\end{tabular}\n"));
    Provenance provenance;
    provenance.add("cache", std::string("a\r\\input{x}"));
    test::TemporaryFolder folder;
    HEADSCOPE_VERIFY_OK(writeFrameFile(folder.file("t.tex"), frame, provenance));
    std::ifstream stream(folder.file("t.tex"), std::ios::binary);
    const std::string written{std::istreambuf_iterator<char>(stream), {}};
    QVERIFY(written.ends_with("% cache: a\\x0d\\input{x}\n"));
}

HEADSCOPE_TEST(TestLatexText)
#include "tst_latex_text.moc"
