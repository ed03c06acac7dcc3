// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/schema_dialog.h"

#include "ui/dialogs/dialog_parts.h"
#include "ui/theme/theme.h"
#include "ui/widgets/scrolled_room.h"

#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kSchemaWidth = 640;

viz::SchemaStyle schemaStyle()
{
    return {Theme::instance().vizTheme(), static_cast<double>(Theme::bodyFont().pixelSize())};
}

} // namespace

SchemaPicture::SchemaPicture(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("schemaPicture"));
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    onThemeChange(this, [this] { update(); });
}

void SchemaPicture::setSchema(viz::LayerSchema schema)
{
    m_schema = std::move(schema);
    setAccessibleName(tr("A layer of the model"));
    setAccessibleDescription(viz::schemaCaption(m_schema));
    setMinimumHeight(heightForWidth(width()));
    update();
}

int SchemaPicture::heightForWidth(int width) const
{
    return static_cast<int>(std::ceil(viz::schemaHeight(m_schema, width, schemaStyle())));
}

QSize SchemaPicture::sizeHint() const
{
    return {kSchemaWidth, heightForWidth(kSchemaWidth)};
}

void SchemaPicture::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    viz::paintSchema(painter, m_schema, rect(), schemaStyle());
}

void SchemaPicture::resizeEvent(QResizeEvent*)
{
    setMinimumHeight(heightForWidth(width()));
}

SchemaDialog::SchemaDialog(const viz::LayerSchema& schema, QWidget* parent) : QDialog(parent)
{
    setObjectName(QStringLiteral("schemaDialog"));
    setWindowTitle(tr("Where stages are measured"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Metrics::kGroups, Metrics::kGroups, Metrics::kGroups, Metrics::kGroups);
    layout->setSpacing(Metrics::kGroups);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* picture = new SchemaPicture(scroll);
    picture->setSchema(schema);
    scroll->setWidget(picture);
    layout->addWidget(scroll, 1);
    const DialogButtons buttons = makeDialogButtons(*this, tr("Save…"), QStringLiteral("schemaSave"));
    layout->addLayout(buttons.row);
    connect(buttons.act, &QPushButton::clicked, this, &SchemaDialog::saveRequested);
    scrollByKeys(this, scroll); // where the screen is too low for the whole layer
    const int around = 2 * Metrics::kGroups + Metrics::kPanel;
    resize(kSchemaWidth + around, std::min(640, picture->heightForWidth(kSchemaWidth) + 5 * Metrics::kGroups + around));
}

} // namespace headscope::ui
