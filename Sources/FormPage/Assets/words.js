// What the page says, in its languages.
const english = {
  title: "Forms", forms: "Forms", drafts: "Drafts", discarded: "Put away",
  newDraft: "New draft", begin: (form) => `New draft of ${form}`,
  discard: "Put away", restore: "Restore", noForms: "The store has no forms yet.",
  noDrafts: "No drafts yet.", untitled: "Untitled", version: (n) => `version ${n}`,
  editing: "being filled", submitted: "submitted", back: "All forms and drafts",
  // The server's own sentences are English.
  reasons: {},
  draftTitle: "Title of the draft", addTitle: "Add a title",
  undo: "Undo", redo: "Redo", submit: "Submit", select: "Select", none: "None",
  saved: "Saved", saving: "Saving…", failed: "Not saved", notSaved: (why) => `Not saved: ${why}`,
  enough: (n) => `${n} chosen, enough`, tooFew: (n, least) => `${n} chosen of at least ${least}`,
  most: (n) => `, at most ${n}`,
  badJSON: (why) => `Not JSON, not saved: ${why}`, cut: "The text was cut to what fits.",
  errors: (n, first) => `${n === 1 ? "1 error" : `${n} errors`}: ${first}`,
  done: (n) => `Submitted as number ${n}`, same: (n) => `Nothing changed since submission ${n}`,
  changes: "What changed", param: "What was submitted", field: "Field", change: "Change",
  old: "Before", new: "Now", added: "added", changed: "changed", removed: "removed",
  elsewhere: "Changed elsewhere", required: "required",
  of: (label, why) => `${label}: ${why}`, notTaken: "What could not be saved", forget: "Let go",
  waitFirst: "Not done: what was typed is not saved yet.",
  notDone: "Not done: the server can't be reached.",
  more: "Show more drafts",
  refused: {
    maxLength: "No more fits here.", consecutiveSpaces: "Two spaces in a row are not taken.",
    rule: "That is not taken here.", tooManyTags: "No more can be chosen.",
    disabled: "This can't be edited now.", hidden: "This can't be edited now.",
  },
  why: {
    unreachable: "the server can't be reached; kept here and tried again",
    token: "the server started anew; open its new address, this page goes on then",
    closing: "the server is ending; kept here and tried again",
    unknownDraft: "the draft is gone", isDiscarded: "the draft was put away; restore it",
    busy: "another program holds the store; tried again", full: "the disk is full",
    tooLarge: "the text is too long", otherVersion: "the form is another version now",
    noRoom: "the browser can keep no more; leave this page open until it is saved",
    unknownField: "the form has no such field any more",
    unknownOption: "the form has no such choice any more",
    wrongKind: "the field is of another kind now", badRequest: "that is not taken",
  },
}

const chinese = {
  title: "表单", forms: "表单", drafts: "草稿", discarded: "已丢弃",
  newDraft: "新建草稿", begin: (form) => `新建“${form}”草稿`,
  discard: "丢弃", restore: "恢复", noForms: "还没有表单。",
  noDrafts: "还没有草稿。", untitled: "无标题", version: (n) => `版本 ${n}`,
  editing: "填写中", submitted: "已提交", back: "全部表单和草稿",
  reasons: {
    required: () => "请填写此项", unknownOption: () => "表单中没有此选项",
    tooFewTags: ({ least }) => `请至少选择 ${least} 个`,
    tooManyTags: ({ most }) => `最多选择 ${most} 个`,
    tooLong: () => "文字过长", rule: () => "内容不符合要求",
    type: ({ dataType }) => ({
      integer: "请输入整数", decimal: "请输入数字", date: "请输入日期，如 2026-01-31",
      time: "请输入时间，如 09:30", dateTime: "请输入日期和时间，如 2026-01-31T09:30:00+08:00",
    })[dataType] ?? "内容不符合要求",
  },
  draftTitle: "草稿标题", addTitle: "添加标题",
  undo: "撤销", redo: "重做", submit: "提交", select: "请选择", none: "无",
  saved: "已保存", saving: "保存中…", failed: "未保存", notSaved: (why) => `未保存：${why}`,
  enough: (n) => `已选 ${n} 个，已够`, tooFew: (n, least) => `已选 ${n} 个，至少 ${least} 个`,
  most: (n) => `，最多 ${n} 个`,
  badJSON: (why) => `不是 JSON，未保存：${why}`, cut: "文本过长，已截断。",
  errors: (n, first) => `${n} 处错误：${first}`,
  done: (n) => `已提交，第 ${n} 次`, same: (n) => `自第 ${n} 次提交后没有更改`,
  changes: "更改内容", param: "提交内容", field: "字段", change: "更改",
  old: "原值", new: "新值", added: "新增", changed: "修改", removed: "移除",
  elsewhere: "已在别处更改", required: "必填",
  of: (label, why) => `${label}：${why}`, notTaken: "未能保存的内容", forget: "放弃",
  waitFirst: "未执行：输入的内容尚未保存。",
  notDone: "未执行：无法连接服务器。",
  more: "显示更多草稿",
  refused: {
    maxLength: "已达到长度上限。", consecutiveSpaces: "不能连续输入空格。",
    rule: "此处不接受该输入。", tooManyTags: "不能再多选了。",
    disabled: "当前不能编辑。", hidden: "当前不能编辑。",
  },
  why: {
    unreachable: "无法连接服务器，内容已保留，正在重试",
    token: "服务器已重新启动，请打开新网址，本页会继续保存",
    closing: "服务器正在关闭，内容已保留，正在重试",
    unknownDraft: "草稿已不存在", isDiscarded: "草稿已被丢弃，请先恢复",
    busy: "存储正被其他程序占用，正在重试", full: "磁盘已满", tooLarge: "文本太长",
    otherVersion: "表单已是另一版本", noRoom: "浏览器已存满，请在保存前不要关闭本页",
    unknownField: "表单中已没有此字段", unknownOption: "表单中已没有此选项",
    wrongKind: "此字段的类型已改变", badRequest: "不接受该内容",
  },
}

export const words = document.documentElement.lang.startsWith("zh") ? chinese : english

/** Puts words where a document asks for them. */
export function fillWords() {
  for (const element of document.querySelectorAll("[data-word]")) {
    element.textContent = words[element.dataset.word]
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", words[element.dataset.label])
    element.title = words[element.dataset.label]
  }
  for (const element of document.querySelectorAll("[data-placeholder]")) {
    element.placeholder = words[element.dataset.placeholder]
  }
}

/** An element with properties, and children that are elements or plain text. */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue
    if (key === "class") element.className = value
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value)
    else element.setAttribute(key, value === true ? "" : value)
  }
  element.append(...children)
  return element
}

export function post(path, body, options = {}) {
  return fetch(path, {
    method: "POST", headers: { "Content-Type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body), ...options,
  })
}

/** Says something to who sees and who listens. */
let timer
export function say(text) {
  const status = document.getElementById("status")
  status.textContent = text
  clearTimeout(timer)
  timer = setTimeout(() => { status.textContent = "" }, 4000)
}

// The token has gone into the cookie; it need not stand in the history.
if (location.search) history.replaceState(null, "", location.pathname)
