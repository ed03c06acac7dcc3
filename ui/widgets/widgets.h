// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>
#include <QString>

class QButtonGroup;
class QLayout;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace headscope::ui
{

/// Data of an entry of a list: the text that it had in earlier versions, by which work files name it.
inline constexpr int kFormerTextRole = Qt::UserRole + 100;

/// A section title: small, spaced, grey, with an optional plain second part ("LAYER  31 of 0-31").
class SectionLabel : public QWidget
{
    Q_OBJECT

public:
    explicit SectionLabel(const QString& title, QWidget* parent = nullptr);
    void setTitle(const QString& title);
    void setDetail(const QString& detail);
    [[nodiscard]] QString detail() const;

private:
    QLabel* m_title = nullptr;
    QLabel* m_detail = nullptr;
};

/// One line of facts separated by middle dots. Where there is not enough room, facts are dropped from the last on and
/// a single fact is elided in its middle; the whole line is shown on hover.
class ElidedLabel : public QLabel
{
    Q_OBJECT

public:
    explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);
    void setFullText(const QString& text);
    /// Shown on hover whether the line is elided or not; empty: the full text when elided.
    void setTip(const QString& tip);
    [[nodiscard]] QString fullText() const { return m_full; }
    /// Size of the whole line, however much of it is shown.
    [[nodiscard]] QSize sizeHint() const override;
    /// Size of the first fact.
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void elide();
    QString m_full;
    QString m_tip;
};

/// What a view or a panel shows when it has nothing to show: what would be here, how to get it, and the
/// button for it. The sentence breaks into as many lines as a narrow panel asks for.
class EmptyState : public QWidget
{
    Q_OBJECT

public:
    explicit EmptyState(QWidget* parent = nullptr);
    /// An empty `action` shows no button; `isError` colours the title.
    void setMessage(const QString& title, const QString& text, const QString& action = {}, bool isError = false);
    [[nodiscard]] QString title() const;
    [[nodiscard]] QString text() const;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void actionRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitText();
    QLabel* m_title = nullptr;
    QLabel* m_text = nullptr;
    QPushButton* m_button = nullptr;
};

/// Lets Tab and Shift+Tab stop at the checked button of a group alone, whoever checks it; arrows lead to the others.
/// Without this Tab stops at the first one, Shift+Tab at the last.
/// @param group  exclusive, with all its buttons
void stopAtChecked(QButtonGroup* group);

/// Moves the controls in a container, in the order in which they were made, to the container's own place in the order
/// of Tab: controls that are made after the rest of the window would come last.
void placeInTabOrder(QWidget* container);

[[nodiscard]] QLabel* makeSectionLabel(const QString& text, QWidget* parent);
[[nodiscard]] QLabel* makeMutedLabel(const QString& text, QWidget* parent);
/// A white card with a hairline; its layout has the panel's margins.
[[nodiscard]] QFrame* makeCard(QWidget* parent, QVBoxLayout** layout);

/// Shows which of two buttons in one place can be pressed, that which starts a job or that which stops it; the keyboard
/// stays at this place.
void showRunning(QWidget& start, QWidget& stop, bool running);

/// Removes the widgets of a layout, but for one. Their names are free at once, and they stay parts of the window until
/// they are gone: without a parent they would be windows.
void clearLayout(QLayout& layout, const QWidget* kept = nullptr);

/// A button in the field that clears it. Qt's own has no name for assistive technology.
void addClearButton(QLineEdit& field);

} // namespace headscope::ui
