// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/attention/cell_card.h"
#include "model/base/strong_index.h"
#include "ui/canvas/picture_widget.h"

#include <QScrollArea>

#include <optional>
#include <vector>

class QLabel;
class QPushButton;

namespace headscope::ui
{

class SectionLabel;
class ShareBars;
class ViewState;

/// The numbers of the attention view: one cell step by step, what the heads of the group read at its token, what the
/// statistics say of the head, and switching it off in the model.
class CellColumn : public QScrollArea
{
    Q_OBJECT

public:
    explicit CellColumn(QWidget* parent = nullptr);
    /// Its controls are values of a state.
    void bindTo(ViewState& state);

    /// Everything is written again; a null run: nothing.
    void setContent(CellContent content);
    /// As AttentionView::setSwitchedOff.
    void setSwitchedOff(const QString& text, LayerIndex layer, const std::vector<HeadIndex>& heads);
    void setSwitchOffAllowed(bool allowed, const QString& why);
    /// Whether there are documents that could be run without the heads that are off.
    void setDocumentsAllowed(bool allowed);

    [[nodiscard]] CellCard* card() const { return m_card; }
    [[nodiscard]] PictureOf<ShareBars>* groupBars() const { return m_group; }
    [[nodiscard]] PictureOf<ShareBars>* headBars() const { return m_head; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {kWidth, 120}; }
    [[nodiscard]] QSize sizeHint() const override { return {kWidth, 400}; }

    static constexpr int kWidth = 232;

Q_SIGNALS:
    /// None: the model as it is.
    void switchOffWanted(headscope::LayerIndex layer, const std::vector<headscope::HeadIndex>& heads);
    /// How the documents of the cache move without these heads.
    void movedDocumentsWanted(headscope::LayerIndex layer, const std::vector<headscope::HeadIndex>& heads);

private:
    void build(QWidget* inside);
    QWidget* buildSwitches(QWidget* inside);
    void refreshGroup();
    void refreshHead();
    void refreshSwitches();
    void toggleOff(const QPushButton* button, const std::vector<HeadIndex>& heads);

    CellContent m_content;
    CellCard* m_card = nullptr;
    SectionLabel* m_groupTitle = nullptr;
    QLabel* m_groupNote = nullptr;
    PictureOf<ShareBars>* m_group = nullptr;
    SectionLabel* m_headTitle = nullptr;
    PictureOf<ShareBars>* m_head = nullptr;
    QWidget* m_switches = nullptr;
    QLabel* m_headName = nullptr;
    QPushButton* m_headOff = nullptr;
    QWidget* m_groupRow = nullptr;
    QLabel* m_groupName = nullptr;
    QPushButton* m_groupOff = nullptr;
    QLabel* m_switched = nullptr;
    QPushButton* m_moved = nullptr;
    /// What is off by this column.
    std::optional<LayerIndex> m_offLayer;
    std::vector<HeadIndex> m_off;
    bool m_offAllowed = true;
    bool m_documentsAllowed = false;
    QString m_whyNot;
};

} // namespace headscope::ui
