// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include "ui/dialogs/dialog_service.h"
#include "ui/file_kind.h"
#include "ui/jobs/job_strip.h"
#include "ui/models/job_list_model.h"
#include "ui/notice_bar.h"
#include "ui/panels/data_panel.h"
#include "ui/panels/head_picker.h"
#include "ui/panels/inspector.h"
#include "ui/plots/heatmap_view.h"
#include "ui/plots/heatmap_widget.h"
#include "ui/plots/map_view.h"
#include "ui/plots/probe_view.h"
#include "ui/plots/scatter_widget.h"
#include "ui/settings/settings.h"
#include "ui/shortcuts.h"
#include "ui/side_panels.h"
#include "ui/theme/theme.h"
#include "ui/window_layout.h"
#include "ui/wording.h"

#include <QAction>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QPaintEvent>
#include <QPainter>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStyleOption>
#include <QUrl>
#include <QVBoxLayout>

namespace headscope::ui
{
namespace
{

constexpr int kNoticeMs = 8000;
const QString kDocumentPage = QStringLiteral("document");

/// Paints its ground alone: a passing line stands in the label of the steady one, at the same place.
class StatusLine : public QStatusBar
{
public:
    using QStatusBar::QStatusBar;

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        QStyleOption option;
        option.initFrom(this);
        style()->drawPrimitive(QStyle::PE_PanelStatusBar, &option, &painter, this);
    }
};

QString localPath(const QMimeData* data)
{
    for (const QUrl& url : data->urls())
        if (url.isLocalFile())
            return url.toLocalFile();
    return {};
}

} // namespace

MainWindow::MainWindow(Settings& settings, DialogService& dialogs) : m_settings(settings), m_dialogs(dialogs)
{
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(QStringLiteral("Headscope"));
    setAcceptDrops(true);
    resize(firstWindowSize(QSize(1 << 16, 1 << 16)));
    m_shortcuts = new Shortcuts(m_settings, this);
    buildActions();
    buildMenus();
    buildToolBar();
    buildCentre();
    connectViews();
    buildAround();
    setStatusBar(new StatusLine(this));
    m_status = new QLabel(tr("Ready"), this);
    m_steady = m_status->text();
    m_status->setProperty("role", QStringLiteral("muted"));
    m_status->setMinimumWidth(1);
    statusBar()->addPermanentWidget(m_status, 1); // stays while a passing line stands in it
    connect(statusBar(), &QStatusBar::messageChanged, this,
            [this](const QString& passing) { m_status->setText(passing.isEmpty() ? m_steady : passing); });
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setContentsMargins(Metrics::kPanel - 2, 0, Metrics::kPanel, 0);
    onThemeChange(this, [this] { refreshIcons(); });
    restoreLayout();
    setOverview(nullptr);
}

MainWindow::~MainWindow() = default;

void MainWindow::buildCentre()
{
    auto* page = new QWidget(this);
    auto* outer = new QVBoxLayout(page);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    m_notices = new NoticeBar(page);
    outer->addWidget(m_notices);
    m_centre = new QStackedWidget(page);
    m_splitter = new QSplitter(Qt::Horizontal, m_centre);
    m_splitter->setObjectName(QStringLiteral("mainSplitter"));
    m_splitter->setHandleWidth(1);
    m_splitter->setChildrenCollapsible(false);
    m_data = new DataPanel(m_choices, m_splitter);

    m_views = new ViewStack(m_splitter);
    m_map = new MapView(m_views);
    m_heatmap = new HeatmapView(m_views);
    m_probe = new ProbeView(m_views);

    m_side = new SidePanels(m_splitter);
    m_inspector = new Inspector(m_side);
    m_side->addPage(kDocumentPage, tr("Document"), m_inspector);
    m_splitter->addWidget(m_data);
    m_splitter->addWidget(m_views);
    m_splitter->addWidget(m_side);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setStretchFactor(2, 0);
    m_centre->addWidget(m_splitter);
    outer->addWidget(m_centre, 1);
    m_jobs = new JobStrip(page);
    outer->addWidget(m_jobs);
    connect(m_notices, &NoticeBar::detailsRequested, m_jobs, [this] { m_jobs->setLogShown(true); });
    connect(&m_jobs->jobs(), &JobListModel::ended, m_notices, &NoticeBar::takeEnd);
    setCentralWidget(page);
}

