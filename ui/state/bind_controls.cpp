// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/bind_controls.h"

#include "model/base/assert.h"
#include "ui/widgets/widgets.h"

#include <QAbstractButton>
#include <QAbstractItemModel>
#include <QButtonGroup>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QJsonArray>
#include <QLineEdit>
#include <QSlider>
#include <QSpinBox>
#include <QSplitter>
#include <QTableView>
#include <QTimer>
#include <QTreeView>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kMaxPixels = 100'000;
constexpr qsizetype kLongestText = 10'000;

QString nameOf(const QWidget& control)
{
    QString name = control.accessibleName();
    if (const auto* button = qobject_cast<const QAbstractButton*>(&control); button != nullptr && name.isEmpty())
        name = plainName(button->text());
    return name.isEmpty() ? plainName(control.toolTip()).section(QLatin1Char('.'), 0, 0) : name;
}

template <class Read, class Write>
void add(ViewState& state, const QString& key, const QWidget& control, Read read, Write write, bool isStep = true)
{
    StateValue value;
    value.isStep = isStep;
    value.key = key;
    value.name = [&control] { return nameOf(control); };
    value.read = read;
    value.write = [read, write](const QJsonValue& wanted) {
        if (read() != wanted)
            write(wanted);
        return true;
    };
    state.add(std::move(value));
}

auto teller(ViewState& state, const QString& key, void (ViewState::*tell)(StatePart, const QString&))
{
    return [&state, key, tell] { (state.*tell)(StatePart::Controls, key); };
}

template <class Control, class Any, class Hand>
void tell(ViewState& state, const QString& key, Control& control, Any any, Hand hand)
{
    QObject::connect(&control, any, &state, teller(state, key, &ViewState::tellChanged));
    QObject::connect(&control, hand, &state, teller(state, key, &ViewState::tellEdited));
}

constexpr FormerWords kFormerWords[] = {
    {QLatin1StringView("Cosine to the whole"), QLatin1StringView("Cosine with full model")},
    {QLatin1StringView("Size: all alike"), QLatin1StringView("Size: equal")},
    {QLatin1StringView("Heads as pictures"), QLatin1StringView("Heads as thumbnails")},
    {QLatin1StringView("Lines: chosen"), QLatin1StringView("Lines: selected")},
    {QLatin1StringView("Rows: follow the full"), QLatin1StringView("Rows: correlation with full")},
    {QLatin1StringView("Against other topics"), QLatin1StringView("Minus other topics")},
    {QLatin1StringView("Against the full vector"), QLatin1StringView("Minus full vector")},
    {QLatin1StringView("Another width"), QLatin1StringView("Custom width")},
    {QLatin1StringView("Row shares"), QLatin1StringView("Row proportions")},
    {QLatin1StringView("Colour: as at the left"), QLatin1StringView("Colour: as in Data panel")},
    {QLatin1StringView("Votes all alike (decay)"), QLatin1StringView("Equal votes (decay)")},
    {QLatin1StringView("Pieces of the full vector (split)"), QLatin1StringView("Full-vector segments (split)")},
    {QLatin1StringView("Pieces by score (split-weighted)"), QLatin1StringView("Segment scores (split-weighted)")},
    {QLatin1StringView("Present map"), QLatin1StringView("Current map")},
    {QLatin1StringView("Trust: neighbours kept"), QLatin1StringView("Neighbours preserved")},
    {QLatin1StringView("Trust: divergence"), QLatin1StringView("Divergence per point")},
    {QLatin1StringView("Strength (faint = weak)"), QLatin1StringView("Norm (faint = small)")},
    {QLatin1StringView("Redundancy in the group"), QLatin1StringView("Redundancy within the group")},
    {QLatin1StringView("Effect of leaving out"), QLatin1StringView("Effect of removal")},
    {QLatin1StringView("Label told by a probe"), QLatin1StringView("Label predicted by a probe")},
    {QLatin1StringView("Likeness in the layer"), QLatin1StringView("Similarity within the layer")},
    {QLatin1StringView("Strength, sd"), QLatin1StringView("Norm, sd")},
    {QLatin1StringView("Strength"), QLatin1StringView("Norm")},
    {QLatin1StringView("Neighbours in common"), QLatin1StringView("Shared neighbours")},
    {QLatin1StringView("Selectivity"), QLatin1StringView("Selectivity (unbiased)")},
    {QLatin1StringView("Own token"), QLatin1StringView("Self token")},
    {QLatin1StringView("Heads by itself"), QLatin1StringView("Heads by self token")},
    {QLatin1StringView("Heads by spread"), QLatin1StringView("Heads by entropy / even")},
    {QLatin1StringView("Heads by entropy"), QLatin1StringView("Heads by attention entropy")},
};

