import LegoKit

/// A design as the lines of a terminal.
struct WizardText {
  /// A line, and where something is typed at its end.
  struct Line: Equatable {
    var text: String
    var hasCursor = false
  }

  let design: WizardBlueprint.Design

  /// The screen from its first line to its last.
  var lines: [Line] {
    let step = design.path.count + 1
    return [Line(text: "Sign up, step \(step) of 3"), Line(text: "")] + content
      + [Line(text: ""), Line(text: state), Line(text: ""), Line(text: keys)]
  }

  private var content: [Line] {
    switch design.path.top {
    case nil:
      field("Name", design.name, .name) + field("Address", design.address, .address)
    case .login:
      field("Login", design.login, .login)
    case .review:
      [
        Line(text: "  Name      \(design.name.value)"),
        Line(text: "  Address   \(design.address.value)"),
        Line(text: "  Login     \(design.login.value)"),
      ]
    }
  }

  private func field(
    _ label: String, _ field: FormField<String, WizardBlueprint.Issue>,
    _ name: WizardBlueprint.FieldName
  ) -> [Line] {
    let isFocused = design.focus.field == name
    let mark = isFocused ? ">" : " "
    let padding = String(repeating: " ", count: 10 - label.count)
    let note = field.check == .checking ? "Checking…" : field.shownIssue?.rawValue ?? ""
    return [
      Line(text: "\(mark) \(label)\(padding)\(field.value)", hasCursor: isFocused),
      Line(text: note.isEmpty ? "" : "            \(note)"),
    ]
  }

  private var state: String {
    switch design.submission {
    case .idle, .refused: design.advance.isSettled ? "" : "Waiting for the checks…"
    case .waiting, .sending: "Signing up…"
    case .sent: "Welcome, \(design.name.value)."
    case .failed(let reason): "Not signed up: \(reason)"
    }
  }

  private var keys: String {
    let enter = design.path.top == .review ? "sign up" : "go on"
    let tab = design.focus.order.count > 1 ? "Tab: next field  " : ""
    return "\(tab)Enter: \(enter)  Escape: \(design.path.isEmpty ? "leave" : "back")"
  }
}
