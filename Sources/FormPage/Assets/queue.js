import { post } from "./words.js"

// What a person did and the server has not saved yet. It outlives a reload, and a server that is
// gone: every event is sent until the server says that it is on the disk. Sending one twice does no
// harm, since each says what it leads to.
export class Queue {
  /**
   * @param draft the draft's id
   * @param client this page's name among those that have the draft open
   * @param listener `answered(answer, items)`, `state(state)`, `lost()`
   */
  constructor(draft, client, listener) {
    this.draft = draft
    this.client = client
    this.listener = listener
    this.place = `unsent:${draft}`
    this.items = JSON.parse(sessionStorage.getItem(this.place) ?? "[]").map(
      ({ kind, key, json, shown }) => ({ kind, key, json, shown }))
    this.batchLimit = 100
    this.failures = 0
    this.waiting = []
  }

  /** Adds an event: its JSON text, its field's key, and what the page shows meanwhile. */
  add(kind, key, json, shown) {
    // Of a title, nothing but the last matters.
    if (kind === "title") this.items = this.items.filter((old) => old.kind !== kind || old.isSent)
    this.items.push({ kind, key, json, shown })
    this.keep()
    this.pump()
  }

  /** Whether events of a field wait. */
  holds(key) { return this.items.some((item) => item.key === key) }

  get isEmpty() { return this.items.length === 0 }

  /** Resolves when nothing waits. */
  drained() {
    return this.isEmpty ? Promise.resolve() : new Promise((done) => this.waiting.push(done))
  }

  keep() {
    if (this.isEmpty) sessionStorage.removeItem(this.place)
    else sessionStorage.setItem(this.place, JSON.stringify(this.items))
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
    const events = items.map((item) => item.json).join(",")
    return `{"client":${JSON.stringify(this.client)},"events":[${events}]}`
  }

  async pump() {
    if (this.isBusy || this.isEmpty) return
    clearTimeout(this.timer)
    this.isBusy = true
    if (!this.failures) this.listener.state({ state: "saving" })
    const items = this.batch()
    for (const item of items) item.isSent = true
    const failure = await this.send(items)
    this.isBusy = false
    if (failure) {
      this.failures += 1
      this.listener.state({ state: "failed", ...failure })
      this.timer = setTimeout(() => this.pump(), Math.min(3000, 300 * this.failures))
      return
    }
    this.failures = 0
    if (!this.isEmpty) return this.pump()
    this.listener.state({ state: "saved" })
    for (const done of this.waiting.splice(0)) done()
  }

  /** Tries at once again, when there is a sign that it may help. */
  retry() {
    clearTimeout(this.timer)
    this.pump()
  }

  async send(items) {
    let answer
    try {
      answer = await post(`/drafts/${this.draft}/events`, this.body(items), {
        signal: AbortSignal.timeout(20000),
      })
    } catch {
      return { code: "unreachable" }
    }
    const body = await answer.json().catch(() => ({}))
    if (answer.ok) {
      const isSaved = body.save?.state === "saved"
      if (isSaved) {
        this.items.splice(0, items.length)
      }
      this.listener.answered(body, items)
      this.keep()
      for (const item of items) item.isAnswered = true
      return isSaved ? null : body.save
    }
    const error = body.error ?? { code: "token" }
    if (answer.status === 404 && error.code === "unknownDraft") this.listener.lost()
    if (answer.status === 400 || answer.status === 413) {
      // One that can't be taken must not hold the others back.
      if (items.length > 1) {
        this.batchLimit = 1
      } else {
        this.items.shift()
        this.keep()
      }
    }
    return error
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
    sessionStorage.setItem(`unsent:${draft}`, JSON.stringify(this.items))
    sessionStorage.removeItem(this.place)
    this.items = []
  }
}
