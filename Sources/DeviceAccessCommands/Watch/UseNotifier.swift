internal import AccessModel
internal import DevicePermissions
internal import LinuxDevices
internal import Synchronization

/// Shows a notification when a program starts or stops using a device.
///
/// What is told of one program and device takes the place of what was told before, on the screen and
/// among those that wait for a slow service: a program that opens a device again and again fills no
/// screen, and the latest that is shown of it is true.
final class UseNotifier: Sendable {
  /// Where there is no bus, which nothing tells of.
  private static let longestPause = Duration.seconds(60)

  private let streams: StandardStreams
  private let state = Mutex(NotificationState())
  private let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  init(_ streams: StandardStreams) {
    self.streams = streams
    (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Has what changed shown.
  func take(_ change: UseChange) {
    let isMore = state.withLock { state in
      state.take(change)
      return !state.queue.isEmpty
    }
    if isMore { signal.yield() }
  }

  private func tell(_ service: DesktopNotification.Service) {
    state.withLock { $0.tell(service) }
    signal.yield()
  }

  /// Shows one after the other until the task is cancelled.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.followServices() }
      await show()
      group.cancelAll()
    }
  }

  /// Has a service that comes later, or again, told what is in use.
  private func followServices() async {
    var pause = Duration.seconds(1)
    while !Task.isCancelled {
      let start = ContinuousClock.now
      try? await DesktopNotification.followServices { [weak self] in self?.tell($0) }
      // There is no bus, or it was started again.
      if start.duration(to: .now) > pause { pause = .seconds(1) }
      await Pause.wait(until: .now.advanced(by: pause))
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
    var shown = ShownNotifications()
    for await _ in signals {
      while let (notification, leftOut) = state.withLock({ $0.next() }) {
        if leftOut > 0 {
          streams.report(
            "\(leftOut) \(leftOut == 1 ? "notification was" : "notifications were") left out: "
              + "the service is too slow")
        }
        do throws(NotificationFailure) {
          let subject = notification.subject
          let latest = try await notification.show(replacing: shown.place(for: subject))
          shown.add(latest, of: subject)
          state.withLock { $0.note(shownBy: latest.service) }
          failure = nil
        } catch {
          // Given up at the end, which is no failure.
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
    case .noSuchAddress, .noHostRoute: "no service for notifications runs"
    case .noSuchFile, .connectionRefused, .noMedium: "there is no session bus"
    case .timedOut: "the service does not answer"
    default: error.errno.clause
    }
  }
}
