// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/style_sheet.h"

#include <array>
#include <utility>

namespace headscope::ui
{
namespace
{

// Colours are written @name and filled in below. Heights count the 1 px borders: 24 + 2 = 26.
constexpr const char* kSheet = R"(
QMainWindow::separator { background: @hairline; width: 1px; height: 1px; }
QSplitter::handle { background: @hairline; }
QMenuBar { background: @frame; border-bottom: 1px solid @hairline; padding: 2px 0; }
QMenuBar::item { padding: 4px 8px; background: transparent; border-radius: 4px; }
QMenuBar::item:selected { background: @hover; }
QMenu { background: @canvas; border: 1px solid @hairline; padding: 4px; }
QMenu::item { padding: 4px 24px 4px 24px; border-radius: 4px; }
QMenu::item:selected { background: @accentPale; color: @text; }
QMenu::item:disabled { color: @muted; }
QMenu::separator { height: 1px; background: @hairline; margin: 4px 8px; }
QMenu::indicator { width: 12px; height: 12px; margin-left: 6px; }
QToolBar { background: @frame; border: none; border-bottom: 1px solid @hairline; padding: 6px 8px; spacing: 6px; }
QToolBar::separator { background: @hairline; width: 1px; margin: 4px 6px; }
QPushButton, QToolBar QToolButton, QToolButton[boxed="true"] {
    background: @canvas; border: 1px solid @hairline; border-radius: 4px; padding: 0 10px;
    min-height: 24px; max-height: 24px; color: @text; }
QPushButton:hover, QToolBar QToolButton:hover, QToolButton[boxed="true"]:hover { background: @hover; }
QPushButton:pressed, QToolBar QToolButton:pressed, QToolButton[boxed="true"]:pressed { background: @track; }
QPushButton:checked, QToolBar QToolButton:checked, QToolButton[boxed="true"]:checked {
    background: @accentPale; border-color: @accent; color: @accentText; }
QPushButton:default { border-color: @accent; color: @accentText; }
QPushButton:focus, QToolBar QToolButton:focus, QToolButton[boxed="true"]:focus, QLineEdit:focus, QComboBox:focus, QSpinBox:focus, QDoubleSpinBox:focus {
    border-color: @accent; }
QPushButton:disabled, QToolBar QToolButton:disabled, QToolButton[boxed="true"]:disabled {
    background: transparent; border-color: @hairline; color: @muted; }
QPushButton:checked:disabled { background: @accentPale; border-color: @accent; color: @accentText; font-weight: 600; }
QToolButton[square="true"] { min-width: 24px; max-width: 24px; padding: 0; }
QPushButton[square="true"] { min-width: 28px; max-width: 28px; padding: 0; }
QPushButton[flush="true"] { border: none; background: transparent; padding: 0; min-width: 0; min-height: 0;
    text-align: left; color: @muted; }
QPushButton[flush="true"]:hover { background: transparent; color: @text; }
QPushButton[flush="true"]:focus { color: @accentText; }
QToolButton[flat="true"] { border: none; background: transparent; padding: 0 4px; color: @muted; }
QToolButton[flat="true"]:hover { color: @text; }
QToolButton[flat="true"]:disabled { color: @hairline; }
QToolButton[flat="true"]:focus { color: @accentText; }
QToolButton[flat="true"]:checked { color: @text; font-weight: 600; }
QLineEdit, QComboBox, QSpinBox, QDoubleSpinBox {
    background: @canvas; border: 1px solid @hairline; border-radius: 4px; padding: 0 8px;
    min-height: 24px; max-height: 24px; selection-background-color: @accent; selection-color: @canvas; }
QLineEdit[invalid="true"] { border-color: @warning; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: url(:/headscope/icons/chevron-@scheme.svg); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: @canvas; border: 1px solid @hairline; padding: 4px; outline: none;
    selection-background-color: @accentPale; selection-color: @text; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button {
    width: 0; border: none; }
QCheckBox { spacing: 6px; }
QCheckBox::indicator, QAbstractItemView::indicator { width: 12px; height: 12px; border: 1px solid @muted;
    border-radius: 3px; background: @canvas; }
QCheckBox::indicator:hover, QCheckBox::indicator:focus { border-color: @accent; }
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked { background: @accent; border-color: @accent;
    image: url(:/headscope/icons/check.svg); }
QCheckBox::indicator:indeterminate, QAbstractItemView::indicator:indeterminate { background: @accent;
    border-color: @accent; image: url(:/headscope/icons/check-some.svg); }
QCheckBox::indicator:disabled { border-color: @track; background: @frame; }
QTabBar#viewTabs, QTabBar#sideTabs { background: transparent; }
QTabBar#viewTabs::tab, QTabBar#sideTabs::tab { padding: 8px 0; border: 1px solid transparent; border-bottom: none;
    color: @muted; background: transparent; }
QTabBar#viewTabs::tab:selected, QTabBar#sideTabs::tab:selected { color: @text; font-weight: 600; background: @canvas; border-color: @hairline;
    border-top-left-radius: 4px; border-top-right-radius: 4px; }
QTabBar#viewTabs::tab:hover:!selected, QTabBar#sideTabs::tab:hover:!selected { color: @text; }
QWidget[role="channel"][lit="true"] { background: @accentPale; border-radius: 4px; }
QWidget#viewHelpRow { background: @canvas; }
QProgressBar { background: @track; border: none; border-radius: 3px; min-height: 6px; max-height: 6px; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }
QSlider:horizontal { min-height: 20px; }
QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: @track; }
QSlider::sub-page:horizontal { height: 4px; border-radius: 2px; background: @accent; }
QSlider::handle:horizontal { width: 12px; height: 12px; margin: -4px 0; border-radius: 6px;
    background: @accent; }
