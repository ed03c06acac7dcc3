// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/figures/picture_dialog.h"

#include "ui/dialogs/dialog_parts.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

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

PictureDialog::PictureDialog(QSize canvas, QWidget* parent) : QDialog(parent), m_canvas(canvas)
{
    setObjectName(QStringLiteral("pictureDialog"));
    setWindowTitle(tr("Save canvas as image"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Metrics::kGroups, Metrics::kGroups, Metrics::kGroups, Metrics::kGroups);
    layout->setSpacing(Metrics::kGroups);
    m_scale = new QDoubleSpinBox(this);
    m_scale->setObjectName(QStringLiteral("pictureScale"));
    m_scale->setAccessibleName(tr("Scale"));
    m_scale->setRange(1, kLargestScale);
    m_scale->setDecimals(2);
    m_scale->setSingleStep(0.5);
    m_scale->setSuffix(QStringLiteral(" ×"));
    m_scale->setValue(2);
    m_dpi = new QSpinBox(this);
    m_dpi->setObjectName(QStringLiteral("pictureDpi"));
    m_dpi->setAccessibleName(tr("Dots per inch"));
    m_dpi->setRange(kScreenDpi, static_cast<int>(kLargestScale) * kScreenDpi);
    m_dpi->setValue(2 * kScreenDpi);
    m_pixels = makeMutedLabel({}, this);
    m_pixels->setObjectName(QStringLiteral("picturePixels"));
    constexpr int kFieldWidth = 120;
    QGridLayout* grid = makeFieldGrid({{tr("Scale"), m_scale}, {tr("Dots per inch"), m_dpi}}, kFieldWidth, this);
    grid->addWidget(m_pixels, grid->rowCount(), 0, 1, 2);
    layout->addLayout(grid);
    const DialogButtons buttons = makeDialogButtons(*this, tr("Save…"), QStringLiteral("pictureSave"));
    layout->addLayout(buttons.row);
    connect(m_scale, &QDoubleSpinBox::valueChanged, this, [this](double scale) {
        const QSignalBlocker quiet(m_dpi);
        m_dpi->setValue(static_cast<int>(std::lround(scale * kScreenDpi)));
        showPixels();
    });
    connect(m_dpi, &QSpinBox::valueChanged, this, [this](int dpi) {
        const QSignalBlocker quiet(m_scale);
        m_scale->setValue(static_cast<double>(dpi) / kScreenDpi);
        showPixels();
    });
    connect(buttons.act, &QPushButton::clicked, this, [this] {
        accept();
        Q_EMIT scaleChosen(scale());
    });
    showPixels();
}

double PictureDialog::scale() const
{
    // The finer of the two fields: dots per inch that are no round scale are meant to the dot.
    return static_cast<double>(m_dpi->value()) / kScreenDpi;
}

void PictureDialog::showPixels()
{
    m_pixels->setText(tr("%1 × %2 pixels")
                          .arg(countText(std::lround(scale() * m_canvas.width())),
                               countText(std::lround(scale() * m_canvas.height()))));
}

} // namespace headscope::ui
