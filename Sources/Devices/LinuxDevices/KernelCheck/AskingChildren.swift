internal import AccessModel
internal import Synchronization

/// The child processes of one watch, which ask the kernel for its subjects.
final class AskingChildren: Sendable {
  private let children = Mutex<[CheckerCredentials: AskingChild]>([:])

  /// The maximum number of children.
  ///
  /// For further subjects, and for more than `mostPaths` paths, each check starts its own child.
  private static let most = 8
  static let mostPaths = 32

  /// Asks the kernel on behalf of a subject, and returns a result for each path and permission.
  ///
  /// A result is what `faccessat2` returned: success or an error.
  ///
  /// - Throws: The errors of ``CheckerCredentials/ask(_:)``.
  func ask(
    _ questions: [KernelQuestion], as identity: CheckerCredentials
  ) throws(Errno) -> [Errno] {
    guard questions.count <= Self.mostPaths, let child = child(for: identity) else {
      return try identity.ask(questions)
    }
    do throws(Errno) {
      return try child.ask(questions)
    } catch {
      // A late response must not be mistaken for the answer to a later question.
      forget(identity)
      return try identity.ask(questions)
    }
  }

  /// The process IDs of the children.
  var processes: [Int32] { children.withLock { $0.values.map(\.process) } }

  /// Ends all children.
  func forget() {
    // The children are released outside of the lock.
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
