import { words, make } from "./words.js"
import { readable } from "./colors.js"
import { common, place } from "./text.js"

// The controls of a form's fields. A control tells what the person does through its cell's
// `act(kind, key, event, shown)`, and shows what it is told.
const inputModes = {
  numberPad: "numeric", asciiCapableNumberPad: "numeric", decimalPad: "decimal", phonePad: "tel",
  emailAddress: "email", URL: "url", webSearch: "search",
}
const returnKeys = ["go", "next", "search", "send", "done"]
const examples = { date: "2026-01-31", time: "09:30", dateTime: "2026-01-31T09:30:00+08:00" }

// To measure each of many text areas takes a large form half a second.
const fitsByItself = CSS.supports("field-sizing", "content")

/** Makes a text area as high as its text, where the style sheet can't. */
function fit(area) {
  if (fitsByItself) return
  area.style.height = "0"
  area.style.height = `${area.scrollHeight}px`
}

/** What all controls have in common: they tell when they are entered and left. */
class Control {
  constructor(cell, field, id) {
    this.cell = cell
    this.field = field
    this.id = id
  }

  watch(element) {
    element.addEventListener("focusin", (event) => {
      if (!element.contains(event.relatedTarget)) this.act("begin", { begin: this.field.key })
    })
    element.addEventListener("focusout", (event) => {
      if (!element.contains(event.relatedTarget)) this.act("end", { end: this.field.key })
    })
  }

  act(kind, event, shown) {
    const json = typeof event === "string" ? event : JSON.stringify(event)
    this.cell.act(kind, this.field.key, json, shown)
  }

  get key() { return JSON.stringify(this.field.key) }
  get isBusy() { return false }
  focus() { this.input?.focus() }

  showState(state) {
    if (!this.input) return
    this.input.disabled = !state.isEnabled
    if (state.isRequired) this.input.setAttribute("aria-required", "true")
    else this.input.removeAttribute("aria-required")
  }
}

export class ShownControl extends Control {
  constructor(cell, field, id) {
    super(cell, field, id)
    this.element = make("span", { class: "shown", id })
  }

  show({ text }) { this.element.textContent = text }
}

export class TextControl extends Control {
  constructor(cell, field, id) {
    super(cell, field, id)
    this.element = make("div", { class: "text" })
    this.build(cell.isMultiline)
    this.watch(this.element)
  }

  build(isMultiline) {
    const { field } = this
    const enter = returnKeys.includes(field.returnKey)
      ? field.returnKey : field.returnDone === "next" ? "next" : undefined
    const input = make(isMultiline ? "textarea" : "input", {
      id: this.id, rows: isMultiline ? 1 : undefined,
      type: isMultiline ? undefined : field.isSensitive ? "password" : "text",
      placeholder: field.placeholder || examples[field.dataType] || undefined,
      inputmode: inputModes[field.keyboard] ?? (field.dataType === "integer" ? "numeric"
        : field.dataType === "decimal" ? "decimal" : undefined),
      enterkeyhint: enter, autocomplete: "off", autocapitalize: "off", spellcheck: "false",
    })
    if (field.scrolls) input.classList.add("scrolls")
    if (field.isSensitive) input.classList.add("secret")
    input.addEventListener("input", (event) => {
      this.isDeletion = /^delete/.test(event.inputType ?? "")
      if (!event.isComposing) this.changed()
    })
    input.addEventListener("compositionstart", () => { this.isComposing = true })
    input.addEventListener("compositionend", () => {
      this.isComposing = false
      this.changed()
    })
    input.addEventListener("keydown", (event) => this.pressed(event))
    input.addEventListener("beforeinput", (event) => this.skipSeparator(event))
    this.isMultiline = isMultiline
    const old = this.input
    this.input = input
    if (!old) return this.element.append(input)
    // Others may have made the lines: who types here goes on.
    input.value = old.value
    const isHere = document.activeElement === old
    const selection = [old.selectionStart, old.selectionEnd]
    old.replaceWith(input)
    if (!isHere) return
    input.focus()
    input.setSelectionRange(...selection)
  }

  get isBusy() { return this.isComposing }

  changed() {
    this.grow()
    const text = this.saveable(this.input.value)
    this.known = text
    this.act("enter", { enter: this.field.key, text }, this.input.value)
  }

