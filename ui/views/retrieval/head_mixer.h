// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/stage.h"
#include "viz/color/head_palette.h"

#include <QAbstractSlider>
#include <QWidget>

#include <cstdint>
#include <vector>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace headscope::ui
{

/// One fader, upright or lying, in the colour of what it moves. Double click or Home: back to 1.
class Fader : public QAbstractSlider
{
    Q_OBJECT

public:
    static constexpr int kStepsPerUnit = 100; ///< value 100 is a factor of 1

    explicit Fader(Qt::Orientation orientation, QWidget* parent = nullptr);

    /// @param reach  where a factor of 1 stands, as a share of the fader's length
    void setReach(double reach);
    void setColor(const QColor& color);
    /// A voice that is muted, or not among those played alone, is pale.
    void setSilent(bool silent);
    [[nodiscard]] double factor() const { return value() / static_cast<double>(kStepsPerUnit); }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void sliderChange(SliderChange change) override;

private:
    [[nodiscard]] QRectF track() const;
    [[nodiscard]] QPointF knob() const;
    void moveTo(QPointF place);

    QColor m_color;
    double m_reach = 0.5;
    bool m_silent = false;
};

/// What the heads' votes weigh: a channel a head with fader, mute and solo, and the same for each KV
/// group, as on a mixing desk. Faders start where the heads' own scores stand.
class HeadMixer : public QWidget
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
    /// What a factor of 1 amounts to for each head: the faders' places. [H], or empty: all the same.
    void setScores(const std::vector<double>& scores);
    /// [H] factor of each head: its fader times its group's, 0 for those that are silent.
    [[nodiscard]] std::vector<double> factors() const;
    [[nodiscard]] std::int64_t votingCount() const;
    /// Whether every factor of the heads that are chosen is 1.
    [[nodiscard]] bool isPlain() const;
    /// All faders at 1, nothing muted, nothing alone.
    void reset();
    /// Heads that are framed: those that found what is pointed at.
    void setLit(const std::vector<std::int64_t>& heads);

    [[nodiscard]] Fader* fader(std::int64_t head) const { return m_channels[static_cast<std::size_t>(head)].fader; }
    /// Whether the head is chosen, and votes unless it is muted.
    [[nodiscard]] bool isShown(std::int64_t head) const { return m_shown[static_cast<std::size_t>(head)]; }
    [[nodiscard]] QToolButton* muteButton(std::int64_t head) const;
    [[nodiscard]] QToolButton* soloButton(std::int64_t head) const;
    /// Null where KV groups would be heads.
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
    std::vector<Channel> m_groups;   ///< [KV]; empty where groups would be heads or all heads
    QHBoxLayout* m_layout = nullptr;
    bool m_quiet = false;
};

} // namespace headscope::ui
