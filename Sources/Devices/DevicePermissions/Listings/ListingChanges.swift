internal import AccessModel
public import LinuxDevices

/// An asynchronous sequence of the current devices of a kind with the access to each, and then of
/// each changed list.
///
/// As for ``AnswerChanges``, events trigger observations, and while the consumer is busy, any
/// number of events cause one further observation. The latest list is therefore complete, even if
/// events were lost.
///
/// Watching stops when the iterating task is cancelled or the iterator is destroyed.
public struct ListingChanges: AsyncSequence, Sendable {
  public typealias Element = ListingChange
  public typealias Failure = DeviceError

  let kind: DeviceKind
  let changes: FactsChanges

  public func makeAsyncIterator() -> Iterator {
    Iterator(kind: kind, looks: changes.makeAsyncIterator())
  }

  /// The iterator of the sequence.
  public struct Iterator: AsyncIteratorProtocol {
    private let kind: DeviceKind
    private var looks: FactsChanges.Iterator
    private var last: (listings: [DeviceListing], gaps: [Unobserved])?

    init(kind: DeviceKind, looks: FactsChanges.Iterator) {
      self.kind = kind
      self.looks = looks
    }

    /// Waits for a list that differs from the previous one.
    ///
    /// The first element is the current list.
    ///
    /// - Throws: The errors of ``DeviceService/list(_:for:variation:)``, after which the sequence
    ///   ends. If descriptors, memory or a source of facts are missing in an observation after the
    ///   first one, the sequence tries again, and throws the error only after ten attempts and ten
    ///   intervals.
    /// - Returns: The list; `nil` if the time limit has passed or the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DeviceError) -> ListingChange? {
      while let look = try await looks.next(isolation: actor) {
        guard let facts = look.facts[0] else { continue }
        let listings = try listings(facts)
        if let last, last == (listings, look.gaps) { continue }
        let before = last
        last = (listings, look.gaps)
        return ListingChange(listings, since: before?.listings, gaps: look.gaps)
      }
      return nil
    }

    private mutating func listings(_ facts: AccessFacts) throws(DeviceError) -> [DeviceListing] {
      do throws(DeviceError) {
        return try facts.listings(of: kind)
      } catch {
        looks.end()
        throw error
      }
    }
  }
}
