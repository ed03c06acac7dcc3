// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/extract_dialog.h"

#include "tests/ui/window_test.h"
#include "ui/settings/settings.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTimer>

using namespace headscope;
using namespace headscope::ui;

class TestDialogs : public QObject
{
    Q_OBJECT

private:
    template <class T>
    static T* child(QWidget& parent, const char* name)
    {
        return parent.findChild<T*>(QLatin1StringView(name));
    }

private Q_SLOTS:
    void extractChecksItsFields()
    {
        const QTemporaryDir folder;
        test::PreparedDialogs dialogs;
        ExtractDialog dialog(dialogs, nullptr);
        dialog.show();
        auto* start = child<QPushButton>(dialog, "extractStart");
        QVERIFY(!start->isEnabled());
        dialog.setModel(QStringLiteral("/nowhere/m.gguf"));
        dialog.setTexts(folder.path());
        QVERIFY(dialog.problem().contains(QStringLiteral("/nowhere/m.gguf")));
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
        QTest::keyClicks(child<QLineEdit>(dialog, "extractLayerList"), QStringLiteral(",x"));
        QVERIFY(!start->isEnabled());
        child<QComboBox>(dialog, "extractLayers")->setCurrentIndex(1);
        QCOMPARE(dialog.request().layers, QStringLiteral("all"));

        child<QCheckBox>(dialog, "extractStage2")->setChecked(false);
        QCOMPARE(dialog.request().stages, QStringLiteral("1,3"));
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

    void theModelsCardIsAskedForOnce()
    {
        QTemporaryDir folder;
        test::PreparedDialogs dialogs;
        ExtractDialog dialog(dialogs, nullptr);
        dialog.show();
        QSignalSpy asked(&dialog, &ExtractDialog::modelChosen);
        dialog.setModel(folder.path() + QStringLiteral("/nothing"));
        QTest::qWait(400);
        QCOMPARE(asked.count(), 0);
        dialog.setModel(folder.path());
        QTRY_COMPARE(asked.count(), 1);
        QCOMPARE(asked.at(0).at(0).toString(), folder.path());
        dialog.setModelCard(QStringLiteral("llama · 30 layers"), false);
        QCOMPARE(dialog.modelCard(), QStringLiteral("llama · 30 layers"));
        QVERIFY(child<QLabel>(dialog, "extractCard")->isVisible());
        // A card of several lines makes the dialog grow: no stage is squeezed for it.
        auto* stage = child<QCheckBox>(dialog, "extractStage1");
        const int before = stage->height();
        dialog.setModelCard(
            QStringLiteral("mistral · 32 layers · 32 heads · 8 KV groups · head size 128 · ").repeated(4), false);
        QTest::qWait(50);
        QVERIFY2(stage->height() >= before, qPrintable(QString::number(stage->height())));
        dialog.setModel(folder.path() + u'/'); // another text, and so another card
        QTRY_COMPARE(asked.count(), 2);
        QVERIFY(dialog.modelCard().isEmpty());
    }

    void questionsAnswerByTheirButtons_data()
    {
        QTest::addColumn<int>("button");
        QTest::newRow("first") << 0;
        QTest::newRow("second") << 1;
        QTest::newRow("escape") << -1;
    }
    void questionsAnswerByTheirButtons()
    {
        QFETCH(int, button);
        QWidget parent;
        parent.show();
        DesktopDialogs dialogs;
        int answer = -5;
        dialogs.ask(&parent,
                    {QStringLiteral("T"), QStringLiteral("Text?"), {QStringLiteral("No"), QStringLiteral("Yes")}},
                    [&answer](int given) { answer = given; });
        auto* box = parent.findChild<QMessageBox*>();
        QVERIFY(box != nullptr);
        if (button < 0)
            QTest::keyClick(box, Qt::Key_Escape);
        else
            for (QAbstractButton* candidate : box->buttons())
                if (candidate->text() == (button == 0 ? QStringLiteral("No") : QStringLiteral("Yes")))
                    QTest::mouseClick(candidate, Qt::LeftButton);
        QTRY_COMPARE(answer, std::max(0, button));
    }
};

HEADSCOPE_WINDOW_TEST(TestDialogs)
#include "tst_dialogs.moc"
