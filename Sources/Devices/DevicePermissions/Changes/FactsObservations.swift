public import AccessModel
public import LinuxDevices

/// An asynchronous sequence of the facts behind an answer, first the current ones and then each
/// change.
///
/// Watching stops when the iterating task is cancelled or the iterator is destroyed.
public struct FactsObservations: AsyncSequence, Sendable {
  public typealias Element = AccessFacts
  public typealias Failure = DeviceError

  let changes: FactsChanges

  public func makeAsyncIterator() -> Iterator { Iterator(looks: changes.makeAsyncIterator()) }

  /// The iterator of the sequence.
  public struct Iterator: AsyncIteratorProtocol {
    var looks: FactsChanges.Iterator
    private var last: AccessFacts?

    init(looks: FactsChanges.Iterator) { self.looks = looks }

    /// Waits for facts that differ from the previous ones.
    ///
    /// - Throws: The errors of ``DeviceService/facts(for:)``, after which the sequence ends. A
    ///   temporary failure after the first observation is thrown only if it persists.
    /// - Returns: The facts; `nil` if the time limit has passed or the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DeviceError) -> AccessFacts? {
      while let look = try await looks.next(isolation: actor) {
        guard let facts = look.facts[0], facts != last else { continue }
        last = facts
        return facts
      }
      return nil
    }
  }
}
