internal import AccessModel
internal import DevicePermissions
internal import LinuxDevices
internal import Synchronization

/// Shows a notification when a program starts or stops using a device.
///
/// A newer notification about a program and device replaces the older one, both on the screen and
/// in the queue of a slow service. A program that opens a device repeatedly therefore does not fill
/// the screen.
final class UseNotifier: Sendable {
  /// The maximum pause between attempts to connect; no event reports a new bus.
  private static let longestPause = Duration.seconds(60)

  private let streams: StandardStreams
  private let state = Mutex(NotificationState())
  private let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation
  private let shown = Mutex(ShownNotifications())
  /// The pause until the latest change is handled again.
  private let pause = Mutex<OneShotTimer?>(nil)

  init(_ streams: StandardStreams) {
    self.streams = streams
    (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Shows notifications for a change.
  func take(_ change: UseChange) { update { $0.take(change) } }

  private func update(_ body: (inout NotificationState) -> ContinuousClock.Instant?) {
    let (isMore, due) = state.withLock { state in
      let due = body(&state)
      return (!state.queue.isEmpty, due)
    }
    if isMore { signal.yield() }
    guard let due else { return }
    let next = OneShotTimer(until: due) { [weak self] in self?.update { $0.takeAgain() } }
    // End the previous pause outside the lock.
    let before = pause.withLock { pause in
      defer { pause = next }
      return pause
    }
    _ = before
  }

  /// Closes the notifications about current uses, because their end will not be reported.
  ///
  /// It takes at most about one second.
  func takeBack() async {
    let start = ContinuousClock.now
    for notification in shown.withLock({ $0.current }) {
      guard start.duration(to: .now) < .milliseconds(500), await notification.close() else {
        return
      }
    }
  }

  private func tell(_ service: DesktopNotification.Service) {
    state.withLock { $0.tell(service) }
    signal.yield()
  }

  /// Shows the notifications one after another until the task is cancelled.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.followServices() }
      await show()
      group.cancelAll()
    }
  }

  /// Shows the current uses to a notification service that starts later or is restarted.
  private func followServices() async {
    var pause = Duration.seconds(1)
    while !Task.isCancelled {
      let start = ContinuousClock.now
      try? await DesktopNotification.followServices { [weak self] in self?.tell($0) }
      // The bus is not running, or it was restarted.
      if start.duration(to: .now) > pause { pause = .seconds(1) }
      await OneShotTimer.wait(until: .now.advanced(by: pause))
      pause = min(pause * 2, Self.longestPause)
    }
  }

  private func show() async {
    var failure: NotificationFailure?
    do throws(NotificationFailure) {
      try await DesktopNotification.findService()
    } catch {
      guard !Task.isCancelled else { return }
      report(error)
      failure = error
    }
    for await _ in signals {
      while let (notification, leftOut) = state.withLock({ $0.next() }) {
        if leftOut > 0 {
          streams.report(
            "\(leftOut) \(leftOut == 1 ? "notification was" : "notifications were") left out: "
              + "the service is too slow")
        }
        do throws(NotificationFailure) {
          let subject = notification.subject
          let place = shown.withLock { $0.place(for: subject) }
          let latest = try await notification.show(replacing: place)
          shown.withLock { $0.add(latest, for: notification) }
          state.withLock { $0.note(shownBy: latest.service) }
          failure = nil
        } catch {
          // Cancellation at the end is not a failure.
          guard !Task.isCancelled else { return }
          if error.isOfAbsence { state.withLock { $0.noteAbsence() } }
          if error != failure { report(error) }
          failure = error
        }
      }
    }
  }

  private func report(_ error: NotificationFailure) {
    streams.report("cannot show a notification: \(Self.words(error))")
  }

  private static func words(_ error: NotificationFailure) -> String {
    if let answer = error.answer {
      return "the service refused: \(Escaped(answer, limit: 256))"
    }
    return switch error.errno {
    case .noSuchAddress, .noHostRoute: "no notification service is running"
    case .noSuchFile, .connectionRefused, .noMedium: "there is no session bus"
    case .timedOut: "the service does not answer"
    default: error.errno.clause
    }
  }
}

/// The notifications that wait for the service, with only the latest of each subject.
struct NotificationQueue: Sendable {
  /// The maximum number of waiting notifications; the oldest are dropped first.
  private static let most = 256

