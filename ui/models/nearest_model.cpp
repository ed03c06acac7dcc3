// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/nearest_model.h"

#include "model/data/results/retrieval_frame.h"
#include "ui/models/roles.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QColor>

#include <algorithm>
#include <utility>

namespace headscope::ui
{

NearestModel::NearestModel(QObject* parent)
    : FrameModel(
          {{"id", Facet::Value, tr("Document")}, {"cosine", Facet::Value, {}, {}, NumberStyle::Hundredths}},
          [this](int row, int column, int role) { return extra(row, column, role); }, parent)
{
    setFrame(Frame(kRetrievedFrame));
}

void NearestModel::setDocuments(std::shared_ptr<const DocumentSet> documents, std::vector<NearDocument> nearest,
                                const std::vector<NearDocument>& other)
{
    m_documents = std::move(documents);
    m_nearest = std::move(nearest);
    m_only.clear();
    if (!other.empty())
        for (const NearDocument& near : m_nearest)
            m_only.push_back(std::ranges::find(other, near.document, &NearDocument::document) == other.end() ? 1 : 0);
    Frame frame(kRetrievedFrame);
    if (m_documents != nullptr)
    {
        frame.add("id", columnValues(m_nearest, [this](const NearDocument& near) {
                      return m_documents->ids[near.document.index()];
                  }));
        frame.add("cosine", columnValues(m_nearest, &NearDocument::cosine));
    }
    setFrame(std::move(frame));
}

QVariant NearestModel::extra(int row, int column, int role) const
{
    const auto place = static_cast<std::size_t>(row);
    const auto document = m_nearest[place].document.index();
    const QString id = toQString(m_documents->ids[document]);
    const bool isOnly = !m_only.empty() && m_only[place] != 0;
    switch (role)
    {
    case Qt::DisplayRole:
        return column == 1 || m_documents->texts.empty() ? QVariant()
                                                         : QVariant(firstLine(m_documents->texts[document], 90));
    case Qt::ToolTipRole:
        return QString(QStringLiteral("<p>") % id.toHtmlEscaped() % (isOnly ? tr(" · only in this list") : QString()) %
                       (m_documents->texts.empty()
                            ? QString()
                            : QStringLiteral("<p>") % firstLine(m_documents->texts[document], 400).toHtmlEscaped()));
    case Qt::AccessibleTextRole:
        return isOnly && column == 0 ? QVariant(tr("%1, only in this list").arg(id)) : QVariant();
    case Qt::DecorationRole:
        if (column != 0 || m_only.empty())
            return {};
        return isOnly ? Theme::instance().colors().accent : QColor(Qt::transparent);
    case OnlyRole:
        return isOnly;
    case DocumentRole:
        return QVariant::fromValue<qint64>(m_nearest[place].document.value());
    default:
        return {};
    }
}

} // namespace headscope::ui
