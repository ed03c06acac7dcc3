// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/extract_dialog.h"

#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/documents_table.h"
#include "ui/dialogs/extract_options.h"
#include "ui/dialogs/note_area.h"
#include "ui/theme/theme.h"
#include "ui/wheel_guard.h"
#include "ui/widgets.h"
#include "ui/wording.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScreen>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr QSize kPreferred{800, 800};
constexpr QSize kLeast{560, 360};
constexpr int kScreenEdge = 48; ///< frame and panels around a dialog that fills the screen
constexpr int kCardLines = 4;
constexpr int kProblemLines = 2;
constexpr int kTypingMs = 300; ///< without a key: typing has paused
constexpr std::array kOfferedStages = {Stage::HeadOutput, Stage::ProjectedSegment, Stage::OutputSegment,
                                       Stage::Contribution};

/// Its place is kept while it is hidden.
void keepPlace(QWidget* widget)
{
    QSizePolicy policy = widget->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    widget->setSizePolicy(policy);
}

} // namespace

ExtractDialog::ExtractDialog(DialogService& dialogs, QWidget* parent) : QDialog(parent), m_dialogs(dialogs)
{
    setObjectName(QStringLiteral("extractDialog"));
    setWindowTitle(tr("Extract head vectors"));
    setMinimumSize(kLeast);
    resize(kPreferred);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, Metrics::kPanel, 0, Metrics::kPanel);
    layout->setSpacing(Metrics::kPanel);
    QGridLayout* grid = addPage(layout);
    m_model = new PathField(dialogs, PathField::Kind::FileOrFolder, QStringLiteral("extractModel"), tr("Model"),
                            tr("Hugging Face folder or .gguf file"), tr("All files (*)"), this);
    addField(grid, tr("Model"), m_model);
    m_card = new NoteArea(QStringLiteral("extractCard"), tr("What the model is"), kCardLines, this);
    grid->addWidget(m_card, grid->rowCount(), 1);
    m_cardDelay.setSingleShot(true);
    m_cardDelay.setInterval(kTypingMs);
    connect(&m_cardDelay, &QTimer::timeout, this, &ExtractDialog::askCard);
    connect(m_model, &PathField::changed, &m_cardDelay, qOverload<>(&QTimer::start));
    addDocuments(grid);
    addLayers(grid);
    addStages(grid);
    m_output = new PathField(dialogs, PathField::Kind::NewFile, QStringLiteral("extractOutput"), tr("Cache"),
                             tr("the .h5 file to write"), tr("Caches (*.h5)"), this);
    addField(grid, tr("Cache"), m_output);
    m_overwrite = new QCheckBox(tr("Replace the cache that is there"), this);
    m_overwrite->setObjectName(QStringLiteral("extractOverwrite"));
    m_overwrite->setToolTip(tr("Otherwise a cache is never written over"));
    keepPlace(m_overwrite);
    grid->addWidget(m_overwrite, grid->rowCount(), 1);
    addOptions(grid);
    grid->setRowStretch(grid->rowCount(), 1);
    addButtons(layout);
    for (PathField* field : {m_model, m_texts})
        connect(field, &PathField::changed, this, [this] {
            proposeOutput();
            refresh();
        });
    connect(m_output, &PathField::changed, this, &ExtractDialog::refresh);
    connect(m_output, &PathField::edited, this, [this] { m_outputIsProposal = false; });
    connect(m_overwrite, &QCheckBox::toggled, this, &ExtractDialog::refresh);
    refresh();
}

/// What is asked scrolls where the screen is small; the buttons below stay.
QGridLayout* ExtractDialog::addPage(QVBoxLayout* layout)
{
    m_scroll = new QScrollArea(this);
    m_scroll->setObjectName(QStringLiteral("extractScroll"));
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* page = new QWidget(m_scroll);
    auto* grid = new QGridLayout(page);
    grid->setContentsMargins(Metrics::kGroups, 0, Metrics::kGroups, 0);
    grid->setHorizontalSpacing(Metrics::kPanel);
    grid->setVerticalSpacing(Metrics::kGrid);
    grid->setColumnStretch(1, 1);
    auto* intro = makeMutedLabel(tr("Runs a model over texts and keeps what every attention head says in a cache. This "
                                    "may take a while; the window stays usable."),
                                 page);
    intro->setWordWrap(true);
    grid->addWidget(intro, 0, 0, 1, 2);
    grid->setRowMinimumHeight(1, Metrics::kGrid);
    m_scroll->setWidget(page);
    layout->addWidget(m_scroll, 1);
    return grid;
}

