import { post } from "./words.js"
import { pack, unpack } from "./text.js"

// Why an event could not be taken, however often it were sent.
export const lasting = ["unknownField", "unknownOption", "wrongKind"]
const batchLimit = 100
// The most bytes that the server reads; one that is sent more may close the connection unheard.
const sizeLimit = 1 << 20

// What a person did and the server has not saved yet. It outlives a reload, and a server that is
// gone: every event is sent until the server says that it is on the disk. Each has a number, by which
// the server knows one that it took already.
export class Queue {
  /**
   * @param draft the draft's id
   * @param client this page's name among those that have the draft open
   * @param listener `answered(answer, items)`, `state(state, source)`, `rejected()`, `lost()`,
   *   `otherVersion()`
   */
  constructor(draft, client, listener) {
    this.draft = draft
    this.client = client
    this.listener = listener
    this.place = `unsent:${draft}`
    const kept = JSON.parse(sessionStorage.getItem(this.place) ?? "{}")
    this.items = unpack(kept.items ?? [])
    // What can't be taken, at most one item a field, each with `why`.
    this.rejected = kept.rejected ?? []
    this.version = kept.version
    this.count = 0
    this.batchLimit = batchLimit
    this.failures = 0
    this.waiting = []
  }

  /** Adds an event: its JSON text, its field's key, and what the page shows meanwhile. */
  add(kind, key, json, shown) {
    // Of a title, nothing but the last matters.
    if (kind === "title") this.items = this.items.filter((old) => old.kind !== kind || old.isSent)
    this.count += 1
    this.items.push({ kind, key, json, shown, page: this.client, number: this.count })
    this.keep()
    this.pump()
  }

  /** Whether events of a field wait. */
  holds(key) { return this.items.some((item) => item.key === key) }

  /** Whether what a field shows could not be taken. */
  rejects(key) { return this.rejected.some((item) => item.key === key) }

  get isEmpty() { return this.items.length === 0 }

  /** Resolves with true when nothing waits, with false when that can't be sent now. */
  drained() {
    if (this.failures) return Promise.resolve(false)
    return this.isEmpty ? Promise.resolve(true) : new Promise((done) => this.waiting.push(done))
  }

  /** Keeps what waits beyond a reload, as far as the browser has room for it. */
  keep() {
    if (this.isMoved) return
    const { version, rejected } = this
    try {
      if (this.isEmpty && !rejected.length) sessionStorage.removeItem(this.place)
      else {
        const items = pack(this.items)
        sessionStorage.setItem(this.place, JSON.stringify({ version, items, rejected }))
      }
      if (this.isFull) this.listener.state({ state: "saved" }, "room")
      this.isFull = false
    } catch {
      this.isFull = true
      this.listener.state({ state: "failed", code: "noRoom" }, "room")
    }
  }

  /** Takes up what was kept, by the version of the form that is shown: rows may have other keys now. */
  adopt(version, keyNow) {
    if (this.version !== undefined && this.version !== version) {
      for (const item of [...this.items, ...this.rejected]) {
        const key = keyNow(item.key)
        const old = `{"${item.kind}":${JSON.stringify(item.key)}`
        if (key === item.key || !item.json.startsWith(old)) continue
        item.json = `{"${item.kind}":${JSON.stringify(key)}${item.json.slice(old.length)}`
        item.key = key
      }
    }
    this.version = version
    this.keep()
  }

  /**
   * What is sent at once: a field's next text only when it is known what came of the one before, so
   * that a refused key takes no other with it.
   */
  batch() {
    const entered = new Set()
    const items = this.items.slice(0, this.batchLimit)
    const end = items.findIndex(({ kind, key }) => {
      if (kind !== "enter") return false
      const isSecond = entered.has(key)
      entered.add(key)
      return isSecond
    })
    return end < 0 ? items : items.slice(0, end)
  }

  body(items) {
    const events = items.map(({ json, page, number }) =>
      `${json.slice(0, -1)},"page":${JSON.stringify(page)},"number":${number}}`)
    const version = this.version === undefined ? "" : `"version":${this.version},`
    return `{"client":${JSON.stringify(this.client)},${version}"events":[${events.join(",")}]}`
  }

