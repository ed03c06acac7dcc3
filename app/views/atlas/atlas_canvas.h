// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/atlas/atlas_picture.h"
#include "ui/canvas/picture_widget.h"

#include <QPolygonF>

#include <vector>

namespace headscope::ui
{

class HeadCard;

/// The heads of the model with their card next to the pointer; a drag picks the heads inside a lasso, Ctrl+Space the
/// one that keys came to, Escape unmarks.
class AtlasCanvas : public PictureOf<AtlasPicture>
{
    Q_OBJECT

public:
    explicit AtlasCanvas(QWidget* parent = nullptr);

    /// KV group of a head for its card: "KV3"; of the dots' colours where there are any.
    void setGroupNames(std::vector<QString> names) { m_groupNames = std::move(names); }
    [[nodiscard]] HeadCard* card() const { return m_card; }

Q_SIGNALS:
    /// Ascending; may be empty.
    void headsPicked(const std::vector<headscope::HeadPlace>& heads, Qt::KeyboardModifiers keys);
    void unmarkRequested();

protected:
    void say(std::optional<std::size_t> item, const viz::ItemText& text, QPoint place) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    HeadCard* m_card = nullptr;
    std::vector<QString> m_groupNames;
    QPolygonF m_path; ///< of a drag
    bool m_dragging = false;
};

} // namespace headscope::ui
