internal import AccessModel
internal import LinuxDevices
internal import Synchronization

/// Shows a notification when a program starts or stops using a device.
///
/// What is told of one program and device takes the place of what was told before, on the screen and
/// among those that wait for a slow service: a program that opens a device again and again fills no
/// screen, and the latest that is shown of it is true.
final class UseNotifier: Sendable {
  private struct State {
    var waiting: [DesktopNotification] = []
    /// How many were left out since that was last reported.
    var leftOut = 0
  }

  /// More programs than anybody reads of; of more, the oldest are left out.
  private static let mostWaiting = 256

  private let streams: StandardStreams
  private let state = Mutex(State())
  private let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  init(_ streams: StandardStreams) {
    self.streams = streams
    (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  func add(_ notifications: [DesktopNotification]) {
    guard !notifications.isEmpty else { return }
    state.withLock { state in
      for notification in notifications {
        state.waiting.removeAll { $0.subject == notification.subject }
        state.waiting.append(notification)
      }
      let surplus = max(state.waiting.count - Self.mostWaiting, 0)
      state.waiting.removeFirst(surplus)
      state.leftOut += surplus
    }
    signal.yield()
  }

  /// What is to be shown next; how many were left out before.
  func next() -> (notification: DesktopNotification, leftOut: Int)? {
    state.withLock { state in
      guard !state.waiting.isEmpty else { return nil }
      defer { state.leftOut = 0 }
      return (state.waiting.removeFirst(), state.leftOut)
    }
  }

  /// Shows one after the other until the task is cancelled.
  func run() async {
    var failure: Errno?
    do throws(Errno) {
      try await DesktopNotification.findService()
    } catch {
      guard !Task.isCancelled else { return }
      report(error)
      failure = error
    }
    var shown = ShownNotifications()
    for await _ in signals {
      while let (notification, leftOut) = next() {
        if leftOut > 0 {
          streams.report(
            "\(leftOut) \(leftOut == 1 ? "notification was" : "notifications were") left out: "
              + "the service is too slow")
        }
        do throws(Errno) {
          let subject = notification.subject
          shown.add(
            try await notification.show(replacing: shown.place(for: subject)), of: subject)
          failure = nil
        } catch {
          // Given up at the end, which is no failure.
          guard !Task.isCancelled else { return }
          if error != failure { report(error) }
          failure = error
        }
      }
    }
  }

  private func report(_ error: Errno) {
    streams.report("cannot show a notification: \(Self.words(error))")
  }

  private static func words(_ error: Errno) -> String {
    switch error {
    case .noSuchAddress, .noHostRoute: "no service for notifications runs"
    case .noSuchFile, .connectionRefused, .noMedium: "there is no session bus"
    case .timedOut: "the service does not answer"
    default: error.clause
    }
  }
}
