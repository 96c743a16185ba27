internal import AccessModel
public import LinuxDevices

/// The devices of a kind with the access to each: as they are now, and from then on each other list.
///
/// Events say when to look again, as they do for ``AnswerChanges``, and while the consumer is busy any
/// number of them make one further look: no device that is there in the end is missed, however many
/// events were lost.
///
/// Everything ends when the iterating task is cancelled, and when the iterator goes away.
public struct ListingChanges: AsyncSequence, Sendable {
  public typealias Element = ListingChange
  public typealias Failure = DeviceError

  let kind: DeviceKind
  let changes: FactsChanges

  public func makeAsyncIterator() -> Iterator {
    Iterator(kind: kind, looks: changes.makeAsyncIterator())
  }

  /// Takes lists one at a time.
  public struct Iterator: AsyncIteratorProtocol {
    private let kind: DeviceKind
    private var looks: FactsChanges.Iterator
    private var last: (listings: [DeviceListing], gaps: [Unobserved])?

    init(kind: DeviceKind, looks: FactsChanges.Iterator) {
      self.kind = kind
      self.looks = looks
    }

    /// Waits for a list that differs from the one before.
    ///
    /// - Throws: What ``DeviceService/list(_:for:variation:)`` throws; then it is over. A look
    ///   after others that fails for want of descriptors, memory or a source of facts is tried again, for
    ///   ten intervals.
    /// - Returns: The list; `nil` once the time is up or the task cancelled.
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
