// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/study.h"
#include "ui/dialogs/dialog_service.h"
#include "viz/export/figure_export.h"

#include <functional>
#include <memory>
#include <utility>

namespace headscope::desktop
{

/// A picture that is made to be looked at before it is saved.
struct PreviewRequest
{
    ui::FigureSize size;
    std::function<void(const Result<ui::FigurePicture>& picture)> then; ///< on the GUI thread
    /// What the figure says of itself.
    std::shared_ptr<viz::FigureRecord> record = std::make_shared<viz::FigureRecord>();
    mutable bool begun = false; ///< SaveJob makes it; else the view had nothing to save
};

/// While it lives, figureOptions() is of this size, and what SaveJob writes is shown and not announced: a view is
/// previewed by the very function that saves it.
class PreviewScope
{
public:
    PreviewScope(Study& study, PreviewRequest request) : m_study(study), m_request(std::move(request))
    {
        m_study.setPreview(&m_request);
    }
    ~PreviewScope() { m_study.setPreview(nullptr); }
    [[nodiscard]] const PreviewRequest& request() const { return m_request; }
    PreviewScope(const PreviewScope&) = delete;
    PreviewScope& operator=(const PreviewScope&) = delete;

private:
    Study& m_study;
    PreviewRequest m_request;
};

} // namespace headscope::desktop
