// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/selection_hub.h"

#include <algorithm>
#include <utility>

namespace headscope::ui
{

SelectionHub::SelectionHub(QObject* parent) : QObject(parent) {}

void SelectionHub::setPrimary(std::optional<std::int64_t> document, std::optional<std::int64_t> head)
{
    if (!document)
        head.reset();
    if (m_selection.primary == document && m_selection.primaryHead == head)
        return;
    m_selection.primary = document;
    m_selection.primaryHead = head;
    Q_EMIT primaryChanged();
}

void SelectionHub::setHovered(std::optional<std::int64_t> document)
{
    if (m_selection.hovered == document)
        return;
    m_selection.hovered = document;
    Q_EMIT hoveredChanged();
}

void SelectionHub::setDocuments(std::vector<std::int64_t> documents)
{
    std::sort(documents.begin(), documents.end());
    documents.erase(std::unique(documents.begin(), documents.end()), documents.end());
    if (documents == m_selection.documents)
        return;
    m_selection.documents = std::move(documents);
    Q_EMIT documentsChanged();
}

void SelectionHub::clear()
{
    setHovered({});
    setPrimary({});
    setDocuments({});
}

} // namespace headscope::ui