void MainWindow::connectViews()
{
    connect(m_views, &ViewStack::currentChanged, this, [this](View view) {
        m_selection.setHoveredHead({}); // it lay under the pointer in the view that is gone
        refreshActions();
        Q_EMIT viewChanged(view);
    });
    addView({View::Map, tr("Map"), m_map, {}, {}, {}, {}, {}});
    addView({View::Heatmap, tr("Heatmap"), m_heatmap, {}, {}, {}, {}, {}});
    addView({View::Probe, tr("Probe"), m_probe, {}, {}, {}, {}, {}});
    ScatterWidget* scatter = m_map->scatter();
    HeatmapWidget* heatmap = m_heatmap->heatmap();
    connect(scatter, &ScatterWidget::documentClicked, this,
            [this](std::int64_t document, std::int64_t head) { m_selection.showDocument(document, head); });
    connect(scatter, &ScatterWidget::backgroundClicked, this, [this] {
        m_selection.setPrimary({});
        m_selection.setLitHeads({});
    });
    connect(scatter, &ScatterWidget::litCleared, this, [this] {
        m_selection.setHoveredHead({});
        m_selection.setLitHeads({});
    });
    connect(scatter, &ScatterWidget::documentsPicked, &m_selection, &SelectionHub::pickInView);
    connect(scatter, &ScatterWidget::pointsPicked, &m_selection, &SelectionHub::pickPointsInView);
    connect(scatter, &ScatterWidget::choiceCleared, this, &MainWindow::clearChoice);
    connect(&m_selection, &SelectionHub::documentsChanged, this, [this, scatter] {
        scatter->setChosen(m_selection.selection().documents, m_selection.selection().points);
        refreshActions();
    });
    connect(&m_selection, &SelectionHub::shownChanged, this, [this, scatter] {
        scatter->setShownOnly(m_selection.shownDocuments());
        refreshShown();
    });
    connect(scatter, &ScatterWidget::documentHovered, &m_selection, &SelectionHub::setHovered);
    connect(scatter, &ScatterWidget::viewChanged, this, &MainWindow::refreshActions);
    connect(scatter, &ScatterWidget::headsClicked, &m_choices, &Choices::isolateHeads);
    connect(heatmap, &HeatmapWidget::documentHovered, &m_selection, &SelectionHub::setHovered);
    connect(heatmap, &HeatmapWidget::documentClicked, &m_selection, &SelectionHub::showDocument);
    // What was clicked in a view is read at the right, whatever page stood there; that page keeps its state.
    connect(&m_selection, &SelectionHub::documentAsked, this, [this] { m_side->showPage(kDocumentPage); });
    connect(m_inspector, &Inspector::headClicked, this,
            [this](std::int64_t head) { m_selection.setPrimary(m_selection.selection().primary, head); });
    connect(m_inspector, &Inspector::documentClicked, this,
            [this](std::int64_t document) { m_selection.setPrimary(document, m_selection.selection().primaryHead); });
    connect(&m_selection, &SelectionHub::primaryChanged, this, [this, scatter, heatmap] {
        const Selection& chosen = m_selection.selection();
        refreshActions();
        scatter->setPrimary(chosen.primary, chosen.primaryHead);
        heatmap->setPrimary(chosen.primary, chosen.primaryHead);
        m_inspector->showDocument(chosen.primary, chosen.primaryHead);
    });
    connect(&m_selection, &SelectionHub::hoveredChanged, this, [this, scatter, heatmap] {
        scatter->setHovered(m_selection.selection().hovered);
        heatmap->setHovered(m_selection.selection().hovered);
    });
    connect(m_data->headPicker(), &HeadPicker::allAsked, this, [this] { m_selection.setLitHeads({}); });
    connect(m_map, &MapView::allHeadsRequested, m_data->headPicker(), &HeadPicker::chooseAll);
    connect(&m_choices, &Choices::headsChanged, this,
            [this, scatter] { scatter->setShownHeads(m_choices.now().heads); });
    connect(&m_choices, &Choices::labelChanged, this,
            [this] { m_inspector->setLabelColumn(m_choices.now().labelColumn); });
}

