// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/neighbor_options.h"
#include "model/data/selection.h"
#include "ui/forms/field_form.h"
#include "ui/models/named_sets.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

class QLabel;
class QLineEdit;
class QListView;
class QMenu;
class QPushButton;
class QToolButton;

namespace headscope::ui
{

class ChoiceButtons;
class SetListModel;
class ViewState;

/// Named sets: keeping the choice under a name, and what can be done with what was kept; below, the
/// growing of the choice to its neighbours.
class SetsPage : public QWidget
{
    Q_OBJECT

public:
    explicit SetsPage(QWidget* parent = nullptr);
    /// Its controls are values of a state.
    void bindTo(ViewState& state);

    void setSets(const NamedSets& sets);
    /// How many documents are chosen; 0: there is nothing to keep or to grow.
    void setChosenCount(std::int64_t count);
    /// "head" or "segment", for the choice of what is near; and the head itself, where one is meant.
    void setHead(const QString& unit, const QString& head);

    [[nodiscard]] const GrowOptions& growOptions() const { return m_grown; }

    [[nodiscard]] QLineEdit* nameField() const { return m_name; }
    [[nodiscard]] QPushButton* keepButton() const { return m_keep; }
    [[nodiscard]] QListView* list() const { return m_list; }
    [[nodiscard]] SetListModel* model() const { return m_model; }
    void focusName();

Q_SIGNALS:
    void keepRequested(const QString& name);
    void renameRequested(std::int64_t index, const QString& name);
    void recolorRequested(std::int64_t index, const QColor& color);
    void removeRequested(std::int64_t index);
    void pickRequested(const std::vector<std::int64_t>& documents, headscope::SetOperation operation);
    /// Rings around the dots of the set, or none any more.
    void ringRequested(std::int64_t index, bool on);
    /// Every view is to show the documents of the set alone.
    void showOnlyRequested(std::int64_t index);
    void growRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildKeep();
    void buildList();
    /// What can be done with the current set.
    void buildTools();
    void buildGrow();
    void fillColors(QMenu& menu);
    /// Asks for the documents of the current set.
    void pick(SetOperation operation);
    void refresh();
    [[nodiscard]] std::optional<std::int64_t> current() const;

    std::int64_t m_chosen = 0;
    QLineEdit* m_name = nullptr;
    QPushButton* m_keep = nullptr;
    QLabel* m_hint = nullptr;
    QListView* m_list = nullptr;
    SetListModel* m_model = nullptr;
    QWidget* m_tools = nullptr;
    ChoiceButtons* m_buttons = nullptr;
    QToolButton* m_color = nullptr;
    QToolButton* m_onMap = nullptr;
    QToolButton* m_showOnly = nullptr;
    GrowOptions m_grown;
    FieldForm m_growth;
    QPushButton* m_grow = nullptr;
};

} // namespace headscope::ui