  /**
   * What the person means by the text in the control, which has made line feeds of all line ends:
   * those that were not touched stay as they were.
   */
  saveable(value) {
    const old = this.known ?? ""
    if (!old.includes("\r")) return value
    const shown = old.replace(/\r\n?/g, "\n")
    const { start, end } = common(shown, value)
    const inOld = (offset) => {
      let at = 0
      for (let seen = 0; seen < offset; seen += 1) at += old.startsWith("\r\n", at) ? 2 : 1
      return at
    }
    return old.slice(0, inOld(start)) + value.slice(start, value.length - end)
      + old.slice(inOld(shown.length - end))
  }

  pressed(event) {
    if (event.key !== "Enter" || event.isComposing || this.isComposing) return
    if (this.isMultiline && this.field.returnDone === "none") return
    event.preventDefault()
    this.act("return", { return: this.field.key })
  }

  /** A deletion beside a separator means the character beyond it. */
  skipSeparator(event) {
    const { separator } = this.field
    const { selectionStart: at, selectionEnd: end, value } = this.input
    if (!separator || at !== end) return
    if (event.inputType === "deleteContentBackward" && value.slice(0, at).endsWith(separator)) {
      this.input.setSelectionRange(at - separator.length, at - separator.length)
    } else if (event.inputType === "deleteContentForward" && value.startsWith(separator, at)) {
      this.input.setSelectionRange(at + separator.length, at + separator.length)
    }
  }

  show({ text }, selection) {
    if (!this.isMultiline && /[\r\n]/.test(text)) this.build(true)
    this.known = text
    const { input } = this
    const shown = text.replace(/\r\n?/g, "\n")
    if (input.value === shown) return this.grow()
    this.draw(shown, this.kept(shown) ?? selection)
  }

  /** Shows a text, with the cursor where it was in what is the same. */
  draw(text, selection) {
    const { input } = this
    const old = input.value
    if (old === text) return
    const isHere = document.activeElement === input
    const [start, end] = selection
      ?? [input.selectionStart, input.selectionEnd].map((at) => place(at, old, text))
    input.value = text
    if (isHere) input.setSelectionRange(start, end)
    this.grow()
  }

  /** Where the cursor goes when separators alone come or go; null when more than that changes. */
  kept(text) {
    const { separator } = this.field
    const { value, selectionStart } = this.input
    const bare = (text) => text.replaceAll(separator, "")
    if (!separator || bare(text) !== bare(value)) return null
    const count = bare(value.slice(0, selectionStart)).length
    let at = 0
    for (let seen = 0; seen < count; at += 1) {
      if (text.startsWith(separator, at)) at += separator.length - 1
      else seen += 1
    }
    if (this.isDeletion && text.startsWith(separator, at)) at += separator.length
    return [at, at]
  }

  grow() { if (this.isMultiline) fit(this.input) }
}

export class OptionControl extends Control {
  constructor(cell, field, id) {
    super(cell, field, id)
    const none = make("option", { value: "" }, field.placeholder || words.select)
    const options = field.options.map(
      (option, index) => make("option", { value: index }, option.label))
    this.input = make("select", { id }, none, ...options)
    if (field.selectorTitle !== undefined) {
      const title = field.selectorTitle && field.selectorTitle !== field.label
      const parts = [field.label, title && field.selectorTitle].filter(Boolean)
      this.input.setAttribute("aria-label", parts.join(" "))
    }
    this.input.addEventListener("change", () => {
      const chosen = field.options[this.input.value]
      this.input.classList.toggle("empty", !chosen)
      this.act("select", `{"select":${this.key},"option":${chosen?.id ?? "null"}}`,
        chosen?.id ?? null)
    })
    this.element = make("div", { class: "option" }, this.input)
    this.watch(this.element)
  }

  show({ option }) {
    const index = this.field.options.findIndex((known) => known.id === option)
    this.input.querySelector(".unknown")?.remove()
    if (index < 0 && option !== null) {
      // Chosen when the form still had it.
      this.input.append(
        make("option", { value: "unknown", class: "unknown", disabled: true }, option))
    }
    this.input.value = index >= 0 ? String(index) : option === null ? "" : "unknown"
    this.input.classList.toggle("empty", option === null)
  }
}