void ExtractDialog::addField(QGridLayout* grid, const QString& title, QWidget* field)
{
    const int row = grid->rowCount();
    auto* label = new QLabel(title, this);
    label->setBuddy(field);
    grid->addWidget(label, row, 0);
    grid->addWidget(field, row, 1);
}

void ExtractDialog::addDocuments(QGridLayout* grid)
{
    m_texts = new PathField(m_dialogs, PathField::Kind::FileOrFolder, QStringLiteral("extractTexts"), tr("Texts"),
                            tr(".csv, .tsv, .jsonl, .json, .txt (also .gz, .zst), or a folder of .txt"),
                            tr("Texts (*.csv *.tsv *.jsonl *.ndjson *.json *.txt *.gz *.zst);;All files (*)"), this);
    addField(grid, tr("Texts"), m_texts);
    m_documents = new DocumentsTable(this);
    grid->addWidget(m_documents, grid->rowCount(), 1);
    connect(m_documents, &DocumentsTable::changed, this, &ExtractDialog::refresh);
    m_previewDelay.setSingleShot(true);
    m_previewDelay.setInterval(kTypingMs);
    connect(&m_previewDelay, &QTimer::timeout, this, &ExtractDialog::askPreview);
    connect(m_texts, &PathField::changed, &m_previewDelay, qOverload<>(&QTimer::start));
}

void ExtractDialog::addLayers(QGridLayout* grid)
{
    auto* both = new QWidget(this);
    auto* layers = new QHBoxLayout(both);
    layers->setContentsMargins(0, 0, 0, 0);
    layers->setSpacing(Metrics::kRelated);
    m_layers = new QComboBox(both);
    m_layers->setObjectName(QStringLiteral("extractLayers"));
    m_layers->setToolTip(tr("Whose head vectors the cache shall hold"));
    m_layers->setAccessibleName(tr("Layers"));
    m_layers->addItems({tr("Last layer"), tr("All layers"), tr("These layers:")});
    new WheelGuard(m_layers);
    m_layerList = new QLineEdit(both);
    m_layerList->setObjectName(QStringLiteral("extractLayerList"));
    m_layerList->setAccessibleName(tr("Layers, counted from 0"));
    m_layerList->setToolTip(tr("Layers, counted from 0"));
    m_layerList->setPlaceholderText(QStringLiteral("0,15,20-31"));
    keepPlace(m_layerList);
    layers->addWidget(m_layers);
    layers->addWidget(m_layerList, 1);
    both->setFocusProxy(m_layers);
    addField(grid, tr("Layers"), both);
    connect(m_layers, &QComboBox::currentIndexChanged, this, &ExtractDialog::refresh);
    connect(m_layerList, &QLineEdit::textChanged, this, &ExtractDialog::refresh);
}

void ExtractDialog::addStages(QGridLayout* grid)
{
    auto* boxes = new QVBoxLayout;
    boxes->setSpacing(Metrics::kGrid);
    for (const Stage stage : kOfferedStages)
    {
        const bool isExtra = stage == Stage::Contribution;
        const QString number = isExtra ? QStringLiteral("+") : toQString(stageName(stage));
        auto* box = new QCheckBox(number % QStringLiteral("  ") % stageTitle(stage), this);
        box->setObjectName(QStringLiteral("extractStage") % toQString(stageName(stage)));
        box->setToolTip(toQString(stageDescription(stage)));
        box->setChecked(!isExtra);
        m_stages << box;
        boxes->addWidget(box);
        connect(box, &QCheckBox::toggled, this, &ExtractDialog::refresh);
    }
    const int row = grid->rowCount();
    grid->addWidget(new QLabel(tr("Stages"), this), row, 0, Qt::AlignTop);
    grid->addLayout(boxes, row, 1);
}

