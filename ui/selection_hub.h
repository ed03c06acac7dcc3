// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/selection.h"

#include <QObject>

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::ui
{

/// The one Selection of the window. Views read it, change it through these members, and follow its
/// signals: hover in one view lights the same document in all.
/// @threads GUI thread
class SelectionHub : public QObject
{
    Q_OBJECT

public:
    explicit SelectionHub(QObject* parent = nullptr);

    [[nodiscard]] const Selection& selection() const { return m_selection; }

    /// The document the inspector shows, and the head that was meant with it.
    void setPrimary(std::optional<std::int64_t> document, std::optional<std::int64_t> head = {});
    /// The document under the pointer.
    void setHovered(std::optional<std::int64_t> document);
    /// The chosen set; sorted and freed of repeats here.
    void setDocuments(std::vector<std::int64_t> documents);
    /// Nothing chosen: a new cache was opened.
    void clear();

Q_SIGNALS:
    void primaryChanged();
    void hoveredChanged();
    void documentsChanged();

private:
    Selection m_selection;
};

} // namespace headscope::ui
