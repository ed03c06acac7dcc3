// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/tsne_options.h"
#include "ui/forms/field_form.h"

#include <QWidget>

class QToolButton;

namespace headscope::ui
{

class Settings;

/// The parameters of the next map, each explained in a sentence. Every change is kept in the
/// settings at once, iterations for the open cache alone; rarely used ones are folded away.
class RunForm : public QWidget
{
    Q_OBJECT

public:
    /// @param settings  must outlive the form
    explicit RunForm(Settings& settings, QWidget* parent = nullptr);

    /// What the next map is to be made with.
    [[nodiscard]] TsneOptions options() const;
    /// Whether the next map begins at the positions of the one on the screen.
    [[nodiscard]] bool fromPresentMap() const { return m_options.start == TsneStart::Given; }

    /// A perplexity that the points do not allow is not offered. The setting stays as it is, for
    /// caches with more points.
    void setLargestPerplexity(double largest);
    /// Whether there is a map to begin from.
    void setPresentMap(bool there);
    void setMoreShown(bool shown);

private:
    [[nodiscard]] Fields declared();
    void load();
    void keep(const QString& key);
    void resetAll();

    Settings& m_settings;
    TsneOptions m_options;
    TsneLimits m_limits;
    FieldForm m_fields;
    QWidget* m_folded = nullptr;
    QToolButton* m_more = nullptr;
    bool m_keeping = false; ///< a change of the settings is this form's own
};

} // namespace headscope::ui
