import type { englishChannels } from "./english-channels.ts";

/** What pages say of channels and screens in Chinese. */
export const chineseChannels: Readonly<Record<keyof typeof englishChannels, string>> = {
  channels: "操作通道",
  channel: "通道",
  channelScreen: "屏幕",
  channelShell: "命令行",
  channelFile: "文件",
  channelNetwork: "网络",
  channelOther: "其他",
  channelCalls: "调用",
  channelShare: "调用占比",
  channelTimeShare: "时间占比",
  channelUsed: "已使用，{n} 次",
  program: "程序",
  programShown: "窗口打开时的操作",
  programFocused: "位于前台",
  programInputs: "收到输入",
  requiredChannel: "任务要求使用 {channel}",
  bypassed: "绕过",
  bypassedYes: "是",
  bypassedNo: "否",
  bypassedOf: "{all} 中的 {n}",
  bypassedHint: "未通过任务所要求的通道完成的试次；{n} 个无法判断",
  bypassedNotice: "绕过了任务所要求的通道（{channel}）：{reason}。这不改变分数。",
  lastScreen: "屏幕最后显示的画面",
};