QSlider::handle:horizontal:disabled, QSlider::sub-page:horizontal:disabled { background: @muted; }
QSlider::handle:horizontal:focus { border: 2px solid @accentText; }
QListView#runList { background: transparent; border: none; outline: none; }
QStatusBar { background: @frame; border-top: 1px solid @hairline; color: @muted; }
QStatusBar::item { border: none; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @track; border-radius: 3px; margin: 2px; min-height: 24px; min-width: 24px; }
QScrollBar::handle:hover { background: @muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QHeaderView { background: @canvas; }
QHeaderView::section { background: @canvas; color: @muted; border: none; border-bottom: 1px solid @hairline;
    padding: 4px 10px; }
headscope--ui--WrappedHeader::section { padding: 4px 2px; }
QHeaderView::up-arrow { image: url(:/headscope/icons/sorted-up-@scheme.svg); }
QHeaderView::down-arrow { image: url(:/headscope/icons/sorted-down-@scheme.svg); }
QHeaderView::up-arrow, QHeaderView::down-arrow { width: 8px; height: 5px; subcontrol-origin: border;
    subcontrol-position: top center; top: 1px; }
QTableView { background: @canvas; border: none; gridline-color: transparent; selection-background-color: @accentPale;
    selection-color: @text; outline: none; }
QTableView::item { padding: 0 8px; border-bottom: 1px solid @hairline; }
QTableView::item:selected { background: @accentPale; color: @text; }
QTableView#probeTable::item, QTableView#importanceTable::item { padding: 0 5px; }
QTableView#extractTable { border: 1px solid @hairline; border-radius: 4px; }
QTableView#extractTable:focus { border-color: @accent; }
QTreeView { background: @canvas; border: none; outline: none; selection-background-color: @accentPale;
    selection-color: @text; }
QTreeView QHeaderView::section { padding: 4px 6px; }
QTreeView::item { padding: 0 6px; min-height: 24px; border-bottom: 1px solid @hairline; }
QTreeView::item:selected { background: @accentPale; color: @text; }
QTreeWidget { background: @canvas; border: 1px solid @hairline; border-radius: 4px; }
QTreeWidget::item { padding: 0 8px; border: none; }
QTreeWidget::item:selected { background: @accentPale; color: @accentText; }
QPushButton::menu-indicator { subcontrol-origin: padding; subcontrol-position: center right; right: 4px; }
QToolTip { background: @canvas; color: @text; border: 1px solid @hairline; padding: 4px 6px; }
QFrame#card { background: @canvas; border: 1px solid @hairline; border-radius: 4px; }
QFrame#floatingCard { background: @canvas; border: 1px solid @hairline; border-radius: 6px; }
QFrame#bar { background: @frame; border: none; border-top: 1px solid @hairline; }
QFrame#noticeBar { background: @canvas; border: none; border-bottom: 1px solid @hairline;
    border-left: 4px solid @warning; }
QFrame#noticeBar[offers="true"] { border-left-color: @accent; }
QFrame#shownBar { background: @accentPale; border: none; border-bottom: 1px solid @hairline; }
QFrame#shownBar QLabel { color: @accentText; }
QWidget#canvas { background: @canvas; }
QLabel[role="muted"] { color: @muted; }
QLabel[role="section"] { color: @section; }
QLabel[role="warning"] { color: @warning; }
QPlainTextEdit { background: @canvas; border: none; selection-background-color: @accent; selection-color: @canvas; }
)";

} // namespace

QString styleSheet(const Colors& colors, bool dark)
{
    // Longer names first: @accentPale begins with @accent.
    const std::array<std::pair<const char*, QString>, 12> values{{
        {"@accentPale", colors.accentPale.name()},
        {"@accentText", colors.accentText.name()},
        {"@accent", colors.accent.name()},
        {"@frame", colors.frame.name()},
        {"@canvas", colors.canvas.name()},
        {"@text", colors.text.name()},
        {"@muted", colors.muted.name()},
        {"@section", colors.section.name()},
        {"@hairline", colors.hairline.name()},
        {"@hover", colors.hover.name()},
        {"@track", colors.track.name()},
        {"@warning", colors.warning.name()},
    }};
    QString sheet = QString::fromLatin1(kSheet);
    for (const auto& [name, value] : values)
        sheet.replace(QLatin1StringView(name), value);
    return sheet.replace(QLatin1StringView("@scheme"), QLatin1StringView(dark ? "dark" : "light"));
}

} // namespace headscope::ui
