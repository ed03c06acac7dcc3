// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/extract_options.h"

#include "model/base/assert.h"
#include "ui/dialogs/dialog_service.h"
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

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr std::string_view kPrompt = "--prompt";

/// Options that stand below one another.
struct Section
{
    const char* title = "";
    std::vector<std::string_view> options;
};

/// Every available option but those the dialog asks for above: model, texts and their columns, layers, stages, cache.
const std::vector<Section>& sections()
{
    static const std::vector<Section> all = {
        {QT_TRANSLATE_NOOP("ExtractOptions", "Documents"),
         {"--lines", "--separator", "--limit", "--sample", "--seed", "--duplicate-ids", "--label-lists", "--topics",
          "--topic-template", "--label", "--label-map"}},
        {QT_TRANSLATE_NOOP("ExtractOptions", "From text to vector"),
         {"--max-tokens", "--pooling", "--last-layer", "--embedding", kPrompt, "--prompt-name", "--eos",
          "--special-tokens"}},
        {QT_TRANSLATE_NOOP("ExtractOptions", "Changes in the model"),
         {"--ablate", "--ablation", "--reference", "--regroup"}},
        {QT_TRANSLATE_NOOP("ExtractOptions", "Computing"), {"--device", "--dtype", "--memory", "--threads"}},
        {QT_TRANSLATE_NOOP("ExtractOptions", "Cache"), {"--store", "--shard-mb"}},
    };
    return all;
}

QString translated(std::string_view text)
{
    return ExtractOptions::tr(std::string(text).c_str());
}

QString optionName(const Field& field)
{
    return toQString(field.typedName());
}

/// "extractOption-limit"
QString objectNameOf(const Field& field)
{
    return QStringLiteral("extractOption") % optionName(field).mid(1);
}

/// What stands for an option that is left alone.
QString unsetText(const Field& field)
{
    if (!field.choices.empty())
        return translated(field.choices.front().label);
    return field.leastWord.empty() ? toQString(field.usual) : translated(field.leastWord);
}

} // namespace

ExtractOptions::ExtractOptions(DialogService& dialogs, Declare declare, QWidget* parent)
    : QWidget(parent), m_declare(std::move(declare))
{
    setObjectName(QStringLiteral("extractOptions"));
    m_declare(m_options);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(Metrics::kPanel);
    grid->setVerticalSpacing(Metrics::kGrid);
    constexpr int kFieldWidth = 240;
    grid->setColumnMinimumWidth(1, kFieldWidth);
    grid->setColumnStretch(1, 2);
    grid->setColumnStretch(2, 3);
    for (const Section& section : sections())
    {
        if (!m_rows.empty())
            grid->setRowMinimumHeight(grid->rowCount(), Metrics::kRelated);
        grid->addWidget(makeSectionLabel(tr(section.title), this), grid->rowCount(), 0, 1, 3);
        for (const std::string_view option : section.options)
        {
            const Field* field = m_options.find(option);
            HEADSCOPE_ASSERT(field != nullptr);
            add(*field, dialogs, grid);
        }
    }
    refresh();
}

ExtractOptions::Control ExtractOptions::makeControl(const Field& field, DialogService& dialogs)
{
    const QString label = translated(field.title);
    const auto onChange = [this] {
        refresh();
        Q_EMIT changed();
    };
    if (field.isFlag())
    {
        auto* box = new QCheckBox(label, this);
        connect(box, &QCheckBox::toggled, this, onChange);
        return {box, box};
    }
    if (!field.choices.empty())
    {
        auto* box = new QComboBox(this);
        for (const FieldWord& choice : field.choices)
            box->addItem(translated(choice.label), toQString(choice.word));
        // Names of the model's own values come later: they must not widen the form.
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        new WheelGuard(box);
        connect(box, &QComboBox::currentIndexChanged, this, onChange);
        return {box, box};
    }
    if (field.isFile)
    {
        auto* path = new PathField(dialogs, PathField::Kind::File, objectNameOf(field), label, unsetText(field),
                                   tr("All files (*)"), this);
        connect(path, &PathField::changed, this, onChange);
        return {path, path->line()};
    }
    auto* line = new QLineEdit(this);
    line->setPlaceholderText(unsetText(field));
    connect(line, &QLineEdit::textChanged, this, onChange);
    return {line, line};
}

void ExtractOptions::add(const Field& field, DialogService& dialogs, QGridLayout* grid)
{
    const QString label = translated(field.title);
    const QString sentence = translated(field.explanation);
    const QString tip = tr("%1 (%2)").arg(sentence, optionName(field));
    const auto [control, named] = makeControl(field, dialogs);
    named->setObjectName(objectNameOf(field));
    named->setAccessibleName(label);
    named->setAccessibleDescription(sentence);
    named->setToolTip(tip);
    const int line = grid->rowCount();
    if (field.isFlag())
        grid->addWidget(control, line, 0, 1, 2);
    else
    {
        auto* title = new QLabel(label, this);
        title->setBuddy(named);
        grid->addWidget(title, line, 0);
        grid->addWidget(control, line, 1);
    }
    auto* help = makeMutedLabel(sentence, this);
    help->setFont(Theme::smallFont());
    help->setWordWrap(true);
    help->setToolTip(tip);
    grid->addWidget(help, line, 2);
    m_rows.push_back({&field, control});
}

