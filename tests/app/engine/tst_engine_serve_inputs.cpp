// SPDX-License-Identifier: GPL-3.0-or-later
// What `headscope-engine serve` keeps between requests belongs to the contents of the files that it was made from.
#include "tests/app/engine/served_engine.h"
#include "tests/support/test_program.h"
#include "tests/support/unseen_change.h"

#include <algorithm>
#include <filesystem>
#include <utility>

using namespace headscope;
using test::ServedEngine;
namespace fs = std::filesystem;

namespace
{

QJsonObject embedding(const QString& text, const QString& model)
{
    return {{"model", model}, {"text", text}, {"stages", "1,2,3"}, {"layers", "all"}};
}

} // namespace

class TestEngineServeInputs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anotherModelOfTheSameNameIsOpened_data();
    void anotherModelOfTheSameNameIsOpened();
    void anEditedReferenceIsReadAgain();

private:
    [[nodiscard]] fs::path folder() const { return m_folder.path().toStdString(); }

    QTemporaryDir m_folder;
};

void TestEngineServeInputs::anotherModelOfTheSameNameIsOpened_data()
{
    QTest::addColumn<QString>("what");
    for (const char* what : {"weights", "another folder", "settings", "pooling"})
        QTest::newRow(what) << what;
}

/// Of the same size and time of change, under the same path: what is served is of the files that are there now.
void TestEngineServeInputs::anotherModelOfTheSameNameIsOpened()
{
    QFETCH(QString, what);
    const fs::path base = folder() / what.toStdString();
    fs::create_directories(base);
    const auto copy = test::copyOf("models/mistral_f32", base);
    const QString path = test::text(copy);
    const auto vectors = [&](ServedEngine& engine, int id) {
        const auto result = engine.ask(id, "embed", embedding("a text", path)).value(u"result").toObject();
        return std::pair(test::contents(result.value(u"file").toString().toStdString()), result);
    };
    ServedEngine engine;
    const auto [before, first] = vectors(engine, 1);
    QCOMPARE(vectors(engine, 2).first, before);
    QVERIFY(!before.empty());
    if (what == QStringLiteral("weights"))
        test::changeWeightsUnseen(copy);
    else if (what == QStringLiteral("settings"))
        test::changeWordUnseen(copy / "config.json", "1e-05", "9e-01");
    else if (what == QStringLiteral("pooling"))
        fs::rename(copy / "1_Pooling/config.json", copy / "1_Pooling/other.json");
    else
    {
        const auto other = base / "other";
        fs::copy(copy, other, fs::copy_options::recursive);
        test::changeWeightsUnseen(other);
        for (const auto& file : fs::directory_iterator(copy))
            if (file.is_regular_file())
                fs::last_write_time(other / file.path().filename(), file.last_write_time());
        fs::rename(copy, base / "before");
        fs::rename(other, copy);
    }
    const auto [after, second] = vectors(engine, 3);
    ServedEngine fresh;
    QCOMPARE(after, vectors(fresh, 1).first);
    if (what != QStringLiteral("pooling")) // which is the default, too
    {
        QVERIFY(after != before);
        QVERIFY(second.value(u"sha256") != first.value(u"sha256"));
    }
    QVERIFY(std::any_of(engine.passed().begin(), engine.passed().end(), [](const QJsonObject& each) {
        return each.value(u"id").toInt() == 3 &&
               each.value(u"progress").toObject().value(u"stage").toString().startsWith(QStringLiteral("opening"));
    }));
}

/// Means of heads are of the documents that the file holds now.
void TestEngineServeInputs::anEditedReferenceIsReadAgain()
{
    const fs::path reference = folder() / "reference.jsonl";
    test::writeFile(reference, "{\"text\": \"a cat\"}\n{\"text\": \"the dog and the mat\"}\n");
    auto params = embedding("a text", test::text(test::golden("models/mistral_f32")));
    params.insert(QStringLiteral("ablate"), QStringLiteral("1:1"));
    params.insert(QStringLiteral("ablation"), QStringLiteral("mean"));
    params.insert(QStringLiteral("reference"), test::text(reference));
    ServedEngine engine;
    const auto ask = [&](int id) { return engine.ask(id, "embed", params).value(u"result").toObject(); };
    const auto first = ask(1).value(u"reference").toString();
    QVERIFY(!first.isEmpty());
    QCOMPARE(ask(2).value(u"reference").toString(), first);
    test::changeWordUnseen(reference, "a cat", "a bat");
    QVERIFY(ask(3).value(u"reference").toString() != first);
}

HEADSCOPE_TEST_GUILESS(TestEngineServeInputs)
#include "tst_engine_serve_inputs.moc"
