// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/settings_dialog.h"

#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "ui/settings/settings.h"
#include "ui/words/wording.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

using namespace headscope;
using namespace headscope::ui;

class TestSettingsDialog : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<SettingsDialog> m_dialog;

private Q_SLOTS:
    void init()
    {
        m_settings = Settings::temporary();
        m_dialog = std::make_unique<SettingsDialog>(*m_settings);
        m_dialog->show();
        QVERIFY(test::exposed(m_dialog.get()));
    }
    void cleanup() { m_dialog.reset(); }

    void everyRowOfTheTableHasItsControl()
    {
        for (const SettingRow& row : settingRows())
        {
            QWidget* control = m_dialog->control(row.key);
            QCOMPARE(control != nullptr, !row.help.empty());
            if (control == nullptr)
                continue;
            // Whatever stands in the dialog belongs to a section and has a control of its kind.
            const bool inSection = std::ranges::any_of(kSettingSections, [&row](const SettingSection& section) {
                return row.name.starts_with(section.group);
            });
            QVERIFY2(inSection, qPrintable(toQString(row.name)));
            QVERIFY(!control->accessibleName().isEmpty());
            QVERIFY(!control->toolTip().isEmpty());
            switch (row.type)
            {
            case SettingType::Integer:
            {
                const auto* box = qobject_cast<QSpinBox*>(control);
                QVERIFY(box != nullptr);
                QCOMPARE(box->minimum(), row.least);
                QCOMPARE(box->maximum(), row.most);
                QCOMPARE(box->value(), row.defaultNumber);
                break;
            }
            case SettingType::Real:
                QCOMPARE(qobject_cast<QDoubleSpinBox*>(control)->value(), row.defaultReal);
                break;
            case SettingType::Flag:
                QVERIFY(qobject_cast<QCheckBox*>(control) != nullptr);
                break;
            case SettingType::Text:
            {
                const auto* box = qobject_cast<QComboBox*>(control);
                QVERIFY(box != nullptr);
                QVERIFY(box->count() > 1);
                for (int i = 0; i < box->count(); ++i)
                    QVERIFY(!box->itemText(i).isEmpty());
                break;
            }
            default:
                QFAIL("a window's own state has no control");
            }
        }
        test::savePictures(*m_dialog, QStringLiteral("settings"));
    }

    void changesAreInForceAtOnceAndCanBeUndone()
    {
        auto* perplexity = qobject_cast<QSpinBox*>(m_dialog->control(settingNamed("map/perplexity")));
        auto* reset = m_dialog->findChild<QToolButton*>(QStringLiteral("reset_map/perplexity"));
        auto* resetAll = m_dialog->findChild<QPushButton*>(QStringLiteral("settingsResetAll"));
        QVERIFY(!reset->isEnabled());
        QVERIFY(!resetAll->isEnabled());
        perplexity->setFocus();
        perplexity->selectAll();
        QTest::keyClicks(perplexity, QStringLiteral("12"));
        QTest::keyClick(perplexity, Qt::Key_Tab);
        QCOMPARE(m_settings->number(settingNamed("map/perplexity")), 12);
        QVERIFY(reset->isEnabled());
        QTest::mouseClick(reset, Qt::LeftButton);
        QCOMPARE(m_settings->number(settingNamed("map/perplexity")), 30);
        QCOMPARE(perplexity->value(), 30);
        auto* notice = qobject_cast<QCheckBox*>(m_dialog->control(SettingKey::NoticeWhenDone));
        QVERIFY(notice->isChecked());
        notice->setFocus();
        QTest::keyClick(notice, Qt::Key_Space);
        QVERIFY(!m_settings->flag(SettingKey::NoticeWhenDone));
        QVERIFY(resetAll->isEnabled());
        QTest::mouseClick(resetAll, Qt::LeftButton);
        QVERIFY(m_settings->flag(SettingKey::NoticeWhenDone));
        QVERIFY(notice->isChecked());
    }

    void whatChangesElsewhereIsShown()
    {
        m_settings->setText(SettingKey::ColorScheme, QStringLiteral("dark"));
        const auto* box = qobject_cast<QComboBox*>(m_dialog->control(SettingKey::ColorScheme));
        QCOMPARE(box->currentText(), QStringLiteral("Dark"));
    }
};

HEADSCOPE_WINDOW_TEST(TestSettingsDialog)
#include "tst_settings_dialog.moc"
