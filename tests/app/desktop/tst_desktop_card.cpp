// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/model_memory.h"
#include "tests/app/desktop/demo_window.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "ui/canvas/picture_widget.h"
#include "ui/dialogs/card_dialog.h"
#include "ui/window/actions.h"
#include "ui/window/notice_bar.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QPushButton>
#include <QTest>

#include <filesystem>

using namespace headscope;

/// The card of a head in the window.
class TestDesktopCard : public QObject
{
    Q_OBJECT

private:
    static ui::CardDialog* dialogOf(test::DemoWindow& demo)
    {
        return demo.window->findChild<ui::CardDialog*>(QStringLiteral("cardDialog"));
    }
    static bool shows(test::DemoWindow& demo, const QString& title)
    {
        return test::waitFor(
            [&] { return dialogOf(demo) != nullptr && dialogOf(demo)->windowTitle().contains(title); });
    }

private Q_SLOTS:
    void opensForTheHeadInFocus()
    {
        test::DemoWindow demo;
        QVERIFY(demo.open());
        demo.window->selection().setHoveredHead(HeadIndex(3));
        demo.window->selection().setHoveredHead({}); // the pointer has left it for the menu
        demo.window->actions().find(QStringLiteral("actionHeadCard"))->trigger();
        QVERIFY(shows(demo, QStringLiteral("Head 4 of layer 29")));
        ui::CardDialog& dialog = *dialogOf(demo);
        QVERIFY(!dialog.isModal());
        auto* page = dialog.findChild<ui::PictureWidget*>(QStringLiteral("headCardPage"));
        QVERIFY(page != nullptr && page->height() > 400);
        QVERIFY(page->accessibleDescription().contains(QStringLiteral("Topics it favours")));
        // The heads before and after it by keys, over the layers.
        QTest::keyClick(&dialog, Qt::Key_Right);
        QVERIFY(shows(demo, QStringLiteral("Head 5 of layer 29")));
        QTest::keyClick(&dialog, Qt::Key_Left);
        QVERIFY(shows(demo, QStringLiteral("Head 4 of layer 29")));
        QTest::keyClick(&dialog, Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QApplication::clipboard()->text().startsWith(QStringLiteral("Head 4 of layer 29")));
        for (const char* name : {"cardPrevious", "cardNext", "cardModel", "cardCopy", "cardSave", "cardClose"})
            QVERIFY2(dialog.findChild<QPushButton*>(QLatin1StringView(name)) != nullptr, name);
        QTest::keyClick(&dialog, Qt::Key_Escape);
        QVERIFY(test::waitFor([&] { return dialogOf(demo) == nullptr; }));
    }

    /// A card never shows numbers of another model.
    void anotherModelIsRefused()
    {
        if (!std::filesystem::exists(test::program("headscope-engine")))
            QSKIP("headscope-engine is not built");
        qputenv("PATH",
                QByteArray::fromStdString(test::program("headscope-engine").parent_path()) + ':' + qgetenv("PATH"));
        test::DemoWindow demo;
        QVERIFY(demo.open());
        desktop::rememberModel(*demo.settings,
                               QString::fromStdString(demo.workbench->study().cache()->overview->model.name),
                               QString::fromStdString(test::golden("models/llama_mha")));
        demo.window->actions().find(QStringLiteral("actionHeadCard"))->trigger();
        QVERIFY(shows(demo, QStringLiteral("Head 1 of layer 29")));
        dialogOf(demo)->findChild<QPushButton*>(QStringLiteral("cardModel"))->click();
        QVERIFY(test::waitFor([&demo] {
            return demo.window->notices().sentence().contains(QStringLiteral("a model with different files"));
        }));
        QVERIFY(demo.settle());
    }

    void smallWindow()
    {
        test::DemoWindow demo;
        demo.window->resize(1100, 700);
        QVERIFY(demo.open());
        demo.window->actions().find(QStringLiteral("actionHeadCard"))->trigger();
        QVERIFY(shows(demo, QStringLiteral("Head 1 of layer 29")));
        QVERIFY(dialogOf(demo)->width() <= 1100 && dialogOf(demo)->height() <= 700);
    }
};

HEADSCOPE_TEST(TestDesktopCard)
#include "tst_desktop_card.moc"
