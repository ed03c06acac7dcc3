// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QPointer>
#include <QString>

#include <span>
#include <string_view>

class QAction;

namespace headscope::ui
{

class Settings;

/// A key that a view takes by itself while it has the focus. Such keys cannot be changed, and no
/// action may have them: an action's key reaches the window first.
struct ViewKey
{
    std::string_view place; ///< "the map"
    std::string_view keys;  ///< portable names, separated by spaces: "R L B"
    std::string_view what;  ///< "choose in a rectangle, in a lasso, with a brush"
};

/// The keys of all views.
[[nodiscard]] std::span<const ViewKey> viewKeys();

/// The keys of every action of the window: the built-in ones, or those the user chose instead, which the settings
/// keep by the action's object name. An empty choice removes the key.
/// @threads GUI thread
class Shortcuts : public QObject
{
    Q_OBJECT

public:
    /// @param settings  must outlive the object
    explicit Shortcuts(Settings& settings, QObject* parent = nullptr);

    /// Takes an action that has its built-in key and its object name, and gives it the user's key
    /// where there is one. The tool tip names the key from now on.
    void add(QAction* action);
    /// In the order of add(); none that was deleted.
    [[nodiscard]] QList<QAction*> actions() const;

    [[nodiscard]] QKeySequence builtIn(const QAction* action) const;
    [[nodiscard]] bool isChanged(const QAction* action) const;

    /// Why an action cannot have these keys, as a sentence; empty when it can.
    [[nodiscard]] QString refusal(const QAction* action, const QKeySequence& keys) const;
    /// Gives an action other keys, and keeps them. Refused keys change nothing.
    /// @return  the reason of a refusal, else empty
    QString setKeys(QAction* action, const QKeySequence& keys);
    /// Back to the built-in key. If another action has taken it since, that one keeps it, and the returned sentence
    /// says so.
    QString reset(QAction* action);
    void resetAll();

Q_SIGNALS:
    void changed();

private:
    struct Entry
    {
        QPointer<QAction> action;
        QKeySequence builtIn;
    };
    [[nodiscard]] const Entry* entryOf(const QAction* action) const;
    void apply(QAction* action, const QKeySequence& keys);
    void keep();

    Settings& m_settings;
    QList<Entry> m_entries;
    QHash<QString, QString> m_chosen; ///< object name -> portable key text
};

} // namespace headscope::ui
