// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QWidget>

class QLineEdit;
class QMenu;
class QPushButton;

namespace headscope::ui
{

class DialogService;

/// A path that may be typed or looked for: a field with a button "Choose…".
class PathField : public QWidget
{
    Q_OBJECT

public:
    enum class Kind
    {
        File,
        FileOrFolder, ///< no file dialog chooses both: the button has a menu
        NewFile,      ///< to be written
    };
    /// A path that is offered by its name.
    struct Offer
    {
        QString name;
        QString path;
    };
    struct OfferGroup
    {
        QString title;
        QList<Offer> offers;
    };

    /// @param name     of the line; the button is called NAMEBrowse, its actions NAMEFile and NAMEFolder
    /// @param label    what the path is
    /// @param hint     shown while the field is empty
    /// @param filter   of the file dialog
    /// @param dialogs  must outlive the field
    PathField(DialogService& dialogs, Kind kind, const QString& name, const QString& label, const QString& hint,
              const QString& filter, QWidget* parent);

    void setPath(const QString& path);
    /// Without the blanks around it.
    [[nodiscard]] QString path() const;
    [[nodiscard]] QLineEdit* line() const { return m_line; }
    /// Paths in the menu of the button, under their titles. Only for FileOrFolder.
    void setOffers(const QList<OfferGroup>& groups);

Q_SIGNALS:
    void changed();
    /// The user typed or chose, as against setPath().
    void edited();

private:
    void choose(bool folder);
    void take(const QString& path);

    DialogService& m_dialogs;
    Kind m_kind;
    QString m_label;
    QString m_filter;
    QLineEdit* m_line = nullptr;
    QMenu* m_menu = nullptr;
    qsizetype m_fixedActions = 0; ///< of the menu, before the offers
};

} // namespace headscope::ui
