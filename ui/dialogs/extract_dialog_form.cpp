// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of the extract dialog, and where they stand.
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/documents_table.h"
#include "ui/dialogs/extract_dialog.h"
#include "ui/dialogs/extract_options.h"
#include "ui/dialogs/model_asks.h"
#include "ui/dialogs/note_area.h"
#include "ui/theme/theme.h"
#include "ui/widgets/wheel_guard.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

namespace headscope::ui
{
namespace
{

constexpr QSize kPreferred{800, 800};
constexpr QSize kLeast{560, 360};
constexpr int kCardLines = 3;
constexpr int kAskLines = 14;
constexpr int kProblemLines = 2;
constexpr int kTypingMs = 300; ///< without a key: typing has paused

/// Its place is kept while it is hidden.
void keepPlace(QWidget* widget)
{
    QSizePolicy policy = widget->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    widget->setSizePolicy(policy);
}

/// A button that shows and hides what is below it.
QToolButton* makeDisclosure(const QString& name, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setObjectName(name);
    button->setProperty("flat", true);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setArrowType(Qt::RightArrow);
    button->setCursor(Qt::PointingHandCursor);
    return button;
}

} // namespace

ExtractDialog::ExtractDialog(DialogService& dialogs, std::function<void(Fields&)> declare, QWidget* parent)
    : QDialog(parent), m_dialogs(dialogs), m_declare(std::move(declare))
{
    setObjectName(QStringLiteral("extractDialog"));
    setWindowTitle(tr("Extract head vectors"));
    setMinimumSize(kLeast);
    resize(kPreferred);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, Metrics::kPanel, 0, Metrics::kPanel);
    layout->setSpacing(Metrics::kPanel);
    QGridLayout* grid = addPage(layout);
    addModel(grid);
    addDocuments(grid);
    addLayers(grid);
    addStages(grid);
    m_output = new PathField(m_dialogs, PathField::Kind::NewFile, QStringLiteral("extractOutput"), tr("Cache"),
                             tr(".h5 file to write"), tr("Caches (*.h5)"), this);
    addField(grid, tr("Cache"), m_output);
    m_overwrite = new QCheckBox(tr("Replace existing cache"), this);
    m_overwrite->setObjectName(QStringLiteral("extractOverwrite"));
    m_overwrite->setToolTip(tr("Unless this box is checked, an existing cache is never overwritten"));
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
    auto* intro = makeMutedLabel(tr("Run a model over texts and save the vectors of every attention head in a cache. "
                                    "You can keep working while it runs."),
                                 page);
    intro->setWordWrap(true);
    grid->addWidget(intro, 0, 0, 1, 2);
    grid->setRowMinimumHeight(1, Metrics::kGrid);
    m_scroll->setWidget(page);
    layout->addWidget(m_scroll, 1);
    return grid;
}

void ExtractDialog::addModel(QGridLayout* grid)
{
    m_model = new PathField(m_dialogs, PathField::Kind::FileOrFolder, QStringLiteral("extractModel"), tr("Model"),
                            tr("Hugging Face folder or .gguf file"), tr("All files (*)"), this);
    addField(grid, tr("Model"), m_model);
    m_card = new NoteArea(QStringLiteral("extractCard"), tr("Properties of the model"), kCardLines, this);
    grid->addWidget(m_card, grid->rowCount(), 1);
    m_cardDelay.setSingleShot(true);
    m_cardDelay.setInterval(kTypingMs);
    connect(&m_cardDelay, &QTimer::timeout, this, &ExtractDialog::askCard);
    connect(m_model, &PathField::changed, &m_cardDelay, qOverload<>(&QTimer::start));
    m_asksShown = makeDisclosure(QStringLiteral("extractAsks"), this);
    m_asksShown->setText(tr("All that the model’s files specify"));
    m_asksShown->setToolTip(ModelAsks::title());
    keepPlace(m_asksShown);
    grid->addWidget(m_asksShown, grid->rowCount(), 1, Qt::AlignLeft);
    m_asks = new ModelAsks(this);
    m_asks->setFixedHeight(kAskLines * m_asks->fontMetrics().lineSpacing());
    grid->addWidget(m_asks, grid->rowCount(), 1);
    connect(m_asksShown, &QToolButton::toggled, this, [this](bool shown) {
        m_asksShown->setArrowType(shown ? Qt::DownArrow : Qt::RightArrow);
        m_asks->setVisible(shown);
    });
    setModelAsks({});
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
                            tr(".csv, .tsv, .jsonl, .json, .txt (also .gz, .zst), .parquet, or a folder of .txt"),
                            tr("Texts (*.csv *.tsv *.jsonl *.ndjson *.json *.parquet *.txt *.gz *.zst);;All files (*)"),
                            this);
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
    m_layers->setToolTip(tr("Layers whose head vectors the cache will hold"));
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
    for (const Stage stage : kStagesOffered)
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
    m_more = makeDisclosure(QStringLiteral("extractMore"), this);
    m_more->setToolTip(tr("Pooling, prompt, maximum length, sampling, precision and all other options of the command"));
    grid->addWidget(m_more, grid->rowCount(), 0, 1, 2, Qt::AlignLeft);
    m_options = new ExtractOptions(m_dialogs, m_declare, this);
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
    m_copy = new QPushButton(tr("Copy as command"), this);
    m_copy->setObjectName(QStringLiteral("extractCopy"));
    m_copy->setToolTip(tr("Copy a command that runs this extraction with all options"));
    m_copy->setAutoDefault(false);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setToolTip(tr("Close the dialog; your entries are kept"));
    cancel->setAutoDefault(false);
    m_start = new QPushButton(tr("Extract"), this);
    m_start->setObjectName(QStringLiteral("extractStart"));
    m_start->setToolTip(tr("Start extraction. The cache opens when it is complete."));
    m_start->setDefault(true);
    buttons->addWidget(m_problem, 1);
    buttons->addWidget(m_copy);
    buttons->addWidget(cancel);
    buttons->addWidget(m_start);
    layout->addLayout(buttons);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_copy, &QPushButton::clicked, this, [this] { Q_EMIT copyRequested(request()); });
    connect(m_start, &QPushButton::clicked, this, [this] {
        refresh(); // a file may have come while it stood
        if (!m_start->isEnabled())
            return;
        const ExtractRequest chosen = request();
        accept();
        Q_EMIT extractRequested(chosen);
    });
}

} // namespace headscope::ui
