import LegoKit

/// A form with a field that a rule checks, one that a service is asked about too, and a focus.
struct SignUp: Blueprint {
  enum Name: Hashable { case name, email }
  enum Issue: Equatable, Sendable { case missing, taken }
  struct Account: Equatable, Sendable { let name: String, email: String }

  struct Design: Equatable, Sendable {
    var name = FormField<String, Issue>("")
    var email = FormField<String, Issue>("")
    var focus = FormFocus<Name>([.name, .email])
    var submission = Submission<Account, String>.idle
  }

  enum Change: Equatable, Sendable, PayloadReadable {
    case name(FieldRules<String, Issue>.Change)
    case email(FieldRules<String, Issue>.Change)
    case tab
    case submit
    case finish(String?)
    case giveUp

    var payload: Any? {
      switch self {
      case .name(let change): change
      case .email(let change): change
      case .tab, .submit, .finish, .giveUp: nil
      }
    }
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .name, .email: break
    case .tab:
      switch design.focus.next() {
      case .name: design.name.touch()
      case .email: design.email.touch()
      case nil: break
      }
    case .submit:
      design.name.touch()
      design.email.touch()
      design.submission.submit()
    case .finish(let failure): design.submission.finish(failure)
    case .giveUp: design.submission.cancel()
    }
    design.submission.advance(design.name.check, design.email.check) {
      Account(name: design.name.value, email: design.email.value)
    }
  }

  /// Sends the request of a valid form.
  final class Sender: Adaptor<SignUp> {
    private let send: @Sendable (Account) async -> String?

    init(_ send: @escaping @Sendable (Account) async -> String?) {
      self.send = send
    }

    override var follows: [Follow<SignUp>] {
      [
        Follow(\.submission.request) { [send] account in
          guard let account else { return .none }
          return .run { changes in changes(.finish(await send(account))) }
        }
      ]
    }
  }

  static func feature(
    send: @escaping @Sendable (Account) async -> String? = { _ in nil }
  ) -> Feature<SignUp> {
    Feature(SignUp(), adaptors: [Sender(send)])
      .part(\.name, .case(Change.name), .field { $0.isEmpty ? .missing : nil })
      .part(
        \.email, .case(Change.email),
        .field(
          issue: { $0.isEmpty ? .missing : nil }, after: .seconds(1), ask: { _ in nil }))
  }
}