/// The entry with this text, or that had it in earlier versions; -1: none.
int entryOf(const QComboBox& box, const QString& text)
{
    if (const int at = box.findText(text, Qt::MatchExactly); at >= 0)
        return at;
    if (const int at = box.findData(text, kFormerTextRole); at >= 0)
        return at;
    for (const auto& [before, now] : kFormerWords)
        if (text.endsWith(before))
            return box.findText(text.chopped(before.size()) + now, Qt::MatchExactly);
    return -1;
}

std::optional<int> wholeOf(const QJsonValue& value)
{
    const double number = value.toDouble(std::numeric_limits<double>::quiet_NaN());
    return std::abs(number) <= std::numeric_limits<int>::max() ? std::optional(static_cast<int>(number)) : std::nullopt;
}

bool isOneOfMany(const QAbstractButton& button)
{
    return button.autoExclusive() || (button.group() != nullptr && button.group()->exclusive());
}

void setButton(QAbstractButton& button, bool on)
{
    if (!on && isOneOfMany(button))
        return;
    button.setChecked(on);
    if (!button.isEnabled())
        return;
    Q_EMIT button.clicked(on); // some follow the user alone
    if (QButtonGroup* group = button.group())
        Q_EMIT group->idClicked(group->id(&button));
}

void addButton(ViewState& state, const QString& key, QAbstractButton& button, bool isStep)
{
    add(
        state, key, button, [&button] { return QJsonValue(button.isChecked()); },
        [&button](const QJsonValue& value) {
            if (value.isBool())
                setButton(button, value.toBool());
        },
        isStep);
}

QString sortOrderOf(const QHeaderView& headings)
{
    if (headings.sortIndicatorSection() < 0)
        return {};
    const bool descending = headings.sortIndicatorOrder() == Qt::DescendingOrder;
    return QStringLiteral("%1 %2")
        .arg(headings.sortIndicatorSection())
        .arg(descending ? QStringLiteral("descending") : QStringLiteral("ascending"));
}

template <class Table>
void bindSort(ViewState& state, const QString& key, Table& table, QHeaderView& headings)
{
    const auto write = [&table, &headings](const QJsonValue& value) {
        const QString text = value.toString();
        bool isNumber = false;
        const int column = text.section(QLatin1Char(' '), 0, 0).toInt(&isNumber);
        if (!value.isString() || (!text.isEmpty() && (!isNumber || column < 0 || column >= headings.count())))
            return;
        table.sortByColumn(text.isEmpty() ? -1 : column,
                           text.endsWith(QLatin1StringView("descending")) ? Qt::DescendingOrder : Qt::AscendingOrder);
    };
    add(
        state, key, table, [&headings] { return QJsonValue(sortOrderOf(headings)); }, write);
    QObject::connect(&headings, &QHeaderView::sortIndicatorChanged, &state,
                     teller(state, key, &ViewState::tellEdited)); // no program sorts a table that is seen
}

} // namespace

std::span<const FormerWords> formerWords()
{
    return kFormerWords;
}

void bind(ViewState& state, const QString& key, QComboBox& box)
{
    const auto awaited = std::make_shared<QString>(); // an entry that the box does not have yet
    const auto choose = [&box, awaited](const QString& text) {
        const int at = entryOf(box, text);
        *awaited = at < 0 ? text : QString();
        if (at < 0)
            return;
        box.setCurrentIndex(at);
        Q_EMIT box.activated(at);
    };
    StateValue value;
    value.key = key;
    value.name = [&box] { return nameOf(box); };
    value.read = [&box] {
        return box.currentIndex() < 0 ? QJsonValue(QJsonValue::Undefined) : QJsonValue(box.currentText());
    };
    value.write = [choose, read = value.read](const QJsonValue& wanted) {
        if (wanted.isString() && read() != wanted)
            choose(wanted.toString());
        return true;
    };
    value.today = [&box](const QJsonValue& former) {
        const int at = former.isString() ? entryOf(box, former.toString()) : -1;
        return at < 0 ? former : QJsonValue(box.itemText(at));
    };
    state.add(std::move(value));
    // Some boxes are filled once a result is there, which a project loads after the state. Not at once: whoever fills
    // a box chooses an entry, too.
    QObject::connect(box.model(), &QAbstractItemModel::rowsInserted, &state, [&state, &box, awaited, choose] {
        if (!awaited->isEmpty() && entryOf(box, *awaited) >= 0)
            QTimer::singleShot(0, &state, [awaited, choose] {
                if (!awaited->isEmpty())
                    choose(*awaited);
            });
    });
    QObject::connect(&box, &QComboBox::activated, &state, [awaited] { awaited->clear(); });
    tell(state, key, box, &QComboBox::currentTextChanged, &QComboBox::activated);
}

