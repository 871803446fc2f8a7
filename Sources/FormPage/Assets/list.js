import { words, fillWords, make, post, say } from "./words.js"

const time = new Intl.DateTimeFormat(document.documentElement.lang, {
  dateStyle: "medium", timeStyle: "short",
})

async function begin(form) {
  const answer = await post("/drafts", { form })
  if (answer.ok) location.href = `/drafts/${(await answer.json()).id}`
  else say(await why(answer))
}

async function move(draft, action) {
  const answer = await post(`/drafts/${draft.id}/${action}`, {})
  if (!answer.ok) say(await why(answer))
  await show()
}

async function why(answer) {
  try {
    return (await answer.json()).error.message
  } catch {
    return words.why.token
  }
}

function formItem(form) {
  const title = form.title || form.id
  return make("li", {},
    make("span", { class: "name" }, title,
      make("small", {}, words.version(form.version))),
    make("button", {
      type: "button", "aria-label": words.begin(title), onclick: () => begin(form.id),
    }, words.newDraft))
}

function draftItem(draft, forms) {
  const form = forms.get(draft.form)?.title || draft.form
  const isAway = draft.status === "discarded"
  const title = draft.title || draft.subject || form
  const name = isAway
    ? make("span", { class: "name" }, title)
    : make("a", { class: "name", href: `/drafts/${draft.id}` }, title)
  const facts = [
    title === form ? null : form, isAway ? null : words[draft.status],
    time.format(new Date(draft.updatedAt)), draft.id.slice(0, 8),
  ]
  name.append(make("small", {}, facts.filter(Boolean).join(" · ")))
  const action = isAway ? "restore" : "discard"
  return make("li", {}, name, make("button", {
    type: "button", class: "quiet",
    "aria-label": `${words[action]}: ${title} ${draft.id.slice(0, 8)}`,
    onclick: () => move(draft, action),
  }, words[action]))
}

const page = 500
let limit = page

async function show() {
  let answer
  try {
    answer = await fetch(`/state?limit=${limit}`)
  } catch {
    return say(words.why.unreachable)
  }
  if (!answer.ok) return say(await why(answer))
  const state = await answer.json()
  const forms = new Map(state.forms.map((form) => [form.id, form]))
  const fill = (id, items, none) => document.getElementById(id).replaceChildren(
    ...(items.length ? items : [make("li", { class: "none" }, none)]))
  fill("forms", state.forms.map(formItem), words.noForms)
  const present = state.drafts.filter((draft) => draft.status !== "discarded")
  fill("drafts", present.map((draft) => draftItem(draft, forms)), words.noDrafts)
  const away = state.drafts.filter((draft) => draft.status === "discarded")
  fill("discarded", away.map((draft) => draftItem(draft, forms)), "")
  document.getElementById("away").hidden = away.length === 0
  document.getElementById("more").hidden = !state.hasMore
}

fillWords()
document.getElementById("more").addEventListener("click", () => {
  limit += page
  show()
})
show()
// Back from a form, or from another tab.
window.addEventListener("pageshow", (event) => { if (event.persisted) show() })
document.addEventListener("visibilitychange", () => { if (!document.hidden) show() })
