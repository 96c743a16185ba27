internal import AccessModel
internal import Synchronization

/// The children that ask for the subjects of one watch, and end with it.
final class AskingChildren: Sendable {
  private let children = Mutex<[CheckerCredentials: AskingChild]>([:])

  /// Of more subjects each look starts a child, as one of many paths does.
  private static let most = 8
  static let mostPaths = 32

  /// What `faccessat2` answers to a subject, success or an error, for each path and each of its
  /// permissions.
  ///
  /// - Throws: As ``CheckerCredentials/ask(_:)``.
  func ask(
    _ questions: [KernelQuestion], as identity: CheckerCredentials
  ) throws(Errno) -> [Errno] {
    guard questions.count <= Self.mostPaths, let child = child(for: identity) else {
      return try identity.ask(questions)
    }
    do throws(Errno) {
      return try child.ask(questions)
    } catch {
      // What it answers late must not be taken for the answer to another question.
      forget(identity)
      return try identity.ask(questions)
    }
  }

  /// Their process IDs.
  var processes: [Int32] { children.withLock { $0.values.map(\.process) } }

  /// Ends all of them.
  func forget() {
    // They end outside of the lock.
    let ended = children.withLock { children in
      defer { children = [:] }
      return children
    }
    _ = ended
  }

  private func forget(_ identity: CheckerCredentials) {
    let ended = children.withLock { $0.removeValue(forKey: identity) }
    _ = ended
  }

  private func child(for identity: CheckerCredentials) -> AskingChild? {
    let (known, count) = children.withLock { ($0[identity], $0.count) }
    if let known, !known.isTooOld() { return known }
    guard known != nil || count < Self.most, let child = try? AskingChild(identity) else {
      return nil
    }
    let ended = children.withLock { $0.updateValue(child, forKey: identity) }
    _ = ended
    return child
  }
}
