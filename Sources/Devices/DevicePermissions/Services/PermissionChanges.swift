public import AccessModel
public import LinuxDevices

/// An asynchronous sequence of the current camera, album and microphone permissions, and then of
/// each change to them.
public struct PermissionChanges: AsyncSequence, Sendable {
  public typealias Failure = DeviceError

  /// The permissions at one time.
  public struct Element: Hashable, Sendable {
    /// Everything known about the camera.
    public var camera: PermissionReport
    /// Everything known about the album.
    public var album: PermissionReport
    /// Everything known about the microphone.
    public var microphone: PermissionReport
    /// The objects that send no events and are polled once a second, or the reason why observations
    /// fail.
    public var gaps: [Unobserved] = []
  }

  let looks: FactsChanges
  let deviceLooks: DeviceLooks

  public func makeAsyncIterator() -> Iterator {
    Iterator(looks: looks.makeAsyncIterator(), deviceLooks: deviceLooks)
  }

  /// The iterator of the sequence.
  public struct Iterator: AsyncIteratorProtocol {
    private var looks: FactsChanges.Iterator
    private var camera: RecentReports
    private var album = RecentAnswers()
    private var microphone: RecentReports
    private var last: Element?
    private let portal: (any CameraPortal)?
    /// Triggers another observation when the stored answer of the portal changes.
    private var storedAnswer: PortalFollow?

    init(looks: FactsChanges.Iterator, deviceLooks: DeviceLooks) {
      self.looks = looks
      portal = deviceLooks.portal
      camera = RecentReports(deviceLooks)
      microphone = RecentReports(deviceLooks)
    }

    /// Waits for a state that differs from the previous one.
    ///
    /// The first element is the current state.
    ///
    /// - Throws: `unavailable` if nothing can be observed, `exhausted` if descriptors or memory are
    ///   missing, after which the sequence ends. If an observation after the first one fails, the
    ///   sequence tries again for ten seconds, and the gaps report the failure.
    /// - Returns: The state; `nil` if the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DeviceError) -> Element? {
      var isLast = true
      // Stop following even if this iterator still exists.
      defer { if isLast { storedAnswer = nil } }
      let element = try await lookNext(isolation: actor)
      isLast = element == nil
      return element
    }

    private mutating func lookNext(
      isolation actor: isolated (any Actor)?
    ) async throws(DeviceError) -> Element? {
      while let look = try await looks.next(isolation: actor) {
        if let facts = look.facts[0] {
          await camera.take(facts)
          followStoredAnswer(facts.confinement)
        }
        if let facts = look.facts[1] { album.take(facts) }
        if let facts = look.facts[2] { await microphone.take(facts) }
        guard let camera = camera.latest, let album = album.latest,
          let microphone = microphone.latest
        else { continue }
        let element = Element(
          camera: camera, album: PermissionReport(album), microphone: microphone, gaps: look.gaps)
        guard element != last else { continue }
        last = element
        return element
      }
      return nil
    }

    /// Follows the stored answer of the portal while it can change the report.
    private mutating func followStoredAnswer(_ confinement: ConfinementFacts) {
      guard camera.asksPortal, let portal else {
        storedAnswer = nil
        return
      }
      // If the message bus is not available, the next observation tries again.
      guard storedAnswer?.isOver ?? true, let lookAgain = looks.lookAgain,
        let application = PortalApplication.identifier(of: confinement)
      else { return }
      storedAnswer = PortalFollow(portal, of: application, lookAgain)
    }
  }
}
