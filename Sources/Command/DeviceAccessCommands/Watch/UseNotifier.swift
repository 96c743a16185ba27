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
