// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/model_memory.h"
#include "app/views/map/map_view.h"
#include "app/views/retrieval/head_mixer.h"
#include "app/views/retrieval/retrieval_view.h"
#include "tests/app/desktop/demo_window.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "ui/canvas/picture_widget.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/dialogs/card_dialog.h"
#include "ui/window/actions.h"
#include "ui/window/notice_bar.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
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
        QVERIFY(test::active(&dialog));
        page->setFocus(); // whose scroll area has a use for arrows, too
        QTest::keyClick(page, Qt::Key_Right);
        QVERIFY(shows(demo, QStringLiteral("Head 5 of layer 29")));
        QTest::keyClick(dialog.findChild<QPushButton*>(QStringLiteral("cardNext")), Qt::Key_Left);
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

    /// By right click and by the key, in every view, for the head that is meant there.
    void opensFromEveryView()
    {
        test::DemoWindow demo;
        QVERIFY(demo.open());
        QAction* const card = demo.window->actions().find(QStringLiteral("actionHeadCard"));
        for (const ui::ViewEntry& entry : demo.window->views().entries())
        {
            const QByteArray name = entry.title.toUtf8();
            demo.window->setView(entry.id);
            QVERIFY2(demo.settle(), name.constData());
            demo.window->selection().setPrimary(DocumentIndex(0), HeadIndex(3));
            QWidget* const view = demo.window->findChild<QWidget*>(entry.widget->objectName());
            QVERIFY2(view != nullptr && view->isVisible(), name.constData());
            QWidget* part = view->childAt(view->rect().center());
            part = part != nullptr ? part : view;
            const QPoint place = part->rect().center();
            QContextMenuEvent asked(QContextMenuEvent::Mouse, place, part->mapToGlobal(place));
            QApplication::sendEvent(part, &asked);
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY2(menu != nullptr && menu->actions().contains(card), name.constData());
            menu->close();
            card->trigger();
            QVERIFY2(test::waitFor([&] { return dialogOf(demo) != nullptr && dialogOf(demo)->isVisible(); }),
                     name.constData());
            dialogOf(demo)->close();
            QVERIFY(test::waitFor([&] { return dialogOf(demo) == nullptr; }));
        }
    }

    /// Parts that know their head come before what was pointed at last.
    void takesTheHeadOfThePart()
    {
        test::DemoWindow demo;
        QVERIFY(demo.open());
        QAction* const card = demo.window->actions().find(QStringLiteral("actionHeadCard"));
        demo.window->setView(ui::kRetrievalView);
        auto* const retrieval = demo.window->findChild<ui::RetrievalView*>();
        demo.window->selection().setPrimary(DocumentIndex(0), HeadIndex(3));
        retrieval->mixer()->fader(5)->setFocus();
        QVERIFY(test::waitFor([&] { return retrieval->mixer()->headMeant().has_value(); }));
        card->trigger();
        QVERIFY(shows(demo, QStringLiteral("Head 6 of layer 29")));
        dialogOf(demo)->close();
        QVERIFY(test::waitFor([&] { return dialogOf(demo) == nullptr; }));
        // Return opens it where a part has a head and nothing else to do by that key.
        demo.window->setView(ui::kMapView);
        auto* const map = demo.window->findChild<ui::MapView*>()->scatter();
        map->setFocus();
        QVERIFY(!map->hoveredPoint());
        QTest::keyClick(map, Qt::Key_Return);
        QVERIFY(shows(demo, QStringLiteral("of layer 29")));
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