void bind(ViewState& state, const QString& key, QSpinBox& box)
{
    add(
        state, key, box, [&box] { return QJsonValue(box.value()); },
        [&box](const QJsonValue& value) {
            if (const auto number = wholeOf(value))
                box.setValue(*number); // within its bounds
        });
    QObject::connect(&box, &QSpinBox::valueChanged, &state, teller(state, key, &ViewState::tellChanged));
}

void bind(ViewState& state, const QString& key, QDoubleSpinBox& box)
{
    add(
        state, key, box, [&box] { return QJsonValue(box.value()); },
        [&box](const QJsonValue& value) {
            if (value.isDouble())
                box.setValue(value.toDouble());
        });
    QObject::connect(&box, &QDoubleSpinBox::valueChanged, &state, teller(state, key, &ViewState::tellChanged));
}

void bind(ViewState& state, const QString& key, QAbstractSlider& slider)
{
    add(
        state, key, slider, [&slider] { return QJsonValue(slider.value()); },
        [&slider](const QJsonValue& value) {
            if (const auto number = wholeOf(value))
                slider.setValue(*number);
        });
    tell(state, key, slider, &QAbstractSlider::valueChanged,
         &QAbstractSlider::actionTriggered); // also one that is drawn
}

void bind(ViewState& state, const QString& key, QLineEdit& line)
{
    add(
        state, key, line, [&line] { return QJsonValue(line.text()); },
        [&line](const QJsonValue& value) {
            if (value.isString() && value.toString().size() <= kLongestText)
                line.setText(value.toString());
        });
    tell(state, key, line, &QLineEdit::textChanged, &QLineEdit::textEdited);
}

void bind(ViewState& state, const QString& key, QAbstractButton& button)
{
    addButton(state, key, button, true);
    bindAct(state, button);
    tell(state, key, button, &QAbstractButton::toggled, &QAbstractButton::clicked);
}

void bindFold(ViewState& state, const QString& key, QAbstractButton& button)
{
    addButton(state, key, button, false);
    QObject::connect(&button, &QAbstractButton::toggled, &state, teller(state, key, &ViewState::tellChanged));
}

void bind(ViewState& state, const QString& key, QTableView& table)
{
    bindSort(state, key, table, *table.horizontalHeader());
}

void bind(ViewState& state, const QString& key, QTreeView& table)
{
    bindSort(state, key, table, *table.header());
}

void bind(ViewState& state, const QString& key, QSplitter& splitter)
{
    add(
        state, key, splitter,
        [&splitter] {
            QJsonArray sizes;
            for (const int size : splitter.sizes())
                sizes.append(size);
            return QJsonValue(sizes);
        },
        [&splitter](const QJsonValue& value) {
            QList<int> sizes;
            for (const QJsonValue& size : value.toArray())
                sizes << std::clamp(size.toInt(), 0, kMaxPixels);
            if (sizes.size() == splitter.count())
                splitter.setSizes(sizes);
        });
}

void bindEditor(ViewState& state, const QString& key, QWidget& editor)
{
    if (auto* box = qobject_cast<QComboBox*>(&editor))
        return bind(state, key, *box);
    if (auto* whole = qobject_cast<QSpinBox*>(&editor))
        return bind(state, key, *whole);
    if (auto* real = qobject_cast<QDoubleSpinBox*>(&editor))
        return bind(state, key, *real);
    if (auto* line = qobject_cast<QLineEdit*>(&editor))
        return bind(state, key, *line);
    auto* button = qobject_cast<QAbstractButton*>(&editor);
    HEADSCOPE_ASSERT(button != nullptr);
    bind(state, key, *button);
}

void bindAct(ViewState& state, QAbstractButton& button)
{
    QObject::connect(&button, &QAbstractButton::pressed, &state, [&state] { state.tellActs(); });
}

} // namespace headscope::ui
