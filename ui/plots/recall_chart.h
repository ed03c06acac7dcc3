// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/probe_result.h"
#include "viz/color/head_palette.h"

#include <QWidget>

#include <memory>

class QChartView;

namespace headscope::ui
{

/// Bars of a probe's recall per head, in the colours of the heads, with the overall accuracy as a
/// line.
class RecallChart : public QWidget
{
    Q_OBJECT

public:
    explicit RecallChart(QWidget* parent = nullptr);
    ~RecallChart() override;

    void setResult(std::shared_ptr<const ProbeResult> result, const viz::HeadPalette& palette);
    [[nodiscard]] QString title() const { return m_title; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void rebuild();
    /// Every how many heads a number fits below its bar.
    [[nodiscard]] qsizetype labelStep() const;

    QChartView* m_view = nullptr;
    std::shared_ptr<const ProbeResult> m_result;
    viz::HeadPalette m_palette;
    QString m_title;
    qsizetype m_labelStep = 1;
};

} // namespace headscope::ui
