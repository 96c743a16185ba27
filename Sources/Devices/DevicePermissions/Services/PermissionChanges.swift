public import AccessModel
internal import DeviceWatching
public import LinuxDevices
internal import Synchronization

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

  let scans: FactsScans
  let reports: DeviceReports

  public func makeAsyncIterator() -> Iterator {
    Iterator(scans: scans.makeAsyncIterator(), reports: reports)
  }

  /// The iterator of the sequence.
  public struct Iterator: AsyncIteratorProtocol {
    private var scans: FactsScans.Iterator
    private var camera: RecentReports
    private var album = RecentAnswers()
    private var microphone: RecentReports
    private var last: Element?
    private let portal: (any CameraPortal)?
    /// Triggers another observation when the stored answer of the portal changes.
    private var storedAnswer: PortalAnswerWatch?

    init(scans: FactsScans.Iterator, reports: DeviceReports) {
      self.scans = scans
      portal = reports.portal
      camera = RecentReports(reports)
      microphone = RecentReports(reports)
    }

    /// Waits for a state that differs from the previous one.
    ///
    /// The first element is the current state.
    ///
    /// - Throws: `unavailable` if nothing can be observed, `exhausted` if descriptors or permission are
    ///   missing, after which the sequence ends. If an observation after the first one fails, the
    ///   sequence tries again for ten seconds, and the gaps report the failure.
    /// - Returns: The state; `nil` if the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DeviceError) -> Element? {
      var isLast = true
      // Stop following even if this iterator still exists.
      defer { if isLast { storedAnswer = nil } }
      let element = try await scanNext(isolation: actor)
      isLast = element == nil
      return element
    }

    private mutating func scanNext(
      isolation actor: isolated (any Actor)?
    ) async throws(DeviceError) -> Element? {
      while let scan = try await scans.next(isolation: actor) {
        if let facts = scan.facts[0] {
          await camera.take(facts)
          followStoredAnswer(facts.confinement)
        }
        if let facts = scan.facts[1] { album.take(facts) }
        if let facts = scan.facts[2] { await microphone.take(facts) }
        guard let camera = camera.latest, let album = album.latest,
          let microphone = microphone.latest
        else { continue }
        let element = Element(
          camera: camera, album: PermissionReport(album), microphone: microphone, gaps: scan.gaps)
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
      guard storedAnswer?.isOver ?? true, let scanAgain = scans.scanAgain,
        let application = PortalApplication.identifier(of: confinement)
      else { return }
      storedAnswer = PortalAnswerWatch(portal, of: application, scanAgain)
    }
  }
}

/// The latest report about the camera or the microphone.
///
/// The portal and the broker are queried only when the facts of this device are observed, not when
/// those of another kind are, because a query can take milliseconds. The results of requests apply
/// at once.
struct RecentReports {
  private let reports: DeviceReports
  private var answers = RecentAnswers()
  /// The report of the last observation, without the results of requests.
  private var now: PermissionReport?

  init(_ reports: DeviceReports) { self.reports = reports }

  var latest: PermissionReport? {
    guard let now, let explanation = answers.latest else { return nil }
    return reports.known(now, explanation)
  }

  /// A Boolean value that indicates whether the answer of the portal can change the latest report.
  var asksPortal: Bool { answers.latest.map(reports.asksPortal) ?? false }

  mutating func take(_ facts: AccessFacts) async {
    answers.take(facts)
    guard let explanation = answers.latest else { return }
    now = await reports.nowElsewhere(facts.confinement, explanation)
  }
}

/// Follows the stored answer of a camera portal until this object is destroyed.
final class PortalAnswerWatch: Sendable {
  private let task: Task<Void, Never>
  private let end: End

  private final class End: Sendable {
    let isReached = Atomic(false)
  }

  /// Starts to follow the answer, without starting a service.
  ///
  /// - Parameters:
  ///   - portal: The portal.
  ///   - application: The identifier of the application whose answer is followed.
  ///   - tell: Called when following has begun, after each change, and when the answer can no
  ///     longer be followed, because the last one may then be outdated.
  init(_ portal: any CameraPortal, of application: String, _ tell: @escaping @Sendable () -> Void) {
    let end = End()
    self.end = end
    task = Task(name: "stored answer") {
      var isFollowed = false
      for await _ in portal.permissions(of: application) {
        isFollowed = true
        tell()
      }
      end.isReached.store(true, ordering: .releasing)
      if isFollowed, !Task.isCancelled { tell() }
    }
  }

  deinit { task.cancel() }

  /// A Boolean value that indicates whether the answer is no longer followed, for example because
  /// the message bus has exited.
  var isOver: Bool { end.isReached.load(ordering: .acquiring) }
}
