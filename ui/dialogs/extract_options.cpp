// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/extract_options.h"

#include "model/data/ablation_spec.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/extract_option_rows.h"
#include "ui/dialogs/path_field.h"
#include "ui/theme/theme.h"
#include "ui/widgets/wheel_guard.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QLineEdit>
#include <QRegularExpression>
#include <QStyle>

#include <limits>
#include <string_view>

namespace headscope::ui
{
namespace
{

QString translated(const char* text)
{
    return ExtractOptions::tr(text);
}

QString optionName(const OptionRow& row)
{
    return toQString(row.option);
}

/// "extractOption-limit"
QString objectNameOf(const OptionRow& row)
{
    return QStringLiteral("extractOption") % optionName(row).mid(1);
}

} // namespace

ExtractOptions::ExtractOptions(DialogService& dialogs, QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("extractOptions"));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(Metrics::kPanel);
    grid->setVerticalSpacing(Metrics::kGrid);
    constexpr int kFieldWidth = 240;
    grid->setColumnMinimumWidth(1, kFieldWidth);
    grid->setColumnStretch(1, 2);
    grid->setColumnStretch(2, 3);
    std::string_view group;
    for (std::size_t row = 0; row < kExtractOptions.size(); ++row)
    {
        if (kExtractOptions[row].group != group)
        {
            group = kExtractOptions[row].group;
            if (row > 0)
                grid->setRowMinimumHeight(grid->rowCount(), Metrics::kRelated);
            grid->addWidget(makeSectionLabel(translated(group.data()), this), grid->rowCount(), 0, 1, 3);
        }
        add(row, dialogs, grid);
    }
    refresh();
}

ExtractOptions::Control ExtractOptions::makeControl(const OptionRow& option, DialogService& dialogs)
{
    const QString label = translated(option.label);
    const auto onChange = [this] {
        refresh();
        Q_EMIT changed();
    };
    if (option.kind == OptionKind::Flag)
    {
        auto* box = new QCheckBox(label, this);
        connect(box, &QCheckBox::toggled, this, onChange);
        return {box, box};
    }
    if (option.kind == OptionKind::Choice)
    {
        auto* box = new QComboBox(this);
        const QStringList choices = toQString(option.choices).split(u'|');
        const QStringList names =
            option.choiceNames == nullptr ? choices.mid(1) : translated(option.choiceNames).split(u'|');
        box->addItem(translated(option.unset), choices.front());
        for (qsizetype i = 1; i < choices.size(); ++i)
            box->addItem(names.at(i - 1), choices.at(i));
        // Names of the model's own values come later: they must not widen the form.
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        new WheelGuard(box);
        connect(box, &QComboBox::currentIndexChanged, this, onChange);
        return {box, box};
    }
    if (option.kind == OptionKind::File)
    {
        auto* path = new PathField(dialogs, PathField::Kind::File, objectNameOf(option), label,
                                   translated(option.unset), tr("All files (*)"), this);
        connect(path, &PathField::changed, this, onChange);
        return {path, path->line()};
    }
    auto* line = new QLineEdit(this);
    line->setPlaceholderText(translated(option.unset));
    connect(line, &QLineEdit::textChanged, this, onChange);
    return {line, line};
}

void ExtractOptions::add(std::size_t row, DialogService& dialogs, QGridLayout* grid)
{
    const OptionRow& option = kExtractOptions[row];
    const QString label = translated(option.label);
    const QString name = objectNameOf(option);
    const QString tip = tr("%1 (%2)").arg(translated(option.help), optionName(option));
    const auto [control, named] = makeControl(option, dialogs);
    named->setObjectName(name);
    named->setAccessibleName(label);
    named->setAccessibleDescription(translated(option.help));
    named->setToolTip(tip);
    const int line = grid->rowCount();
    if (option.kind == OptionKind::Flag)
        grid->addWidget(control, line, 0, 1, 2);
    else
    {
        auto* title = new QLabel(label, this);
        title->setBuddy(named);
        grid->addWidget(title, line, 0);
        grid->addWidget(control, line, 1);
    }
    auto* help = makeMutedLabel(translated(option.help), this);
    help->setFont(Theme::smallFont());
    help->setWordWrap(true);
    help->setToolTip(tip);
    grid->addWidget(help, line, 2);
    m_fields.push_back({row, control});
}

/// What was chosen, as the command line takes it; "" for the default.
QString ExtractOptions::value(std::size_t row) const
{
    const QWidget* control = m_fields[row].control;
    if (const auto* flag = qobject_cast<const QCheckBox*>(control))
        return flag->isChecked() && flag->isEnabled() ? QStringLiteral("on") : QString();
    if (const auto* choice = qobject_cast<const QComboBox*>(control))
        return choice->currentIndex() <= 0 ? QString() : choice->currentData().toString();
    if (const auto* path = qobject_cast<const PathField*>(control))
        return path->path();
    const QString text = qobject_cast<const QLineEdit*>(control)->text();
    // Blanks of a prompt are part of it.
    return kExtractOptions[row].option == "--prompt" ? text : text.trimmed();
}

QString ExtractOptions::valueOf(const char* option) const
{
    for (const Field& field : m_fields)
        if (kExtractOptions[field.row].option == option)
            return value(field.row);
    return {};
}

QStringList ExtractOptions::arguments() const
{
    QStringList words;
    for (const Field& field : m_fields)
    {
        const QString written = value(field.row);
        if (written.isEmpty())
            continue;
        words << optionName(kExtractOptions[field.row]);
        if (kExtractOptions[field.row].kind != OptionKind::Flag)
            words << written;
    }
    return words;
}

