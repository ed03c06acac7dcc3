// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/extract_dialog.h"

#include "tests/support/waiting.h"
#include "tests/ui/dialogs/extract_values.h"
#include "ui/dialogs/documents_table.h"
#include "ui/dialogs/extract_options.h"
#include "ui/dialogs/role_header.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QToolButton>

using namespace headscope;
using namespace headscope::ui;

using headscope::test::child;
using headscope::test::makeFile;
using headscope::test::ownTable;
using headscope::test::show;
using Filled = headscope::test::FilledExtractDialog;

class TestExtractDialog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void extractChecksItsFields()
    {
        const QTemporaryDir folder;
        test::PreparedDialogs dialogs;
        ExtractDialog dialog(dialogs, test::extractFields(), nullptr);
        dialog.show();
        auto* start = child<QPushButton>(dialog, "extractStart");
        QVERIFY(!start->isEnabled());
        dialog.setModel(QStringLiteral("/nowhere/m.gguf"));
        dialog.setTexts(folder.path());
        QVERIFY(dialog.problem().contains(QStringLiteral("/nowhere/m.gguf")));
        show(dialog, folder.path());
        dialogs.nextPath = folder.filePath(QStringLiteral("m.gguf"));
        QFile model(dialogs.nextPath);
        QVERIFY(model.open(QIODevice::WriteOnly));
        child<QAction>(dialog, "extractModelFile")->trigger();
        QCOMPARE(dialog.request().model, dialogs.nextPath);
        dialogs.nextPath = folder.path();
        child<QAction>(dialog, "extractModelFolder")->trigger();
        QCOMPARE(dialog.request().model, folder.path());
        dialog.setModel(model.fileName());
        QVERIFY2(start->isEnabled(), qPrintable(dialog.problem()));
        QVERIFY(dialog.request().output.endsWith(QStringLiteral("-m.h5")));

        child<QComboBox>(dialog, "extractLayers")->setCurrentIndex(2);
        QVERIFY(!start->isEnabled());
        QTest::keyClicks(child<QLineEdit>(dialog, "extractLayerList"), QStringLiteral("0, 15"));
        QVERIFY(start->isEnabled());
        QCOMPARE(dialog.request().layers, QStringLiteral("0,15"));
        QTest::keyClicks(child<QLineEdit>(dialog, "extractLayerList"), QStringLiteral(",20-31"));
        QVERIFY(start->isEnabled());
        dialog.setModelDefaults({.layers = 30});
        QVERIFY2(dialog.problem().contains(QStringLiteral("0 to 29")), qPrintable(dialog.problem()));
        dialog.setModelDefaults({.layers = 32});
        QVERIFY(start->isEnabled());
        QTest::keyClicks(child<QLineEdit>(dialog, "extractLayerList"), QStringLiteral(",x"));
        QVERIFY(!start->isEnabled());
        child<QComboBox>(dialog, "extractLayers")->setCurrentIndex(1);
        QCOMPARE(dialog.request().layers, QStringLiteral("all"));

        child<QCheckBox>(dialog, "extractStage2")->setChecked(false);
        QCOMPARE(dialog.request().stages, QStringLiteral("1,3"));
        child<QCheckBox>(dialog, "extractStagecontribution")->setChecked(true);
        QCOMPARE(dialog.request().stages, QStringLiteral("1,3,contribution"));
        child<QCheckBox>(dialog, "extractStagecontribution")->setChecked(false);
        dialogs.nextPath = model.fileName();
        QTest::mouseClick(child<QPushButton>(dialog, "extractOutputBrowse"), Qt::LeftButton);
        QVERIFY(dialog.problem().contains(QStringLiteral("exists")));
        auto* replace = child<QCheckBox>(dialog, "extractOverwrite");
        QVERIFY(replace->isVisible());
        replace->setChecked(true);
        QVERIFY(dialog.problem().isEmpty());
        QVERIFY(dialog.request().overwrite);
        child<QLineEdit>(dialog, "extractOutput")->setText(folder.path());
        QVERIFY(dialog.problem().contains(QStringLiteral("folder")));
        child<QLineEdit>(dialog, "extractOutput")->setText(folder.filePath(QStringLiteral("new.h5")));
        QSignalSpy wanted(&dialog, &ExtractDialog::extractRequested);
        QTest::mouseClick(start, Qt::LeftButton);
        QCOMPARE(wanted.count(), 1);
        QVERIFY(!dialog.isVisible());
        QVERIFY(!dialog.request().overwrite); // nothing is there to replace
        dialog.show();
        QCOMPARE(dialog.request().stages, QStringLiteral("1,3"));
    }

    /// The accent's frame offers what Return would do: a button that does nothing yet has none.
    void aButtonThatCannotBePressedHasNoAccent()
    {
        const QTemporaryDir folder;
        test::PreparedDialogs dialogs;
        ExtractDialog dialog(dialogs, test::extractFields(), nullptr);
        dialog.show();
        auto* start = child<QPushButton>(dialog, "extractStart");
        QVERIFY(!start->isEnabled() && start->isDefault());
        const auto frame = [start] { return start->grab().toImage().pixelColor(start->width() / 2, 0); };
        QCOMPARE(frame(), Theme::instance().colors().hairline);
        start->setEnabled(true);
        QCOMPARE(frame(), Theme::instance().colors().accent);
    }

    void theModelsCardIsAskedForOnce()
    {
        QTemporaryDir folder;
        test::PreparedDialogs dialogs;
        ExtractDialog dialog(dialogs, test::extractFields(), nullptr);
        dialog.show();
        QSignalSpy asked(&dialog, &ExtractDialog::modelChosen);
        dialog.setModel(folder.path() + QStringLiteral("/nothing"));
        test::passMs(400);
        QCOMPARE(asked.count(), 0);
        // What is not there is said at its field.
        QCOMPARE(dialog.modelCard(), folder.path() + QStringLiteral("/nothing does not exist."));
        dialog.setTexts(folder.path() + QStringLiteral("/none.csv"));
        WAIT_FOR(child<QLabel>(dialog, "extractColumns")->text().contains(QStringLiteral("none.csv does not exist")));
        dialog.setTexts({});
        WAIT_FOR(!child<QLabel>(dialog, "extractColumns")->text().contains(QStringLiteral("does not exist")));
        dialog.setModel(folder.path());
        WAIT_COMPARE(asked.count(), 1);
        QCOMPARE(asked.at(0).at(0).toString(), folder.path());
        dialog.setModelCard(QStringLiteral("llama · 30 layers"), false);
        QCOMPARE(dialog.modelCard(), QStringLiteral("llama · 30 layers"));
        QVERIFY(child<QLabel>(dialog, "extractCard")->isVisible());
        dialog.setModel(folder.path() + u'/'); // another text, and so another card
        WAIT_COMPARE(asked.count(), 2);
        QVERIFY(dialog.modelCard().isEmpty());
    }

    void itsOwnColumnsAreGuessedAndChosen()
    {
        Filled filled;
        QVERIFY2(filled.dialog.problem().isEmpty(), qPrintable(filled.dialog.problem()));
        QCOMPARE(filled.options(), (QStringList{QStringLiteral("--text-column"), QStringLiteral("Description"),
                                                QStringLiteral("--id-column"), QStringLiteral("Nr")}));
        QTableWidget* table = filled.documents().table();
        QCOMPARE(table->columnCount(), 4);
        QCOMPARE(table->rowCount(), 12);
        QCOMPARE(table->verticalHeaderItem(0)->text(), QStringLiteral("2")); // its line in the file
        QVERIFY(child<QLabel>(filled.dialog, "extractColumns")->text().contains(QStringLiteral("text: Description")));

        // A click on a heading opens the choice.
        QHeaderView* header = table->horizontalHeader();
        const QPoint heading(header->sectionViewportPosition(3) + 10, RoleHeader::kHeight / 2);
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, heading);
        auto* menu = child<QMenu>(filled.dialog, "extractRoleMenu");
        QVERIFY(menu != nullptr && menu->isVisible());
        for (QAction* action : menu->actions())
            if (action->data().toInt() == static_cast<int>(ColumnRole::Label))
                action->trigger();
        menu->close();
        WAIT_FOR(child<QMenu>(filled.dialog, "extractRoleMenu") == nullptr);
        QCOMPARE(filled.options().last(), QStringLiteral("Group,Old\\, Code")); // a comma inside of a name
        QVERIFY(
            table->horizontalHeaderItem(3)->data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("label")));

        // The same by keys alone.
        table->setFocus();
        table->setCurrentCell(0, 3);
        QTest::keyClick(table, Qt::Key_N);
        table->setCurrentCell(0, 2);
        QTest::keyClick(table, Qt::Key_N);
        QCOMPARE(filled.options().mid(4), (QStringList{QStringLiteral("--label-columns"), QString()}));
        table->setCurrentCell(0, 0);
        QTest::keyClick(table, Qt::Key_N);
        QVERIFY(!filled.options().contains(QStringLiteral("--id-column"))); // there is no column "id": row numbers
        table->setCurrentCell(0, 3);
        QTest::keyClick(table, Qt::Key_T);
        QCOMPARE(filled.options().at(1), QStringLiteral("Old, Code"));
        QTest::keyClick(table, Qt::Key_Space);
        menu = child<QMenu>(filled.dialog, "extractRoleMenu");
        WAIT_FOR(menu != nullptr && menu->isVisible());
        menu->close();
        QVERIFY(filled.dialog.isVisible()); // Space and Return are not the dialog's here
    }

    void aColumnOfNumbersIsNamed()
    {
        Filled filled;
        show(filled.dialog, makeFile(filled.folder, "numbers.csv"), [](DocumentPreview& preview) {
            preview.columns[2].notNumber =
                Error{ErrorCode::BadFormat, "expected a number in the column \"Group\"", preview.file, "line 2"};
        });
        QTableWidget* table = filled.documents().table();
        table->setFocus();
        table->setCurrentCell(0, 3);
        QTest::keyClick(table, '#');
        QCOMPARE(filled.documents().roles().at(3), ColumnRole::Number);
        QCOMPARE(filled.options().mid(4),
                 (QStringList{QStringLiteral("--number-columns"), QStringLiteral("Old\\, Code")}));
        QVERIFY(child<QLabel>(filled.dialog, "extractColumns")->text().contains(QStringLiteral("number: Old, Code")));
        QVERIFY(filled.dialog.problem().isEmpty());
        filled.documents().setRole(2, ColumnRole::Number);
        QVERIFY2(filled.dialog.problem().contains(QStringLiteral("line 2")), qPrintable(filled.dialog.problem()));
        table->horizontalHeader()->sectionClicked(2);
        auto* menu = child<QMenu>(filled.dialog, "extractRoleMenu");
        QVERIFY(menu != nullptr);
        const auto actions = menu->actions();
        QCOMPARE(actions.size(), 5);
        QVERIFY(actions.at(3)->isChecked() && actions.at(3)->text().startsWith(QStringLiteral("Number")));
        QVERIFY(actions.at(3)->toolTip().contains(QStringLiteral("line 2")));
        menu->close();
    }

    /// Before, a cache that came while the dialog was shut was met by the engine alone, in words of the shell.
    void aCacheThatHasComeMeanwhileIsAskedAbout()
    {
        Filled filled;
        QSignalSpy requested(&filled.dialog, &ExtractDialog::extractRequested);
        auto* start = child<QPushButton>(filled.dialog, "extractStart");
        auto* replace = child<QCheckBox>(filled.dialog, "extractOverwrite");
        QVERIFY(start->isEnabled() && !replace->isVisible());
        QFile cache(filled.dialog.request().output);
        QVERIFY(cache.open(QIODevice::WriteOnly));
        cache.close();
        QTest::mouseClick(start, Qt::LeftButton); // not told of it yet
        QCOMPARE(requested.count(), 0);
        QVERIFY(filled.dialog.isVisible() && replace->isVisible() && !start->isEnabled());
        QVERIFY(filled.dialog.problem().endsWith(QStringLiteral("already exists.")));
        replace->setChecked(true);
        QVERIFY(start->isEnabled());
        QTest::mouseClick(start, Qt::LeftButton);
        QCOMPARE(requested.count(), 1);
        QVERIFY(requested.at(0).at(0).value<ExtractRequest>().overwrite);
        replace->setChecked(false);
        filled.dialog.show(); // again: what is there is seen at once
        QVERIFY(replace->isVisible() && !start->isEnabled());
        QVERIFY(cache.remove());
    }

    void faultsStandWithTheirRows()
    {
        Filled filled;
        auto* start = child<QPushButton>(filled.dialog, "extractStart");
        QVERIFY(start->isEnabled());
        filled.documents().setRole(2, ColumnRole::Id);
        QVERIFY2(filled.dialog.problem().contains(QStringLiteral("line 3: expected unique ids")),
                 qPrintable(filled.dialog.problem()));
        QVERIFY(!start->isEnabled());
        QVERIFY(filled.documents().table()->verticalHeaderItem(1)->toolTip().contains(QStringLiteral("line 3")));
        QCOMPARE(child<QLabel>(filled.dialog, "extractColumns")->property("role").toString(),
                 QStringLiteral("warning"));
        filled.documents().setRole(0, ColumnRole::Id);
        QVERIFY(start->isEnabled());
        filled.documents().setRole(1, ColumnRole::Unused);
        QVERIFY(filled.dialog.problem().contains(QStringLiteral("Select the text column")));

        // A row that cannot be read, beyond those that are shown.
        const QString other = makeFile(filled.folder, "ragged.csv");
        show(filled.dialog, other, [](DocumentPreview& preview) {
            preview.fault =
                Error{ErrorCode::BadFormat, "expected 4 fields as in the header, found 3", preview.file, "line 99"};
        });
        QTableWidget* table = filled.documents().table();
        QCOMPARE(table->rowCount(), 13);
        QCOMPARE(table->verticalHeaderItem(12)->text(), QStringLiteral("99"));
        QVERIFY(table->item(12, 0)->text().contains(QStringLiteral("found 3")));
        QVERIFY(!start->isEnabled());
        // A file that cannot be read at all.
        filled.dialog.setPreviewFault({ErrorCode::Unsupported, "built without Parquet", other.toStdString(), {}});
        QCOMPARE(table->rowCount(), 0);
        QVERIFY(child<QLabel>(filled.dialog, "extractColumns")->text().contains(QStringLiteral("Parquet")));
    }

    void nothingIsExtractedFromRowsThatWereNotSeen()
    {
        Filled filled;
        auto* start = child<QPushButton>(filled.dialog, "extractStart");
        const QString other = makeFile(filled.folder, "other.csv");
        QSignalSpy wanted(&filled.dialog, &ExtractDialog::previewWanted);
        filled.dialog.setTexts(other);
        QVERIFY(!start->isEnabled());
        WAIT_COMPARE(wanted.count(), 1);
        QVERIFY(!start->isEnabled());
        // Rows of the file before come too late.
        filled.dialog.setPreview(std::make_shared<const DocumentPreview>(ownTable(filled.texts)));
        QVERIFY(!start->isEnabled());
        filled.dialog.setPreview(std::make_shared<const DocumentPreview>(ownTable(other)));
        QVERIFY(start->isEnabled());
        // Fewer documents are other rows; what was said of the columns stays.
        filled.documents().setRole(2, ColumnRole::Unused);
        child<QLineEdit>(filled.dialog, "extractOption-limit")->setText(QStringLiteral("5"));
        QVERIFY(!start->isEnabled());
        WAIT_COMPARE(wanted.count(), 2);
        QCOMPARE(wanted.at(1).at(2).value<std::int64_t>(), std::int64_t{5});
        filled.dialog.setPreview(std::make_shared<const DocumentPreview>(ownTable(other)));
        QVERIFY(start->isEnabled());
        QCOMPARE(filled.documents().roles().at(2), ColumnRole::Unused);
        // Another option does not touch the rows.
        child<QLineEdit>(filled.dialog, "extractOption-prompt")->setText(QStringLiteral("query: "));
        QVERIFY(start->isEnabled());
    }

    /// A click meant for one field must never land in another.
    void nothingMovesWhileAModelIsRecognised()
    {
        Filled filled;
        QWidget& dialog = filled.dialog;
        const auto places = [&] {
            QList<QRect> all;
            for (const char* name : {"extractTexts", "extractTable", "extractLayers", "extractStage1", "extractStage3",
                                     "extractOutput", "extractMore", "extractStart", "extractCopy"})
            {
                auto* widget = child<QWidget>(dialog, name);
                all << QRect(widget->mapTo(&dialog, QPoint(0, 0)), widget->size());
            }
            return all;
        };
        const QList<QRect> before = places();
        const QSize size = dialog.size();
        filled.dialog.setModelCard(QStringLiteral("llama · 30 layers"), false);
        test::passMs(20);
        QCOMPARE(places(), before);
        filled.dialog.setModelCard(
            QStringLiteral("mistral · 32 layers · 32 heads · 8 KV groups · head size 128 · ").repeated(12), true);
        test::passMs(20);
        QCOMPARE(places(), before);
        auto* card = child<QLabel>(dialog, "extractCard");
        QCOMPARE(card->property("role").toString(), QStringLiteral("warning"));
        QVERIFY(card->height() >= card->heightForWidth(card->width())); // all of it is there, and scrolls
        child<QComboBox>(dialog, "extractLayers")->setCurrentIndex(2);
        const QString there = makeFile(filled.folder, "there.h5");
        child<QLineEdit>(dialog, "extractOutput")->setText(there); // offers to replace it
        test::passMs(20);
        QCOMPARE(places(), before);
        filled.dialog.setTexts(QStringLiteral("/nowhere.csv"));
        WAIT_COMPARE(filled.documents().table()->rowCount(), 0);
        QCOMPARE(places(), before);
        QCOMPARE(dialog.size(), size);
    }

    /// A dialog of 1100 x 700 shows the list in lines that are whole, behind a button that keeps its place.
    void whatTheFilesAskForCanBeRead()
    {
        Filled filled;
        ExtractDialog& dialog = filled.dialog;
        dialog.resize(1100, 700);
        auto* button = child<QToolButton>(dialog, "extractAsks");
        auto* list = child<QTableWidget>(dialog, "modelAsks");
        QVERIFY(!button->isVisible() && !list->isVisible());
        dialog.setModelAsks({{"pooling", "mean of all tokens (the model sets none)"},
                             {"notice", toStdString(QStringLiteral("what is asked for ").repeated(20)) +
                                            "has no end; --eos always appends one"}});
        QVERIFY(button->isVisible() && !list->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        WAIT_FOR(list->isVisible());
        QCOMPARE(list->rowCount(), 2);
        QCOMPARE(list->item(0, 0)->text(), QStringLiteral("pooling"));
        QVERIFY2(!list->item(1, 1)->text().contains(QStringLiteral("--")), qPrintable(list->item(1, 1)->text()));
        QVERIFY(!list->accessibleName().isEmpty());
        for (int row = 0; row < 2; ++row) // each line wraps and is as high as its text
            QVERIFY(list->rowHeight(row) >= list->fontMetrics()
                                                .boundingRect(QRect(0, 0, list->columnWidth(1), 10'000),
                                                              Qt::TextWordWrap, list->item(row, 1)->text())
                                                .height());
        QVERIFY(list->rowHeight(0) < list->height() && list->rowHeight(1) < list->height());
        QVERIFY(list->columnWidth(0) + list->columnWidth(1) <= list->viewport()->width() + 1);
        QVERIFY(list->rowHeight(1) > list->rowHeight(0));
        if (const QString folder = qEnvironmentVariable("HEADSCOPE_PICTURES"); !folder.isEmpty())
            QVERIFY(dialog.grab().save(folder % QStringLiteral("/extract_asks.png")));
        dialog.setModelAsks({});
        QVERIFY(!button->isVisible() && !list->isVisible());
    }

    void modelsAreOfferedByName()
    {
        Filled filled;
        const QString path = makeFile(filled.folder, "other.gguf");
        const PathField::OfferGroup used{QStringLiteral("Last used"), {{QStringLiteral("other & more"), path}}};
        filled.dialog.setModelOffers({used, {QStringLiteral("Downloaded"), {}}});
        filled.dialog.setModelOffers({used, {QStringLiteral("Downloaded"), {}}}); // once, however often
        QList<QAction*> offers;
        QStringList titles;
        for (QAction* action : child<QPushButton>(filled.dialog, "extractModelBrowse")->menu()->actions())
        {
            titles << action->text();
            if (action->data().isValid())
                offers << action;
        }
        QCOMPARE(offers.size(), 1);
        QVERIFY(titles.contains(QStringLiteral("Last used")) && !titles.contains(QStringLiteral("Downloaded")));
        offers.front()->trigger();
        QCOMPARE(filled.dialog.request().model, path);
    }

    void theCommandLineIsAskedFor()
    {
        Filled filled;
        QSignalSpy copied(&filled.dialog, &ExtractDialog::copyRequested);
        QTest::mouseClick(child<QPushButton>(filled.dialog, "extractCopy"), Qt::LeftButton);
        QCOMPARE(copied.count(), 1);
        QVERIFY(filled.dialog.isVisible());
        filled.dialog.setModel(QStringLiteral("/nowhere"));
        QVERIFY(!child<QPushButton>(filled.dialog, "extractCopy")->isEnabled());
    }

    void aSmallScreenScrollsInside()
    {
        Filled filled;
        filled.dialog.setOptionsShown(true);
        filled.dialog.setModelCard(QStringLiteral("llama · 30 layers · 9 heads · 3 KV groups · head size 64 · model "
                                                  "size 576 · q4_1 · 134,515,008 parameters · last pooling\nNeeds "
                                                  "about 1.2 GB of memory, 540 MB of it weights."),
                                   false);
        filled.dialog.setModelDefaults(
            {.layers = 30, .maxTokens = 512, .pooling = QStringLiteral("mean"), .eos = QStringLiteral("none")});
        for (const QSize size : {QSize(560, 420), QSize(800, 640), QSize(1052, 652)})
        {
            filled.dialog.resize(size);
            test::passMs(20);
            auto* area = child<QScrollArea>(filled.dialog, "extractScroll");
            QVERIFY2(area->widget()->width() <= area->viewport()->width(), "something is cut at the right");
            for (const char* name : {"extractStart", "extractCopy"})
            {
                auto* button = child<QPushButton>(filled.dialog, name);
                QVERIFY(filled.dialog.rect().contains(QRect(button->mapTo(&filled.dialog, QPoint()), button->size())));
                QVERIFY(button->width() >= button->sizeHint().width());
            }
            // Each field is as high as it wants to be: nothing is squeezed.
            for (QWidget* field : filled.dialog.options().findChildren<QLineEdit*>())
                QVERIFY2(field->height() >= field->minimumSizeHint().height(), qPrintable(field->objectName()));
            for (QLabel* label : filled.dialog.options().findChildren<QLabel*>())
                QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
            // The keyboard brings the last field into view.
            auto* last = child<QLineEdit>(filled.dialog, "extractOption-shard-mb");
            last->setFocus(Qt::TabFocusReason);
            area->ensureWidgetVisible(last);
            QVERIFY(!last->visibleRegion().isEmpty());
            test::savePictures(filled.dialog, QStringLiteral("extract-options-%1").arg(size.width()));
            area->verticalScrollBar()->setValue(0);
            test::savePictures(filled.dialog, QStringLiteral("extract-%1").arg(size.width()));
        }
        filled.documents().table()->setFocus();
        filled.documents().setRole(2, ColumnRole::Id);
        test::savePictures(filled.dialog, QStringLiteral("extract-fault"));
    }
};

HEADSCOPE_WINDOW_TEST(TestExtractDialog)
#include "tst_extract_dialog.moc"
