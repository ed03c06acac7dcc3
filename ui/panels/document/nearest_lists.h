// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/nearest_model.h"

#include <QWidget>

#include <memory>
#include <vector>

class QBoxLayout;
class QLabel;
class QTableView;

namespace headscope::ui
{

class SectionLabel;

/// The nearest documents by one head and by the full vector: next to each other where there is room,
/// else one above the other. What only one of them finds is marked.
class NearestLists : public QWidget
{
    Q_OBJECT

public:
    explicit NearestLists(QWidget* parent = nullptr);

    /// @param head        "Segment 18"
    /// @param fullSource  what the full vector is, for the tool tip
    /// @param whyNotByHead, whyNotByFull  sentences in the place of lists that are empty; "": nothing is there
    void setNearest(const std::shared_ptr<const DocumentSet>& documents, const std::vector<NearDocument>& byHead,
                    const std::vector<NearDocument>& byFull, const QString& head, const QString& fullSource,
                    const QString& whyNotByHead = {}, const QString& whyNotByFull = {});
    [[nodiscard]] QTableView* headTable() const { return m_byHead.table; }
    [[nodiscard]] QTableView* fullTable() const { return m_byFull.table; }
    /// Whether the lists are side by side.
    [[nodiscard]] bool isWide() const;

    /// Rows that are seen of each list; the others scroll.
    void setMostRows(int rows);
    static constexpr int kMaxRows = 6;
    static constexpr int kMinRows = 3;

    /// From this width on there is room for both.
    static constexpr int kWide = 440;

Q_SIGNALS:
    void documentClicked(headscope::DocumentIndex document);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct List
    {
        QWidget* part = nullptr;
        SectionLabel* title = nullptr;
        QLabel* whyNot = nullptr;
        QWidget* frame = nullptr;
        QTableView* table = nullptr;
        NearestModel* model = nullptr;
    };
    List makeList(const QString& title, const QString& name);
    void show(const List& list, const std::shared_ptr<const DocumentSet>& documents,
              const std::vector<NearDocument>& nearest, const std::vector<NearDocument>& other, const QString& whyNot);
    void fitRows();

    int m_mostRows = kMaxRows;
    QBoxLayout* m_columns = nullptr;
    List m_byHead;
    List m_byFull;
    QLabel* m_legend = nullptr;
};

} // namespace headscope::ui
