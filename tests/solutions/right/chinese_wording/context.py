from context import CUT_OFF, InteractionGroup, Restoration
from session import SUMMARY_KEYS, TextContent, UserMessage, parse_session_entry, summary_to_json

标题 = dict(zip(SUMMARY_KEYS, "目标 约束 已完成 决策 变更文件 未解决 下一步".split(), strict=True))


class 交互错误(ValueError):
    pass


def group_interactions(entries):
    组列表 = []
    调用, 结果 = {}, {}

    def 结算():
        for 名, 条目 in 调用.items():
            if 名 not in 结果:
                raise 交互错误(f"{条目} 的调用 {名} 没有结果")
        for 名, 条目 in 结果.items():
            if 名 not in 调用:
                raise 交互错误(f"{条目} 的结果 {名} 找不到调用")
        调用.clear()
        结果.clear()

    for 条目 in entries:
        if 条目.type != "message":
            continue
        消息 = 条目.message
        if 消息.role == "user":
            结算()
            组列表.append(InteractionGroup([]))
        名单 = [段.id for 段 in 消息.content if 段.type == "toolCall"]
        答 = [消息.tool_call_id] if 消息.role == "toolResult" else []
        if not 组列表:
            raise 交互错误(f"第一条用户消息之前出现了 {条目.id}（{'、'.join(名单 + 答)}）")
        for 名 in 名单:
            if 消息.stop_reason in CUT_OFF:
                raise 交互错误(f"{条目.id} 已中断，调用 {名} 无效")
            if 名 in 调用:
                raise 交互错误(f"{条目.id} 重复调用 {名}")
            调用[名] = 条目.id
        for 名 in 答:
            if 名 in 结果:
                raise 交互错误(f"{条目.id} 重复了 {名} 的结果")
            结果[名] = 条目.id
        组列表[-1].entries.append(parse_session_entry(条目))
    结算()
    return 组列表


def restore(active_path):
    位置 = max(i for i, 条目 in enumerate(active_path) if 条目.type == "compaction")
    压缩 = active_path[位置]
    起点 = {
        条目.id: i
        for i, 条目 in enumerate(active_path[:位置])
        if 条目.type == "message" and 条目.message.role == "user"
    }
    if 压缩.first_kept_entry_id not in 起点:
        raise 交互错误(f"{压缩.id} 的保留起点 {压缩.first_kept_entry_id} 不是之前的用户消息")
    行 = ["此前对话的摘要："]
    for 键, 值 in summary_to_json(压缩.summary).items():
        行.append(f"【{标题[键]}】{值 if isinstance(值, str) else '；'.join(值)}")
    return Restoration(
        压缩.id,
        UserMessage([TextContent("\n".join(行))], 压缩.timestamp),
        [
            parse_session_entry(条目)
            for 条目 in active_path[起点[压缩.first_kept_entry_id] :]
            if 条目.type == "message"
        ],
    )
