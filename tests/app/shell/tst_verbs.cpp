// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/error_json.h"
#include "app/shell/quoted_command.h"
#include "app/shell/verbs.h"

#include "tests/support/test_program.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <set>

using namespace headscope;
using namespace headscope::shell;

class TestVerbs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void names();
    void quoting();
    void errors();
};

void TestVerbs::names()
{
    std::set<std::string_view> seen;
    for (const VerbName& verb : allVerbs())
    {
        QVERIFY(seen.insert(verb.name).second);
        QVERIFY(!verb.summary.empty());
        QCOMPARE(findVerb(verb.name), &verb);
    }
    QCOMPARE(findVerb("cache.h5"), static_cast<const VerbName*>(nullptr));
    QVERIFY(findVerb("layers")->home == VerbHome::Headscope);
    QVERIFY(findVerb("extract")->home == VerbHome::Engine);
}

void TestVerbs::quoting()
{
    const std::vector<std::string> words = {"extract", "my model", "it's", "", "-o", "c.h5", "a\"b"};
    QCOMPARE(quotedCommand("headscope", words),
             std::string("headscope extract 'my model' 'it'\\''s' '' -o c.h5 'a\"b'"));
    QCOMPARE(quotedWord("label=a,b:c@%+./_-"), std::string("label=a,b:c@%+./_-"));
    QCOMPARE(quotedWord("\xc3\xbc"), std::string("'\xc3\xbc'"));

    const auto read = unquotedWords(quotedCommand("headscope", words));
    QVERIFY(read.has_value());
    QCOMPARE(read->front(), std::string("headscope"));
    QVERIFY(std::equal(read->begin() + 1, read->end(), words.begin(), words.end()));
    QVERIFY(!unquotedWords("headscope 'open").has_value());
}

void TestVerbs::errors()
{
    const auto text = errorJson({ErrorCode::BadFormat, "expected \"x\"\n", "a\xff.h5", "/maps"});
    QVERIFY(text.find('\n') == std::string::npos);
    const auto error =
        QJsonDocument::fromJson(QByteArray::fromStdString(text)).object().value(QStringLiteral("error")).toObject();
    QCOMPARE(error.value(QStringLiteral("code")).toString(), QStringLiteral("bad_format"));
    QCOMPARE(error.value(QStringLiteral("message")).toString(), QStringLiteral("expected \"x\"\n"));
    QCOMPARE(error.value(QStringLiteral("place")).toString(), QStringLiteral("/maps"));
    QVERIFY(error.value(QStringLiteral("file")).toString().startsWith(u'a'));
}

HEADSCOPE_TEST_GUILESS(TestVerbs)
#include "tst_verbs.moc"