int ExtractOptions::count() const
{
    int filled = 0;
    for (const Field& field : m_fields)
        filled += value(field.row).isEmpty() ? 0 : 1;
    return filled;
}

QString ExtractOptions::refusal(std::size_t row) const
{
    const OptionRow& option = kExtractOptions[row];
    const QString written = value(row);
    if (written.isEmpty())
        return {};
    const auto expected = [&](const QString& what) {
        return tr("%1: expected %2, found “%3”.").arg(translated(option.label), what, written);
    };
    switch (option.kind)
    {
    case OptionKind::Count:
    case OptionKind::Tokens:
    {
        if (option.kind == OptionKind::Tokens && written == QStringLiteral("auto"))
            return {};
        bool isNumber = false;
        const qint64 number = written.toLongLong(&isNumber);
        static const QRegularExpression digits(QStringLiteral("^[0-9]+$"));
        if (isNumber && digits.match(written).hasMatch() && number >= option.least && number <= option.most)
            return {};
        return option.most < std::numeric_limits<std::int64_t>::max()
                   ? expected(tr("a whole number from %1 to %2").arg(option.least).arg(option.most))
                   : expected(tr("a whole number of %1 or more").arg(option.least));
    }
    case OptionKind::File:
        return QFileInfo(written).isFile() ? QString()
                                           : tr("%1: there is no file %2.").arg(translated(option.label), written);
    case OptionKind::Device:
    {
        static const QRegularExpression device(QStringLiteral("^(auto|cpu|cuda(:[0-9]{1,3})?)$"));
        return device.match(written).hasMatch() ? QString() : expected(tr("auto, cpu, cuda or cuda:N"));
    }
    case OptionKind::Bytes:
    {
        static const QRegularExpression bytes(QStringLiteral("^0*[1-9][0-9]{0,14}[kMG]?$"));
        if (!bytes.match(written).hasMatch())
            return expected(tr("a number of bytes such as 3000000000, 2500M or 3G"));
        return valueOf("--device").startsWith(QStringLiteral("cuda"))
                   ? tr("A memory limit works on the CPU alone: choose the device cpu.")
                   : QString();
    }
    case OptionKind::Heads:
    {
        const std::string fault = ablationFault(toStdString(written));
        return fault.empty() ? QString() : tr("%1: %2.").arg(translated(option.label), toQString(fault));
    }
    case OptionKind::Template:
        return written.contains(QStringLiteral("{}")) ? QString()
                                                      : expected(tr("a text with {} in it, where the name stands"));
    case OptionKind::Flag:
    case OptionKind::Choice:
    case OptionKind::Text:
        break;
    }
    return {};
}

QString ExtractOptions::problem() const
{
    for (const Field& field : m_fields)
        if (const QString why = refusal(field.row); !why.isEmpty())
            return why;
    if (!valueOf("--label").isEmpty() && valueOf("--topics").isEmpty())
        return tr("Topics belong to: choose a file of topic names first.");
    const bool isMean = valueOf("--ablation") == QStringLiteral("mean");
    if (isMean && valueOf("--ablate").isEmpty())
        return tr("Set to: name the heads that are off first.");
    if (!valueOf("--reference").isEmpty() && !isMean)
        return tr("Reference: its documents are for heads that are set to each one’s mean.");
    return {};
}

/// Marks what the shell would refuse.
void ExtractOptions::refresh()
{
    for (const Field& field : m_fields)
    {
        QWidget* control = field.control;
        if (const auto* path = qobject_cast<const PathField*>(control))
            control = path->line();
        const bool isWrong = !refusal(field.row).isEmpty();
        if (control->property("invalid").toBool() == isWrong)
            continue;
        control->setProperty("invalid", isWrong);
        control->style()->unpolish(control);
        control->style()->polish(control);
    }
}

void ExtractOptions::setDefaults(const ModelDefaults& defaults)
{
    const auto says = [](const char* unset, const QString& what) {
        return what.isEmpty() ? translated(unset) : tr("%1: %2 for this model").arg(translated(unset), what);
    };
    for (const Field& field : m_fields)
    {
        const OptionRow& row = kExtractOptions[field.row];
        if (row.option == "--max-tokens")
            qobject_cast<QLineEdit*>(field.control)
                ->setPlaceholderText(
                    says(row.unset, defaults.maxTokens > 0 ? QString::number(defaults.maxTokens) : QString()));
        if (row.option == "--pooling")
            qobject_cast<QComboBox*>(field.control)->setItemText(0, says(row.unset, defaults.pooling));
        if (row.option == "--eos") // "</s> is appended (add_eos_token)": who says so is for the tip
            qobject_cast<QComboBox*>(field.control)
                ->setItemText(0, defaults.eos.isEmpty()
                                     ? translated(row.unset)
                                     : tr("auto: %1").arg(defaults.eos.section(QStringLiteral(" ("), 0, 0)));
    }
}

void ExtractOptions::setPlainText(bool isPlain)
{
    m_plainText = isPlain;
    for (const Field& field : m_fields)
        if (kExtractOptions[field.row].option == "--lines")
            field.control->setEnabled(isPlain);
}

bool ExtractOptions::lines() const
{
    return !valueOf("--lines").isEmpty();
}

QString ExtractOptions::separator() const
{
    return valueOf("--separator");
}

std::int64_t ExtractOptions::limit() const
{
    const QString written = valueOf("--limit");
    bool isNumber = false;
    const qint64 number = written.toLongLong(&isNumber);
    return isNumber && number > 0 ? number : 0;
}

} // namespace headscope::ui
