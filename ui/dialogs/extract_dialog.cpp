// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/extract_dialog.h"

#include "ui/dialogs/dialog_service.h"
#include "ui/file_kind.h"
#include "ui/theme/theme.h"
#include "ui/widgets.h"
#include "ui/wording.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui
{
namespace
{

constexpr int kWidth = 560;

QGridLayout* gridOf(QDialog* dialog)
{
    return dialog->findChild<QGridLayout*>(QStringLiteral("grid"));
}

} // namespace

ExtractDialog::ExtractDialog(DialogService& dialogs, QWidget* parent) : QDialog(parent), m_dialogs(dialogs)
{
    setObjectName(QStringLiteral("extractDialog"));
    setWindowTitle(tr("Extract head vectors"));
    setMinimumWidth(kWidth);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Metrics::kGroups, Metrics::kGroups, Metrics::kGroups, Metrics::kGroups);
    layout->setSpacing(Metrics::kGroups);
    auto* intro =
        makeMutedLabel(tr("Runs a model over texts and keeps what every attention head says in a cache. This may "
                          "take a while; the window stays usable."),
                       this);
    intro->setWordWrap(true);
    layout->addWidget(intro);
    auto* grid = new QGridLayout;
    grid->setObjectName(QStringLiteral("grid"));
    grid->setHorizontalSpacing(Metrics::kPanel);
    grid->setVerticalSpacing(Metrics::kRelated);
    grid->setColumnStretch(1, 1);
    layout->addLayout(grid);
    m_model = addPath(QStringLiteral("extractModel"), tr("Model"), tr("Hugging Face folder or .gguf file"));
    m_card = makeMutedLabel({}, this);
    m_card->setObjectName(QStringLiteral("extractCard"));
    m_card->setFont(Theme::smallFont());
    m_card->setWordWrap(true);
    m_card->hide();
    grid->addWidget(m_card, grid->rowCount(), 1, 1, 2);
    constexpr int kCardDelayMs = 300;
    m_cardDelay.setSingleShot(true);
    m_cardDelay.setInterval(kCardDelayMs);
    connect(&m_cardDelay, &QTimer::timeout, this, &ExtractDialog::askCard);
    connect(m_model, &QLineEdit::textChanged, &m_cardDelay, qOverload<>(&QTimer::start));
    m_texts = addPath(QStringLiteral("extractTexts"), tr("Texts"), tr(".jsonl, .csv, .tsv, .txt or a folder"));

    auto* layers = new QHBoxLayout;
    layers->setSpacing(Metrics::kRelated);
    m_layers = new QComboBox(this);
    m_layers->setObjectName(QStringLiteral("extractLayers"));
    m_layers->setToolTip(tr("Whose head vectors the cache shall hold"));
    m_layers->setAccessibleName(tr("Layers"));
    m_layers->addItems({tr("Last layer"), tr("All layers"), tr("These layers:")});
    m_layerList = new QLineEdit(this);
    m_layerList->setObjectName(QStringLiteral("extractLayerList"));
    m_layerList->setAccessibleName(tr("Layers, counted from 0"));
    m_layerList->setPlaceholderText(QStringLiteral("0,15,31"));
    layers->addWidget(m_layers);
    layers->addWidget(m_layerList, 1);
    grid->addWidget(new QLabel(tr("Layers"), this), grid->rowCount(), 0);
    grid->addLayout(layers, grid->rowCount() - 1, 1, 1, 2);

    auto* stages = new QVBoxLayout;
    stages->setSpacing(Metrics::kGrid);
    for (const Stage stage : kStages)
    {
        auto* box = new QCheckBox(toQString(stageName(stage)) % QStringLiteral("  ") % stageTitle(stage), this);
        box->setObjectName(QStringLiteral("extractStage") % toQString(stageName(stage)));
        box->setToolTip(toQString(stageDescription(stage)));
        box->setChecked(true);
        m_stages << box;
        stages->addWidget(box);
        connect(box, &QCheckBox::toggled, this, &ExtractDialog::refresh);
    }
    grid->addWidget(new QLabel(tr("Stages"), this), grid->rowCount(), 0, Qt::AlignTop);
    grid->addLayout(stages, grid->rowCount() - 1, 1, 1, 2);
    m_output = addPath(QStringLiteral("extractOutput"), tr("Cache"), tr("the .h5 file to write"));

    m_overwrite = new QCheckBox(tr("Replace the cache that is there"), this);
    m_overwrite->setObjectName(QStringLiteral("extractOverwrite"));
    grid->addWidget(m_overwrite, grid->rowCount(), 1, 1, 2);
    connect(m_overwrite, &QCheckBox::toggled, this, &ExtractDialog::refresh);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(Metrics::kRelated);
    m_problem = makeMutedLabel({}, this);
    m_problem->setObjectName(QStringLiteral("extractProblem"));
    m_problem->setWordWrap(true);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setToolTip(tr("Shut the dialog; what was typed stays"));
    m_start = new QPushButton(tr("Extract"), this);
    m_start->setObjectName(QStringLiteral("extractStart"));
    m_start->setDefault(true);
    buttons->addWidget(m_problem, 1);
    buttons->addWidget(cancel);
    buttons->addWidget(m_start);
    layout->addLayout(buttons);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_start, &QPushButton::clicked, this, [this] {
        const ExtractRequest chosen = request();
        accept();
        Q_EMIT extractRequested(chosen);
    });
    connect(m_layers, &QComboBox::currentIndexChanged, this, &ExtractDialog::refresh);
    connect(m_layerList, &QLineEdit::textChanged, this, &ExtractDialog::refresh);
    connect(m_output, &QLineEdit::textEdited, this, [this] { m_outputIsProposal = false; });
    refresh();
}