  async pump() {
    if (this.isBusy || this.isEmpty) return
    clearTimeout(this.timer)
    this.isBusy = true
    if (!this.failures) this.listener.state({ state: "saving" })
    let failure
    try {
      const items = this.batch()
      for (const item of items) item.isSent = true
      failure = await this.send(items)
    } finally {
      this.isBusy = false
    }
    if (failure) {
      this.failures += 1
      this.listener.state({ state: "failed", ...failure })
      for (const done of this.waiting.splice(0)) done(false)
      this.timer = setTimeout(() => this.pump(), Math.min(3000, 300 * this.failures))
      return
    }
    this.failures = 0
    if (!this.isEmpty) return this.pump()
    this.batchLimit = batchLimit
    this.listener.state({ state: "saved" })
    for (const done of this.waiting.splice(0)) done(true)
  }

  /** Tries at once again, when there is a sign that it may help. */
  retry() {
    clearTimeout(this.timer)
    this.pump()
  }

  /** Sends items; returns why they are to be sent again, or null. */
  async send(items) {
    const text = this.body(items)
    if (text.length * 3 > sizeLimit && new Blob([text]).size > sizeLimit) {
      return this.divide(items, { code: "tooLarge" })
    }
    let answer
    try {
      answer = await post(`/drafts/${this.draft}/events`, text, {
        signal: AbortSignal.timeout(20000),
      })
    } catch {
      return { code: "unreachable" }
    }
    const body = await answer.json().catch(() => ({}))
    if (answer.ok) {
      const isSaved = body.save?.state === "saved"
      if (isSaved) this.items.splice(0, items.length)
      this.judge(items, body.outcomes)
      this.listener.answered(body, items)
      this.keep()
      for (const item of items) item.isAnswered = true
      return isSaved ? null : body.save
    }
    const error = body.error ?? { code: "token" }
    if (answer.status === 404 && error.code === "unknownDraft") this.listener.lost()
    if (answer.status === 409 && error.code === "otherVersion") this.listener.otherVersion()
    if (answer.status === 400 || answer.status === 413) return this.divide(items, error)
    return error
  }

  /** One that can't be taken must not hold the others back. */
  divide(items, error) {
    if (items.length > 1) {
      this.batchLimit = 1
    } else {
      this.items.shift()
      this.reject(items[0], error)
      this.keep()
    }
    return null
  }

  /** Notes what was not taken and never will be; what was taken settles what its field had before. */
  judge(items, outcomes) {
    outcomes.forEach(({ accepted, refusal }, index) => {
      const item = items[index]
      if (["begin", "end", "return", "title"].includes(item.kind)) return
      if (lasting.includes(refusal)) this.reject(item, { code: refusal })
      else if (accepted && this.rejects(item.key)) this.settle(item.key)
    })
  }

  reject(item, { code, message }) {
    const { kind, key, json, shown } = item
    if (["begin", "end", "return"].includes(kind)) return
    const why = { code, message }
    this.rejected = this.rejected.filter((old) => old.key !== key)
    this.rejected.push({ kind, key, json, shown, why })
    this.listener.rejected()
  }

  /** Forgets what could not be taken of a field. */
  settle(key) {
    this.rejected = this.rejected.filter((old) => old.key !== key)
    this.keep()
    this.listener.rejected()
  }

  /** Sends what waits while the page goes away. */
  leave() {
    if (this.isEmpty || this.isBusy) return
    try {
      post(`/drafts/${this.draft}/events`, this.body(this.items), { keepalive: true })
        .catch(() => {})
    } catch {
      // It is kept, and sent when the page comes back.
    }
  }

  /** Gives what waits to another draft. */
  moveTo(draft) {
    sessionStorage.removeItem(this.place)
    this.place = `unsent:${draft}`
    this.keep()
    this.isMoved = true
    this.items = []
    this.rejected = []
  }
}
