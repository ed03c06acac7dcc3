// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/picture_dialog.h"

#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
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
    constexpr int kFieldWidth = 120;
    setObjectName(QStringLiteral("pictureDialog"));
    setWindowTitle(tr("Save canvas as picture"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Metrics::kGroups, Metrics::kGroups, Metrics::kGroups, Metrics::kGroups);
    layout->setSpacing(Metrics::kGroups);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(Metrics::kPanel);
    grid->setVerticalSpacing(Metrics::kRelated);
    layout->addLayout(grid);
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
    int row = 0;
    for (const auto& [text, box] :
         {std::pair<QString, QWidget*>(tr("Scale"), m_scale), std::pair<QString, QWidget*>(tr("Dots per inch"), m_dpi)})
    {
        auto* label = new QLabel(text, this);
        label->setBuddy(box);
        box->setFixedWidth(kFieldWidth);
        grid->addWidget(label, row, 0);
        grid->addWidget(box, row++, 1);
    }
    grid->addWidget(m_pixels, row, 0, 1, 2);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(Metrics::kRelated);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    auto* save = new QPushButton(tr("Save…"), this);
    save->setObjectName(QStringLiteral("pictureSave"));
    save->setDefault(true);
    buttons->addStretch(1);
    buttons->addWidget(cancel);
    buttons->addWidget(save);
    layout->addLayout(buttons);
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
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(save, &QPushButton::clicked, this, [this] {
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