const ExtractOptions::Row& ExtractOptions::rowOf(std::string_view option) const
{
    const auto row = std::ranges::find(m_rows, option, [](const Row& each) { return each.field->typedName(); });
    HEADSCOPE_ASSERT(row != m_rows.end());
    return *row;
}

/// What was chosen, as the command line takes it; "" for the default.
QString ExtractOptions::value(const Row& row) const
{
    if (const auto* flag = qobject_cast<const QCheckBox*>(row.control))
        return flag->isChecked() && flag->isEnabled() ? QStringLiteral("on") : QString();
    if (const auto* choice = qobject_cast<const QComboBox*>(row.control))
        return choice->currentIndex() <= 0 ? QString() : choice->currentData().toString();
    if (const auto* path = qobject_cast<const PathField*>(row.control))
        return path->path();
    const QString text = qobject_cast<const QLineEdit*>(row.control)->text();
    // Blanks of a prompt are part of it.
    return row.field->typedName() == kPrompt ? text : text.trimmed();
}

QStringList ExtractOptions::arguments() const
{
    QStringList words;
    for (const Row& row : m_rows)
    {
        const QString written = value(row);
        if (written.isEmpty())
            continue;
        words << optionName(*row.field);
        if (!row.field->isFlag())
            words << written;
    }
    return words;
}

int ExtractOptions::count() const
{
    return static_cast<int>(std::ranges::count_if(m_rows, [this](const Row& row) { return !value(row).isEmpty(); }));
}

QString ExtractOptions::refusal(const Row& row) const
{
    const Field& field = *row.field;
    const QString written = value(row);
    if (written.isEmpty() || field.isFlag())
        return {};
    const QString label = translated(field.title);
    if (field.isFile)
        return QFileInfo(written).isFile() ? QString() : tr("%1: there is no file %2.").arg(label, written);
    if (const std::string fault = field.faultOf(toStdString(written)); !fault.empty())
        return tr("%1: %2.").arg(label, toQString(fault));
    if (field.typedName() == "--device")
    {
        static const QRegularExpression device(QStringLiteral("^(auto|cpu|cuda(:[0-9]{1,3})?)$"));
        return device.match(written).hasMatch()
                   ? QString()
                   : tr("%1: expected auto, cpu, cuda or cuda:N, found “%2”.").arg(label, written);
    }
    if (field.typedName() == "--memory" && valueOf("--device").startsWith(QStringLiteral("cuda")))
        return tr("A memory limit works on the CPU only: set the device to cpu.");
    return {};
}

QString ExtractOptions::problem() const
{
    for (const Row& row : m_rows)
        if (const QString why = refusal(row); !why.isEmpty())
            return why;
    if (!valueOf("--label").isEmpty() && valueOf("--topics").isEmpty())
        return tr("“Topics belong to”: select a file of topic names first.");
    const bool isMean = valueOf("--ablation") == QStringLiteral("mean");
    if (isMean && valueOf("--ablate").isEmpty())
        return tr("“Set to”: name the heads to ablate first.");
    if (!valueOf("--reference").isEmpty() && !isMean)
        return tr("“Reference”: reference documents are used only for mean ablation.");
    return {};
}

/// Marks what the shell would refuse.
void ExtractOptions::refresh()
{
    for (const Row& row : m_rows)
    {
        QWidget* control = row.control;
        if (const auto* path = qobject_cast<const PathField*>(control))
            control = path->line();
        const bool isWrong = !refusal(row).isEmpty();
        if (control->property("invalid").toBool() == isWrong)
            continue;
        control->setProperty("invalid", isWrong);
        control->style()->unpolish(control);
        control->style()->polish(control);
    }
}

void ExtractOptions::setDefaults(const ModelDefaults& defaults)
{
    const auto says = [](const Row& row, const QString& what) {
        const QString unset = unsetText(*row.field);
        return what.isEmpty() ? unset : tr("%1: %2 for this model").arg(unset, what);
    };
    const Row& tokens = rowOf("--max-tokens");
    qobject_cast<QLineEdit*>(tokens.control)
        ->setPlaceholderText(says(tokens, defaults.maxTokens > 0 ? QString::number(defaults.maxTokens) : QString()));
    const Row& pooling = rowOf("--pooling");
    qobject_cast<QComboBox*>(pooling.control)->setItemText(0, says(pooling, defaults.pooling));
    const Row& end = rowOf("--eos"); // "</s> is appended (add_eos_token)": who says so is for the tip
    qobject_cast<QComboBox*>(end.control)
        ->setItemText(0, defaults.eos.isEmpty() ? unsetText(*end.field)
                                                : tr("auto: %1").arg(defaults.eos.section(QStringLiteral(" ("), 0, 0)));
}

void ExtractOptions::setPlainText(bool isPlain)
{
    m_plainText = isPlain;
    rowOf("--lines").control->setEnabled(isPlain);
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
