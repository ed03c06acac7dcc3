// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/figures/figure_paper.h"
#include "ui/forms/field_form.h"

#include <QDialog>
#include <QString>

#include <vector>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace headscope::ui
{

/// A figure in the list, in words.
struct FigureRow
{
    QString file; ///< with its folder
    QString shows{};
    QString size{};
    QString state{};
    bool failed = false; ///< the state says why it is not there
    bool isPage = false; ///< of panels: no view shows it
};

/// The figures of a work: saves them again, all or the chosen ones, puts some next to each other as panels of one,
/// shows one in the window, forgets some. It does none of that itself. While figures are saved it can only be stopped;
/// closing it stops, too.
class FigureListDialog : public QDialog
{
    Q_OBJECT

public:
    explicit FigureListDialog(QWidget* parent);

    void setRows(const std::vector<FigureRow>& rows);
    /// @param text  what is running; "": nothing is
    void setBusy(const QString& text);
    /// The line under the list.
    void setNote(const QString& note);

    [[nodiscard]] QTreeWidget* list() const { return m_list; }
    [[nodiscard]] QString note() const;

Q_SIGNALS:
    /// These rows are to be saved again; ascending.
    void saveRequested(const std::vector<int>& rows);
    /// The views of these rows are to become one figure; ascending, none of them of panels.
    /// @param columns  0: as many as fit
    void panelsRequested(const std::vector<int>& rows, int columns);
    void showRequested(int row);
    void removeRequested(const std::vector<int>& rows);
    void stopRequested();

protected:
    void done(int result) override;

private:
    void makeList();
    /// [0 automatic, 1, 2, ...] and the button next to it.
    void makePanels();
    [[nodiscard]] std::vector<int> chosen() const;
    void refresh();

    QTreeWidget* m_list = nullptr;
    QLabel* m_empty = nullptr; ///< over the list while it has no rows
    QLabel* m_note = nullptr;
    QPushButton* m_remove = nullptr;
    QPushButton* m_show = nullptr;
    QPushButton* m_panels = nullptr;
    PanelPaper m_layout;
    FieldForm m_form;
    QPushButton* m_close = nullptr;
    QPushButton* m_some = nullptr;
    QPushButton* m_all = nullptr;
    std::vector<bool> m_isPage; ///< of each row
    bool m_busy = false;
};

} // namespace headscope::ui
