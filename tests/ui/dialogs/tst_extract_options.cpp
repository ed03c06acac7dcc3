// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/extract_options.h"

#include "tests/support/waiting.h"
#include "tests/ui/dialogs/extract_values.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QToolButton>

using namespace headscope;
using namespace headscope::ui;

using headscope::test::child;
using headscope::test::makeFile;
using headscope::test::show;
using Filled = headscope::test::FilledExtractDialog;

/// The options below the fold of the extract dialog.
class TestExtractOptions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyOptionHasItsRow()
    {
        Filled filled;
        filled.dialog.setOptionsShown(true);
        const auto line = [&](const char* name) { return child<QLineEdit>(filled.dialog, name); };
        child<QComboBox>(filled.dialog, "extractOption-separator")->setCurrentIndex(2);
        line("extractOption-limit")->setText(QStringLiteral("200"));
        line("extractOption-sample")->setText(QStringLiteral("50"));
        line("extractOption-seed")->setText(QStringLiteral("0"));
        child<QComboBox>(filled.dialog, "extractOption-duplicate-ids")->setCurrentIndex(1);
        child<QComboBox>(filled.dialog, "extractOption-label-lists")->setCurrentIndex(1);
        const QString topics = makeFile(filled.folder, "topics.txt");
        line("extractOption-topics")->setText(topics);
        line("extractOption-topic-template")->setText(QStringLiteral("Text about {}."));
        line("extractOption-label")->setText(QStringLiteral("Group"));
        const QString map = makeFile(filled.folder, "map.json");
        line("extractOption-label-map")->setText(map);
        line("extractOption-max-tokens")->setText(QStringLiteral("128"));
        child<QComboBox>(filled.dialog, "extractOption-pooling")->setCurrentIndex(2);
        child<QComboBox>(filled.dialog, "extractOption-last-layer")->setCurrentIndex(1);
        line("extractOption-prompt")->setText(QStringLiteral("query: "));
        child<QComboBox>(filled.dialog, "extractOption-eos")->setCurrentIndex(1);
        child<QComboBox>(filled.dialog, "extractOption-special-tokens")->setCurrentIndex(1);
        line("extractOption-ablate")->setText(QStringLiteral("29:1-3;12:g2"));
        child<QComboBox>(filled.dialog, "extractOption-ablation")->setCurrentIndex(1);
        line("extractOption-reference")->setText(topics);
        line("extractOption-regroup")->setText(QStringLiteral("1"));
        line("extractOption-device")->setText(QStringLiteral("cpu"));
        child<QComboBox>(filled.dialog, "extractOption-dtype")->setCurrentIndex(1);
        line("extractOption-memory")->setText(QStringLiteral("3G"));
        line("extractOption-threads")->setText(QStringLiteral("1"));
        child<QComboBox>(filled.dialog, "extractOption-store")->setCurrentIndex(2);
        line("extractOption-shard-mb")->setText(QStringLiteral("8"));
        const QStringList expected =
            QStringLiteral("--separator|semicolon|--limit|200|--sample|50|--seed|0|--duplicate-ids|suffix|"
                           "--label-lists|joined|--topics|%1|--topic-template|Text about {}.|"
                           "--label|Group|"
                           "--label-map|%2|--max-tokens|128|--pooling|mean|--last-layer|raw|"
                           "--prompt|query: |"
                           "--eos|always|--special-tokens|text|"
                           "--ablate|29:1-3;12:g2|--ablation|mean|--reference|%1|"
                           "--regroup|1|--device|cpu|--dtype|f32|"
                           "--memory|3G|--threads|1|--store|bf16|--shard-mb|8")
                .arg(topics, map)
                .split(u'|');
        QCOMPARE(filled.dialog.options().arguments(), expected);
        QCOMPARE(filled.dialog.options().count(), 26);
        QVERIFY(child<QToolButton>(filled.dialog, "extractMore")->text().contains(QStringLiteral("26")));
        QVERIFY2(filled.dialog.options().problem().isEmpty(), qPrintable(filled.dialog.options().problem()));
    }

    void optionsAreRefusedAsTheShellDoes_data()
    {
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* option, const char* value, const char* part) {
            QTest::addRow("%s %s", option, value)
                << QString::fromUtf8(option) << QString::fromUtf8(value) << QString::fromUtf8(part);
        };
        row("limit", "0", "an integer from 1 to 1000000000");
        row("sample", "1.5", "an integer from 1 to 1000000000");
        row("max-tokens", "many", "found \"many\"");
        row("max-tokens", "auto", "");
        row("memory", "3GB", "2500M or 3G");
        row("memory", "0", "2500M or 3G");
        row("device", "gpu", "cuda:N");
        row("threads", "5000", "from 1 to 4096");
        row("shard-mb", "-1", "from 1 to 1048576");
        row("topics", "/nowhere/t.txt", "/nowhere/t.txt");
        row("label", "Group", "file of topic names first");
        row("topic-template", "Text about", "a text with one {}");
        row("ablate", "29:1-3;12:g2", "");
        row("ablate", "29:0", "Ablated heads: expected");
        row("regroup", "0", "an integer from 1 to 1000000000");
    }
    void optionsAreRefusedAsTheShellDoes()
    {
        QFETCH(QString, option);
        QFETCH(QString, value);
        QFETCH(QString, part);
        test::PreparedDialogs dialogs;
        ExtractOptions options(dialogs, test::extractFields(), nullptr);
        auto* field = options.findChild<QLineEdit*>(QStringLiteral("extractOption-") + option);
        QVERIFY(field != nullptr);
        field->setText(value);
        QCOMPARE(options.problem().isEmpty(), part.isEmpty());
        QVERIFY2(options.problem().contains(part), qPrintable(options.problem()));
    }

    void meansAreOfHeadsThatAreOff()
    {
        test::PreparedDialogs dialogs;
        ExtractOptions options(dialogs, test::extractFields(), nullptr);
        const QTemporaryDir folder;
        auto* how = child<QComboBox>(options, "extractOption-ablation");
        how->setCurrentIndex(1);
        QVERIFY(options.problem().contains(QStringLiteral("heads to ablate first")));
        child<QLineEdit>(options, "extractOption-ablate")->setText(QStringLiteral("0:1"));
        child<QLineEdit>(options, "extractOption-reference")->setText(makeFile(folder, "reference.jsonl"));
        QVERIFY2(options.problem().isEmpty(), qPrintable(options.problem()));
        how->setCurrentIndex(0);
        QVERIFY(options.problem().contains(QStringLiteral("only for mean ablation")));
    }

    void memoryLimitsAreOfTheCpu()
    {
        test::PreparedDialogs dialogs;
        ExtractOptions options(dialogs, test::extractFields(), nullptr);
        child<QLineEdit>(options, "extractOption-memory")->setText(QStringLiteral("3G"));
        QVERIFY(options.problem().isEmpty());
        child<QLineEdit>(options, "extractOption-device")->setText(QStringLiteral("cuda:1"));
        QVERIFY(options.problem().contains(QStringLiteral("works on the CPU only")));
    }

    void defaultsAreNamed()
    {
        Filled filled;
        filled.dialog.setModelDefaults(
            {.layers = 4, .maxTokens = 512, .pooling = QStringLiteral("mean"), .eos = QStringLiteral("none")});
        QCOMPARE(child<QLineEdit>(filled.dialog, "extractOption-max-tokens")->placeholderText(),
                 QStringLiteral("auto: 512 for this model"));
        QCOMPARE(child<QComboBox>(filled.dialog, "extractOption-pooling")->itemText(0),
                 QStringLiteral("auto: mean for this model"));
        QVERIFY(filled.options().size() == 4); // naming is not choosing
        filled.dialog.setModelDefaults({});
        QCOMPARE(child<QLineEdit>(filled.dialog, "extractOption-max-tokens")->placeholderText(),
                 QStringLiteral("auto"));
    }

    void anotherSeparatorReadsTheRowsAnew()
    {
        Filled filled;
        filled.documents().setRole(2, ColumnRole::Unused);
        QSignalSpy wanted(&filled.dialog, &ExtractDialog::previewWanted);
        child<QComboBox>(filled.dialog, "extractOption-separator")->setCurrentIndex(3);
        WAIT_COMPARE(wanted.count(), 1);
        QCOMPARE(wanted.at(0).at(3).toString(), QStringLiteral("tab"));
        QVERIFY(!filled.dialog.problem().isEmpty()); // until they are there
        filled.dialog.setPreview(std::make_shared<const DocumentPreview>(test::ownTable(filled.texts)));
        QVERIFY(filled.dialog.problem().isEmpty());
        QCOMPARE(filled.documents().roles().at(2), ColumnRole::Unused); // the same columns keep what was said of them
    }

    void linesAreOfPlainTextsAlone()
    {
        Filled filled;
        auto* lines = child<QCheckBox>(filled.dialog, "extractOption-lines");
        QVERIFY(!lines->isEnabled());
        const QString plain = makeFile(filled.folder, "plain.txt");
        show(filled.dialog, plain, [](DocumentPreview& preview) {
            preview.plainText = true;
            preview.columns.resize(1);
            preview.columns[0].name = "text";
            for (PreviewRow& row : preview.rows)
                row.cells.resize(1);
        });
        QVERIFY(lines->isEnabled());
        QSignalSpy wanted(&filled.dialog, &ExtractDialog::previewWanted);
        lines->setChecked(true);
        WAIT_COMPARE(wanted.count(), 1);
        QVERIFY(wanted.at(0).at(1).toBool());
        QCOMPARE(filled.options(), QStringList{QStringLiteral("--lines")});
    }
};

HEADSCOPE_WINDOW_TEST(TestExtractOptions)
#include "tst_extract_options.moc"
