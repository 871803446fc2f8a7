import { words, fillWords, make, post, say } from "./words.js"
import { Queue } from "./queue.js"
import { Cell } from "./cell.js"
import { replay } from "./text.js"

const draft = location.pathname.split("/")[2]
const client = crypto.getRandomValues(new Uint32Array(2)).join("-")
// Where this tab keeps the key of the field that was edited last.
const place = `place:${draft}`
const at = (id) => document.getElementById(id)
const cells = []
const cellOf = new Map()
let state
// Whether something that others did was not shown, because the same field was being edited here.
let isBehind = false
let isMuted = false

const queue = new Queue(draft, client, { answered, state: showSaving, lost })

// MARK: Showing

function build() {
  at("title").replaceChildren(state.form.title || state.form.id)
  if (state.draft.subject) at("title").append(make("small", {}, state.draft.subject))
  const sections = state.form.sections.map((section, index) => {
    const rows = section.rows.map((row) => {
      const cell = new Cell(row, act)
      cells.push(cell)
      for (const key of cell.controls.keys()) cellOf.set(key, cell)
      return cell.element
    })
    const id = `section-${index}`
    const title = section.title ? [make("h2", { id }, section.title)] : []
    return make("section", { "aria-labelledby": section.title ? id : "title" }, ...title,
      make("div", { class: "card" }, ...rows))
  })
  at("form").replaceChildren(...sections)
  at("submit").disabled = false
}

/** Shows what the draft is called, save where that is being edited. */
function showTitle(title) {
  document.title = [title, state.form.title || state.form.id].filter(Boolean).join(" – ")
  if (document.activeElement !== at("name")) at("name").value = title
}

function control(key) { return cellOf.get(key)?.controls.get(key) }

/** Shows what fields hold, save those that are edited here. */
function showFields(fields, selections) {
  for (const [key, field] of Object.entries(fields ?? {})) {
    const shown = control(key)
    if (!shown) continue
    // What this page asked for itself will be answered again.
    if (queue.holds(key) || shown.isBusy) isBehind ||= !selections
    else shown.show(field, selections?.[key])
  }
}

function showUpdate(update, selections) {
  showFields(update.fields, selections)
  for (const row of update.rows ?? []) cells[row.row]?.showState(row)
  showVisible()
  if (update.errors) for (const cell of cells) cell.showErrors(update.errors)
  if (update.draft) {
    state.draft = update.draft
    if (!queue.holds(null)) showTitle(state.draft.title)
  }
  if (update.history) {
    at("undo").disabled = !update.history.undo
    at("redo").disabled = !update.history.redo
  }
}

/** A section without cells is not drawn. */
function showVisible() {
  for (const section of at("form").children) {
    section.hidden = !section.querySelector(".row:not([hidden])")
  }
}

const failures = new Map()

/** The quiet sign; only a failure is said aloud, with its reason, and once. */
function showSaving(saving, source = "queue") {
  if (saving.state === "failed") failures.set(source, saving)
  else failures.delete(source)
  const [failed] = failures.values()
  const sign = at("save")
  const why = failed && (words.why[failed.code] ?? failed.message ?? failed.code)
  const name = failed ? "failed" : queue.isEmpty ? "saved" : "saving"
  sign.textContent = words[name]
  sign.className = `save ${name}`
  const alert = failed ? words.notSaved(why) : ""
  if (at("alert").textContent !== alert) at("alert").textContent = alert
}

// MARK: What the person does

function act(kind, key, json, shown) {
  if (kind === "begin") sessionStorage.setItem(place, key)
  if (isMuted) return
  queue.add(kind, key, json, shown)
}

/** Titles are saved as fields are; their events are of no field. */
function entitle() {
  const title = at("name").value
  queue.add("title", null, JSON.stringify({ title }), title)
  showTitle(title)
}

