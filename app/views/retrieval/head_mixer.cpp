// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/retrieval/head_mixer.h"

#include "model/data/key_sharing.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QHBoxLayout>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui
{
namespace
{

/// The longest fader is drawn to this share, so that there is room to push it up.
constexpr double kLargestReach = 0.5;

QString faderTip(const QString& name)
{
    return HeadMixer::tr("%1: drag or use arrow keys; double-click or Home resets it").arg(name);
}

} // namespace

HeadMixer::HeadMixer(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("headMixer"));
    setAccessibleName(tr("Weight of each vote"));
    m_layout = new QHBoxLayout(this);
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(Metrics::kPanel);
}

void HeadMixer::setModel(const ModelInfo& info, const viz::HeadPalette& palette, Stage stage)
{
    m_info = groupedAt(info, stage);
    m_stage = stage;
    m_palette = palette;
    m_shown.assign(static_cast<std::size_t>(std::max<std::int64_t>(0, info.heads)), true);
    build();
}

void HeadMixer::setHeadPalette(const viz::HeadPalette& palette)
{
    m_palette = palette;
    for (std::size_t head = 0; head < m_channels.size(); ++head)
        m_channels[head].fader->setColor(m_palette.color(HeadIndex(static_cast<std::int64_t>(head))));
    for (std::size_t group = 0; group < m_groups.size(); ++group)
        m_groups[group].fader->setColor(m_palette.groupColor(GroupIndex(static_cast<std::int64_t>(group))));
}

HeadMixer::Channel HeadMixer::makeChannel(QWidget* parent, const QString& name, Qt::Orientation orientation)
{
    Channel channel;
    channel.box = parent;
    channel.name = name;
    channel.fader = new Fader(orientation, parent);
    channel.fader->setAccessibleName(tr("Weight of %1").arg(name));
    channel.fader->setToolTip(faderTip(name));
    const auto button = [parent](const QString& text, const QString& tip) {
        auto* made = new QToolButton(parent);
        made->setText(text);
        made->setCheckable(true);
        made->setFont(Theme::cellFont());
        made->setFixedSize(18, 18);
        made->setToolTip(tip);
        made->setAccessibleName(tip);
        made->setFocusPolicy(Qt::TabFocus);
        return made;
    };
    channel.mute = button(tr("M"), tr("Mute %1").arg(name));
    channel.solo = button(tr("S"), tr("Solo %1: only voters with solo on are counted").arg(name));
    connect(channel.fader, &Fader::valueChanged, this, &HeadMixer::change);
    connect(channel.mute, &QToolButton::toggled, this, &HeadMixer::change);
    connect(channel.solo, &QToolButton::toggled, this, &HeadMixer::change);
    return channel;
}

void HeadMixer::addGroup(QVBoxLayout& column, GroupIndex group, std::int64_t members)
{
    QWidget* block = column.parentWidget();
    const QString name = viz::groupName(group, members);
    Channel channel = makeChannel(block, name, Qt::Horizontal);
    auto* top = new QHBoxLayout;
    top->setSpacing(2);
    auto* label = makeMutedLabel(name, block);
    label->setFont(Theme::smallFont());
    top->addWidget(label, 1);
    top->addWidget(channel.mute);
    top->addWidget(channel.solo);
    column.addLayout(top);
    column.addWidget(channel.fader);
    m_groups.push_back(channel);
}

QWidget* HeadMixer::makeHead(QWidget* block, std::int64_t head)
{
    auto* box = new QWidget(block);
    box->setProperty("role", QStringLiteral("channel"));
    auto* strip = new QVBoxLayout(box);
    strip->setContentsMargins(1, 2, 1, 2);
    strip->setSpacing(2);
    Channel channel = makeChannel(box, tr("%1 %2").arg(unitText(m_stage)).arg(head + 1), Qt::Vertical);
    auto* number = new QLabel(QString::number(head + 1), box);
    number->setFont(Theme::cellFont());
    number->setAlignment(Qt::AlignCenter);
    channel.number = number;
    strip->addWidget(channel.fader, 1, Qt::AlignHCenter);
    strip->addWidget(number);
    strip->addWidget(channel.mute, 0, Qt::AlignHCenter);
    strip->addWidget(channel.solo, 0, Qt::AlignHCenter);
    m_channels.push_back(channel);
    return box;
}

