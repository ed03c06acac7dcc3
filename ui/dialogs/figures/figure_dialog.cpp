// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/figures/figure_dialog.h"

#include "ui/dialogs/dialog_parts.h"
#include "ui/dialogs/figures/annotation_editor.h"
#include "ui/dialogs/figures/figure_preview.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"
#include "viz/export/figure_presets.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPointer>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr double kMmPerInch = 25.4;
constexpr double kSameMm = 0.005;
constexpr int kOwnWidths = 3; ///< before the venues'
constexpr int kPresetRole = Qt::UserRole + 1;

} // namespace

QString presetTitle(const FigurePreset& preset)
{
    const std::string title(preset.title);
    return FigureDialog::tr("%1, %2 mm")
        .arg(FigureDialog::tr(title.c_str()), QLocale().toString(preset.widthMm, 'g', 5));
}

FigureDialog::FigureDialog(const FigureSize& proposal, FigurePainter paint, QWidget* parent)
    : QDialog(parent), m_size(proposal),
      m_form([this](Fields& f) { fields(f, m_size); }, QStringLiteral("figure"), this), m_paint(std::move(paint))
{
    setObjectName(QStringLiteral("figureDialog"));
    setWindowTitle(tr("Save figure"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Metrics::kGroups, Metrics::kGroups, Metrics::kGroups, Metrics::kGroups);
    layout->setSpacing(Metrics::kGroups);
    makeFields();
    auto* row = new QHBoxLayout;
    row->setSpacing(Metrics::kGroups);
    constexpr int kFieldWidth = 220;
    QWidget* width = m_form.makeAlone("width", this);
    QWidget* dpi = m_form.makeAlone("dpi", this);
    QGridLayout* grid = makeFieldGrid({{tr("For"), m_usual},
                                       {width->accessibleName(), width},
                                       {dpi->accessibleName(), dpi},
                                       {tr("Preview as"), m_sight}},
                                      kFieldWidth, this);
    grid->addWidget(m_trueSize, grid->rowCount(), 0, 1, 2);
    grid->addWidget(m_form.makeAlone("files", this), grid->rowCount(), 0, 1, 2);
    grid->addWidget(m_pixels, grid->rowCount(), 0, 1, 2);
    grid->addWidget(m_readable, grid->rowCount(), 0, 1, 2);
    auto* fields = new QVBoxLayout;
    fields->setSpacing(Metrics::kGroups);
    fields->addLayout(grid);
    row->addLayout(fields);
    if (m_paint)
        makePreview(*fields, *row);
    fields->addStretch(1);
    layout->addLayout(row, 1);
    const DialogButtons buttons = makeDialogButtons(*this, tr("Save"), QStringLiteral("figureSave"));
    layout->addLayout(buttons.row);
    connect(m_usual, &QComboBox::activated, this, &FigureDialog::takeUsual);
    connect(&m_form, &FieldForm::edited, this, &FigureDialog::refresh);
    connect(buttons.act, &QPushButton::clicked, this, [this] {
        accept();
        Q_EMIT sizeChosen(chosenSize());
    });
    refresh();
}

void FigureDialog::makePreview(QVBoxLayout& fields, QHBoxLayout& row)
{
    m_annotations = new AnnotationEditor(m_size.annotations, this);
    fields.addWidget(m_annotations);
    m_paper = new QScrollArea(this);
    m_paper->setObjectName(QStringLiteral("figurePaper"));
    m_paper->setAccessibleName(tr("Preview at the size on paper"));
    m_preview = new FigurePreview(m_paper);
    m_paper->setWidget(m_preview);
    constexpr QSize kRoom(560, 440);
    m_paper->setMinimumSize(kRoom / 2);
    row.addWidget(m_paper, 1);
    // As wide as the page of any venue, where the screen has the room.
    constexpr int kPageMm = 178;
    constexpr int kAround = 40;
    const int wide = std::max(kRoom.width(), static_cast<int>((kPageMm + 16) * m_preview->pixelsPerMm()) + kAround);
    QSize size = sizeHint().expandedTo({wide + fields.sizeHint().width() + 3 * Metrics::kGroups, kRoom.height() + 160});
    if (const QScreen* shown = screen())
        size = size.boundedTo(shown->availableSize() - QSize(kAround, 2 * kAround));
    resize(size);
    m_soon = new QTimer(this);
    m_soon->setSingleShot(true);
    constexpr int kWhileTyping = 250;
    m_soon->setInterval(kWhileTyping);
    connect(m_soon, &QTimer::timeout, this, &FigureDialog::paintAgain);
    connect(m_sight, &QComboBox::currentIndexChanged, m_preview,
            [this](int index) { m_preview->setSight(static_cast<viz::ColorVision>(index)); });
    connect(m_trueSize, &QCheckBox::toggled, this, &FigureDialog::fitPreview);
    const auto showMarks = [this] { m_preview->setMarks(m_annotations->listed(), m_annotations->chosen()); };
    connect(m_annotations, &AnnotationEditor::chosenChanged, m_preview, showMarks);
    connect(m_annotations, &AnnotationEditor::changed, m_preview, [this, showMarks] {
        showMarks();
        m_soon->start();
    });
    connect(m_preview, &FigurePreview::markChosen, m_annotations, &AnnotationEditor::choose);
    connect(m_preview, &FigurePreview::markMoved, m_annotations, &AnnotationEditor::move);
    showMarks();
    m_preview->setPicture({}, tr("Drawing the figure…"));
}

void FigureDialog::resizeEvent(QResizeEvent* event)
{
    QDialog::resizeEvent(event);
    fitPreview();
}

/// Shows all of it: at its true size where there is room for that, or where that is asked for.
void FigureDialog::fitPreview()
{
    if (m_preview == nullptr)
        return;
    const double room =
        m_paper->width() - 2.0 * m_paper->frameWidth() - m_paper->verticalScrollBar()->sizeHint().width();
    const double fits = std::min(1.0, room / std::max(1, m_preview->trueWidth()));
    m_preview->setZoom(m_trueSize->isChecked() ? 1 : fits);
    m_trueSize->setEnabled(fits < 1);
    m_trueSize->setText(fits < 1 && !m_trueSize->isChecked()
                            ? tr("True size (shown at %1%)").arg(std::floor(100 * fits))
                            : tr("True size"));
}

void FigureDialog::paintAgain()
{
    FigureSize size = chosenSize();
    constexpr int kScreenDpi = 200; // of the preview: enough for screens of twice the usual dots
    size.dpi = kScreenDpi;
    m_paint(size, [dialog = QPointer(this)](const Result<FigurePicture>& picture) {
        if (dialog != nullptr)
            dialog->takePicture(picture);
    });
}

void FigureDialog::takePicture(const Result<FigurePicture>& picture)
{
    if (!picture)
    {
        m_preview->setPicture({}, errorText(picture.error()));
        return m_readable->setText({});
    }
    m_preview->setPicture(*picture);
    fitPreview();
    const QString size = tr("%1 × %2 mm on paper")
                             .arg(QLocale().toString(picture->sizeMm.width(), 'f', 1),
                                  QLocale().toString(picture->sizeMm.height(), 'f', 1));
    const FigurePreset* preset = findPreset(presetNow());
    if (viz::isTooHigh(picture->sizeMm, preset))
        return m_readable->setText(
            tr("%1: taller than the page allows (%2 mm)")
                .arg(size, QLocale().toString(viz::mostHeightMm(picture->sizeMm.width(), preset), 'f', 0)));
    const double pt = picture->leastTextPt;
    m_readable->setText(
        pt <= 0 ? size
        : viz::isTooSmall(pt)
            ? tr("%1; smallest text %2 pt is too small: journals ask for at least %3 pt")
                  .arg(size, QLocale().toString(pt, 'f', 1), QLocale().toString(viz::kMinReadablePt, 'f', 0))
            : tr("%1; smallest text %2 pt").arg(size, QLocale().toString(pt, 'f', 1)));
}

std::string FigureDialog::presetNow() const
{
    const bool isItsWidth = std::abs(m_usual->currentData().toDouble() - m_size.widthMm) < kSameMm;
    return isItsWidth ? toStdString(m_usual->currentData(kPresetRole).toString()) : std::string();
}

void FigureDialog::takeUsual()
{
    const QVariant width = m_usual->currentData();
    if (!width.isValid())
        return m_form.editor("width")->setFocus();
    m_size.widthMm = width.toDouble();
    m_form.refresh();
    refresh();
}

void FigureDialog::makeFields()
{
    m_usual = new QComboBox(this);
    m_usual->setObjectName(QStringLiteral("figureUsual"));
    m_usual->setAccessibleName(tr("Standard widths"));
    m_usual->addItem(tr("One column, 77 mm"), 77.0);
    m_usual->addItem(tr("Text width on A4, 160 mm"), 160.0);
    m_usual->addItem(tr("Two columns, 171.45 mm"), 171.45);
    for (const FigurePreset& preset : figurePresets())
    {
        m_usual->addItem(presetTitle(preset), preset.widthMm);
        m_usual->setItemData(m_usual->count() - 1, toQString(preset.name), kPresetRole);
    }
    m_usual->addItem(tr("Custom width"));
    m_pixels = makeMutedLabel({}, this);
    m_pixels->setObjectName(QStringLiteral("figurePixels"));
    m_pixels->setWordWrap(true);
    m_readable = makeMutedLabel({}, this);
    m_readable->setObjectName(QStringLiteral("figureReadable"));
    m_readable->setWordWrap(true);
    m_sight = new QComboBox(this);
    m_sight->setObjectName(QStringLiteral("figureSight"));
    m_sight->setAccessibleName(tr("Preview as"));
    m_sight->setToolTip(tr("Preview in black and white or with colour blindness. The saved figure does not change."));
    m_sight->addItems(
        {tr("Original colours"), tr("Greyscale"), tr("Deuteranopia"), tr("Protanopia"), tr("Tritanopia")});
    m_sight->setEnabled(m_paint != nullptr);
    m_trueSize = new QCheckBox(tr("True size"), this);
    m_trueSize->setObjectName(QStringLiteral("figureTrueSize"));
    m_trueSize->setToolTip(tr("Show the figure at its size on paper, even if it does not fit"));
    m_trueSize->setVisible(m_paint != nullptr);
    if (findPreset(m_size.preset) != nullptr)
        m_usual->setCurrentIndex(m_usual->findData(toQString(m_size.preset), kPresetRole));
}

FigureSize FigureDialog::chosenSize() const
{
    FigureSize size = m_size;
    size.preset = presetNow();
    if (m_annotations != nullptr)
        size.annotations = m_annotations->annotations();
    return size;
}

void FigureDialog::refresh()
{
    const QSignalBlocker quiet(m_usual);
    const auto isThis = [this](int at) {
        return std::abs(m_usual->itemData(at).toDouble() - m_size.widthMm) < kSameMm;
    };
    if (!m_usual->currentData().isValid() || !isThis(m_usual->currentIndex()))
    {
        int usual = m_usual->count() - 1; // another width
        for (int i = 0; i < kOwnWidths; ++i)
            if (isThis(i))
                usual = i;
        m_usual->setCurrentIndex(usual);
    }
    const double inches = m_size.widthMm / kMmPerInch;
    m_pixels->setText(tr("As PNG: %1 pixels wide. The height depends on the content.")
                          .arg(countText(std::lround(inches * m_size.dpi))));
    if (m_soon != nullptr)
        m_soon->start();
}

} // namespace headscope::ui
