// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/attention/attention_bar.h"

#include "app/views/attention/attention_text.h"
#include "ui/state/bind_controls.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrap_row.h"
#include "ui/words/wording.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{

AttentionKeyStrip::AttentionKeyStrip(QWidget* parent) : QLabel(parent)
{
    setObjectName(QStringLiteral("attentionKey"));
    setAccessibleName(tr("What the colours show"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    onThemeChange(this, [this] { setKey(m_key); });
}

void AttentionKeyStrip::setKey(const viz::AttentionKey& key)
{
    m_key = key;
    m_key.theme = Theme::instance().vizTheme();
    m_key.textPx = Theme::smallFont().pixelSize();
    const QString words = viz::attentionKeyText(m_key);
    setAccessibleDescription(words);
    setToolTip(words);
    updateGeometry();
    update();
}

QSize AttentionKeyStrip::sizeHint() const
{
    return viz::attentionKeySize(m_key).toSize() + QSize(2, 2);
}

void AttentionKeyStrip::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event)
    QPainter painter(this);
    viz::paintAttentionKey(painter, {0, 1}, m_key);
}

AttentionBar::AttentionBar(QWidget* parent) : QFrame(parent)
{
    setObjectName(QStringLiteral("bar"));
    m_row = new WrapRow(this);
    m_row->setContentsMargins(Metrics::kPanel, Metrics::kRelated, Metrics::kPanel, Metrics::kRelated);
    m_row->setSpacing(Metrics::kRelated);
    m_heads = addToggle("attentionShowHeads", tr("Heads"), tr("Thumbnails of all heads of the model"), true);
    m_lines = addToggle("attentionShowLines", tr("Lines"), tr("Lines from query tokens to key tokens"), true);
    m_matrix = addToggle("attentionShowMatrix", tr("Matrix"), tr("Rows: query tokens. Columns: key tokens."), true);
    m_numbers = addToggle(
        "attentionShowNumbers", tr("Numbers"),
        tr("How one weight is computed, which tokens its group attends to, and statistics of the head"), true);
    m_row->addSpacing(Metrics::kRelated);
    m_withoutFirst = addToggle("attentionWithoutFirst", tr("Without first token"),
                               tr("Exclude the first token (attention sink) and renormalize each row"), true);
    m_overlay = addToggle("attentionOverlay", tr("Overlay group"), {}, false);
    m_measure = new QComboBox(this);
    m_measure->setObjectName(QStringLiteral("attentionMeasure"));
    m_measure->setAccessibleName(tr("Heads shown as"));
    m_measure->setToolTip(tr("Thumbnails of the weights of all heads, or heads coloured by a statistic of this text"));
    m_measure->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon); // one row of controls
    m_measure->setMinimumContentsLength(17);
    m_row->addWidget(m_measure);
    m_row->addStretch(1);
    m_key = new AttentionKeyStrip(this);
    m_row->addWidget(m_key);
    m_row->addSpacing(Metrics::kRelated);
    m_run = new ElidedLabel({}, this);
    m_run->setProperty("role", QStringLiteral("muted"));
    m_row->addWidget(m_run);
    setMeasures({});
    setOverlayAllowed(true, {});
    connect(m_measure, &QComboBox::currentIndexChanged, this, &AttentionBar::lookChanged);
}

void AttentionBar::bindTo(ViewState& state)
{
    bind(state, QStringLiteral("attentionShowHeads"), *m_heads);
    bind(state, QStringLiteral("attentionShowLines"), *m_lines);
    bind(state, QStringLiteral("attentionShowMatrix"), *m_matrix);
    bind(state, QStringLiteral("attentionShowNumbers"), *m_numbers);
    bind(state, QStringLiteral("attentionWithoutFirst"), *m_withoutFirst);
    bind(state, QStringLiteral("attentionOverlay"), *m_overlay);
    bind(state, QStringLiteral("attentionMeasure"), *m_measure);
}

QPushButton* AttentionBar::addToggle(const char* name, const QString& text, const QString& tip, bool on)
{
    auto* button = new QPushButton(text, this);
    button->setObjectName(QLatin1StringView(name));
    button->setCheckable(true);
    button->setChecked(on);
    button->setToolTip(tip);
    m_row->addWidget(button);
    connect(button, &QPushButton::toggled, this, [this, button] {
        keepRoom(button);
        Q_EMIT lookChanged();
    });
    return button;
}

void AttentionBar::keepRoom(const QPushButton* pressed)
{
    if (!m_narrow || m_heads == nullptr || m_numbers == nullptr || !m_heads->isChecked() || !m_numbers->isChecked())
        return;
    QPushButton* other = pressed == m_numbers ? m_heads : m_numbers;
    const QSignalBlocker quiet(other);
    other->setChecked(false);
}

void AttentionBar::setNarrow(bool narrow)
{
    if (std::exchange(m_narrow, narrow) == narrow)
        return;
    if (narrow && m_heads->isChecked() && m_numbers->isChecked())
    {
        m_numbersAgain = true;
        m_numbers->setChecked(false);
    }
    else if (!narrow && std::exchange(m_numbersAgain, false))
        m_numbers->setChecked(true);
}

AttentionLook AttentionBar::look() const
{
    AttentionLook look;
    look.heads = m_heads->isChecked();
    look.lines = m_lines->isChecked();
    look.matrix = m_matrix->isChecked();
    look.numbers = m_numbers->isChecked();
    look.withoutFirst = m_withoutFirst->isChecked();
    look.overlay = m_overlay->isChecked() && m_overlay->isEnabled();
    look.measure = toStdString(m_measure->currentData().toString());
    return look;
}

void AttentionBar::setLook(const AttentionLook& look)
{
    const QSignalBlocker quiet(this);
    m_heads->setChecked(look.heads);
    m_lines->setChecked(look.lines);
    m_matrix->setChecked(look.matrix);
    m_numbers->setChecked(look.numbers);
    m_withoutFirst->setChecked(look.withoutFirst);
    m_overlay->setChecked(look.overlay);
    m_measure->setCurrentIndex(std::max(0, m_measure->findData(toQString(look.measure))));
}

void AttentionBar::setMeasures(const std::vector<std::string>& names)
{
    const QString chosen = m_measure->currentData().toString();
    const QSignalBlocker quiet(m_measure);
    m_measure->clear();
    m_measure->addItem(tr("Heads as thumbnails"), QString());
    for (const std::string& name : names)
    {
        m_measure->addItem(tr("Heads by %1").arg(measureTitle(name)), toQString(name));
        m_measure->setItemData(m_measure->count() - 1, measureTip(name), Qt::ToolTipRole);
    }
    m_measure->view()->setMinimumWidth(m_measure->view()->sizeHintForColumn(0) + Metrics::kGroups);
    m_measure->setCurrentIndex(std::max(0, m_measure->findData(chosen)));
}

void AttentionBar::setOverlayAllowed(bool allowed, const QString& why)
{
    m_overlay->setEnabled(allowed);
    m_overlay->setToolTip(
        allowed ? tr("Lines of all heads in the KV group of the selected head, each head in its own colour") : why);
}

void AttentionBar::setRunText(const QString& text)
{
    m_run->setFullText(text);
}

QString AttentionBar::runText() const
{
    return m_run->fullText();
}

void AttentionBar::setKey(const viz::AttentionKey& key)
{
    m_key->setKey(key);
}

} // namespace headscope::ui
