// Changes of texts, and where a place in one text is in another.

/** How much two texts have in common at their beginnings, and at their ends beyond that. */
export function common(a, b) {
  const least = Math.min(a.length, b.length)
  let start = 0
  while (start < least && a[start] === b[start]) start += 1
  let end = 0
  while (end < least - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  return { start, end }
}

/** Where a place in text `a` is in text `b`, which was made of it. */
export function place(at, a, b) {
  const { start, end } = common(a, b)
  if (at >= a.length - end) return at + b.length - a.length
  return Math.min(at, start)
}

/** Makes the change that made `b` of `a` in another text that was made of `a`. */
export function replay(a, b, other) {
  const { start, end } = common(a, b)
  const from = place(start, a, other)
  const to = Math.max(from, place(a.length - end, a, other))
  return other.slice(0, from) + b.slice(start, b.length - end) + other.slice(to)
}

/**
 * Waiting events as they are kept: of a field's text, what it changed in the one before it. Each key
 * makes a text as a whole, and a browser has little room.
 */
export function pack(items) {
  const last = new Map()
  return items.map((item) => {
    const { kind, key, json, shown, page, number } = item
    const before = kind === "enter" ? last.get(key) : undefined
    if (kind === "enter") last.set(key, shown)
    if (before === undefined || json !== enter(key, shown)) {
      return { kind, key, json, shown, page, number }
    }
    // An answer may have made another text of either.
    if (item.packed?.before !== before || item.packed.shown !== shown) {
      const { start, end } = common(before, shown)
      item.packed = { before, shown, change: [start, end, shown.slice(start, shown.length - end)] }
    }
    return { kind, key, change: item.packed.change, page, number }
  })
}

/** Waiting events that were kept. */
export function unpack(kept) {
  const last = new Map()
  return kept.map(({ kind, key, json, shown, change, page, number }) => {
    if (change) {
      const before = last.get(key)
      const [start, end, middle] = change
      shown = before.slice(0, start) + middle + before.slice(before.length - end)
      json = enter(key, shown)
    }
    if (kind === "enter") last.set(key, shown)
    return { kind, key, json, shown, page, number }
  })
}

/** The event of a text, as JSON. */
export const enter = (key, text) => JSON.stringify({ enter: key, text })
