// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/attention/attention_look.h"
#include "model/data/attention/attention_run.h"

#include <QWidget>

#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

class QFrame;
class QLabel;

namespace headscope::ui
{

/// Which cell of which head the numbers are of.
struct CellContent
{
    AttentionRunPtr run;
    AttentionHead place;
    std::optional<TokenIndex> reading;
    std::optional<TokenIndex> read;
    bool withoutFirst = true;
};

/// How one weight comes about: query times key, scale, mask, softmax, and what it adds to the output. Every row says in
/// a tip what it is.
class CellCard : public QWidget
{
    Q_OBJECT

public:
    explicit CellCard(QWidget* parent = nullptr);

    /// The run must not be null.
    void setContent(const CellContent& content);
    /// The rows as they are written: name, number.
    [[nodiscard]] std::vector<std::pair<QString, QString>> rows() const;
    /// What is in their place, or under them; "": nothing.
    [[nodiscard]] QString note() const;

private:
    static constexpr std::size_t kRows = 8;

    void showSteps(const CellContent& content, const LayerVectors& vectors, std::span<const float> row);
    void showWeight(const CellContent& content, std::span<const float> row);
    void setRow(std::size_t row, const QString& value);
    void setTip(std::size_t row, const QString& tip);

    QFrame* m_card = nullptr;
    QLabel* m_reads = nullptr;
    std::array<QLabel*, kRows> m_names{};
    std::array<QLabel*, kRows> m_values{};
    QLabel* m_note = nullptr;
};

} // namespace headscope::ui
