// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of the window's actions while a field has the focus.
#include "tests/app/desktop/desktop_fixture.h"
#include "ui/theme/window_keys.h"
#include "ui/window/shortcuts.h"

#include <QDialog>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>

#include <memory>
#include <utility>
#include <vector>

using namespace headscope;

namespace
{

/// A field that claims every key with Ctrl or Alt, as fields of X11 claim the Emacs-like ones. The platform that tests
/// run on knows those not.
template <class Field>
class GreedyField : public Field
{
public:
    using Field::Field;

protected:
    bool event(QEvent* event) override
    {
        if (event->type() != QEvent::ShortcutOverride)
            return Field::event(event);
        event->accept();
        return true;
    }
};

} // namespace

class TestDesktopKeys : public QObject, private test::DesktopFixture
{
    Q_OBJECT

private:
    std::vector<std::pair<const char*, QWidget*>> m_fields;

    template <class Field>
    Field* addField(const char* name)
    {
        auto* field = new Field(m_window.get());
        field->show();
        m_fields.emplace_back(name, field);
        return field;
    }
    /// Whether a field claims a key before the window's actions are asked.
    static bool claims(QWidget& field, QKeyCombination keys)
    {
        QKeyEvent press(QEvent::ShortcutOverride, keys.key(), keys.keyboardModifiers());
        press.ignore();
        QApplication::sendEvent(&field, &press);
        return press.isAccepted();
    }
    static bool isOfFields(QKeyCombination keys)
    {
        return ui::isKeyOfFields(QKeyEvent(QEvent::ShortcutOverride, keys.key(), keys.keyboardModifiers()));
    }

private Q_SLOTS:
    void init()
    {
        makeWindow({});
        m_fields.clear();
        addField<QLineEdit>("line");
        addField<QSpinBox>("number");
        addField<QPlainTextEdit>("text");
        addField<QPlainTextEdit>("text to read")->setReadOnly(true);
        addField<GreedyField<QLineEdit>>("greedy line");
        addField<GreedyField<QSpinBox>>("greedy number");
        addField<GreedyField<QPlainTextEdit>>("greedy text");
        addField<GreedyField<QPlainTextEdit>>("greedy text to read")->setReadOnly(true);
    }
    void cleanup() { dropWindow(); }

    void keysOfActionsReachTheWindow()
    {
        int walked = 0;
        for (const QAction* action : m_window->shortcuts().actions())
            for (const QKeySequence& keys : action->shortcuts())
            {
                if (keys.count() != 1 || isOfFields(keys[0]))
                    continue;
                ++walked;
                for (const auto& [name, field] : m_fields)
                    QVERIFY2(!claims(*field, keys[0]),
                             qPrintable(QStringLiteral("%1 takes %2 of %3")
                                            .arg(QLatin1StringView(name), keys.toString(), action->text())));
            }
        QVERIFY(walked > 25);
    }

    /// Of the window's own keys, fields keep those that edit: undo and redo, and the map's Alt+arrows.
    void fewKeysAreOfFields()
    {
        QStringList kept;
        for (const QAction* action : m_window->shortcuts().actions())
            for (const QKeySequence& keys : action->shortcuts())
                if (keys.count() == 1 && isOfFields(keys[0]) &&
                    (keys[0].keyboardModifiers() & (Qt::ControlModifier | Qt::MetaModifier)) != Qt::NoModifier)
                    kept << action->objectName();
        for (const QString& name : std::as_const(kept))
            QVERIFY2(name == QStringLiteral("actionUndo") || name == QStringLiteral("actionRedo") ||
                         name == QStringLiteral("actionCopyView") || name == QStringLiteral("actionHeadCard"),
                     qPrintable(name));
    }

    /// In a dialog, too, where no button is the default.
    void returnPressesTheFocusedButton()
    {
        QDialog dialog(m_window.get());
        QPushButton button(&dialog);
        button.setAutoDefault(false);
        const QSignalSpy pressed(&button, &QPushButton::clicked);
        dialog.show();
        QTest::keyClick(&button, Qt::Key_Return);
        QCOMPARE(pressed.count(), 1);
    }

    /// Many keyboards have no menu key.
    void shiftF10OpensTheMenu()
    {
        QWidget asked(m_window.get());
        asked.setFocusPolicy(Qt::StrongFocus);
        asked.setContextMenuPolicy(Qt::CustomContextMenu);
        asked.show();
        const QSignalSpy menus(&asked, &QWidget::customContextMenuRequested);
        QTest::keyClick(&asked, Qt::Key_F10);
        QCOMPARE(menus.count(), 0);
        QTest::keyClick(&asked, Qt::Key_F10, Qt::ShiftModifier);
        QCOMPARE(menus.count(), 1);
    }

    void keysOfFieldsStayTheirs()
    {
        for (const QKeyCombination keys : {Qt::CTRL | Qt::Key_A, Qt::CTRL | Qt::Key_C, Qt::CTRL | Qt::Key_V,
                                           Qt::CTRL | Qt::Key_X, Qt::CTRL | Qt::Key_Z, Qt::CTRL | Qt::Key_Right})
        {
            QVERIFY(isOfFields(keys));
            for (const auto& [name, field] : m_fields)
                if (!QByteArray(name).endsWith("to read") || QByteArray(name).startsWith("greedy"))
                    QVERIFY2(claims(*field, keys), qPrintable(QStringLiteral("%1: %2").arg(
                                                       QLatin1StringView(name), QKeySequence(keys).toString())));
        }
        QVERIFY(claims(*m_fields.front().second, QKeyCombination(Qt::Key_E)));
        // A key that no action of the window has is left to the field.
        for (const auto& [name, field] : m_fields)
            if (QByteArray(name).startsWith("greedy"))
                QVERIFY(claims(*field, Qt::CTRL | Qt::Key_U));
    }

    void theActionHappens()
    {
        QSignalSpy asked(m_window.get(), &ui::MainWindow::extractRequested);
        for (const auto& [name, field] : m_fields)
        {
            field->setFocus();
            asked.clear();
            QTest::keyClick(field, Qt::Key_E, Qt::ControlModifier);
            QVERIFY2(asked.count() == 1, name);
            for (QWidget* dialog : QApplication::topLevelWidgets())
                if (dialog != m_window.get())
                    dialog->close();
        }
    }
};

HEADSCOPE_WINDOW_TEST(TestDesktopKeys)
#include "tst_desktop_keys.moc"
