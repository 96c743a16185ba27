import LegoKit

// A form whose fields and focus are bound to actions.

struct LoginForm: Blueprint {
  enum Field: Hashable { case name, password }

  struct Design: Equatable {
    var name = FormField<String, String>("")
    var password = FormField<String, String>("")
    var field = FormFocus<Field>([.name, .password])
  }

  enum Change: Equatable {
    case nameChanged(FieldRules<String, String>.Change)
    case passwordChanged(FieldRules<String, String>.Change)
    case focusChanged(Field?)

    var name: FieldRules<String, String>.Change? {
      if case .nameChanged(let change) = self { change } else { nil }
    }
    var password: FieldRules<String, String>.Change? {
      if case .passwordChanged(let change) = self { change } else { nil }
    }
  }

  func change(_ design: inout Design, on change: Change) {
    guard case .focusChanged(let field) = change else { return }
    switch design.field.move(to: field) {
    case .name: design.name.touch()
    case .password: design.password.touch()
    case nil: break
    }
  }

  static let feature: Feature<LoginForm> = Feature(LoginForm())
    .part(
      \.name, .case({ .nameChanged($0) }, \.name), .field(issue: { $0.isEmpty ? "missing" : nil })
    )
    .part(
      \.password, .case({ .passwordChanged($0) }, \.password),
      .field(issue: { $0.count < 8 ? "too short" : nil }))
}

struct LoginScreen {
  let presenter: Lego<LoginForm> = .init(.init(), feature: LoginForm.feature)

  var name: Glue<String> { presenter.glue(field: \.name, change: { .nameChanged($0) }) }
  var password: Glue<String> {
    presenter.glue(field: \.password, change: { .passwordChanged($0) })
  }
  var focus: Glue<LoginForm.Field?> {
    presenter.glue(\.field.field, change: { .focusChanged($0) })
  }

  var issues: [String] {
    [presenter.design.name.shownIssue, presenter.design.password.shownIssue].compactMap { $0 }
  }
}
