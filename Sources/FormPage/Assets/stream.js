// What the server tells of others' changes. A browser has six connections to a server, for all its
// windows; streams must leave some for the requests.
const places = 3

/** The stream of one page, open while the page is seen and one of the few places is free. */
export class Stream {
  /** @param listener `told(update)`, `opened()`, and now and then `missing()` while no place is free */
  constructor(address, listener) {
    this.address = address
    this.listener = listener
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.close()
      else if (this.isMeant) this.open()
    })
    // Who looks at a page takes the place of one that is only seen.
    window.addEventListener("focus", () => { if (this.isMeant) this.open() })
    window.addEventListener("blur", () => {
      if (navigator.locks || !this.isMeant) return
      this.close()
      this.wait(2500)
    })
  }

  get isOpen() { return this.source && this.source.readyState !== EventSource.CLOSED }

  open() { this.tryOpen(document.hasFocus()) }

  async tryOpen(isUrgent) {
    this.isMeant = true
    if (document.hidden || this.isOpen || this.isTrying) return
    clearTimeout(this.timer)
    this.isTrying = true
    const hasPlace = await this.takePlace(isUrgent)
    this.isTrying = false
    if (!hasPlace) {
      this.listener.missing()
      this.wait(2500)
    } else if (document.hidden) {
      this.close()
    } else {
      this.connect()
    }
  }

  wait(time) {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.tryOpen(false), time)
  }

  connect() {
    this.source?.close()
    this.source = new EventSource(this.address)
    this.source.onmessage = (message) => this.listener.told(JSON.parse(message.data))
    this.source.onopen = () => this.listener.opened()
    this.source.onerror = () => {
      if (this.source?.readyState === EventSource.CLOSED) this.wait(1500)
    }
  }

  close() {
    clearTimeout(this.timer)
    this.source?.close()
    this.source = null
    this.leavePlace?.()
    this.leavePlace = null
  }

  /** Takes one of the places; whoever is in a hurry takes it from another. */
  async takePlace(isUrgent) {
    // Without a lock manager (a plain address of another machine), only the page that is used has one.
    if (!navigator.locks) return isUrgent || document.hasFocus()
    if (this.leavePlace) return true
    const names = Array.from({ length: places }, (_, index) => `stream-${index}`)
    for (const name of names) if (await this.lock(name, { ifAvailable: true })) return true
    return isUrgent && this.lock(names[Math.floor(Math.random() * places)], { steal: true })
  }

  /** Resolves with whether the lock was taken; it is held until the place is left. */
  lock(name, options) {
    return new Promise((answer) => {
      let leave
      navigator.locks.request(name, options, (lock) => {
        if (!lock) return answer(false)
        return new Promise((done) => {
          leave = this.leavePlace = done
          answer(true)
        })
      }).catch(() => {
        // Another page needs it more.
        answer(false)
        if (this.leavePlace !== leave) return
        this.close()
        this.wait(2500)
      })
    })
  }
}
