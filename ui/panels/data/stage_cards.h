// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/stage.h"

#include <QRadioButton>
#include <QWidget>

#include <vector>

class QButtonGroup;

namespace headscope::ui
{

/// One stage: number and title, what it is in a second, grey line.
class StageCard : public QRadioButton
{
    Q_OBJECT

public:
    StageCard(Stage stage, QWidget* parent = nullptr);
    [[nodiscard]] Stage stage() const { return m_stage; }
    /// The second line.
    void setHint(const QString& hint);
    [[nodiscard]] QSize sizeHint() const override { return {200, 40}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, 40}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    [[nodiscard]] bool hitButton(const QPoint& place) const override { return rect().contains(place); }

private:
    Stage m_stage;
    QString m_hint;
};

/// The stages of a layer to choose from; those that the cache does not hold are pale.
class StageCards : public QWidget
{
    Q_OBJECT

public:
    explicit StageCards(QWidget* parent = nullptr);

    void setAvailable(const std::vector<Stage>& stages);
    /// What the stages are in this layer: second lines and tips.
    void setPlace(const ModelInfo& info, LayerIndex layer);
    void setCurrent(Stage stage);
    [[nodiscard]] Stage current() const { return m_current; }
    [[nodiscard]] StageCard* card(Stage stage) const;

Q_SIGNALS:
    void stageChosen(headscope::Stage stage);

private:
    std::vector<StageCard*> m_cards;
    QButtonGroup* m_group = nullptr;
    Stage m_current = Stage::HeadOutput;
};

} // namespace headscope::ui
