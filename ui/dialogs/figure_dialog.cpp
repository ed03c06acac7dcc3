// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/figure_dialog.h"

#include "ui/dialogs/dialog_parts.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <cmath>

namespace headscope::ui
{
namespace
{

constexpr double kMmPerInch = 25.4;
constexpr int kLeastDpi = 72;
constexpr int kMostDpi = 1'200;

} // namespace

FigureDialog::FigureDialog(const FigureSize& proposal, QWidget* parent) : QDialog(parent)
{
    setObjectName(QStringLiteral("figureDialog"));
    setWindowTitle(tr("Size of the picture"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Metrics::kGroups, Metrics::kGroups, Metrics::kGroups, Metrics::kGroups);
    layout->setSpacing(Metrics::kGroups);
    makeFields(proposal);
    constexpr int kFieldWidth = 200;
    QGridLayout* grid = makeFieldGrid({{tr("For"), m_usual}, {tr("Width"), m_width}, {tr("Pixels per inch"), m_dpi}},
                                      kFieldWidth, this);
    grid->addWidget(m_pixels, grid->rowCount(), 0, 1, 2);
    layout->addLayout(grid);
    const DialogButtons buttons = makeDialogButtons(*this, tr("Save"), QStringLiteral("figureSave"));
    layout->addLayout(buttons.row);
    connect(m_usual, &QComboBox::activated, this, [this] {
        if (const QVariant width = m_usual->currentData(); width.isValid())
            m_width->setValue(width.toDouble());
        else
            m_width->setFocus();
    });
    connect(m_width, &QDoubleSpinBox::valueChanged, this, &FigureDialog::refresh);
    connect(m_dpi, &QSpinBox::valueChanged, this, &FigureDialog::refresh);
    connect(buttons.act, &QPushButton::clicked, this, [this] {
        accept();
        Q_EMIT sizeChosen(chosenSize());
    });
    refresh();
}

void FigureDialog::makeFields(const FigureSize& proposal)
{
    m_usual = new QComboBox(this);
    m_usual->setObjectName(QStringLiteral("figureUsual"));
    m_usual->setAccessibleName(tr("Usual widths"));
    m_usual->addItem(tr("One column, 77 mm"), 77.0);
    m_usual->addItem(tr("Text on A4, 160 mm"), 160.0);
    m_usual->addItem(tr("Two columns, 171.45 mm"), 171.45);
    m_usual->addItem(tr("Another width"));
    m_width = new QDoubleSpinBox(this);
    m_width->setObjectName(QStringLiteral("figureWidth"));
    m_width->setAccessibleName(tr("Width in millimetres"));
    m_width->setRange(kLeastMm, kMostMm);
    m_width->setDecimals(2);
    m_width->setSuffix(tr(" mm"));
    m_width->setValue(proposal.widthMm);
    m_dpi = new QSpinBox(this);
    m_dpi->setObjectName(QStringLiteral("figureDpi"));
    m_dpi->setAccessibleName(tr("Pixels per inch"));
    m_dpi->setToolTip(tr("Of a PNG, and of many dots in a PDF or SVG"));
    m_dpi->setRange(kLeastDpi, kMostDpi);
    m_dpi->setValue(proposal.dpi);
    m_pixels = makeMutedLabel({}, this);
    m_pixels->setObjectName(QStringLiteral("figurePixels"));
}

FigureSize FigureDialog::chosenSize() const
{
    return {m_width->value(), m_dpi->value()};
}

void FigureDialog::refresh()
{
    const QSignalBlocker quiet(m_usual);
    int usual = m_usual->count() - 1; // another width
    for (int i = 0; i < m_usual->count() - 1; ++i)
        if (std::abs(m_usual->itemData(i).toDouble() - m_width->value()) < 0.005)
            usual = i;
    m_usual->setCurrentIndex(usual);
    const double inches = m_width->value() / kMmPerInch;
    m_pixels->setText(tr("%1 pixels wide as a PNG; the height follows from what is shown")
                          .arg(countText(std::lround(inches * m_dpi->value()))));
}

} // namespace headscope::ui
