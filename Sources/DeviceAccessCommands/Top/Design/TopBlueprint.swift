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
    case foundUsers(UseFacts)
    case usersFailed(CommandFailure)
    /// The explanation of the row whose details are shown.
    case explained(Question, ExplainedFacts)
    case explanationFailed(Question, CommandFailure)
  }

  func change(_ design: inout TopDesign, on change: Change) {
    switch change {
    case .key(let key): design.take(key)
    case .resized(let size): design.resize(to: size)
    case .looked(let look): design.take(look)
    case .lookFailed(let failure): design.failure = failure
    case .foundUsers(let use):
      design.usersFailure = nil
      design.use = use
      design.tabulate()
    case .usersFailed(let failure):
      design.usersFailure = failure
    case .explained(let question, let answer):
      design.changeDetail(of: question) { detail in
        detail.answer = answer
        detail.failure = nil
      }
    case .explanationFailed(let question, let failure):
      design.changeDetail(of: question) { $0.failure = failure.message }
    }
  }
}
