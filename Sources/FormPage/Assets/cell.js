import { readable } from "./colors.js"
import { words, make } from "./words.js"
import {
  CustomControl, OptionControl, ShownControl, TagsControl, TextControl,
} from "./controls.js"

// A row of a form as its cell: label, controls, error and separator.
export class Cell {
  constructor(row, act) {
    this.row = row
    this.act = act
    this.id = `row-${row.row}`
    this.controls = new Map()
    const { ui } = row
    const hasTags = row.fields.some((field) => field.kind === "tags")
    const isAbove = /2$/.test(row.style) || hasTags || row.fields[0].kind === "custom"
    this.isMultiline = /^textView/.test(row.style)
    this.label = make("span", { class: "key" }, row.label)
    if (row.hasStar) this.label.append(make("span", { class: "star", "aria-hidden": "true" }, "*"))
    this.value = make("div", { class: "value" })
    this.error = make("p", { class: "error", id: `${this.id}-error`, "aria-live": "polite" })
    this.line = make("i", { class: "line" })
    this.element = make("div", {
      class: `row ${isAbove ? "above" : "beside"} ${hasTags ? "tags-row" : ""}`, id: this.id,
    }, this.label, this.value)
    if (ui.isShowArrow) this.element.append(make("i", { class: "arrow", "aria-hidden": "true" }))
    this.element.append(this.error, this.line)
    row.fields.forEach((field, index) => {
      const control = this.control(field, index)
      this.controls.set(field.key, control)
      this.value.append(control.element)
    })
    this.name()
    this.style(ui, isAbove)
  }

  /** Ties the label to what it labels. */
  name() {
    const [first] = this.controls.values()
    if (first.input && first.input.tagName !== "DIV") {
      const label = make("label", { class: "key", for: first.input.id }, ...this.label.childNodes)
      this.label.replaceWith(label)
      this.label = label
    }
    this.label.id = `${this.id}-label`
  }

  style(ui, isAbove) {
    const set = (name, value) => {
      if (value !== null && value !== undefined) this.element.style.setProperty(name, value)
    }
    const font = (name, font) => {
      set(`--${name}-size`, `${font.size}px`)
      set(`--${name}-weight`, font.weight)
    }
    font("key", ui.keyTextFont)
    font("value", ui.valueTextFont)
    font("placeholder", ui.placeholderFont)
    font("error", ui.errorFont)
    set("--key-color", readable(ui.keyTextColor))
    set("--value-color", readable(ui.valueTextColor))
    set("--placeholder-color", readable(ui.placeholderColor))
    set("--error-color", readable(ui.errorColor))
    set("--star-color", readable(ui.starColor))
    set("--line-color", ui.separatorLineColor)
    set("--line-left", `${ui.lineLeftMargin}px`)
    set("--line-right", `${ui.lineRightMargin}px`)
    // A screen can't show less than one of its own dots.
    set("--line-height", `${Math.max(ui.lineHeight, 1 / devicePixelRatio)}px`)
    set("--space", `${ui.cellSpace}px`)
    const alignments = { left: "left", center: "center", right: "right", justified: "justify" }
    const alignment = alignments[ui.inputTextAlignment] ?? "start"
    // Below its label, a value begins where the label does.
    set("--align", isAbove && alignment === "right" ? "start" : alignment)
    this.line.hidden = ui.isHiddenLine
    if (ui.cellHeight !== null) {
      set("height", `${ui.cellHeight}px`)
      this.element.classList.add("fixed")
    }
    if (/Clipping|Truncating/.test(ui.lineBreakMode)) this.element.classList.add("one-line")
    if (ui.lineBreakMode === "byWordWrapping") this.element.classList.add("by-word")
  }

  control(field, index) {
    const id = `${this.id}-${index}`
    switch (field.kind) {
      case "input": return new TextControl(this, field, id)
      case "option": return new OptionControl(this, field, id)
      case "tags": return new TagsControl(this, field, id)
      case "custom": return new CustomControl(this, field, id)
      default: return new ShownControl(this, field, id)
    }
  }

  /** Shows the state of the row's conditions. */
  showState(state) {
    this.element.hidden = !state.isVisible
    for (const control of this.controls.values()) control.showState(state)
  }

  /** The form's words for an error, or the page's. */
  explain({ key, reason, message }) {
    return words.reasons[reason]?.(this.controls.get(key).field) ?? message
  }

  showErrors(errors) {
    const mine = errors.filter((error) => this.controls.has(error.key))
    const text = mine.filter((error) => error.label).map((error) => this.explain(error)).join("\n")
    if (this.error.textContent !== text) this.error.textContent = text
    this.element.classList.toggle("wrong", mine.some((error) => error.line))
    for (const [key, control] of this.controls) {
      const error = mine.find((error) => error.key === key)
      if (!control.input) continue
      if (error) control.input.setAttribute("aria-invalid", "true")
      else control.input.removeAttribute("aria-invalid")
      const described = [control.note?.id, text ? this.error.id : null].filter(Boolean).join(" ")
      if (described) control.input.setAttribute("aria-describedby", described)
      else control.input.removeAttribute("aria-describedby")
    }
  }

  focus(key) { this.controls.get(key)?.focus() }
}
