"""Driftlog, an invented logger for harbour buoys: 15 documents and 21 tasks.

The project's name stands in nearly every document. Two documents are there to mislead: the README repeats
the name, and the archive mentions every subject once and is long. No two documents differ in age.
"""

from __future__ import annotations

from dataclasses import dataclass

from eval.pages import Page
from knit_tui.model import Kind

README = "README.md"
ARCHIVE = "docs/archive/history.md"


@dataclass(frozen=True, slots=True)
class Case:
    """A task: messages newest first, the document that should come first, and some that must not."""

    name: str
    group: str
    messages: tuple[str, ...]
    expected: str
    never_first: tuple[str, ...] = ()


def _docs(rel: str, title: str, summary: str, text: str) -> Page:
    return Page(rel, Kind.DOCS, text, title, summary)


PAGES = (
    _docs(
        README,
        "Driftlog",
        "Driftlog 是港口浮标的数据记录系统。",
        "Driftlog 记录浮标的水位、温度和盐度。Driftlog runs on the buoy, on the shore and in the browser. "
        "Install Driftlog with one command, start Driftlog, open the Driftlog page. "
        "Driftlog 的浮标测量,Driftlog 的岸站保存数据,Driftlog 的页面显示数据。"
        "Driftlog 的文档在 docs 目录。Driftlog 欢迎贡献,Driftlog 使用 MIT 许可。"
        "How Driftlog works: the buoy measures, the shore station stores, the page shows. "
        "Questions about Driftlog go to the Driftlog forum. Driftlog 的名字来自漂流日志。",
    ),
    _docs(
        ARCHIVE,
        "项目归档",
        "Driftlog 历年的会议和决定。",
        "无线链路 重传 丢包 存储分段 压缩 报警规则 阈值 潮汐 电池 休眠 传感器 校准 图表导出 时区 夏令时 "
        "固件升级 回滚 配对 看门狗 tide model harmonic pairing handshake calibration probe salinity export "
        "watchdog firmware retransmission segment compaction alarm threshold battery sleep timezone. "
        + "例会:浮标和岸站照常,数据照常,页面照常。Station and buoy as usual. "
        * 60,
    ),
    _docs(
        "docs/radio-link.md",
        "无线链路与重传",
        "Driftlog 的浮标怎样把数据帧送到岸站。",
        "每个数据帧带一个序号。岸站发现序号缺失就请求重传,浮标最多重传五次。"
        "信号差的时候丢包率会升高,链路层自动降低速率。重传的间隔按退避算法加倍,避免和其他浮标撞车。"
        "校验失败的帧直接丢弃,不进入重传队列。",
    ),
    _docs(
        "docs/storage.md",
        "存储分段",
        "Driftlog 在岸站怎样保存测量值。",
        "测量值按天写入分段文件。分段写满以后只读,后台任务把旧分段合并压缩。"
        "每个分段有一个索引块,记录时间范围,查询时先看索引块再读数据。磁盘空间不足时删除最旧的分段。",
    ),
    _docs(
        "docs/alarm-rules.md",
        "报警规则",
        "阈值、持续时间和通知。",
        "Driftlog 的报警规则由阈值和持续时间组成。水位超过阈值并持续十分钟才触发报警,这样波浪不会造成误报。"
        "触发以后发送短信通知;恢复正常以后再发一次解除通知。同一条规则一小时内最多通知一次。",
    ),
    _docs(
        "docs/tide-model.md",
        "Tide prediction model",
        "Harmonic constituents and how they are fitted.",
        "Driftlog predicts the tide from harmonic constituents. A least squares fit over one year of levels "
        "gives amplitude and phase of each constituent. The residual between prediction and measurement "
        "is the surge. Refit the constituents after the gauge was moved.",
    ),
    _docs(
        "docs/power.md",
        "电池与休眠",
        "浮标怎样撑过一个冬天。",
        "Driftlog 的浮标平时处于休眠状态,每十分钟醒来测量一次。电池电压低于门限时延长休眠间隔。"
        "太阳能板在阴天只能补充一小部分电量,所以休眠策略比电池容量更重要。唤醒由实时时钟完成。",
    ),
    _docs(
        "docs/calibration.md",
        "Sensor calibration",
        "Temperature and salinity probes.",
        "Each probe of a Driftlog buoy drifts. Calibrate the salinity probe against a standard solution and "
        "the temperature probe in an ice bath. Coefficients are written to the sensor, not to the logger. "
        "Biofouling shows as a slow drop; clean the probe before calibration.",
    ),
    _docs(
        "docs/chart-export.md",
        "图表导出",
        "把曲线保存成图片或表格。",
        "Driftlog 的页面可以导出曲线。导出图片时使用当前的缩放范围,导出表格时包含原始采样点。"
        "大范围的导出在后台执行,完成以后给出下载链接。导出文件名包含站点和日期。",
    ),
    _docs(
        "docs/timezone.md",
        "时区与夏令时",
        "存储用 UTC,显示用当地时间。",
        "Driftlog 内部一律使用 UTC。页面按照站点的时区显示,夏令时切换当天有二十三或二十五个小时。"
        "日报按站点时区的零点切分,因此夏令时那天的日报长度不同。",
    ),
    _docs(
        "docs/pairing.md",
        "Pairing a buoy",
        "Handshake and key exchange with the shore station.",
        "Hold the magnet to the hull for five seconds. The buoy sends a handshake, the station answers with "
        "its public key, and both derive the session key. Pairing ends after one minute. A paired buoy "
        "refuses another handshake until it is reset.",
    ),
    _docs(
        "docs/firmware-update.md",
        "固件升级",
        "双分区、校验和回滚。",
        "Driftlog 的浮标有两个固件分区。新固件写入备用分区,校验签名以后重启切换。"
        "如果新固件十分钟内没有连上岸站,引导程序自动回滚到旧分区。升级期间不要断电。",
    ),
    _docs(
        "notes/2026-04-12.md",
        "2026-04-12",
        "",
        "浮标七号每天凌晨重启。原因是看门狗:写闪存时中断被关闭太久,看门狗超时。把写闪存拆成小块以后正常。",
    ),
    _docs(
        "docs/glossary.md",
        "术语表",
        "Driftlog 文档里的词。",
        "水位:相对于基准面的高度。基准面:当地最低天文潮位。岸站:接收浮标数据的设备。浮标:漂浮的测量设备。"
        "残差:测量减去预报。seiche:港池里的驻波,周期几分钟到一小时。盐度:每千克海水里盐的克数。"
        "缩放:图表上放大或缩小。分段:存储的单位。帧:无线传输的单位。",
    ),
    Page("media/mooring-diagram.png", Kind.IMAGE),
)
"""14 documents, and an image of which only the name is known."""

