from session import SUMMARY_KEYS, CompactionSessionEntry, CompactionSummary, is_finite


class 记录错误(ValueError):
    pass


def parse_compaction(record):
    编号 = record["id"]
    核对(
        record,
        {"type", "id", "parentId", "timestamp", "summary", "firstKeptEntryId", "tokensBefore"},
        编号,
    )
    摘要 = record["summary"]
    核对(摘要, set(SUMMARY_KEYS), f"{编号}.summary")
    目标, *列表 = [
        非空(摘要[键], f"{编号}.summary.{键}")
        if 键 == "goal"
        else 字符串列表(摘要[键], f"{编号}.summary.{键}")
        for 键 in SUMMARY_KEYS
    ]
    时间 = 数字(record["timestamp"], f"{编号}.timestamp")
    规模 = 数字(record["tokensBefore"], f"{编号}.tokensBefore")
    if 规模 < 0:
        raise 记录错误(f"{编号}.tokensBefore 不能为负数")
    return CompactionSessionEntry(
        id=编号,
        parent_id=非空(record["parentId"], f"{编号}.parentId"),
        timestamp=时间,
        summary=CompactionSummary(目标, *列表),
        first_kept_entry_id=非空(record["firstKeptEntryId"], f"{编号}.firstKeptEntryId"),
        tokens_before=规模,
    )


def 核对(值, 键集, 位置):
    if not isinstance(值, dict):
        raise 记录错误(f"{位置} 应当是对象")
    for 键 in 键集 - 值.keys():
        raise 记录错误(f"缺少字段：{位置}.{键}")
    for 键 in 值.keys() - 键集:
        raise 记录错误(f"未知字段：{位置}.{键}")


def 非空(值, 位置):
    if not isinstance(值, str) or not 值.strip():
        raise 记录错误(f"{位置} 不能为空")
    return 值


def 字符串列表(值, 位置):
    if not isinstance(值, list) or not all(isinstance(项, str) for 项 in 值):
        raise 记录错误(f"{位置} 应当只含字符串")
    return list(值)


def 数字(值, 位置):
    if isinstance(值, bool) or not isinstance(值, int | float) or not is_finite(值):
        raise 记录错误(f"{位置} 应当是有限数")
    return 值
