package import AccessModel
package import MessageBus

/// The D-Bus names of the broker, and calls of its only method.
package enum BrokerCalls {
  package static let name = "org.devaccess.Broker1"
  package static let object = "/org/devaccess/Broker1"
  package static let method = "Open"
  /// The arguments of the method: the path, the access, and the major and minor device number.
  package static let signature = "ssuu"
  /// The maximum length of a path in bytes.
  package static let longestPath = 4_096

  static let hasOwner = BusCall.bus("NameHasOwner", [.text(name)])
  static let activatable = BusCall.bus("ListActivatableNames", [])

  /// The kinds of devices that the broker opens, each with its own polkit action.
  package static let kinds: [DeviceKind] = [.camera, .microphone]

  /// Returns the polkit action for opening a device of the given kind.
  ///
  /// If polkit remembers an authorization, it applies to all devices of that kind but to no other
  /// kind.
  package static func action(for kind: DeviceKind) -> String {
    "org.devaccess.broker.open-\(kind.name)"
  }

  /// Returns a call that asks the broker to open a device.
  package static func open(_ request: BrokerRequest) -> BusCall {
    BusCall(
      name, object, name, method,
      [
        .text(request.path), .text(word(for: request.wanted)), .unsigned(request.device.major),
        .unsigned(request.device.minor),
      ])
  }

  private static func word(for wanted: Permissions) -> String {
    switch (wanted.contains(.read), wanted.contains(.write)) {
    case (true, true): "readwrite"
    case (false, true): "write"
    default: "read"
    }
  }

  /// Returns the permissions for an access argument; `nil` if the word is unknown.
  package static func permissions(_ word: String) -> Permissions? {
    switch word {
    case "read": .read
    case "write": .write
    case "readwrite": [.read, .write]
    default: nil
    }
  }
}

/// The D-Bus errors of the broker.
package enum BrokerError: String, Hashable, Sendable, CaseIterable {
  /// The arguments of the call are not valid.
  case invalidArguments = "InvalidArguments"
  /// The object at the path is not the expected device, or not of a kind that the broker opens.
  case notADevice = "NotADevice"
  /// The device at the path changed while polkit asked the user.
  case changed = "Changed"
  /// polkit denied the request.
  case notAuthorized = "NotAuthorized"
  /// The user dismissed the dialog.
  case dismissed = "Dismissed"
  /// Authentication is required, but no polkit agent is running.
  case noAgent = "NoAgent"
  /// polkit is not available, or does not respond correctly.
  case noAuthority = "NoAuthority"
  /// The user did not respond in time.
  case timedOut = "TimedOut"
  /// Too many requests are pending.
  case tooManyRequests = "TooManyRequests"
  /// The device could not be opened.
  case failed = "Failed"

  private static let prefix = "\(BrokerCalls.name).Error."

  /// The D-Bus name of the error.
  package var name: String { Self.prefix + rawValue }

  /// Creates the error with the given D-Bus name; `nil` if it is not an error of the broker.
  init?(named name: String) {
    guard name.hasPrefix(Self.prefix) else { return nil }
    self.init(rawValue: String(name.dropFirst(Self.prefix.count)))
  }
}

extension BrokerOutcome {
  /// Creates the outcome for a failed call.
  init(_ failure: BusFailure) {
    if let error = BrokerError(named: failure.name) {
      self = Self.outcome(error, failure.description)
      return
    }
    self =
      switch failure.meaning {
      case .timedOut: .timedOut
      case .cancelled: .cancelled
      case .absent: .absent(failure.description)
      case .missingBus: .absent("there is no message bus of the system")
      case .exited: .failed("it exited before it answered")
      case .other where failure.name == "org.freedesktop.DBus.Error.AccessDenied":
        .absent("the message bus does not allow this program to call it")
      case .other: .failed(failure.description)
      }
  }

  private static func outcome(_ error: BrokerError, _ text: String) -> BrokerOutcome {
    switch error {
    case .notAuthorized: .refused
    case .dismissed: .dismissed
    case .timedOut: .timedOut
    case .noAuthority, .noAgent: .absent(text)
    case .invalidArguments, .notADevice: .unsuitable(text)
    case .changed, .tooManyRequests, .failed: .failed(text)
    }
  }
}