void ExtractDialog::addOptions(QGridLayout* grid)
{
    m_more = new QToolButton(this);
    m_more->setObjectName(QStringLiteral("extractMore"));
    m_more->setProperty("flat", true);
    m_more->setCheckable(true);
    m_more->setFocusPolicy(Qt::StrongFocus);
    m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_more->setToolTip(tr("Pooling, prompt, maximum length, sampling, numbers: everything the command line has"));
    m_more->setCursor(Qt::PointingHandCursor);
    grid->addWidget(m_more, grid->rowCount(), 0, 1, 2, Qt::AlignLeft);
    m_options = new ExtractOptions(m_dialogs, this);
    grid->addWidget(m_options, grid->rowCount(), 0, 1, 2);
    m_options->hide();
    connect(m_more, &QToolButton::toggled, this, &ExtractDialog::setOptionsShown);
    connect(m_options, &ExtractOptions::changed, this, [this] {
        if (previewKey() != m_previewOf)
            m_previewDelay.start();
        refresh();
    });
}

void ExtractDialog::addButtons(QVBoxLayout* layout)
{
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(Metrics::kGroups, 0, Metrics::kGroups, 0);
    buttons->setSpacing(Metrics::kRelated);
    m_problem = new NoteArea(QStringLiteral("extractProblem"), tr("What is missing"), kProblemLines, this);
    m_copy = new QPushButton(tr("Copy as command line"), this);
    m_copy->setObjectName(QStringLiteral("extractCopy"));
    m_copy->setToolTip(tr("The line for a shell that extracts the same, with all options"));
    m_copy->setAutoDefault(false);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setToolTip(tr("Shut the dialog; what was typed stays"));
    cancel->setAutoDefault(false);
    m_start = new QPushButton(tr("Extract"), this);
    m_start->setObjectName(QStringLiteral("extractStart"));
    m_start->setToolTip(tr("Begin; the cache opens when it is whole"));
    m_start->setDefault(true);
    buttons->addWidget(m_problem, 1);
    buttons->addWidget(m_copy);
    buttons->addWidget(cancel);
    buttons->addWidget(m_start);
    layout->addLayout(buttons);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_copy, &QPushButton::clicked, this, [this] { Q_EMIT copyRequested(request()); });
    connect(m_start, &QPushButton::clicked, this, [this] {
        const ExtractRequest chosen = request();
        accept();
        Q_EMIT extractRequested(chosen);
    });
}

void ExtractDialog::showEvent(QShowEvent* event)
{
    QDialog::showEvent(event);
    if (std::exchange(m_isFitted, true) || screen() == nullptr)
        return;
    const QSize room = screen()->availableSize() - QSize(kScreenEdge, kScreenEdge);
    resize(size().boundedTo(room).expandedTo(minimumSize()));
}

void ExtractDialog::setModel(const QString& path)
{
    m_model->setPath(path);
}

void ExtractDialog::setTexts(const QString& path)
{
    m_texts->setPath(path);
}

void ExtractDialog::setModelOffers(const QList<PathField::OfferGroup>& groups)
{
    m_model->setOffers(groups);
}

void ExtractDialog::askCard()
{
    const QString model = m_model->path();
    if (model == m_cardOf)
        return;
    m_cardOf = model;
    setModelCard({}, false);
    setModelDefaults({});
    if (!model.isEmpty() && QFileInfo::exists(model))
        Q_EMIT modelChosen(model);
}

/// What decides which rows are shown; "" for none.
QString ExtractDialog::previewKey() const
{
    const QString texts = m_texts->path();
    if (texts.isEmpty() || !QFileInfo::exists(texts))
        return {};
    return QStringLiteral("%1 %2 %3").arg(m_options->lines()).arg(m_options->limit()).arg(texts);
}

void ExtractDialog::askPreview()
{
    const QString wanted = previewKey();
    if (wanted == m_previewOf)
        return refresh(); // typing has paused
    m_previewOf = wanted;
    if (wanted.isEmpty())
        return m_documents->clear();
    m_documents->setReading(m_texts->path());
    Q_EMIT previewWanted(m_texts->path(), m_options->lines(), m_options->limit());
}

void ExtractDialog::setPreview(std::shared_ptr<const DocumentPreview> preview)
{
    if (m_previewOf.isEmpty() || toQString(preview->file) != m_texts->path())
        return; // of texts that were named before
    m_options->setPlainText(preview->plainText && QFileInfo(m_texts->path()).isFile());
    m_documents->setPreview(std::move(preview));
}

void ExtractDialog::setPreviewFault(const Error& error)
{
    if (!m_previewOf.isEmpty())
        m_documents->setFault(error);
}

void ExtractDialog::setModelCard(const QString& card, bool isProblem)
{
    m_card->setText(card, isProblem);
}

