// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/join_dialog.h"

#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeWidget>

using namespace headscope;
using headscope::ui::JoinDialog;

class TestJoinDialog : public QObject
{
    Q_OBJECT

private:
    static std::shared_ptr<const LabelJoin> sampleJoin(const char* idColumn = "id")
    {
        LabelTable table{"/somewhere/labels.csv", {"id", "topic", "year", "title"}, {{}, {}, {}, {}}};
        for (int i = 0; i < 60; ++i)
        {
            table.values[0].push_back(i < 35 ? "doc-" + std::to_string(i) : "other-" + std::to_string(i));
            table.values[1].push_back(i % 2 == 0 ? "even" : "odd");
            table.values[2].push_back(std::to_string(1990 + i % 30));
            table.values[3].push_back("The title of number " + std::to_string(i));
        }
        return std::make_shared<const LabelJoin>(joinLabels(*test::sampleDocuments(), table, idColumn));
    }

private Q_SLOTS:
    void saysWhatWouldHappen()
    {
        JoinDialog dialog(nullptr);
        QVERIFY(!dialog.applyButton()->isEnabled());
        dialog.setJoin(sampleJoin());
        dialog.show();
        QVERIFY(test::exposed(&dialog));
        QVERIFY2(dialog.matchLine().contains(QStringLiteral("35 of 40")), qPrintable(dialog.matchLine()));
        QVERIFY(dialog.unmatchedText().contains(QStringLiteral("Only in the file (25): other-35")));
        QVERIFY(dialog.unmatchedText().contains(QStringLiteral("Only in the cache (5): doc-35")));
        QTreeWidget* tree = dialog.columnTree();
        QCOMPARE(tree->topLevelItemCount(), 3);
        QVERIFY(tree->topLevelItem(0)->text(3).contains(QStringLiteral("replaces")));
        QCOMPARE(tree->topLevelItem(1)->text(1), QStringLiteral("number"));
        // A title for each document is no label, unless the user says so.
        QCOMPARE(dialog.columns(), (std::vector<std::string>{"topic", "year"}));
        if (const QString folder = qEnvironmentVariable("HEADSCOPE_PICTURES"); !folder.isEmpty())
            dialog.grab().save(folder + QStringLiteral("/join.png"));
        tree->setFocus();
        tree->setCurrentItem(tree->topLevelItem(0));
        QTest::keyClick(tree, Qt::Key_Space);
        QCOMPARE(dialog.columns(), (std::vector<std::string>{"year"}));
        QSignalSpy applied(&dialog, &JoinDialog::applyRequested);
        QTest::mouseClick(dialog.applyButton(), Qt::LeftButton);
        QCOMPARE(applied.at(0).at(0).value<std::vector<std::string>>(), (std::vector<std::string>{"year"}));
    }

    void anotherIdColumnIsAskedFor()
    {
        JoinDialog dialog(nullptr);
        dialog.setJoin(sampleJoin());
        QSignalSpy asked(&dialog, &JoinDialog::idColumnChosen);
        dialog.idBox()->setFocus();
        QTest::keyClick(dialog.idBox(), Qt::Key_Down);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.at(0).at(0).toString(), QStringLiteral("topic"));
        dialog.setJoin(sampleJoin("topic"));
        QCOMPARE(asked.count(), 1);
        QVERIFY(!dialog.applyButton()->isEnabled());
        QVERIFY(dialog.findChild<QLabel*>(QStringLiteral("joinProblem"))->text().contains(QStringLiteral("No id")));
    }

    void nothingTickedCannotBeJoined()
    {
        JoinDialog dialog(nullptr);
        dialog.setJoin(sampleJoin());
        for (int i = 0; i < dialog.columnTree()->topLevelItemCount(); ++i)
            dialog.columnTree()->topLevelItem(i)->setCheckState(0, Qt::Unchecked);
        QVERIFY(!dialog.applyButton()->isEnabled());
        dialog.columnTree()->topLevelItem(2)->setCheckState(0, Qt::Checked);
        QVERIFY(dialog.applyButton()->isEnabled());
    }
};

HEADSCOPE_WINDOW_TEST(TestJoinDialog)
#include "tst_join_dialog.moc"