void MainWindow::setOverview(std::shared_ptr<const CacheOverview> overview)
{
    m_selection.clear();
    m_choices.open(overview);
    m_inspector->setDocuments(overview ? overview->documents : nullptr);
    if (overview)
    {
        m_inspector->setLabelColumn(m_choices.now().labelColumn);
        m_map->scatter()->setShownHeads(m_choices.now().heads);
    }
    setWindowTitle(overview ? QFileInfo(toQString(overview->path)).fileName() % QStringLiteral(" – Headscope")
                            : QStringLiteral("Headscope"));
    setWelcomeShown(overview == nullptr);
    if (overview)
        m_map->scatter()->setFocus(); // so that its keys work at once
    refreshActions();
}

void MainWindow::setLabels(std::shared_ptr<const CacheOverview> overview, const std::string& column)
{
    m_inspector->setDocuments(overview->documents);
    m_choices.setColumns(std::move(overview), column);
    const Selection& chosen = m_selection.selection();
    m_inspector->showDocument(chosen.primary, chosen.primaryHead);
}

void MainWindow::clearChoice()
{
    // The small thing first: a second Escape takes the rest.
    if (m_selection.selection().primary)
        m_selection.setPrimary({});
    else if (m_selection.litHeads().empty())
        m_selection.setDocuments({});
    m_selection.setLitHeads({});
}

void MainWindow::chooseSameLabel()
{
    const auto primary = m_selection.selection().primary;
    const LabelColumn* column = overview() ? overview()->documents->label(m_choices.now().labelColumn) : nullptr;
    if (column == nullptr || !primary)
        return;
    const std::int32_t code = column->codes[static_cast<std::size_t>(*primary)];
    std::vector<std::int64_t> same;
    for (std::size_t document = 0; document < column->codes.size(); ++document)
        if (column->codes[document] == code)
            same.push_back(static_cast<std::int64_t>(document));
    m_selection.setDocuments(std::move(same));
}

void MainWindow::setView(View view)
{
    if (overview())
        setWelcomeShown(false);
    m_views->setCurrent(view);
}

MainWindow::View MainWindow::view() const
{
    return m_views->current();
}

void MainWindow::setStatus(const QString& text)
{
    m_steady = text;
    if (statusBar()->currentMessage().isEmpty())
        m_status->setText(text);
}

void MainWindow::showNotice(const QString& text)
{
    statusBar()->showMessage(text, kNoticeMs);
}

void MainWindow::endNotice(const QString& text)
{
    if (!text.isEmpty() && statusBar()->currentMessage() == text)
        statusBar()->clearMessage();
}

void MainWindow::showError(const QString& heading, const QString& sentence)
{
    QString title;
    const JobListModel& jobs = m_jobs->jobs();
    for (int row = 0; row < jobs.rowCount() && title.isEmpty(); ++row) // the newest first
        if (const JobRecord& job = jobs.job(jobs.index(row, 0)); job.state == JobState::Failed && job.error == sentence)
            title = job.title;
    m_notices->add(heading, sentence, title);
}

QString MainWindow::statusText() const
{
    return m_status->text();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_closeGuard && !m_closeGuard())
        return event->ignore();
    keepLayout();
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const QString path = localPath(event->mimeData());
    if (path.isEmpty())
        return event->ignore();
    if (fileKind(path) == FileKind::Unknown)
    {
        showNotice(unknownFileReason(path));
        return event->ignore();
    }
    event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QString path = localPath(event->mimeData());
    if (path.isEmpty() || fileKind(path) == FileKind::Unknown)
        return event->ignore();
    event->acceptProposedAction();
    Q_EMIT openRequested(path);
}

void MainWindow::askOpen()
{
    m_dialogs.openFile(
        this, tr("Open a cache, a model or texts"), m_settings.text(SettingKey::LastFolder),
        tr("All that can be opened (*.h5 *.hdf5 *.gguf *.safetensors *.json *.jsonl *.ndjson *.csv *.tsv "
           "*.txt *.gz *.zst);;Caches (*.h5 *.hdf5);;All files (*)"),
        [this](const QString& path) {
            m_settings.setText(SettingKey::LastFolder, QFileInfo(path).absolutePath());
            Q_EMIT openRequested(path);
        });
}

void MainWindow::askLabelMap()
{
    m_dialogs.openFile(this, tr("Merge labels by a label map"), m_settings.text(SettingKey::LastFolder),
                       tr("Label maps (*.json);;All files (*)"), [this](const QString& path) {
                           m_settings.setText(SettingKey::LastFolder, QFileInfo(path).absolutePath());
                           Q_EMIT labelMapRequested(path);
                       });
}

} // namespace headscope::ui
