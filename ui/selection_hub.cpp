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
    m_redo.clear();
    exchangeDocuments(std::move(documents), m_undo);
}

void SelectionHub::pick(const std::vector<std::int64_t>& documents, SetOperation operation)
{
    setDocuments(combineSets(m_selection.documents, documents, operation));
}

void SelectionHub::undo()
{
    if (m_undo.empty())
        return;
    Documents documents = std::move(m_undo.back());
    m_undo.pop_back();
    exchangeDocuments(std::move(documents), m_redo);
}

void SelectionHub::redo()
{
    if (m_redo.empty())
        return;
    Documents documents = std::move(m_redo.back());
    m_redo.pop_back();
    exchangeDocuments(std::move(documents), m_undo);
}

void SelectionHub::exchangeDocuments(Documents documents, std::vector<Documents>& former)
{
    if (former.size() == kUndoDepth)
        former.erase(former.begin());
    former.push_back(std::exchange(m_selection.documents, std::move(documents)));
    Q_EMIT documentsChanged();
}

void SelectionHub::setHoveredHead(std::optional<std::int64_t> head)
{
    if (m_hoveredHead == head)
        return;
    m_hoveredHead = head;
    Q_EMIT hoveredHeadChanged();
}

void SelectionHub::setLitHeads(std::vector<std::int64_t> heads)
{
    if (m_litHeads == heads)
        return;
    m_litHeads = std::move(heads);
    Q_EMIT litHeadsChanged();
}

void SelectionHub::clear()
{
    setHovered({});
    setHoveredHead({});
    setLitHeads({});
    setPrimary({});
    const bool any = !m_selection.documents.empty();
    m_selection.documents.clear();
    m_undo.clear();
    m_redo.clear();
    if (any)
        Q_EMIT documentsChanged();
}

} // namespace headscope::ui
