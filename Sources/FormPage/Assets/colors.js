// The colours that a form states are meant for a bright page.

// The surface of cells in the dark.
const dark = [0x1c, 0x1c, 0x1e]

function luminance(color) {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const mix = (a, b, share) => a.map((part, index) => part + (b[index] - part) * share)

/** A colour of text, `#RRGGBBAA`: as it is where it is bright, and no darker than can be read elsewhere. */
export function readable(color) {
  if (!color) return color
  const parts = color.match(/[0-9a-f]{2}/gi).map((digits) => parseInt(digits, 16))
  const [own, alpha] = [parts.slice(0, 3), (parts[3] ?? 255) / 255]
  // Contrast as WCAG counts it, at least 4.5.
  for (let share = 0; share < 1; share += 0.05) {
    const shown = mix(dark, mix(own, [255, 255, 255], share), alpha)
    if ((luminance(shown) + 0.05) / (luminance(dark) + 0.05) < 4.5) continue
    const solid = shown.map(Math.round).join(" ")
    return share ? `light-dark(${color}, rgb(${solid}))` : color
  }
  return `light-dark(${color}, #fff)`
}