  private var waiting: [DesktopNotification] = []
  /// The number of notifications dropped since the last call to ``next()``.
  private var leftOut = 0

  /// A Boolean value that indicates whether no notification waits.
  var isEmpty: Bool { waiting.isEmpty }

  /// Adds notifications, which replace waiting ones with the same subject.
  mutating func add(_ notifications: [DesktopNotification]) {
    for notification in notifications {
      waiting.removeAll { $0.subject == notification.subject }
      waiting.append(notification)
      guard waiting.count > Self.most else { continue }
      waiting.removeFirst()
      leftOut += 1
    }
  }

  /// Removes and returns the next notification, along with the number of notifications dropped
  /// before it.
  mutating func next() -> (notification: DesktopNotification, leftOut: Int)? {
    guard !waiting.isEmpty else { return nil }
    defer { leftOut = 0 }
    return (waiting.removeFirst(), leftOut)
  }
}

/// The notifications to show, and the service that has shown the current uses.
struct NotificationState: Sendable {
  private var notifications = UseNotifications()
  private(set) var queue = NotificationQueue()
  /// The service that has shown all current uses; `nil` if none has.
  private var service: DesktopNotification.Service?
  /// A Boolean value that indicates whether a notification was lost because no service was running.
  private var isBehind = false
  /// The latest change, without its events.
  private var latest: UseChange?

  /// Queues the notifications for a change.
  ///
  /// - Returns: The time at which to call ``takeAgain()``; `nil` for never.
  mutating func take(_ change: UseChange) -> ContinuousClock.Instant? {
    queue.add(notifications.take(change))
    latest = change
    latest?.events = []
    return notifications.due
  }

  /// Queues the notifications for uses that have now lasted long enough.
  ///
  /// - Returns: The time at which to call this method again; `nil` for never.
  mutating func takeAgain() -> ContinuousClock.Instant? { latest.flatMap { take($0) } }

  /// Removes and returns the next notification, along with the number of notifications dropped
  /// before it.
  mutating func next() -> (notification: DesktopNotification, leftOut: Int)? { queue.next() }

  /// Queues notifications about all current uses if a new service has not shown them.
  mutating func tell(_ other: DesktopNotification.Service) {
    guard other != service, service != nil || isBehind else { return }
    queue.add(notifications.current)
    (service, isBehind) = (other, false)
  }

  /// Records the service that showed a notification.
  mutating func note(shownBy other: DesktopNotification.Service) {
    tell(other)
    service = other
  }

  /// Records that no notification service is running.
  mutating func noteAbsence() { (service, isBehind) = (nil, true) }
}

/// The notifications of this program that are on the screen.
struct ShownNotifications {
  /// A notification on the screen.
  struct Entry {
    var subject: String
    var shown: DesktopNotification.Shown
    /// A Boolean value that indicates whether the reported use has ended.
    var isOver: Bool
  }

  /// The maximum number of notifications on the screen.
  ///
  /// The limit matters because a program can change its name each time it opens a device.
  static let most = 8

  /// The notifications, oldest first.
  private(set) var all: [Entry] = []

  /// Returns the notification that a new one about a subject replaces; `nil` if it replaces none.
  ///
  /// A new notification replaces the one with the same subject. If the maximum number is on the
  /// screen, it replaces the oldest one whose use has ended, or else the oldest one.
  func place(for subject: String) -> DesktopNotification.Shown? {
    index(for: subject).map { all[$0].shown }
  }

  /// Records a notification that replaced the one in ``place(for:)``.
  mutating func add(_ shown: DesktopNotification.Shown, for notification: DesktopNotification) {
    if let index = index(for: notification.subject) { all.remove(at: index) }
    all.append(
      Entry(subject: notification.subject, shown: shown, isOver: notification.isOver))
  }

  /// The notifications about uses that have not ended.
  var current: [DesktopNotification.Shown] { all.filter { !$0.isOver }.map(\.shown) }

  private func index(for subject: String) -> Int? {
    if let index = all.firstIndex(where: { $0.subject == subject }) { return index }
    guard all.count >= Self.most else { return nil }
    return all.firstIndex(where: \.isOver) ?? 0
  }
}
