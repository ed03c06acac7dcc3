// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/view_controller.h"
#include "model/base/error.h"

#include <QString>

#include <vector>

namespace headscope::desktop
{

/// Base of the controllers of views that compute what they show as soon as somebody looks at it.
///
/// What changes the answer calls renew(). begin() runs once for each renewal: at once while the view is in front and a
/// cache is open, else when it comes to the front.
/// @threads GUI thread
class AnalysisController : public ViewController
{
    Q_OBJECT

protected:
    AnalysisController(Study& study, ViewTraits traits, QObject* parent);

    /// Seconds that a look at the view may cost without being asked for.
    static constexpr double kByItself = 20;

    /// Begins, or asks the user to, where the run would be long. The view is in front, and a cache is open.
    virtual void begin() = 0;
    /// Whether a look at the view should begin something: usually that nothing was begun since the last renewal.
    [[nodiscard]] virtual bool lacks() const { return m_stale; }

    /// What is shown is no answer to what is asked now.
    void renew();
    /// The same, but nothing begins before somebody looks again.
    void renewLater() { m_stale = true; }
    /// begin(), if the view is looked at and lacks something.
    void look();
    /// What is shown, or begun, answers what is asked now.
    void settleOn() { m_stale = false; }

    /// Whether a run that began by itself has reached its limit: the user has to continue. A renewal forgets it.
    [[nodiscard]] bool isTooLong() const { return m_tooLong; }
    void setTooLong(bool tooLong) { m_tooLong = tooLong; }

    /// Reports an error, unless it is that of a run that was stopped.
    /// @return what the view says of it
    QString failed(const Error& error);
    /// Logs what failed of a run that went on.
    /// @param one, many  what failed: "layer", "layers"
    /// @return what the view says of the run; "": nothing
    QString outcome(bool stopped, const std::vector<Error>& failures, const QString& one, const QString& many);

private:
    bool m_stale = true;
    bool m_tooLong = false;
};

} // namespace headscope::desktop