export class TagsControl extends Control {
  constructor(cell, field, id) {
    super(cell, field, id)
    this.selected = new Set()
    this.buttons = new Map()
    this.note = make("p", { class: "note", id: `${id}-note` })
    this.input = make("div", {
      class: "tags", role: "group", id, "aria-labelledby": `${cell.id}-label`,
    })
    for (const tag of field.tags) {
      const button = make("button", {
        type: "button", class: "tag", "aria-pressed": "false", onclick: () => this.tap(tag),
      }, make("span", {}, tag.label))
      this.buttons.set(tag.id, button)
      this.input.append(button)
    }
    this.element = make("div", { class: "tags-value" }, this.note, this.input)
    this.style(field.presentation)
    this.watch(this.element)
  }

  style(presentation) {
    const set = (name, value) => {
      if (value !== null) this.element.style.setProperty(`--${name}`, value)
    }
    for (const name of [
      "leftM", "rightM", "topM", "titleHeight", "itemHeight", "itemCorner", "minimumLineSpacing",
      "minimumInteritemSpacing", "itemLeftMargin", "itemRightMargin", "borderWidth",
    ]) set(name, `${presentation[name]}px`)
    for (const name of [
      "itemBackGroundColor", "selectedItemBackgroundColor", "borderColor", "selectedBorderColor",
    ]) set(name, presentation[name])
    // Upon a background of its own, a tag looks the same everywhere.
    const isOwn = presentation.itemBackGroundColor !== null
    for (const name of ["itemTextColor", "selectedItemTextColor", "themeColor"]) {
      set(name, isOwn ? presentation[name] : readable(presentation[name]))
    }
    if (isOwn) this.element.classList.add("own")
    set("tag-size", `${presentation.font.size}px`)
    set("tag-weight", presentation.font.weight)
  }

  tap(tag) {
    const isSelected = !this.selected.has(tag.id)
    this.act("toggle", `{"toggle":${this.key},"tag":${tag.id},"selected":${isSelected}}`,
      { tag: tag.id, isSelected })
    if (this.field.isSingle) this.selected.clear()
    if (isSelected) this.selected.add(tag.id)
    else this.selected.delete(tag.id)
    this.draw()
  }

  show({ selected, isEnough }) {
    this.selected = new Set(selected)
    // One that the form has no more can still be unchosen.
    for (const id of selected) {
      if (this.buttons.has(id)) continue
      const button = make("button", {
        type: "button", class: "tag unknown", onclick: () => this.tap({ id }),
      }, make("span", {}, id))
      this.buttons.set(id, button)
      this.input.append(button)
    }
    const { least, most } = this.field
    const count = selected.filter((id) => this.field.tags.some((tag) => tag.id === id)).length
    const text = (isEnough ? words.enough(count) : words.tooFew(count, least))
      + (most !== null && most > 1 ? words.most(most) : "")
    // What there is at first is not said aloud.
    if (this.note.textContent) this.note.setAttribute("role", "status")
    this.note.textContent = text
    this.note.classList.toggle("enough", isEnough)
    this.draw()
  }

  draw() {
    for (const [id, button] of this.buttons) {
      button.setAttribute("aria-pressed", String(this.selected.has(id)))
    }
  }

  focus() { (this.input.querySelector("[aria-pressed=true]") ?? this.input.firstChild)?.focus() }

  showState(state) {
    for (const button of this.buttons.values()) button.disabled = !state.isEnabled
  }
}

export class CustomControl extends Control {
  constructor(cell, field, id) {
    super(cell, field, id)
    this.note = make("p", { class: "note", id: `${id}-note`, "aria-live": "polite" })
    this.input = make("textarea", {
      id, class: field.isSensitive ? "json secret" : "json", rows: 2, spellcheck: "false", autocomplete: "off",
    })
    this.input.addEventListener("input", () => {
      this.changed()
      this.grow()
    })
    this.element = make("div", { class: "custom" }, this.input, this.note)
    this.note.textContent = field.identifier
    this.watch(this.element)
  }

  changed() {
    const text = this.input.value.trim()
    this.isWrong = false
    try {
      if (text) JSON.parse(text)
    } catch (error) {
      this.isWrong = true
      this.note.textContent = words.badJSON(error.message)
      return
    }
    this.note.textContent = this.field.identifier
    this.act("set", `{"set":${this.key}${text ? `,"value":${text}` : ""}}`, this.input.value)
  }

  // What is being typed is not put in another order under the cursor, and what is no JSON is kept.
  get isBusy() { return this.isWrong || document.activeElement === this.input }

  show({ json }) {
    if (this.input.value !== json) this.input.value = json
    this.grow()
  }

  grow() { fit(this.input) }
}
