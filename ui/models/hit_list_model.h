// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/documents/document_set.h"
#include "ui/words/text_query.h"

#include <QAbstractListModel>

#include <cstdint>
#include <memory>
#include <vector>

namespace headscope::ui
{

/// A document that a search found.
struct TextHit
{
    DocumentIndex document;
    std::int64_t count = 0; ///< hits in its text and id
    bool inId = false;      ///< the line is the id: the text holds no hit
    HitLine line;
};

/// What a search found. Immutable once published.
struct SearchResult
{
    TextQuery query;
    std::vector<TextHit> hits;    ///< documents ascending
    std::int64_t occurrences = 0; ///< hits in all of them
    std::int64_t searched = 0;    ///< documents
    std::int64_t gaveUp = 0;      ///< documents skipped because the regular expression took too long

    [[nodiscard]] std::vector<std::int64_t> documents() const;
};

/// The documents a search found, a line around the first hit each.
class HitListModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role
    {
        HitsRole = Qt::UserRole + 20, ///< std::vector<TextSpan>: where the hits are in the line
        IdRole,                       ///< the document's id
        CountRole,                    ///< hits in the document, qint64
    };

    explicit HitListModel(QObject* parent = nullptr);

    void setResult(std::shared_ptr<const DocumentSet> documents, std::shared_ptr<const SearchResult> result);
    [[nodiscard]] const std::shared_ptr<const SearchResult>& result() const { return m_result; }
    /// The row of a document, or -1.
    [[nodiscard]] int rowOf(DocumentIndex document) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    std::shared_ptr<const DocumentSet> m_documents;
    std::shared_ptr<const SearchResult> m_result;
};

} // namespace headscope::ui

Q_DECLARE_METATYPE(std::vector<headscope::ui::TextSpan>)
