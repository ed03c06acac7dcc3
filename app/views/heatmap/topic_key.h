// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidget>

#include <cstdint>
#include <string>
#include <vector>

namespace headscope::ui
{

/// The letters of a heatmap's topics with their names: as many columns as fit, three lines high at most,
/// more by scrolling.
class TopicKey : public QListWidget
{
    Q_OBJECT

public:
    explicit TopicKey(QWidget* parent = nullptr);
    void setTopics(const std::vector<std::string>& names);

Q_SIGNALS:
    /// A topic was clicked, or Return pressed on it.
    void topicClicked(std::int64_t topic, Qt::KeyboardModifiers keys);
    void topicActivated(std::int64_t topic);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void fitHeight();

    int m_widest = 1;
};

} // namespace headscope::ui
