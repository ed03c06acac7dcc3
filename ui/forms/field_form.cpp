// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/field_form.h"

#include "model/base/assert.h"
#include "ui/settings/field_settings.h"
#include "ui/state/bind_controls.h"
#include "ui/theme/theme.h"
#include "ui/widgets/wheel_guard.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrap_row.h"
#include "ui/words/wording.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSpinBox>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope::ui
{
namespace
{

constexpr int kFieldWidth = 108;

/// A number without zeros behind it: 0.8, 12.
class ShortSpinBox : public QDoubleSpinBox
{
public:
    using QDoubleSpinBox::QDoubleSpinBox;
    [[nodiscard]] QString textFromValue(double value) const override { return locale().toString(value, 'g', 8); }
};

QString translated(std::string_view text)
{
    return FieldForm::tr(std::string(text).c_str());
}

std::optional<NumberRange> shownRange(const Field& field)
{
    return field.offered ? field.offered : field.limits;
}

/// What a number is shown times.
double scaleOf(const Field& field)
{
    constexpr double kPercent = 100;
    return field.isPercent ? kPercent : 1;
}

/// What a number is shown with.
QString suffixOf(const Field& field)
{
    if (field.isPercent)
        return QStringLiteral("%");
    const QString unit = translated(field.unitWord);
    return unit.isEmpty() ? unit : u' ' % unit;
}

/// A number as it is written here, as a field reads it; what is none stays as it is.
QString plainNumber(const QString& text)
{
    bool isNumber = false;
    const double value = QLocale().toDouble(text, &isNumber);
    return isNumber ? toQString(fmt::format("{}", value)) : text;
}

QString tipOf(const Field& field)
{
    const QString sentence = translated(field.explanation);
    const auto range = shownRange(field);
    if (!range)
        return sentence;
    const auto number = [&field](double value) { return QLocale().toString(scaleOf(field) * value, 'g', 10); };
    return range->isLeastOut
               ? FieldForm::tr("%1 Range: above %2, up to %3.").arg(sentence, number(range->least), number(range->most))
               : FieldForm::tr("%1 Range: %2 to %3.").arg(sentence, number(range->least), number(range->most));
}

/// The first number of a field that holds numbers.
double numberOf(const Field& field)
{
    const auto words = valueWords(field.target);
    return words.empty() ? 0 : QLocale::c().toDouble(toQString(words.front()));
}

/// What is being written is not written over while it says the same.
void showLine(QLineEdit& line, const Field& field)
{
    const QString value = toQString(field.valueText());
    const bool isNumber = field.limits.has_value();
    if ((isNumber ? plainNumber(line.text()) : line.text()) != value)
        line.setText(isNumber ? QLocale().toString(numberOf(field), 'g', 6) : value);
}

/// Shows a field in its editor: what may be chosen, then what is.
void showIn(QWidget* editor, const Field& field)
{
    const auto range = shownRange(field);
    const double scale = scaleOf(field);
    if (auto* whole = qobject_cast<QSpinBox*>(editor))
    {
        whole->setRange(static_cast<int>(std::llround(scale * range->least)),
                        static_cast<int>(std::llround(scale * range->most)));
        whole->setValue(static_cast<int>(std::llround(scale * numberOf(field))));
    }
    else if (auto* real = qobject_cast<QDoubleSpinBox*>(editor))
    {
        real->setRange(range->least, range->most);
        real->setValue(numberOf(field));
    }
    else if (auto* choice = qobject_cast<QComboBox*>(editor))
        choice->setCurrentIndex(std::max(0, choice->findData(toQString(field.valueText()))));
    else if (auto* box = qobject_cast<QAbstractButton*>(editor))
        box->setChecked(*std::get<bool*>(field.target));
    else if (auto* line = qobject_cast<QLineEdit*>(editor))
        showLine(*line, field);
    editor->setToolTip(tipOf(field));
    editor->setEnabled(field.isEnabled);
}

} // namespace

FieldForm::FieldForm(Declare declare, QString prefix, QObject* parent)
    : QObject(parent), m_declare(std::move(declare)), m_prefix(std::move(prefix))
{}

Fields FieldForm::fields() const
{
    Fields all;
    m_declare(all);
    return all;
}

QWidget* FieldForm::makeAlone(std::string_view key, QWidget* parent)
{
    const Fields all = fields();
    const Field* field = all.ofKey(key);
    HEADSCOPE_ASSERT(field != nullptr && field->isFor(kFormUse));
    return adopt(*field, makeEditor(*field, parent));
}

QWidget* FieldForm::makeButton(std::string_view key, QWidget* parent)
{
    const Fields all = fields();
    const Field* field = all.ofKey(key);
    HEADSCOPE_ASSERT(field != nullptr && field->isFlag());
    auto* button = new QToolButton(parent);
    button->setProperty("boxed", true);
    button->setCheckable(true);
    button->setText(translated(field->title));
    connectFlag(button, field->key);
    return adopt(*field, button);
}

QWidget* FieldForm::makeNamed(std::string_view key, QWidget* parent)
{
    QWidget* editor = makeAlone(key, parent);
    return headscope::ui::makeNamed(editor->accessibleName(), editor, parent);
}

QWidget* FieldForm::adopt(const Field& field, QWidget* editor)
{
    const QString kept = keptName(field);
    const QString name = m_prefix % kept.left(1).toUpper() % kept.mid(1);
    editor->setObjectName(name);
    editor->setAccessibleName(translated(field.title));
    editor->setAccessibleDescription(translated(field.explanation));
    new WheelGuard(editor);
    m_rows.push_back({field.key, editor, name});
    refresh();
    return editor;
}

void FieldForm::connectFlag(QAbstractButton* button, const std::string& key)
{
    connect(button, &QAbstractButton::toggled, this,
            [this, key](bool on) { take(key, on ? std::string("1") : std::string("0")); });
}

FieldForm::Parts FieldForm::make(std::string_view key, QWidget* parent)
{
    Parts parts;
    parts.editor = makeAlone(key, parent);
    const Fields all = fields();
    const Field* field = all.ofKey(key);
    if (!field->isFlag())
    {
        parts.title = new QLabel(translated(field->title), parent);
        parts.title->setBuddy(parts.editor);
    }
    parts.explanation = makeMutedLabel(translated(field->explanation), parent);
    parts.explanation->setFont(Theme::smallFont());
    parts.explanation->setWordWrap(true);
    return parts;
}

QWidget* FieldForm::addRow(std::string_view key, QBoxLayout* layout)
{
    const Parts parts = make(key, layout->parentWidget());
    auto* row = new QVBoxLayout;
    row->setSpacing(Metrics::kGrid / 2);
    if (parts.title == nullptr)
        row->addWidget(parts.editor);
    else
    {
        auto* line = new QHBoxLayout;
        line->setSpacing(Metrics::kRelated);
        parts.editor->setFixedWidth(kFieldWidth);
        line->addWidget(parts.title, 1);
        line->addWidget(parts.editor);
        row->addLayout(line);
    }
    row->addWidget(parts.explanation);
    layout->addLayout(row);
    return parts.editor;
}

QWidget* FieldForm::makeEditor(const Field& field, QWidget* parent)
{
    if (field.isFlag())
    {
        auto* box = new QCheckBox(translated(field.title), parent);
        connectFlag(box, field.key);
        return box;
    }
    const auto* choice = std::get_if<FieldChoice>(&field.target);
    // A text that is one of some words is chosen, too.
    const auto words = choice != nullptr     ? choice->words
                       : field.words.empty() ? std::span<const FieldWord>()
                                             : field.choices;
    if (!words.empty())
    {
        auto* box = new QComboBox(parent);
        for (const FieldWord& word : words)
            box->addItem(translated(word.label), toQString(word.word));
        connect(box, &QComboBox::currentIndexChanged, this,
                [this, box, key = field.key] { take(key, toStdString(box->currentData().toString())); });
        return box;
    }
    return field.offered ? makeNumber(field, parent) : makeLine(field, parent);
}

/// Texts, and numbers whose range is too wide for steps.
QWidget* FieldForm::makeLine(const Field& field, QWidget* parent)
{
    auto* line = new QLineEdit(parent);
    line->setPlaceholderText(translated(field.leastWord));
    connect(line, &QLineEdit::textChanged, this, [this, key = field.key, isNumber = field.limits.has_value()] {
        const QString text = qobject_cast<QLineEdit*>(editor(key))->text();
        take(key, toStdString(isNumber ? plainNumber(text) : text));
    });
    return line;
}

QWidget* FieldForm::makeNumber(const Field& field, QWidget* parent)
{
    QAbstractSpinBox* editor = nullptr;
    if (field.isCounted())
    {
        auto* box = new QSpinBox(parent);
        box->setGroupSeparatorShown(true);
        box->setSuffix(suffixOf(field));
        connect(box, &QSpinBox::valueChanged, this, [this, key = field.key, percent = field.isPercent](int value) {
            take(key, percent ? fmt::format("{}", value / 100.0) : std::to_string(value));
        });
        editor = box;
    }
    else
    {
        auto* box = new ShortSpinBox(parent);
        box->setDecimals(4);
        box->setSuffix(suffixOf(field));
        box->setSingleStep(numberOf(field) > 2 ? 1 : 0.1);
        connect(box, &QDoubleSpinBox::valueChanged, this,
                [this, key = field.key](double value) { take(key, fmt::format("{}", value)); });
        editor = box;
    }
    editor->setSpecialValueText(translated(field.leastWord));
    editor->setKeyboardTracking(false); // a number half typed is no choice
    return editor;
}

std::vector<std::string> FieldForm::without() const
{
    std::vector<std::string> keys;
    const Fields all = fields();
    for (const Field& field : all.used(kFormUse))
    {
        if (editor(field.key) == nullptr)
            keys.push_back(field.key);
    }
    return keys;
}

QWidget* FieldForm::editor(std::string_view key) const
{
    const auto found = std::ranges::find(m_rows, key, &Row::key);
    return found == m_rows.end() ? nullptr : found->editor;
}

void FieldForm::bindTo(ViewState& state)
{
    for (const Row& row : m_rows)
    {
        bindEditor(state, row.name, *row.editor);
        connect(this, &FieldForm::edited, &state,
                [&state, key = toQString(row.key), name = row.name](const QString& of) {
                    if (of == key)
                        state.tellEdited(StatePart::Controls, name);
                });
    }
}

void FieldForm::refresh()
{
    m_showing = true;
    const Fields all = fields();
    for (const Row& row : m_rows)
    {
        if (!m_faults.contains(row.key))
            showIn(row.editor, *all.ofKey(row.key));
    }
    m_showing = false;
}

void FieldForm::set(std::string_view key, const std::string& text)
{
    const Fields all = fields();
    if (const Field* field = all.ofKey(key); field->set(text).empty() && m_faults.erase(field->key) > 0)
        mark(key, false);
    refresh();
}

void FieldForm::mark(std::string_view key, bool isWrong)
{
    QWidget* widget = editor(key);
    widget->setProperty("invalid", isWrong);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

void FieldForm::take(const std::string& key, const std::string& text)
{
    if (m_showing)
        return;
    const bool isTaken = fields().ofKey(key)->set(text).empty();
    const bool changes = isTaken ? m_faults.erase(key) > 0 : m_faults.insert(key).second;
    if (changes)
        mark(key, !isTaken);
    refresh();
    if (isTaken)
        Q_EMIT edited(toQString(key));
    else
        Q_EMIT refused(toQString(key));
}

QWidget* makeNamed(const QString& name, QWidget* control, QWidget* parent)
{
    auto* title = makeMutedLabel(name, parent);
    title->setBuddy(control);
    control->setAccessibleName(name);
    return makeTogether({title, control}, Metrics::kGrid, parent);
}

} // namespace headscope::ui
