// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/label_choice.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

using namespace headscope;

/// Which label column is used: the named one or the only one, and never one of several.
class TestLabelChoice : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namedOrTheOnlyOne();
    void numbersAreTakenIfNamed();

private:
    static LabelColumn column(const std::string& name, std::vector<std::string> categories)
    {
        LabelColumn made;
        made.name = name;
        made.categories = std::move(categories);
        made.codes = {0, 1};
        return made;
    }
};

void TestLabelChoice::namedOrTheOnlyOne()
{
    const std::vector<std::string> two = {"topic", "kind"};
    const std::vector<std::string> one = {"topic"};
    QCOMPARE(*chooseLabelName(one, "", "x.h5", "a cache"), "topic");
    QCOMPARE(*chooseLabelName(two, "kind", "x.h5", "a cache"), "kind");
    HEADSCOPE_VERIFY_ERROR(chooseLabelName(two, "", "x.h5", "a cache"), ErrorCode::InvalidArgument,
                           "x.h5: --label: expected --label with one of topic, kind");
    HEADSCOPE_VERIFY_ERROR(chooseLabelName(two, "tone", "x.h5", "a cache"), ErrorCode::InvalidArgument,
                           "expected one of topic, kind, found \"tone\"");
    HEADSCOPE_VERIFY_ERROR(chooseLabelName({}, "", "x.jsonl", "texts"), ErrorCode::InvalidArgument,
                           "expected texts with labels, found none");
}

void TestLabelChoice::numbersAreTakenIfNamed()
{
    CacheInfo info;
    DocumentSet documents;
    documents.ids = {"a", "b"};
    documents.labels = {column("year", {"1999", "2001"}), column("topic", {"cats", "dogs"})};
    const auto chosen = [&](const std::string& name) { return chooseLabelColumn(info, documents, name, "x.h5"); };
    QCOMPARE((*chosen(""))->name, "topic");
    QCOMPARE((*chosen("year"))->name, "year");
    documents.labels.pop_back(); // there is no other
    QCOMPARE((*chosen(""))->name, "year");
    documents.labels = {column("topic", {"cats", "dogs"}), column("kind", {"x", "y"})};
    HEADSCOPE_VERIFY_ERROR(chosen(""), ErrorCode::InvalidArgument, "expected --label with one of topic, kind");
}

HEADSCOPE_TEST_GUILESS(TestLabelChoice)
#include "tst_label_choice.moc"
