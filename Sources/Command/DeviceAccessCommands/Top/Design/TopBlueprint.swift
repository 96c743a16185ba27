internal import AccessModel
internal import LegoKit
internal import TerminalScreen

/// The store of `devaccess top`, which holds the observed devices and the state of the screen.
struct TopBlueprint: Blueprint {
  enum Change: Equatable, Sendable {
    case key(Key)
    case resized(ScreenSize)
    /// A scan of all devices has finished.
    case looked(TopScan)
    /// The devices can no longer be observed.
    case lookFailed(CommandFailure)
    /// The users of the devices were found; `gaps` are the facts whose changes no event reports.
    case foundUsers(UseFacts, gaps: [Unobserved])
    case usersFailed(CommandFailure)
    /// The facts for the row whose details are shown were observed.
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
