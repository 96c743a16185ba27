package import AccessModel
internal import MessageBus

/// The reason why a notification could not be displayed.
package struct NotificationFailure: Error, Hashable, Sendable {
  /// The underlying error.
  ///
  /// The value is `ENXIO` or `EHOSTUNREACH` if no service is running, `ETIMEDOUT` if the service
  /// does not reply in time, `ELIBACC` if libsystemd is missing, or another error from connecting
  /// to the bus.
  package var errno: Errno
  /// The service's error message, if the service refused the call; untrusted text.
  package var answer: String?

  /// A Boolean value that indicates whether no service could be reached, as opposed to a refusal or
  /// a timeout.
  package var isOfAbsence: Bool { answer == nil && errno != .timedOut }

  init(_ failure: BusFailure) {
    errno = Errno(rawValue: failure.errno)
  }

  /// Creates the failure of a call to the service itself.
  init(ofService failure: BusFailure) {
    self.init(failure)
    // The bus daemon sends these errors itself if the service is not running.
    let isOfBus = ["NameHasNoOwner", "ServiceUnknown", "NoReply", "Timeout", "Disconnected"]
      .contains { failure.name == "org.freedesktop.DBus.Error.\($0)" }
    if !failure.name.isEmpty, !isOfBus { answer = failure.description }
  }
}
