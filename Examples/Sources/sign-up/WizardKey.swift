import LegoKit

/// A key, as the form knows it.
enum WizardKey: Equatable {
  case character(Character)
  case backspace
  case next
  case previous
  case enter
  case escape

  /// The longest text of a field.
  private static let limit = 60

  /// What a key does to a design; `nil` where it does nothing.
  func change(_ design: WizardBlueprint.Design) -> WizardBlueprint.Change? {
    switch self {
    case .character(let character): edit(design) { $0 + String(character) }
    case .backspace: edit(design) { String($0.dropLast()) }
    case .next: .nextField
    case .previous: .previousField
    case .enter: .forward
    case .escape: .back
    }
  }

  /// Edits the field with the focus.
  private func edit(
    _ design: WizardBlueprint.Design, _ body: (String) -> String
  ) -> WizardBlueprint.Change? {
    switch design.focus.field {
    case .name: .name(.enter(Self.limited(body(design.name.value))))
    case .address: .address(.enter(Self.limited(body(design.address.value))))
    case .login: .login(.enter(Self.limited(body(design.login.value))))
    case nil: nil
    }
  }

  private static func limited(_ text: String) -> String { String(text.prefix(limit)) }
}