CASES = (
    Case(
        "retransmission",
        "chinese",
        ("岸站没有收到数据,浮标会重传几次", "看一下浮标和岸站的协议"),
        "docs/radio-link.md",
    ),
    Case("segments", "chinese", ("岸站的数据越来越多,旧分段什么时候压缩",), "docs/storage.md", (ARCHIVE,)),
    Case("false-alarms", "chinese", ("波浪大的时候总是误报,想把持续时间改长",), "docs/alarm-rules.md"),
    Case("winter", "chinese", ("冬天浮标的太阳能板不够,测量间隔要再长一点",), "docs/power.md", (ARCHIVE,)),
    Case(
        "save-the-curve",
        "chinese",
        ("页面上的曲线怎么保存成表格", "站点的页面要给用户数据"),
        "docs/chart-export.md",
    ),
    Case("short-day", "chinese", ("页面上三月那天的日报少了一个小时的数据",), "docs/timezone.md"),
    Case(
        "old-partition",
        "chinese",
        ("升级以后浮标连不上岸站,怎么换回旧分区",),
        "docs/firmware-update.md",
        (ARCHIVE,),
    ),
    Case(
        "restarts", "chinese", ("浮标凌晨重启,岸站的数据断了一段",), "notes/2026-04-12.md", (ARCHIVE, README)
    ),
    Case(
        "surge",
        "english",
        ("plot the residual of the prediction against the level of the buoy",),
        "docs/tide-model.md",
    ),
    Case(
        "ice-bath",
        "english",
        ("the probe of this buoy drifts, which standard solution do we use",),
        "docs/calibration.md",
    ),
    Case(
        "session-key",
        "english",
        ("the station refuses a second handshake from the buoy", "I am adding a buoy to the station"),
        "docs/pairing.md",
        (ARCHIVE,),
    ),
    Case("mixed-probe", "mixed", ("浮标的 probe 清洗以后 coefficients 写到哪里",), "docs/calibration.md"),
    Case("mixed-utc", "mixed", ("岸站的数据是 UTC,页面上怎么变成当地时间",), "docs/timezone.md"),
    Case(
        "name-alarm",
        "project name",
        ("Driftlog 的页面上,Driftlog 怎么设置水位的阈值",),
        "docs/alarm-rules.md",
        (README,),
    ),
    Case(
        "name-pairing",
        "project name",
        ("how does Driftlog derive the session key, Driftlog says the buoy is unknown",),
        "docs/pairing.md",
        (README,),
    ),
    Case(
        "long-watchdog",
        "long document",
        ("浮标重启和写闪存的中断有关吗", "查一下浮标和岸站断开的原因"),
        "notes/2026-04-12.md",
        (ARCHIVE,),
    ),
    Case(
        "long-battery",
        "long document",
        ("浮标的电压低于门限以后,岸站多久收到一次数据",),
        "docs/power.md",
        (ARCHIVE,),
    ),
    Case("glued-of", "grams", ("帮我看看重传的间隔和岸站的关系",), "docs/radio-link.md"),
    Case("glued-question", "grams", ("磁盘满了会把哪个分段的数据删掉",), "docs/storage.md"),
    Case("glued-old", "grams", ("短信通知没有发", "岸站断开的时候要发短信通知"), "docs/alarm-rules.md"),
    Case("rare", "rare word", ("the station shows a seiche, is the buoy broken",), "docs/glossary.md"),
)


@dataclass(frozen=True, slots=True)
class Wording:
    """A message, labels that name its topic, and fragments that must not be shown as one."""

    message: str
    shown: tuple[str, ...]
    hidden: tuple[str, ...]


WORDINGS = (
    Wording("旧分段什么时候合并压缩", ("合并压缩", "旧分段"), ("并压缩", "合并压")),
    Wording("怎么调整短信通知的持续时间", ("短信通知", "持续时间"), ("信通知", "续时间")),
    Wording("太阳能板够不够", ("太阳能板",), ("太阳能", "阳能板")),
    Wording("站点时区和当地时间", ("站点时区", "当地时间"), ("点时区", "地时间")),
    Wording("the probe needs a standard Solution", ("probe",), ("Solution", "standard")),
    Wording("refuse 第二次握手, UTC 时间照旧", ("refuse", "UTC"), ("次握手",)),
)