/** What the server says to events of this page. */
function answered(answer, items) {
  const selections = {}
  let focus
  answer.outcomes.forEach((outcome, index) => {
    const item = items[index]
    if (item.kind === "enter" && outcome.selection) selections[item.key] = outcome.selection
    if (item.kind === "enter" && outcome.text !== undefined) follow(item, outcome.text)
    if (item.kind === "title") state.draft.title = item.shown
    if (item.isAnswered) return
    if (outcome.refusal && words.refused[outcome.refusal]) say(words.refused[outcome.refusal])
    if (outcome.isCut) say(words.cut)
    if (outcome.return === "next") focus = outcome.focus
    if (outcome.return === "hidesKeyboard") focus = null
  })
  showUpdate(answer, selections)
  if (focus) cellOf.get(focus)?.focus(focus)
  else if (focus === null) document.activeElement?.blur()
  if (isBehind && queue.isEmpty) sync()
}

/**
 * The server made another text of one that was sent: what was typed since is typed into that, as it
 * would have been had the answer come at once.
 */
function follow(item, text) {
  const shown = text.replace(/\r\n?/g, "\n")
  const field = control(item.key)
  const old = item.shown
  Object.assign(item, { shown, json: JSON.stringify({ enter: item.key, text }) })
  if (!field || shown === old) return
  field.known = text
  let [before, base, isChanged] = [old, shown, false]
  for (const later of queue.items) {
    if (later.key !== item.key || later.kind !== "enter" || later.isSent) continue
    const moved = replay(before, later.shown, base)
    before = later.shown
    base = moved
    isChanged = true
    later.shown = moved
    later.json = JSON.stringify({ enter: item.key, text: field.saveable(moved) })
  }
  if (isChanged && !field.isBusy) field.draw(base)
}

/** Draws again what a page before this one could not save. */
function showUnsent() {
  for (const { kind, key, shown } of queue.items) {
    if (kind === "title") showTitle(shown)
    const field = control(key)
    if (!field) continue
    if (kind === "enter") field.show({ text: shown })
    if (kind === "set") field.show({ json: shown })
    if (kind === "select") field.show({ option: shown })
    if (kind === "toggle") {
      if (field.field.isSingle) field.selected.clear()
      if (shown.isSelected) field.selected.add(shown.tag)
      else field.selected.delete(shown.tag)
      field.draw()
    }
  }
}

/**
 * The server knows no such draft: it was begun, and the server ended before anything was saved. What
 * was typed goes into a new one.
 */
async function lost() {
  if (!state || queue.isMoving) return
  queue.isMoving = true
  try {
    const answer = await post("/drafts", { form: state.form.id, version: state.form.version })
    if (answer.ok) {
      const { id } = await answer.json()
      queue.moveTo(id)
      location.replace(`/drafts/${id}`)
    }
  } finally {
    queue.isMoving = false
  }
}

async function move(action) {
  await queue.drained()
  const answer = await post(`/drafts/${draft}/${action}`, { client }).catch(() => null)
  if (!answer?.ok) return showSaving({ state: "failed", ...await reason(answer) }, "action")
  const update = await answer.json()
  showSaving({ state: "saved" }, "action")
  showUpdate(update)
  if (update.focus) cellOf.get(update.focus)?.focus(update.focus)
}

async function reason(answer) {
  if (!answer) return { code: "unreachable" }
  return (await answer.json().catch(() => ({}))).error ?? { code: "token" }
}

async function submit() {
  await queue.drained()
  const answer = await post(`/drafts/${draft}/submit`, { client }).catch(() => null)
  if (!answer?.ok) return showSaving({ state: "failed", ...await reason(answer) }, "action")
  const update = await answer.json()
  showSaving({ state: "saved" }, "action")
  showUpdate(update)
  at("result").hidden = !update.submission
  if (update.invalid) {
    const { count, firstKey, firstErrorMsg } = update.invalid
    const cell = cellOf.get(firstKey)
    const first = update.errors.find((error) => error.key === firstKey)
    say(words.errors(count, first && cell ? cell.explain(first) : firstErrorMsg))
    cell?.element.scrollIntoView({ block: "center" })
    // It is shown that it is wrong; going there must not hide that at once.
    isMuted = true
    cell?.focus(firstKey)
    isMuted = false
  } else if (update.submission) {
    showSubmission(update.submission)
  }
}

