// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/chart/layer_schema.h"

#include <QDialog>
#include <QWidget>

namespace headscope::ui
{

/// A layer with what is read where, as wide as the room it has; its height follows.
class SchemaPicture : public QWidget
{
    Q_OBJECT

public:
    explicit SchemaPicture(QWidget* parent = nullptr);

    void setSchema(viz::LayerSchema schema);
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    viz::LayerSchema m_schema;
};

/// Where the stages are read: the schema of a layer, in the sizes of the model that the cache came from.
class SchemaDialog : public QDialog
{
    Q_OBJECT

public:
    explicit SchemaDialog(const viz::LayerSchema& schema, QWidget* parent = nullptr);

Q_SIGNALS:
    /// Save was chosen.
    void saveRequested();
};

} // namespace headscope::ui
