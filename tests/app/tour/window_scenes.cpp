// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/tour/scenes.h"

#include "ui/dialogs/documents_table.h"
#include "ui/dialogs/extract_dialog.h"
#include "ui/jobs/job_panel.h"
#include "ui/jobs/job_strip.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/head_picker.h"

#include <QFileInfo>
#include <QLineEdit>
#include <QListView>
#include <QTemporaryDir>

namespace headscope::tour
{

namespace
{

void findTexts(Tour& t)
{
    if (!t.sidePanel(QStringLiteral("Find")))
        return;
    t.click(QStringLiteral("findPageText"));
    if (auto* field = t.find<QLineEdit>(QStringLiteral("findText")))
    {
        field->setFocus();
        QTest::keyClicks(field, QStringLiteral("library"));
        QTest::keyClick(field, Qt::Key_Return);
        t.settle();
        t.shoot(QStringLiteral("find-search"), 1000);
        if (auto* list = t.find<QListView>(QStringLiteral("findList")); list->model()->rowCount() > 0)
        {
            QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                              list->visualRect(list->model()->index(0, 0)).center());
            t.sidePanel(QStringLiteral("Document"));
            t.settle();
            t.shoot(QStringLiteral("find-hit-in-document"), 600);
            t.sidePanel(QStringLiteral("Find"));
        }
        field->clear();
        QTest::keyClick(field, Qt::Key_Return);
    }
    if (t.click(QStringLiteral("findPageFilter")) && t.click(QStringLiteral("filterAdd")))
        t.shoot(QStringLiteral("find-filter"));
}

void sets(Tour& t)
{
    if (!t.sidePanel(QStringLiteral("Find")) || !t.click(QStringLiteral("findPageSets")))
        return;
    for (const int first : {0, 40})
    {
        std::vector<std::int64_t> documents;
        for (std::int64_t i = first; i < first + 30; ++i)
            documents.push_back(i);
        t.window().selection().setDocuments(std::move(documents));
        if (auto* name = t.find<QLineEdit>(QStringLiteral("setName")))
        {
            name->setText(first == 0 ? QStringLiteral("The first thirty") : QStringLiteral("From forty on"));
            t.click(QStringLiteral("setKeep"));
        }
    }
    t.shoot(QStringLiteral("find-sets"));
    t.trigger(QStringLiteral("actionChooseNone"));
    t.click(QStringLiteral("setShow"));
    t.shoot(QStringLiteral("sets-on-map"));
    t.click(QStringLiteral("setShowOnly"));
    t.shoot(QStringLiteral("sets-shown-alone"), 700);
    t.click(QStringLiteral("shownEnd"));
    t.click(QStringLiteral("setShow"));
}

void dataPanel(Tour& t)
{
    t.view(QStringLiteral("Map"));
    ui::HeadPicker* picker = t.window().dataPanel().headPicker();
    QTest::mouseClick(picker, Qt::LeftButton, {},
                      picker->picture().placeOf(picker->picture().labelOf(0)).toRect().center());
    t.shoot(QStringLiteral("data-panel-one-kv-group"));
    picker->chooseAll();
    // Labels for most of the documents, and for some that the cache has not.
    const QTemporaryDir folder;
    QFile table(folder.filePath(QStringLiteral("labels.csv")));
    if (!table.open(QIODevice::WriteOnly) || t.window().overview() == nullptr)
        return;
    table.write("id,language,year\nnot-in-the-cache,en,2020\n");
    const auto& ids = t.window().overview()->documents->ids;
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (i % 5 != 0)
            table.write(QByteArray::fromStdString(ids[i]) + (i % 3 == 0 ? ",de,2019\n" : ",en,2021\n"));
    table.close();
    t.dialogs().nextPath = table.fileName();
    t.dialog(QStringLiteral("actionJoinLabels"), QStringLiteral("join-labels"));
}

void jobPanel(Tour& t)
{
    ui::JobStrip& strip = t.window().jobStrip();
    strip.setPanelShown(true);
    if (strip.jobs().rowCount() > 0)
        strip.panel().choose(strip.jobs().job(strip.jobs().index(0, 0)).id);
    t.shoot(QStringLiteral("job-panel"));
    strip.panel().showWholeLog();
    t.shoot(QStringLiteral("job-panel-log"));
    strip.setPanelShown(false);
}

void dialogs(Tour& t)
{
    t.view(QStringLiteral("Map"));
    t.dialog(QStringLiteral("actionSettings"), QStringLiteral("settings"));
    t.dialog(QStringLiteral("actionShortcuts"), QStringLiteral("shortcuts"));
    t.dialog(QStringLiteral("actionKeys"), QStringLiteral("keys"));
    t.dialog(QStringLiteral("actionExtract"), QStringLiteral("extract"));
    if (t.trigger(QStringLiteral("actionExtract")))
    {
        if (auto* form = t.find<ui::ExtractDialog>(QStringLiteral("extractDialog")))
        {
            form->setModel(QString::fromStdString(test::golden("models/mistral_f32").string()));
            form->setTexts(QString::fromStdString(test::source("resources/demo/corpus.jsonl").string()));
            if (!QTest::qWaitFor([form] { return !form->modelCard().isEmpty(); }, 20'000))
                t.notThere(QStringLiteral("the card of a model"));
            if (!QTest::qWaitFor([form] { return form->documents().preview() != nullptr; }, 20'000))
                t.notThere(QStringLiteral("the first rows of the texts"));
            t.shoot(QStringLiteral("extract-model-card"), 400);
            form->setOptionsShown(true);
            t.shoot(QStringLiteral("extract-options"), 400);
        }
        t.closeDialogs();
    }
    t.dialog(QStringLiteral("actionSaveCanvas"), QStringLiteral("save-picture"));
    if (t.trigger(QStringLiteral("actionCommands")))
    {
        if (auto* field = t.find<QLineEdit>(QStringLiteral("commandField")))
            QTest::keyClicks(field, QStringLiteral("ch"));
        t.shoot(QStringLiteral("command-palette"));
        t.closeDialogs();
    }
}

void saved(Tour& t)
{
    // The files that people take away; a map's picture is as large as the canvas.
    t.view(QStringLiteral("Map"));
    for (const char* title : {"Map", "Grid", "Compare", "Heatmap", "Probe", "Heads", "Retrieval", "Layers"})
        t.save(QString::fromLatin1(title));
}

void smallWindow(Tour& t)
{
    t.window().showNormal();
    t.window().resize(1184, 740);
    QTest::qWait(400);
    for (const char* title : {"Map", "Grid", "Heatmap", "Probe", "Heads", "Retrieval", "Layers"})
        if (t.view(QString::fromLatin1(title)))
            t.shoot(QStringLiteral("small-") + QString::fromLatin1(title).toLower(), 600);
    t.window().showMaximized();
    QTest::qWait(400);
}

void welcome(Tour& t)
{
    t.window().setWelcomeShown(true);
    t.shoot(QStringLiteral("welcome"));
    t.window().setWelcomeShown(false);
}

void otherCache(Tour& t)
{
    // An encoder: every head has keys and values of its own.
    if (!t.open(QString::fromStdString(test::source("resources/demo/demo-minilm.h5").string())) || !t.settle())
        return;
    for (const char* title : {"Map", "Heatmap", "Layers"})
        if (t.view(QString::fromLatin1(title)))
            t.shoot(QStringLiteral("encoder-") + QString::fromLatin1(title).toLower(), 800);
}

} // namespace

std::vector<Scene> windowScenes()
{
    return {
        {"find", findTexts},           {"sets", sets},       {"data-panel", dataPanel},
        {"job-panel", jobPanel},       {"dialogs", dialogs}, {"saved", saved},
        {"small-window", smallWindow}, {"welcome", welcome}, {"other-cache", otherCache},
    };
}

} // namespace headscope::tour