QString ExtractDialog::modelCard() const
{
    return m_card->text();
}

void ExtractDialog::setModelDefaults(const ModelDefaults& defaults)
{
    m_defaults = defaults;
    m_options->setDefaults(defaults);
    refresh();
}

void ExtractDialog::proposeOutput()
{
    if (!m_outputIsProposal || m_texts->path().isEmpty())
        return;
    const QFileInfo texts(m_texts->path());
    QString name = texts.completeBaseName();
    if (const QFileInfo model(m_model->path()); !m_model->path().isEmpty())
        name += u'-' % (model.isDir() ? model.fileName() : model.completeBaseName());
    m_output->setPath(texts.absoluteDir().filePath(name % QStringLiteral(".h5")));
}

void ExtractDialog::chooseAllLayers()
{
    m_layers->setCurrentIndex(1);
}

void ExtractDialog::setOptionsShown(bool shown)
{
    m_more->setChecked(shown);
    m_options->setVisible(shown);
    refresh();
}

ExtractRequest ExtractDialog::request() const
{
    ExtractRequest chosen;
    chosen.model = m_model->path();
    chosen.texts = m_texts->path();
    chosen.output = m_output->path();
    chosen.overwrite = m_overwrite->isChecked() && QFileInfo::exists(chosen.output);
    static const QStringList names{QStringLiteral("last"), QStringLiteral("all")};
    const int layers = m_layers->currentIndex();
    chosen.layers = layers < names.size() ? names.at(layers) : m_layerList->text().remove(u' ');
    QStringList stages;
    for (qsizetype i = 0; i < m_stages.size(); ++i)
        if (m_stages.at(i)->isChecked())
            stages << toQString(stageName(kOfferedStages[static_cast<std::size_t>(i)]));
    chosen.stages = stages.join(u',');
    chosen.options = m_documents->arguments() + m_options->arguments();
    return chosen;
}

/// Layers as the shell takes them, of those that the model has.
QString ExtractDialog::layersProblem(const QString& layers) const
{
    static const QRegularExpression list(QStringLiteral("^[0-9]{1,9}(-[0-9]{1,9})?(,[0-9]{1,9}(-[0-9]{1,9})?)*$"));
    if (!list.match(layers).hasMatch())
        return tr("Expected layers such as 0,15,20-31.");
    for (const QString& piece : layers.split(u','))
    {
        const qint64 first = piece.section(u'-', 0, 0).toLongLong();
        const qint64 last = piece.section(u'-', -1).toLongLong();
        if (last < first)
            return tr("Expected layers such as 0,15,20-31, found %1.").arg(piece);
        if (m_defaults.layers > 0 && last >= m_defaults.layers)
            return tr("Expected layers 0 to %1 (the model has %2), found %3.")
                .arg(m_defaults.layers - 1)
                .arg(m_defaults.layers)
                .arg(last);
    }
    return {};
}

QString ExtractDialog::problem() const
{
    const ExtractRequest chosen = request();
    if (chosen.model.isEmpty())
        return tr("Choose a model.");
    if (!QFileInfo::exists(chosen.model))
        return tr("%1 does not exist.").arg(chosen.model);
    if (chosen.texts.isEmpty())
        return tr("Choose texts.");
    if (!QFileInfo::exists(chosen.texts))
        return tr("%1 does not exist.").arg(chosen.texts);
    if (m_previewDelay.isActive())
        return tr("Reading the first rows of %1…").arg(QFileInfo(chosen.texts).fileName());
    if (const QString why = m_documents->problem(); !why.isEmpty())
        return why;
    if (m_layers->currentIndex() == 2)
        if (const QString why = layersProblem(chosen.layers); !why.isEmpty())
            return why;
    if (chosen.stages.isEmpty())
        return tr("Choose a stage.");
    if (const QString why = m_options->problem(); !why.isEmpty())
        return why;
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
    m_overwrite->setVisible(QFileInfo(m_output->path()).isFile());
    const bool isShown = m_more->isChecked();
    m_more->setArrowType(isShown ? Qt::DownArrow : Qt::RightArrow);
    const int said = m_options->count();
    m_more->setText(said > 0 ? tr("More options (%1 chosen)").arg(said) : tr("More options"));
    const QString why = problem();
    m_problem->setText(why);
    m_copy->setEnabled(why.isEmpty());
    m_start->setEnabled(why.isEmpty());
}

} // namespace headscope::ui