QLineEdit* ExtractDialog::addPath(const QString& name, const QString& label, const QString& hint)
{
    QGridLayout* grid = gridOf(this);
    const int row = grid->rowCount();
    auto* title = new QLabel(label, this);
    auto* field = new QLineEdit(this);
    field->setObjectName(name);
    field->setAccessibleName(label);
    field->setPlaceholderText(hint);
    title->setBuddy(field);
    auto* browse = new QPushButton(tr("Choose…"), this);
    browse->setObjectName(name % QStringLiteral("Browse"));
    browse->setToolTip(tr("Look for it in the folders"));
    browse->setAccessibleName(tr("Choose: %1").arg(label));
    browse->setAutoDefault(false);
    grid->addWidget(title, row, 0);
    grid->addWidget(field, row, 1);
    grid->addWidget(browse, row, 2);
    const bool output = name == QLatin1StringView("extractOutput");
    if (output)
        connect(browse, &QPushButton::clicked, this, [this, field, label] { choosePath(field, label, false); });
    else
    {
        // Models and texts are files or folders, and no file dialog chooses both.
        auto* menu = new QMenu(browse);
        const std::pair<QString, bool> kinds[] = {{tr("File…"), false}, {tr("Folder…"), true}};
        for (const auto& [text, folder] : kinds)
        {
            QAction* action = menu->addAction(text);
            action->setObjectName(name % (folder ? QStringLiteral("Folder") : QStringLiteral("File")));
            connect(action, &QAction::triggered, this,
                    [this, field, label, folder = folder] { choosePath(field, label, folder); });
        }
        browse->setMenu(menu);
    }
    connect(field, &QLineEdit::textChanged, this, [this, output] {
        if (!output)
            proposeOutput();
        refresh();
    });
    return field;
}

void ExtractDialog::choosePath(QLineEdit* field, const QString& label, bool folder)
{
    const auto take = [this, field](const QString& path) {
        field->setText(path);
        if (field == m_output)
            m_outputIsProposal = false;
    };
    const QString from = QFileInfo(field->text()).absolutePath();
    if (field == m_output)
        m_dialogs.saveFile(this, label, field->text(), tr("Caches (*.h5)"), take);
    else if (folder)
        m_dialogs.openFolder(this, label, from, take);
    else
        m_dialogs.openFile(this, label, from, tr("All files (*)"), take);
}

void ExtractDialog::setModel(const QString& path)
{
    m_model->setText(path);
}

void ExtractDialog::setTexts(const QString& path)
{
    m_texts->setText(path);
}