void HeadMixer::build()
{
    while (QLayoutItem* item = m_layout->takeAt(0))
    {
        delete item->widget();
        delete item;
    }
    m_channels.clear();
    m_groups.clear();
    const std::int64_t members = m_info.heads > 0 ? m_info.groupSize() : 0;
    const bool grouped = members > 1 && members < m_info.heads;
    const std::int64_t perBlock = grouped ? members : std::max<std::int64_t>(1, m_info.heads);
    for (std::int64_t first = 0; first < m_info.heads; first += perBlock)
    {
        auto* block = new QWidget(this);
        auto* column = new QVBoxLayout(block);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(2);
        if (grouped)
            addGroup(*column, GroupIndex(first / members), members);
        auto* row = new QHBoxLayout;
        row->setSpacing(0);
        for (std::int64_t head = first; head < std::min(first + perBlock, m_info.heads); ++head)
            row->addWidget(makeHead(block, head));
        row->addStretch(1);
        column->addLayout(row, 1);
        column->addStretch(0);
        m_layout->addWidget(block);
    }
    m_layout->addStretch(1);
    placeInTabOrder(this);
    setHeadPalette(m_palette);
    setScores({});
}

void HeadMixer::setScores(const std::vector<double>& scores)
{
    m_scores = scores;
    refreshReaches();
}

void HeadMixer::refreshReaches()
{
    const auto scoreOf = [this](std::size_t head) { return head < m_scores.size() ? m_scores[head] : 1.0; };
    double largest = 0; // of those that vote
    for (std::size_t head = 0; head < m_channels.size(); ++head)
        if (m_shown[head])
            largest = std::max(largest, scoreOf(head));
    for (std::size_t head = 0; head < m_channels.size(); ++head)
        m_channels[head].fader->setReach(largest > 0 ? std::min(kLargestReach, kLargestReach * scoreOf(head) / largest)
                                                     : kLargestReach);
}

void HeadMixer::setShownHeads(const std::vector<std::int64_t>& heads)
{
    m_shown.assign(m_channels.size(), false);
    for (const std::int64_t head : heads)
        if (head >= 0 && head < std::ssize(m_channels))
            m_shown[static_cast<std::size_t>(head)] = true;
    for (std::size_t head = 0; head < m_channels.size(); ++head)
    {
        const Channel& channel = m_channels[head];
        const QString tip =
            m_shown[head] ? faderTip(channel.name)
                          : tr("%1 does not vote, because it is not selected in the Data panel").arg(channel.name);
        channel.fader->setToolTip(tip);
        channel.fader->setAccessibleDescription(m_shown[head] ? QString() : tip);
        for (QWidget* part : std::initializer_list<QWidget*>{channel.fader, channel.mute, channel.solo, channel.number})
            part->setEnabled(m_shown[head]);
    }
    refreshReaches();
    change();
}

bool HeadMixer::isSilent(std::size_t head) const
{
    const auto soloed = [](const Channel& channel) { return channel.solo->isChecked(); };
    bool anySolo = std::any_of(m_groups.begin(), m_groups.end(), soloed);
    for (std::size_t other = 0; other < m_channels.size(); ++other)
        anySolo = anySolo || (m_shown[other] && soloed(m_channels[other]));
    if (!m_shown[head])
        return true;
    const Channel& own = m_channels[head];
    const Channel* group = m_groups.empty() ? nullptr : &m_groups[head / static_cast<std::size_t>(m_info.groupSize())];
    if (own.mute->isChecked() || (group != nullptr && group->mute->isChecked()))
        return true;
    return anySolo && !soloed(own) && !(group != nullptr && soloed(*group));
}