function showSubmission({ number, isNew, param, changes }) {
  say("")
  const title = isNew ? words.done(number) : words.same(number)
  const parts = [make("h2", { id: "result-title" }, title)]
  if (isNew) {
    const head = [words.field, words.change, words.old, words.new]
      .map((text) => make("th", { scope: "col" }, text))
    const rows = changes.map((change) => make("tr", {},
      make("th", { scope: "row" }, change.label), make("td", {}, words[change.change]),
      make("td", {}, change.old), make("td", {}, change.new)))
    const table = make("table", {}, make("caption", {}, words.changes),
      make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows))
    parts.push(make("div", {
      class: "scroll", tabindex: "0", role: "group", "aria-label": words.changes,
    }, table))
  }
  parts.push(make("h3", {}, words.param),
    make("pre", { tabindex: "0", "aria-label": words.param }, param))
  at("result").replaceChildren(...parts)
  at("result").focus()
  at("result").scrollIntoView({ block: "nearest" })
}

// MARK: What others do

async function read() {
  const answer = await fetch(`/drafts/${draft}/state`).catch(() => null)
  if (answer?.ok) {
    showSaving({ state: "saved" }, "read")
    return answer.json()
  }
  const why = await reason(answer)
  showSaving({ state: "failed", ...why }, "read")
  if (why.code === "unknownDraft" && !queue.isEmpty) lost()
  return null
}

async function sync() {
  const now = await read()
  if (!now) return
  if (now.form.version !== state.form.version) return location.reload()
  isBehind = false
  state.number = now.number
  showUpdate(now)
}

let changes
// Whether no stream was open yet.
let isFirst = true
function listen() {
  if (document.hidden || (changes && changes.readyState !== EventSource.CLOSED)) return
  changes = new EventSource(`/drafts/${draft}/changes?client=${client}`)
  changes.onmessage = (message) => {
    const update = JSON.parse(message.data)
    if (update.reload) return location.reload()
    if (update.isOpening) {
      // What was told while no stream was open was missed; at first that may be nothing.
      if (!isFirst || update.number !== state.number) sync()
      isFirst = false
    }
    if (update.gone) return showSaving({ state: "failed", code: "unknownDraft" }, "draft")
    if (update.save) showSaving(update.save, "server")
    if (update.fields || update.draft) showUpdate(update)
    if (update.draft) {
      const isAway = update.draft.status === "discarded"
      showSaving(isAway ? { state: "failed", code: "isDiscarded" } : { state: "saved" }, "draft")
    }
  }
  changes.onopen = () => queue.retry()
  changes.onerror = () => {
    if (changes.readyState === EventSource.CLOSED) setTimeout(listen, 1500)
  }
}

// MARK: Coming and going

async function start() {
  fillWords()
  state = await read()
  if (!state) return setTimeout(start, 1500)
  build()
  // Waiting events are drawn over what is saved.
  const waiting = queue.items
  queue.items = []
  showUpdate(state)
  queue.items = waiting
  showUnsent()
  showSaving(state.save, "server")
  queue.pump()
  listen()
  // Where this tab was; another one may have been elsewhere since.
  const isResumed = state.draft.revision > 0 || waiting.length > 0
  const own = sessionStorage.getItem(place) ?? waiting.findLast((item) => item.key)?.key
  const focus = isResumed ? own ?? state.focus : null
  if (focus) cellOf.get(focus)?.focus(focus)
}

at("form").addEventListener("submit", (event) => {
  event.preventDefault()
  submit()
})
at("name").addEventListener("input", (event) => { if (!event.isComposing) entitle() })
at("name").addEventListener("compositionend", entitle)
at("name").addEventListener("blur", () => { if (queue.isEmpty && state) showTitle(state.draft.title) })
at("undo").addEventListener("click", () => move("undo"))
at("redo").addEventListener("click", () => move("redo"))
document.addEventListener("visibilitychange", () => {
  // A browser has few connections to a server; those of hidden tabs are given back.
  if (document.hidden) changes?.close()
  else if (state) listen()
})
window.addEventListener("online", () => queue.retry())
window.addEventListener("pagehide", () => {
  queue.leave()
  changes?.close()
})
window.addEventListener("pageshow", (event) => { if (event.persisted && state) listen() })
window.addEventListener("beforeunload", (event) => {
  if (failures.size && !queue.isEmpty) event.preventDefault()
})
let resizing
window.addEventListener("resize", () => {
  cancelAnimationFrame(resizing)
  resizing = requestAnimationFrame(() => {
    for (const cell of cells) for (const control of cell.controls.values()) control.grow?.()
  })
})
start()