void ExtractDialog::askCard()
{
    const QString model = m_model->text().trimmed();
    if (model == m_cardOf)
        return;
    m_cardOf = model;
    setModelCard({}, false);
    if (!model.isEmpty() && QFileInfo::exists(model))
        Q_EMIT modelChosen(model);
}

void ExtractDialog::setModelCard(const QString& card, bool isProblem)
{
    m_card->setText(card);
    m_card->setVisible(!card.isEmpty());
    m_card->setProperty("role", isProblem ? QStringLiteral("warning") : QStringLiteral("muted"));
    m_card->style()->unpolish(m_card);
    m_card->style()->polish(m_card);
    // The card wraps: what it needs depends on the width, and a dialog does not grow for that by itself.
    // Of spanned rows Qt tells too little in one way and too much in the other.
    layout()->invalidate();
    layout()->activate();
    const int needed = std::max(layout()->totalHeightForWidth(width()), layout()->totalSizeHint().height());
    if (needed > height())
        resize(width(), needed);
}

QString ExtractDialog::modelCard() const
{
    return m_card->text();
}

void ExtractDialog::proposeOutput()
{
    if (!m_outputIsProposal || m_output == nullptr || m_texts == nullptr || m_texts->text().isEmpty())
        return;
    const QFileInfo texts(m_texts->text());
    QString name = texts.completeBaseName();
    if (const QFileInfo model(m_model->text()); !m_model->text().isEmpty())
        name += u'-' % (model.isDir() ? model.fileName() : model.completeBaseName());
    m_output->setText(texts.absoluteDir().filePath(name % QStringLiteral(".h5")));
}

void ExtractDialog::chooseAllLayers()
{
    m_layers->setCurrentIndex(1);
}

ExtractRequest ExtractDialog::request() const
{
    ExtractRequest chosen{m_model->text().trimmed(), m_texts->text().trimmed(), {}, {}, m_output->text().trimmed(), {}};
    chosen.overwrite = m_overwrite->isChecked() && QFileInfo::exists(chosen.output);
    static const QStringList names{QStringLiteral("last"), QStringLiteral("all")};
    const int layers = m_layers->currentIndex();
    chosen.layers = layers < names.size() ? names.at(layers) : m_layerList->text().remove(u' ');
    QStringList stages;
    for (qsizetype i = 0; i < m_stages.size(); ++i)
        if (m_stages.at(i)->isChecked())
            stages << toQString(stageName(kStages[static_cast<std::size_t>(i)]));
    chosen.stages = stages.join(u',');
    return chosen;
}

QString ExtractDialog::problem() const
{
    const ExtractRequest chosen = request();
    if (chosen.model.isEmpty() || chosen.texts.isEmpty())
        return tr("Choose a model and texts.");
    if (!QFileInfo::exists(chosen.model))
        return tr("%1 does not exist.").arg(chosen.model);
    if (!QFileInfo::exists(chosen.texts))
        return tr("%1 does not exist.").arg(chosen.texts);
    if (m_layers->currentIndex() == 2)
    {
        static const QRegularExpression list(QStringLiteral("^[0-9]+(,[0-9]+)*$"));
        if (!list.match(chosen.layers).hasMatch())
            return tr("Expected layers such as 0,15,31.");
    }
    if (chosen.stages.isEmpty())
        return tr("Choose a stage.");
    if (chosen.output.isEmpty())
        return tr("Choose the cache to write.");
    if (QFileInfo(chosen.output).isDir())
        return tr("%1 is a folder.").arg(QFileInfo(chosen.output).fileName());
    if (QFileInfo::exists(chosen.output) && !chosen.overwrite)
        return tr("%1 exists already.").arg(QFileInfo(chosen.output).fileName());
    return {};
}

void ExtractDialog::refresh()
{
    if (m_start == nullptr)
        return;
    m_layerList->setVisible(m_layers->currentIndex() == 2);
    m_overwrite->setVisible(QFileInfo(m_output->text().trimmed()).isFile());
    const QString why = problem();
    m_problem->setText(why);
    m_start->setEnabled(why.isEmpty());
}

} // namespace headscope::ui
