// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/results/switch_off_results.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>

namespace headscope::ui
{

class MoveLines;
class ScatterWidget;

/// Lines on a canvas from where points of its map are to where their new vectors would be; shown while the canvas shows
/// that map.
class MovedOverlay : public QObject
{
    Q_OBJECT

public:
    /// Of more lines every n-th is drawn, and the badge says so.
    static constexpr std::int64_t kMaxLines = 1500;

    /// @param canvas  outlives the overlay
    explicit MovedOverlay(ScatterWidget& canvas, QObject* parent = nullptr);

    /// @param what  for the badge: "Heads 1-3 of layer 29 off"
    void setMoved(std::shared_ptr<const MovedPoints> moved, const QString& what);
    void setShown(bool shown);
    /// The document whose lines are in the accent colour.
    void setMarked(std::optional<DocumentIndex> document);
    [[nodiscard]] MoveLines* lines() const { return m_lines; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void place();

    ScatterWidget& m_canvas;
    MoveLines* m_lines = nullptr;
    std::shared_ptr<const MovedPoints> m_moved;
    QString m_what;
    std::optional<DocumentIndex> m_marked;
    bool m_shown = true;
};

} // namespace headscope::ui
