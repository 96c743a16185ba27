internal import AccessModel
internal import LegoKit
internal import TerminalScreen

/// The store of `devaccess top`: what is known of the devices, and what of it is looked at.
struct TopBlueprint: Blueprint {
  enum Change: Equatable, Sendable {
    case key(Key)
    case resized(ScreenSize)
    /// What one look at all devices saw.
    case looked(TopLook)
    /// Nothing can be seen of the devices any more.
    case lookFailed(CommandFailure)
    /// Who uses the devices, and what is not told by events of that.
    case foundUsers(UseFacts, gaps: [Unobserved])
    case usersFailed(CommandFailure)
    /// What the row whose details are shown depends on.
    case observed(Question, AccessFacts)
    case observationFailed(Question, CommandFailure)
  }

  func change(_ design: inout TopDesign, on change: Change) {
    switch change {
    case .key(let key): design.take(key)
    case .resized(let size): design.resize(to: size)
    case .looked(let look): design.take(look)
    case .lookFailed(let failure): design.failure = failure
    case .foundUsers(let use, let gaps): design.take(use, gaps: gaps)
    case .usersFailed(let failure): design.usersFailure = failure
    case .observed(let question, let facts): design.take(facts, for: question)
    case .observationFailed(let question, let failure):
      design.changeDetail(of: question) { $0.failure = failure.message }
    }
  }
}
