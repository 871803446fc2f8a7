import { words, fillWords, make, post, say } from "./words.js"
import { Queue, lasting } from "./queue.js"
import { Cell } from "./cell.js"
import { enter, replay } from "./text.js"
import { showRejected, showSubmission } from "./results.js"
import { Stream } from "./stream.js"

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

const queue = new Queue(draft, client, {
  answered, state: showSaving, rejected: showFailures, lost, otherVersion: reload,
})

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
    if (queue.holds(key) || queue.rejects(key) || shown.isBusy) isBehind ||= !selections
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
    const isAway = state.draft.status === "discarded"
    showSaving(isAway ? { state: "failed", code: "isDiscarded" } : { state: "saved" }, "draft")
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
  showSign()
}

function showSign() {
  const [failed] = failures.values()
  const [rejected] = queue.rejected
  const sign = at("save")
  const say = ({ code, message }) => words.why[code] ?? message ?? code
  const why = failed ? say(failed)
    : rejected && words.of(labelOf(rejected.key), say(rejected.why))
  const name = why ? "failed" : queue.isEmpty ? "saved" : "saving"
  sign.textContent = words[name]
  sign.className = `save ${name}`
  const alert = why ? words.notSaved(why) : ""
  if (at("alert").textContent !== alert) at("alert").textContent = alert
}

function labelOf(key) { return control(key)?.field.label || key }

/** Says what could not be taken: in its field, where that shows it, else in a list. */
function showFailures() {
  showSign()
  const isListed = ({ key, why }) => !control(key) || lasting.includes(why.code)
  showRejected(
    queue.rejected.filter(isListed).map((item) => ({ ...item, label: labelOf(item.key) })),
    ({ key }) => {
      queue.settle(key)
      sync()
    })
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
  note(answer)
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
  Object.assign(item, { shown, json: enter(item.key, text) })
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
    later.json = enter(item.key, field.saveable(moved))
  }
  if (isChanged && !field.isBusy) field.draw(base)
}

// Which fields events are of; a newer version of the form may have one of another kind.
const kinds = { enter: ["input"], set: ["custom"], select: ["option"], toggle: ["tags"] }

/** Draws again what a page before this one could not save. */
function showUnsent() {
  for (const { kind, key, shown } of [...queue.rejected, ...queue.items]) {
    if (kind === "title") showTitle(shown)
    const field = control(key)
    if (!field || !kinds[kind]?.includes(field.field.kind)) continue
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

/**
 * Asks for what is done once, and only when all that was typed is saved: what a person wanted while
 * the server was gone may not be wanted when it is back.
 */
async function ask(action) {
  if (isAsking) return null
  isAsking = true
  try {
    if (!await queue.drained()) return say(words.waitFirst)
    const answer = await post(`/drafts/${draft}/${action}`, { client }).catch(() => null)
    if (!answer) return say(words.notDone)
    if (!answer.ok) {
      const { code, message } = await reason(answer)
      return say(words.notSaved(words.why[code] ?? message))
    }
    const update = await answer.json()
    showUpdate(update)
    return update
  } finally {
    isAsking = false
  }
}
let isAsking = false

async function move(action) {
  const update = await ask(action)
  if (update?.focus) cellOf.get(update.focus)?.focus(update.focus)
}

async function reason(answer) {
  if (!answer) return { code: "unreachable" }
  return (await answer.json().catch(() => ({}))).error ?? { code: "token" }
}

async function submit() {
  const update = await ask("submit")
  if (!update) return
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

/** Begins anew, by another version of the form; what waits is kept. */
function reload() {
  isReloading = true
  location.reload()
}
let isReloading = false

// The number of the newest that is shown; all that the server tells is numbered.
let latest = 0
const note = ({ number }) => { latest = Math.max(latest, number ?? 0) }

async function sync(isAgain) {
  const now = await read()
  if (!now) return
  // Something newer may have been told while this was read.
  if (now.number < latest && !isAgain) return sync(true)
  if (now.form.version !== state.form.version) return reload()
  isBehind = false
  state.number = now.number
  showUpdate(now)
}

// Whether no stream was open yet.
let isFirst = true
const stream = new Stream(`/drafts/${draft}/changes?client=${client}`, {
  opened: () => queue.retry(),
  // Others' changes are told to few pages at a time; the rest ask.
  missing: () => { if (queue.isEmpty) sync() },
  told: (update) => {
    if (update.reload) return reload()
    note(update)
    if (update.isOpening) {
      // What was told while no stream was open was missed; at first that may be nothing.
      if (!isFirst || update.number !== state.number) sync()
      isFirst = false
    }
    if (update.gone) return showSaving({ state: "failed", code: "unknownDraft" }, "draft")
    if (update.save) showSaving(update.save, "server")
    if (update.fields || update.draft || update.history) showUpdate(update)
  },
})

// MARK: Coming and going

/** What the fields are called now that had other keys in earlier versions of the form. */
function newKeys() {
  const keys = new Map()
  for (const cell of cells) {
    for (const { field } of cell.controls.values()) {
      for (const former of field.formerKeys) keys.set(former, field.key)
    }
  }
  return (key) => cellOf.has(key) ? key : keys.get(key) ?? key
}

async function start() {
  fillWords()
  state = await read()
  if (!state) return setTimeout(start, 1500)
  build()
  const keyNow = newKeys()
  queue.adopt(state.form.version, keyNow)
  // Waiting events are drawn over what is saved.
  const waiting = queue.items
  queue.items = []
  showUpdate(state)
  queue.items = waiting
  showUnsent()
  showSaving(state.save, "server")
  showFailures()
  queue.pump()
  stream.open()
  // Where this tab was; another one may have been elsewhere since.
  const isResumed = state.draft.revision > 0 || waiting.length > 0
  const own = sessionStorage.getItem(place) ?? waiting.findLast((item) => item.key)?.key
  const focus = isResumed ? keyNow(own) ?? state.focus : null
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
window.addEventListener("online", () => queue.retry())
window.addEventListener("pagehide", () => {
  queue.leave()
  stream.close()
})
window.addEventListener("pageshow", (event) => { if (event.persisted && state) stream.open() })
window.addEventListener("beforeunload", (event) => {
  if (isReloading && !queue.isFull) return
  if ((failures.size && !queue.isEmpty) || queue.rejected.length) event.preventDefault()
})
let resizing
window.addEventListener("resize", () => {
  cancelAnimationFrame(resizing)
  resizing = requestAnimationFrame(() => {
    for (const cell of cells) for (const control of cell.controls.values()) control.grow?.()
  })
})
start()
