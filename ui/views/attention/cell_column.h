// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/attention/attention_run.h"
#include "ui/views/attention/attention_look.h"
#include "viz/attention/cell_numbers.h"

#include <QScrollArea>

#include <array>
#include <optional>
#include <vector>

class QLabel;
class QPushButton;

namespace headscope::ui
{

class SectionLabel;
class ShareBars;

/// The numbers of the attention view: one cell step by step, what the heads of the group read at its token, what the
/// statistics say of the head, and switching it off in the model.
class CellColumn : public QScrollArea
{
    Q_OBJECT

public:
    explicit CellColumn(QWidget* parent = nullptr);

    /// What is shown; everything is written anew.
    struct Content
    {
        AttentionRunPtr run;
        HeadPlace place;
        std::optional<TokenIndex> reading;
        std::optional<TokenIndex> read;
        bool withoutFirst = true;
    };
    void setContent(Content content);
    void setSwitchedOff(const QString& text);
    void setSwitchOffAllowed(bool allowed, const QString& why);

    /// The rows of the cell as they are written: name, number.
    [[nodiscard]] std::vector<std::pair<QString, QString>> cellRows() const;
    /// What stands in their place, or under them; "": nothing.
    [[nodiscard]] QString cellNote() const;
    [[nodiscard]] ShareBars* groupBars() const { return m_group; }
    [[nodiscard]] ShareBars* headBars() const { return m_head; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {kWidth, 120}; }
    [[nodiscard]] QSize sizeHint() const override { return {kWidth, 400}; }

    static constexpr int kWidth = 232;

Q_SIGNALS:
    /// None: the model as it is.
    void switchOffWanted(headscope::LayerIndex layer, const std::vector<headscope::HeadIndex>& heads);

private:
    static constexpr std::size_t kRows = 7;

    void build(QWidget* inside);
    QWidget* buildCell(QWidget* inside);
    QWidget* buildSwitches(QWidget* inside);
    void refreshCell();
    void refreshGroup();
    void refreshHead();
    void refreshSwitches();
    void setRow(std::size_t row, const QString& value);
    void toggleOff(const QPushButton* button, const std::vector<HeadIndex>& heads);

    Content m_content;
    SectionLabel* m_cellTitle = nullptr;
    QWidget* m_card = nullptr;
    QLabel* m_reads = nullptr;
    std::array<QLabel*, kRows> m_names{};
    std::array<QLabel*, kRows> m_values{};
    QLabel* m_cellNote = nullptr;
    SectionLabel* m_groupTitle = nullptr;
    QLabel* m_groupNote = nullptr;
    ShareBars* m_group = nullptr;
    SectionLabel* m_headTitle = nullptr;
    ShareBars* m_head = nullptr;
    QWidget* m_switches = nullptr;
    QLabel* m_headName = nullptr;
    QPushButton* m_headOff = nullptr;
    QWidget* m_groupRow = nullptr;
    QLabel* m_groupName = nullptr;
    QPushButton* m_groupOff = nullptr;
    QLabel* m_switched = nullptr;
    /// What is off by this column.
    std::optional<LayerIndex> m_offLayer;
    std::vector<HeadIndex> m_off;
    bool m_offAllowed = true;
    QString m_whyNot;
};

} // namespace headscope::ui
