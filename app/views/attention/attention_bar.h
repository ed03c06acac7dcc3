// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/attention/attention_look.h"
#include "viz/attention/attention_key.h"

#include <QFrame>
#include <QLabel>

#include <string>
#include <vector>

class QComboBox;
class QPushButton;

namespace headscope::ui
{

class ElidedLabel;
class ViewState;
class WrapRow;

/// What the colours of the view stand for.
class AttentionKeyStrip : public QLabel
{
    Q_OBJECT

public:
    explicit AttentionKeyStrip(QWidget* parent = nullptr);
    void setKey(const viz::AttentionKey& key);
    [[nodiscard]] const viz::AttentionKey& key() const { return m_key; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    viz::AttentionKey m_key;
};

/// The row below the attention view: what is shown, and how.
class AttentionBar : public QFrame
{
    Q_OBJECT

public:
    explicit AttentionBar(QWidget* parent = nullptr);
    /// Its controls are values of a state.
    void bindTo(ViewState& state);

    /// By the controls.
    [[nodiscard]] AttentionLook look() const;
    /// Emits nothing. A measure that is not offered leaves the pictures.
    void setLook(const AttentionLook& look);
    /// Statistics of the run by the names that files have; what was chosen stays where it is among them.
    void setMeasures(const std::vector<std::string>& names);
    /// Whether heads of the chosen one's group can be laid over each other; else why not.
    void setOverlayAllowed(bool allowed, const QString& why);
    void setKey(const viz::AttentionKey& key);
    /// Model, length and time of what is shown.
    void setRunText(const QString& text);
    [[nodiscard]] QString runText() const;
    [[nodiscard]] AttentionKeyStrip* keyStrip() const { return m_key; }
    /// Where there is no room for both, showing the numbers takes that of the heads, and the other way round.
    void setNarrow(bool narrow);

Q_SIGNALS:
    void lookChanged();

private:
    QPushButton* addToggle(const char* name, const QString& text, const QString& tip, bool on);
    void keepRoom(const QPushButton* pressed);

    WrapRow* m_row = nullptr;
    QPushButton* m_heads = nullptr;
    QPushButton* m_lines = nullptr;
    QPushButton* m_matrix = nullptr;
    QPushButton* m_numbers = nullptr;
    QPushButton* m_withoutFirst = nullptr;
    QPushButton* m_overlay = nullptr;
    QComboBox* m_measure = nullptr;
    AttentionKeyStrip* m_key = nullptr;
    ElidedLabel* m_run = nullptr;
    bool m_narrow = false;
    bool m_numbersAgain = false; ///< were shown before the view became narrow
};

} // namespace headscope::ui
