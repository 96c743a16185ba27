public import AccessModel
public import LinuxDevices

/// The state of the camera, album and microphone permissions, as long as somebody asks for it.
public struct PermissionChanges: AsyncSequence, Sendable {
  public typealias Failure = DeviceError

  /// All permissions at one time.
  public struct Element: Hashable, Sendable {
    /// Everything known about the camera.
    public var camera: PermissionReport
    /// Everything known about the album.
    public var album: PermissionReport
    /// Everything known about the microphone.
    public var microphone: PermissionReport
    /// What is not told by events, and so is looked at once a second; while looks fail, why.
    public var gaps: [Unobserved] = []
  }

  let looks: FactsChanges
  let deviceLooks: DeviceLooks

  public func makeAsyncIterator() -> Iterator {
    Iterator(looks: looks.makeAsyncIterator(), deviceLooks: deviceLooks)
  }

  /// Takes states one at a time.
  public struct Iterator: AsyncIteratorProtocol {
    private var looks: FactsChanges.Iterator
    private var camera: RecentReports
    private var album = RecentAnswers()
    private var microphone: RecentReports
    private var last: Element?
    private let portal: (any CameraPortal)?
    /// What has the camera looked at again when the stored answer of the portal has become another.
    private var storedAnswer: PortalFollow?

    init(looks: FactsChanges.Iterator, deviceLooks: DeviceLooks) {
      self.looks = looks
      portal = deviceLooks.portal
      camera = RecentReports(deviceLooks)
      microphone = RecentReports(deviceLooks)
    }

    /// Waits for a state that differs from the one before.
    ///
    /// - Throws: `unavailable` when nothing can be observed, `exhausted` without descriptors; then it is
    ///   over. A look that fails after others is tried again, for ten seconds, and the gaps say so.
    /// - Returns: The state; `nil` once the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DeviceError) -> Element? {
      var isLast = true
      // Ended also where somebody keeps this iterator.
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

    /// Follows the stored answer of the portal for as long as it makes a difference.
    private mutating func followStoredAnswer(_ confinement: ConfinementFacts) {
      guard camera.asksPortal, let portal else {
        storedAnswer = nil
        return
      }
      // Where the message bus is not there, the next look tries it again.
      guard storedAnswer?.isOver ?? true, let lookAgain = looks.lookAgain,
        let application = PortalApplication.identifier(of: confinement)
      else { return }
      storedAnswer = PortalFollow(portal, of: application, lookAgain)
    }
  }
}
