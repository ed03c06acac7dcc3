// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/retrieval/fader.h"
#include "model/data/model_info.h"
#include "model/data/stage.h"
#include "ui/view/head_source.h"
#include "viz/color/head_palette.h"

#include <QWidget>

#include <cstdint>
#include <vector>

class QHBoxLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace headscope::ui
{

/// What the heads' votes weigh: a channel a head with fader, mute and solo, and the same for each KV
/// group, as on a mixing desk. A factor of 1 is drawn at a place that corresponds to the head's own score.
class HeadMixer : public QWidget, public HeadSource
{
    Q_OBJECT

public:
    explicit HeadMixer(QWidget* parent = nullptr);

    /// @param stage  whose rows vote: segments have no channels of KV groups
    void setModel(const ModelInfo& info, const viz::HeadPalette& palette, Stage stage = Stage::HeadOutput);
    void setHeadPalette(const viz::HeadPalette& palette);
    /// Heads that are chosen in the window, 0-based, ascending: the others do not vote, and their channels say
    /// so. Faders keep their places.
    void setShownHeads(const std::vector<std::int64_t>& heads);
    /// The score of each head, by which its fader's place of factor 1 is set. [H], or empty: all the same.
    void setScores(const std::vector<double>& scores);
    /// [H] factor of each head: its fader times its group's, 0 for those that are silent.
    [[nodiscard]] std::vector<double> factors() const;
    [[nodiscard]] std::int64_t votingCount() const;
    /// Of the channel under the pointer, else of the one with the focus; segments are no heads.
    [[nodiscard]] std::optional<viz::ItemHead> headMeant() const override;
    /// Whether every factor of the heads that are chosen is 1.
    [[nodiscard]] bool isPlain() const;
    /// All faders at 1, nothing muted, nothing alone.
    void reset();
    /// Heads to frame: those that found the result under the pointer.
    void setLit(const std::vector<std::int64_t>& heads);

    [[nodiscard]] Fader* fader(std::int64_t head) const { return m_channels[static_cast<std::size_t>(head)].fader; }
    /// Whether the head is chosen, and votes unless it is muted.
    [[nodiscard]] bool isShown(std::int64_t head) const { return m_shown[static_cast<std::size_t>(head)]; }
    [[nodiscard]] QToolButton* muteButton(std::int64_t head) const;
    [[nodiscard]] QToolButton* soloButton(std::int64_t head) const;
    /// Null without KV groups.
    [[nodiscard]] Fader* groupFader(std::int64_t group) const;

Q_SIGNALS:
    void factorsChanged();

private:
    struct Channel
    {
        QString name;
        QWidget* box = nullptr;
        Fader* fader = nullptr;
        QToolButton* mute = nullptr;
        QToolButton* solo = nullptr;
        QLabel* number = nullptr; ///< of a head
    };
    void build();
    /// The line of a KV group over the channels of its heads.
    void addGroup(QVBoxLayout& column, GroupIndex group, std::int64_t members);
    /// A head's channel in a box of its own.
    [[nodiscard]] QWidget* makeHead(QWidget* block, std::int64_t head);
    Channel makeChannel(QWidget* parent, const QString& name, Qt::Orientation orientation);
    [[nodiscard]] bool isSilent(std::size_t head) const;
    void refreshSilence();
    void refreshReaches();
    void change();

    ModelInfo m_info; ///< as rows of the stage fall into groups
    Stage m_stage = Stage::HeadOutput;
    viz::HeadPalette m_palette;
    std::vector<Channel> m_channels; ///< [H]
    std::vector<bool> m_shown;       ///< [H] chosen in the window
    std::vector<double> m_scores;    ///< [H] or empty
    std::vector<Channel> m_groups;   ///< [KV]; empty where every head is a group of its own, or all are one group
    QHBoxLayout* m_layout = nullptr;
    bool m_quiet = false;
};

} // namespace headscope::ui
