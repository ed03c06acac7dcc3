// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/words/text_query.h"

#include <QWidget>

#include <string>
#include <vector>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace headscope::ui
{

/// The text of a document, with the hits of a search marked, the first of them in view.
///
/// A document may be a megabyte: its first 200 kB are shown, and all of it when asked. Lines of more
/// than 2,000 characters are broken, since laying out a longer one would stop the window.
class DocumentText : public QWidget
{
    Q_OBJECT

public:
    explicit DocumentText(QWidget* parent = nullptr);

    /// @param text  UTF-8
    void setText(const std::string& text);
    /// A sentence in place of a text.
    void setNotice(const QString& notice);
    void setQuery(const TextQuery& query);
    void showAll();

    [[nodiscard]] QPlainTextEdit* view() const { return m_view; }
    [[nodiscard]] QPushButton* allButton() const { return m_all; }
    [[nodiscard]] QString shownText() const;
    /// The hits in the shown text.
    [[nodiscard]] const std::vector<TextSpan>& hits() const { return m_hits; }
    /// Parts of lines that are marked as hits.
    [[nodiscard]] int markedParts() const { return m_marked; }

    static constexpr std::size_t kLimit = 200'000; ///< bytes
    static constexpr qsizetype kLongestLine = 2000;

    /// The text is as tall as it needs, up to this; a longer one scrolls.
    void setMostHeight(int height);
    static constexpr int kMaxHeight = 260;
    /// Some lines at least.
    static constexpr int kReadableHeight = 96;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void refreshNote();
    void markHits();
    void fit();

    std::string m_text;
    QString m_notice;
    TextQuery m_query;
    std::vector<TextSpan> m_hits;
    int m_marked = 0;
    int m_mostHeight = kMaxHeight;
    std::size_t m_shownBytes = 0; ///< of m_text
    bool m_showAll = false;
    bool m_broken = false; ///< some line was too long to be laid out in one
    QPlainTextEdit* m_view = nullptr;
    QLabel* m_note = nullptr;
    QPushButton* m_all = nullptr;
};

} // namespace headscope::ui
