import { words, make, say } from "./words.js"

const at = (id) => document.getElementById(id)

/** Shows what was submitted, and what that changed. */
export function showSubmission({ number, isNew, param, changes }) {
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

/**
 * Lists what was done in fields that the form has no more, or no more in that way, so that it can be
 * taken elsewhere.
 *
 * @param items what could not be taken, each with `label`
 * @param forget lets go of one
 */
export function showRejected(items, forget) {
  at("rejected").hidden = !items.length
  if (!items.length) return at("rejected").replaceChildren()
  const parts = items.flatMap((item) => {
    const { shown, label, why } = item
    const text = typeof shown === "object" && shown !== null ? shown.tag : shown
    return [
      make("h3", {}, words.of(label, words.why[why.code])),
      make("pre", { tabindex: "0", "aria-label": label }, String(text ?? "")),
      make("button", {
        type: "button", class: "quiet", "aria-label": words.of(words.forget, label),
        onclick: () => forget(item),
      }, words.forget),
    ]
  })
  at("rejected").replaceChildren(make("h2", { id: "rejected-title" }, words.notTaken), ...parts)
}
