// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/attention/head_pane.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QHBoxLayout;

namespace headscope::ui
{

/// The chosen head, and those that are pinned, side by side.
class HeadPanes : public QWidget
{
    Q_OBJECT

public:
    static constexpr std::size_t kMost = 3;

    explicit HeadPanes(QWidget* parent = nullptr);

    /// @param places  the chosen head first, then those that stay next to it
    /// @param kept    whether the chosen one is to stay too
    void setContent(const AttentionRunPtr& run, const std::vector<AttentionHead>& places, bool kept,
                    const AttentionLook& look);
    void setCell(std::optional<TokenIndex> reading, std::optional<TokenIndex> read);
    /// Those that are shown.
    [[nodiscard]] std::vector<HeadPane*> panes() const;

Q_SIGNALS:
    void tokenClicked(std::optional<headscope::viz::LineEnd> end);
    void tokenReached(headscope::viz::LineEnd end);
    void cellChosen(std::optional<headscope::viz::WeightCell> cell);
    void pinAsked(headscope::ui::AttentionHead head);

private:
    HeadPane* addPane();

    QHBoxLayout* m_row = nullptr;
    std::vector<HeadPane*> m_panes;
    std::size_t m_shown = 0;
    AttentionRunPtr m_run;
    std::shared_ptr<const viz::TokenNames> m_names; ///< of the run
};

} // namespace headscope::ui
