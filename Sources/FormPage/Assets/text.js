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
