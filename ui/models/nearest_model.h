// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/documents/document_set.h"
#include "ui/models/frame_model.h"

#include <memory>
#include <vector>

namespace headscope::ui
{

/// A document near another one, by the cosine of two vectors.
struct NearDocument
{
    DocumentIndex document;
    double cosine = 0;

    bool operator==(const NearDocument&) const = default;
};

/// Nearest documents, nearest first: the beginning of the text and the cosine; a square before those that
/// another list does not have.
class NearestModel : public FrameModel
{
    Q_OBJECT

public:
    explicit NearestModel(QObject* parent = nullptr);

    /// Roles besides Qt's own.
    enum Role
    {
        OnlyRole = Qt::UserRole + 30, ///< bool: the other list does not have it
    };

    /// @param other  what another way of searching found: documents that it lacks are marked; empty: none is
    void setDocuments(std::shared_ptr<const DocumentSet> documents, std::vector<NearDocument> nearest,
                      const std::vector<NearDocument>& other = {});

private:
    /// What the frame does not say of a cell: the text of the document, and its mark.
    [[nodiscard]] QVariant extra(int row, int column, int role) const;

    std::shared_ptr<const DocumentSet> m_documents;
    std::vector<NearDocument> m_nearest;
    std::vector<char> m_only; ///< [nearest], or empty: no other list
};

} // namespace headscope::ui
