// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/extract_options.h"

#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/path_field.h"
#include "ui/theme/theme.h"
#include "ui/wheel_guard.h"
#include "ui/widgets.h"
#include "ui/wording.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QLineEdit>
#include <QRegularExpression>
#include <QStyle>

#include <array>
#include <limits>
#include <string_view>

namespace headscope::ui
{
namespace
{

enum class Kind
{
    Flag,
    Count,  ///< a whole number from `least` to `most`
    Tokens, ///< the same, or auto
    Choice, ///< of `choices`; the first is the default
    Text,
    File,
    Device,
    Bytes,
};

/// One option of `headscope-engine extract`.
struct OptionRow
{
    std::string_view group;
    std::string_view option; ///< as the command line names it
    Kind kind = Kind::Text;
    const char* label = "";
    const char* help = "";
    const char* unset = "";            ///< what happens when nothing is said
    std::string_view choices = {};     ///< separated by '|'
    const char* choiceNames = nullptr; ///< of the choices after the first, for people; null: the choices themselves
    std::int64_t least = 1;
    std::int64_t most = std::numeric_limits<std::int64_t>::max();
};

constexpr const char* kDocuments = QT_TRANSLATE_NOOP("ExtractOptions", "Documents");
constexpr const char* kModel = QT_TRANSLATE_NOOP("ExtractOptions", "From text to vector");
constexpr const char* kComputing = QT_TRANSLATE_NOOP("ExtractOptions", "Computing");
constexpr const char* kCache = QT_TRANSLATE_NOOP("ExtractOptions", "Cache");

#define HEADSCOPE_WORDS(text) QT_TRANSLATE_NOOP("ExtractOptions", text)
constexpr std::array kRows{
    OptionRow{kDocuments, "--lines", Kind::Flag, HEADSCOPE_WORDS("Each line is a document"),
              HEADSCOPE_WORDS("Of a .txt file; otherwise the whole file is one document.")},
    OptionRow{kDocuments, "--limit", Kind::Count, HEADSCOPE_WORDS("First documents"),
              HEADSCOPE_WORDS("Only the first so many are read: a quick try of a large file."), HEADSCOPE_WORDS("all")},
    OptionRow{kDocuments, "--sample", Kind::Count, HEADSCOPE_WORDS("Sample"),
              HEADSCOPE_WORDS("So many of these are drawn at random."), HEADSCOPE_WORDS("all")},
    OptionRow{kDocuments,
              "--seed",
              Kind::Count,
              HEADSCOPE_WORDS("Seed of the sample"),
              HEADSCOPE_WORDS("The same seed draws the same documents."),
              "1",
              {},
              nullptr,
              0},
    OptionRow{kDocuments, "--topics", Kind::File, HEADSCOPE_WORDS("Topic names"),
              HEADSCOPE_WORDS("A file of names, one a line or JSON; they are embedded like documents."),
              HEADSCOPE_WORDS("the values of the labels")},
    OptionRow{kDocuments, "--label", Kind::Text, HEADSCOPE_WORDS("Topics belong to"),
              HEADSCOPE_WORDS("The label column of the topic names, where there are several."),
              HEADSCOPE_WORDS("the only label column")},
    OptionRow{kDocuments, "--label-map", Kind::File, HEADSCOPE_WORDS("Rename labels"),
              HEADSCOPE_WORDS("A JSON object of old label to new; null makes a label none."),
              HEADSCOPE_WORDS("as they are")},
    OptionRow{kModel, "--max-tokens", Kind::Tokens, HEADSCOPE_WORDS("Maximum length"),
              HEADSCOPE_WORDS("Longer texts are cut to so many tokens, and marked."), HEADSCOPE_WORDS("auto")},
    OptionRow{kModel, "--pooling", Kind::Choice, HEADSCOPE_WORDS("Pooling"),
              HEADSCOPE_WORDS("Where in the text the vectors are taken."), HEADSCOPE_WORDS("auto"),
              "auto|last|mean|first", HEADSCOPE_WORDS("the last token|the mean of all tokens|the first token")},
    OptionRow{kModel, "--prompt", Kind::Text, HEADSCOPE_WORDS("Prompt"),
              HEADSCOPE_WORDS("Stands before every document and topic name, blanks included."),
              HEADSCOPE_WORDS("none")},
    OptionRow{kModel, "--eos", Kind::Choice, HEADSCOPE_WORDS("End token"),
              HEADSCOPE_WORDS("Whether it follows every text."), HEADSCOPE_WORDS("as the model's files say"),
              "config|always|never", HEADSCOPE_WORDS("always|never")},
    OptionRow{kModel, "--special-tokens", Kind::Choice, HEADSCOPE_WORDS("Special tokens"),
              HEADSCOPE_WORDS("What their names mean inside of a text."), HEADSCOPE_WORDS("they are these tokens"),
              "parse|text", HEADSCOPE_WORDS("they are plain text")},
    OptionRow{kComputing, "--device", Kind::Device, HEADSCOPE_WORDS("Device"),
              HEADSCOPE_WORDS("auto, cpu, cuda, or cuda:1 for the second GPU."),
              HEADSCOPE_WORDS("auto: a GPU where there is one")},
    OptionRow{kComputing, "--dtype", Kind::Choice, HEADSCOPE_WORDS("Numbers"),
              HEADSCOPE_WORDS("What is computed with."), HEADSCOPE_WORDS("auto: f32"), "auto|f32", nullptr},
    OptionRow{kComputing, "--memory", Kind::Bytes, HEADSCOPE_WORDS("Memory limit"),
              HEADSCOPE_WORDS("Such as 2500M or 3G: layers are read from disk in turn. On the CPU alone."),
              HEADSCOPE_WORDS("none")},
    OptionRow{kComputing,
              "--threads",
              Kind::Count,
              HEADSCOPE_WORDS("Threads"),
              HEADSCOPE_WORDS("How many cores work."),
              HEADSCOPE_WORDS("as in the settings"),
              {},
              nullptr,
              1,
              4096},
    OptionRow{kCache, "--store", Kind::Choice, HEADSCOPE_WORDS("Stored numbers"),
              HEADSCOPE_WORDS("Half the size with 16 bits; f16 has finer steps, bf16 the larger range."),
              HEADSCOPE_WORDS("f32"), "f32|f16|bf16", nullptr},
    OptionRow{kCache,
              "--shard-mb",
              Kind::Count,
              HEADSCOPE_WORDS("Shard"),
              HEADSCOPE_WORDS("Megabytes that are written at once on the way to the cache."),
              "64",
              {},
              nullptr,
              1,
              1 << 20},
};
#undef HEADSCOPE_WORDS

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
    grid->setColumnStretch(1, 2);
    grid->setColumnStretch(2, 3);
    std::string_view group;
    for (std::size_t row = 0; row < kRows.size(); ++row)
    {
        if (kRows[row].group != group)
        {
            group = kRows[row].group;
            if (row > 0)
                grid->setRowMinimumHeight(grid->rowCount(), Metrics::kGrid);
            grid->addWidget(makeSectionLabel(translated(group.data()), this), grid->rowCount(), 0, 1, 3);
        }
        add(row, dialogs, grid);
    }
    refresh();
}

void ExtractOptions::add(std::size_t row, DialogService& dialogs, QGridLayout* grid)
{
    const OptionRow& option = kRows[row];
    const QString label = translated(option.label);
    const QString name = objectNameOf(option);
    const QString tip = tr("%1 (%2)").arg(translated(option.help), optionName(option));
    QWidget* control = nullptr;
    QWidget* named = nullptr; // what takes the keyboard
    const auto onChange = [this] {
        refresh();
        Q_EMIT changed();
    };
    if (option.kind == Kind::Flag)
    {
        auto* box = new QCheckBox(label, this);
        connect(box, &QCheckBox::toggled, this, onChange);
        control = named = box;
    }
    else if (option.kind == Kind::Choice)
    {
        auto* box = new QComboBox(this);
        const QStringList choices = toQString(option.choices).split(u'|');
        const QStringList names =
            option.choiceNames == nullptr ? choices.mid(1) : translated(option.choiceNames).split(u'|');
        box->addItem(translated(option.unset), choices.front());
        for (qsizetype i = 1; i < choices.size(); ++i)
            box->addItem(names.at(i - 1), choices.at(i));
        new WheelGuard(box);
        connect(box, &QComboBox::currentIndexChanged, this, onChange);
        control = named = box;
    }
    else if (option.kind == Kind::File)
    {
        auto* path = new PathField(dialogs, PathField::Kind::File, name, label, translated(option.unset),
                                   tr("All files (*)"), this);
        connect(path, &PathField::changed, this, onChange);
        control = path;
        named = path->line();
    }
    else
    {
        auto* line = new QLineEdit(this);
        line->setPlaceholderText(translated(option.unset));
        connect(line, &QLineEdit::textChanged, this, onChange);
        control = named = line;
    }
    named->setObjectName(name);
    named->setAccessibleName(label);
    named->setAccessibleDescription(translated(option.help));
    named->setToolTip(tip);
    const int line = grid->rowCount();
    if (option.kind == Kind::Flag)
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
    return kRows[row].option == "--prompt" ? text : text.trimmed();
}

QString ExtractOptions::valueOf(const char* option) const
{
    for (const Field& field : m_fields)
        if (kRows[field.row].option == option)
            return value(field.row);
    return {};
}

QStringList ExtractOptions::arguments() const
{
    QStringList words;
    for (const Field& field : m_fields)
    {
        const QString said = value(field.row);
        if (said.isEmpty())
            continue;
        words << optionName(kRows[field.row]);
        if (kRows[field.row].kind != Kind::Flag)
            words << said;
    }
    return words;
}

int ExtractOptions::count() const
{
    int said = 0;
    for (const Field& field : m_fields)
        said += value(field.row).isEmpty() ? 0 : 1;
    return said;
}

QString ExtractOptions::refusal(std::size_t row) const
{
    const OptionRow& option = kRows[row];
    const QString said = value(row);
    if (said.isEmpty())
        return {};
    const auto expected = [&](const QString& what) {
        return tr("%1: expected %2, found “%3”.").arg(translated(option.label), what, said);
    };
    switch (option.kind)
    {
    case Kind::Count:
    case Kind::Tokens:
    {
        if (option.kind == Kind::Tokens && said == QStringLiteral("auto"))
            return {};
        bool isNumber = false;
        const qint64 number = said.toLongLong(&isNumber);
        static const QRegularExpression digits(QStringLiteral("^[0-9]+$"));
        if (isNumber && digits.match(said).hasMatch() && number >= option.least && number <= option.most)
            return {};
        return option.most < std::numeric_limits<std::int64_t>::max()
                   ? expected(tr("a whole number from %1 to %2").arg(option.least).arg(option.most))
                   : expected(tr("a whole number of %1 or more").arg(option.least));
    }
    case Kind::File:
        return QFileInfo(said).isFile() ? QString()
                                        : tr("%1: there is no file %2.").arg(translated(option.label), said);
    case Kind::Device:
    {
        static const QRegularExpression device(QStringLiteral("^(auto|cpu|cuda(:[0-9]{1,3})?)$"));
        return device.match(said).hasMatch() ? QString() : expected(tr("auto, cpu, cuda or cuda:N"));
    }
    case Kind::Bytes:
    {
        static const QRegularExpression bytes(QStringLiteral("^0*[1-9][0-9]{0,14}[kMG]?$"));
        if (!bytes.match(said).hasMatch())
            return expected(tr("a number of bytes such as 3000000000, 2500M or 3G"));
        return valueOf("--device").startsWith(QStringLiteral("cuda"))
                   ? tr("A memory limit works on the CPU alone: choose the device cpu.")
                   : QString();
    }
    case Kind::Flag:
    case Kind::Choice:
    case Kind::Text:
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
        return what.isEmpty() ? translated(unset) : tr("%1: the model says %2").arg(translated(unset), what);
    };
    for (const Field& field : m_fields)
    {
        const OptionRow& row = kRows[field.row];
        if (row.option == "--max-tokens")
            qobject_cast<QLineEdit*>(field.control)
                ->setPlaceholderText(
                    says(row.unset, defaults.maxTokens > 0 ? QString::number(defaults.maxTokens) : QString()));
        if (row.option == "--pooling")
            qobject_cast<QComboBox*>(field.control)->setItemText(0, says(row.unset, defaults.pooling));
        if (row.option == "--eos")
            qobject_cast<QComboBox*>(field.control)
                ->setItemText(0, defaults.eos.isEmpty() ? translated(row.unset)
                                                        : tr("%1: %2").arg(translated(row.unset), defaults.eos));
    }
}

void ExtractOptions::setPlainText(bool isPlain)
{
    m_plainText = isPlain;
    for (const Field& field : m_fields)
        if (kRows[field.row].option == "--lines")
            field.control->setEnabled(isPlain);
}

bool ExtractOptions::lines() const
{
    return !valueOf("--lines").isEmpty();
}

std::int64_t ExtractOptions::limit() const
{
    const QString said = valueOf("--limit");
    bool isNumber = false;
    const qint64 number = said.toLongLong(&isNumber);
    return isNumber && number > 0 ? number : 0;
}

} // namespace headscope::ui
