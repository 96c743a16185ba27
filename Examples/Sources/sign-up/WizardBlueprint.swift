import LegoKit

/// A form in three steps: the person, the login, and a summary.
struct WizardBlueprint: Blueprint {
  /// A fault of a field.
  enum Issue: String, Equatable, Sendable {
    case missing = "This is needed."
    case noAddress = "An address has a name, an @ and a host."
    case noLogin = "A login has 2 to 16 small letters and digits, a letter first."
    case taken = "Somebody has this login."
  }

  typealias Text = FieldRules<String, Issue>

  /// The fields, in the order in which they are entered.
  enum FieldName: Hashable, Sendable {
    case name
    case address
    case login
  }

  /// The steps above the first one, which is the root.
  enum Step: Hashable, Identifiable, Sendable {
    case login
    case review

    var id: Step { self }
  }

  struct Design: Equatable, Sendable {
    var name = FormField<String, Issue>("")
    var address = FormField<String, Issue>("")
    var login = FormField<String, Issue>("")
    /// The steps that were opened.
    var path = Stack<Step>()
    var focus = FormFocus<FieldName>([.name, .address], on: .name)
    /// The move to the next step, which waits for the checks of this one, as a submission does.
    var advance = Submission<Step, Never>.idle
    var submission = Submission<Account, String>.idle

    /// The fields of a step, the first step's for `nil`.
    static func fields(of step: Step?) -> [FieldName] {
      switch step {
      case nil: [.name, .address]
      case .login: [.login]
      case .review: []
      }
    }
  }

  enum Change: Equatable, Sendable, PayloadReadable {
    case name(Text.Change)
    case address(Text.Change)
    case login(Text.Change)
    case nextField
    case previousField
    /// Goes to the next step once this one is valid; at the last one, signs up.
    case forward
    case back
    /// The result of signing up; `nil` if it succeeded.
    case finish(String?)

    var payload: Any? {
      switch self {
      case .name(let change): change
      case .address(let change): change
      case .login(let change): change
      case .nextField, .previousField, .forward, .back, .finish: nil
      }
    }
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .name, .address, .login: break
    case .nextField: design.touch(design.focus.next())
    case .previousField: design.touch(design.focus.previous())
    case .forward: design.forward()
    case .back: design.back()
    case .finish(let failure): design.submission.finish(failure)
    }
    design.proceed()
  }
}

extension WizardBlueprint.Design {
  fileprivate mutating func forward() {
    for field in Self.fields(of: path.top) { touch(field) }
    if path.top == .review { submission.submit() } else { advance.submit() }
  }

  fileprivate mutating func back() {
    // A submission that has been sent cannot be withdrawn.
    guard submission.request == nil else { return }
    advance.cancel()
    submission.cancel()
    if path.pop() != nil { arrive() }
  }

  /// Goes to the next step when the checks of this one allow it.
  fileprivate mutating func proceed() {
    switch path.top {
    case nil: advance.advance(name.check, address.check) { .login }
    case .login: advance.advance(login.check) { .review }
    case .review: break
    }
    if let step = advance.request {
      path.push(step)
      advance.cancel()
      arrive()
    }
    submission.advance(name.check, address.check, login.check) {
      Account(name: name.value, address: address.value, login: login.value)
    }
  }

  private mutating func arrive() {
    let fields = Self.fields(of: path.top)
    focus = FormFocus(fields, on: fields.first)
  }

  fileprivate mutating func touch(_ field: WizardBlueprint.FieldName?) {
    switch field {
    case .name: name.touch()
    case .address: address.touch()
    case .login: login.touch()
    case nil: break
    }
  }
}
