/// Where the persons at several screens are in one form.
struct Screens {
  /// The screen whose focus the editor has at the moment.
  private var present = ""
  /// The keys of the fields where the persons at the other screens are.
  private var others: [String: String] = [:]

  /// Gives the editor the focus of a screen; the field at another one is not left by that.
  mutating func turn(to screen: String, _ editor: inout FormEditor) {
    guard screen != present else { return }
    others[present] = editor.focus
    present = screen
    // It may have been hidden meanwhile.
    editor.focus = others.removeValue(forKey: screen).flatMap { editor.canBegin($0) ? $0 : nil }
  }

  /// Forgets a screen.
  mutating func close(_ screen: String, _ editor: inout FormEditor) {
    others[screen] = nil
    if screen == present { editor.focus = nil }
  }
}
