public import AccessModel
public import LinuxDevices

/// The facts behind an answer, as long as somebody asks for them.
public struct FactsObservations: AsyncSequence, Sendable {
  public typealias Element = AccessFacts
  public typealias Failure = DeviceError

  let changes: FactsChanges

  public func makeAsyncIterator() -> Iterator { Iterator(looks: changes.makeAsyncIterator()) }

  /// Takes facts one at a time.
  public struct Iterator: AsyncIteratorProtocol {
    var looks: FactsChanges.Iterator
    private var last: AccessFacts?

    init(looks: FactsChanges.Iterator) { self.looks = looks }

    /// Waits for facts that differ from those before.
    ///
    /// - Throws: What ``DeviceService/facts(for:)`` throws.
    /// - Returns: The facts; `nil` once the time is up or the task cancelled.
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