std::vector<double> HeadMixer::factors() const
{
    std::vector<double> factors;
    for (std::size_t head = 0; head < m_channels.size(); ++head)
    {
        double factor = isSilent(head) ? 0.0 : m_channels[head].fader->factor();
        if (!m_groups.empty())
            factor *= m_groups[head / static_cast<std::size_t>(m_info.groupSize())].fader->factor();
        factors.push_back(factor);
    }
    return factors;
}

std::int64_t HeadMixer::votingCount() const
{
    const auto all = factors();
    return std::count_if(all.begin(), all.end(), [](double factor) { return factor > 0; });
}

std::optional<viz::ItemHead> HeadMixer::headMeant() const
{
    if (m_stage != Stage::HeadOutput)
        return std::nullopt;
    const auto at = [this](auto is) -> std::optional<viz::ItemHead> {
        const auto found = std::ranges::find_if(m_channels, is);
        if (found == m_channels.end())
            return std::nullopt;
        return viz::ItemHead{.head = HeadIndex(found - m_channels.begin())};
    };
    const auto pointed = at([](const Channel& channel) { return channel.box->underMouse(); });
    return pointed ? pointed : at([focus = window()->focusWidget()](const Channel& channel) {
        return focus != nullptr && channel.box->isAncestorOf(focus);
    });
}

bool HeadMixer::isPlain() const
{
    const auto all = factors();
    for (std::size_t head = 0; head < all.size(); ++head)
        if (m_shown[head] && all[head] != 1.0)
            return false;
    return true;
}

void HeadMixer::reset()
{
    m_quiet = true;
    for (const auto* channels : {&m_channels, &m_groups})
        for (const Channel& channel : *channels)
        {
            channel.fader->setValue(Fader::kStepsPerUnit);
            channel.mute->setChecked(false);
            channel.solo->setChecked(false);
        }
    m_quiet = false;
    change();
}

void HeadMixer::change()
{
    if (m_quiet)
        return;
    refreshSilence();
    Q_EMIT factorsChanged();
}

void HeadMixer::refreshSilence()
{
    for (std::size_t head = 0; head < m_channels.size(); ++head)
        m_channels[head].fader->setSilent(isSilent(head));
    const auto size = static_cast<std::size_t>(std::max<std::int64_t>(1, m_info.groupSize()));
    for (std::size_t group = 0; group < m_groups.size(); ++group)
    {
        const auto first = m_shown.begin() + static_cast<std::ptrdiff_t>(group * size);
        const bool any = std::find(first, first + static_cast<std::ptrdiff_t>(size), true) !=
                         first + static_cast<std::ptrdiff_t>(size);
        const Channel& channel = m_groups[group];
        channel.fader->setSilent(channel.mute->isChecked() || !any);
        for (QWidget* part : std::initializer_list<QWidget*>{channel.fader, channel.mute, channel.solo})
            part->setEnabled(any);
    }
}

void HeadMixer::setLit(const std::vector<std::int64_t>& heads)
{
    for (std::size_t head = 0; head < m_channels.size(); ++head)
    {
        QWidget* box = m_channels[head].box;
        const bool lit = std::binary_search(heads.begin(), heads.end(), static_cast<std::int64_t>(head));
        if (box->property("lit").toBool() == lit)
            continue;
        box->setProperty("lit", lit);
        box->setAttribute(Qt::WA_StyledBackground);
        box->style()->unpolish(box);
        box->style()->polish(box);
    }
}

QToolButton* HeadMixer::muteButton(std::int64_t head) const
{
    return m_channels[static_cast<std::size_t>(head)].mute;
}

QToolButton* HeadMixer::soloButton(std::int64_t head) const
{
    return m_channels[static_cast<std::size_t>(head)].solo;
}

Fader* HeadMixer::groupFader(std::int64_t group) const
{
    return m_groups.empty() ? nullptr : m_groups[static_cast<std::size_t>(group)].fader;
}

} // namespace headscope::ui
