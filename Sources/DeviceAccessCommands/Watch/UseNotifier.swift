internal import AccessModel
internal import LinuxDevices

/// Shows a notification when a program starts or stops using a device.
struct UseNotifier: Sendable {
  /// More notifications than anybody reads; of more, the oldest are left out.
  private static let mostWaiting = 32

  private let streams: StandardStreams
  private let notifications: AsyncStream<DesktopNotification>
  private let continuation: AsyncStream<DesktopNotification>.Continuation

  init(_ streams: StandardStreams) {
    self.streams = streams
    (notifications, continuation) = AsyncStream.makeStream(
      of: DesktopNotification.self, bufferingPolicy: .bufferingNewest(Self.mostWaiting))
  }

  func add(_ notifications: [DesktopNotification]) {
    for notification in notifications { continuation.yield(notification) }
  }

  /// Shows one after the other until the task is cancelled.
  func run() async {
    var failure: Errno?
    for await notification in notifications {
      do {
        try await notification.show()
        failure = nil
      } catch {
        // Given up at the end, which is no failure.
        guard !Task.isCancelled else { return }
        if error != failure { streams.report("cannot show a notification: \(Self.words(error))") }
        failure = error
      }
    }
  }

  private static func words(_ error: Errno) -> String {
    switch error {
    case .noSuchAddress, .noHostRoute: "no service for notifications runs"
    case .noSuchFile, .connectionRefused, .noMedium: "there is no session bus"
    default: error.clause
    }
  }
}
