// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/heatmap_panel.h"
#include "viz/color/head_palette.h"

#include <QWidget>

#include <memory>
#include <optional>

class QLabel;

namespace headscope::ui
{

class MatchChart;
template <class P>
class PictureOf;

/// The bars of match next to the heatmap, with their title and what they say.
class MatchPanel : public QWidget
{
    Q_OBJECT

public:
    explicit MatchPanel(QWidget* parent);

    /// Null: nothing.
    void setMatch(std::shared_ptr<const TopicMatch> match, const viz::HeadPalette& palette);
    [[nodiscard]] PictureOf<MatchChart>* chart() const { return m_chart; }

Q_SIGNALS:
    void headClicked(headscope::HeadIndex head);
    void headHovered(std::optional<headscope::HeadIndex> head);

private:
    QLabel* m_title = nullptr;
    QLabel* m_hint = nullptr;
    PictureOf<MatchChart>* m_chart = nullptr;
};

} // namespace headscope::ui
