package import LinuxDevices

/// The limits on simultaneous requests, and on their duration.
package struct BrokerLimits: Hashable, Sendable {
  /// The maximum number of waiting requests of one connection.
  package var requestsOfCaller = 4
  /// The maximum number of waiting requests of one user.
  package var requestsOfUser = 16
  /// The maximum number of requests of one user after a pause; in the long run, ``rateOfUser`` per
  /// second.
  ///
  /// For each request, the broker scans the devices while all other requests wait.
  package var burstOfUser = 60
  package var rateOfUser = 5
  /// The maximum number of waiting requests.
  package var requests = 64
  /// The longest time to wait for the user.
  package var patience = Duration.seconds(300)
  /// The maximum number of threads that open devices; with all other threads, it must be below the
  /// unit's `TasksMax`.
  package var openings = 12
  /// The maximum number of threads that open the same device.
  package var openingsOfDevice = 3
  /// The longest time to wait for a driver to open a device.
  package var openingTime = Duration.seconds(10)
  /// The time without a request after which the broker exits.
  package var idleTime = Duration.seconds(60)

  package init() {}
}

/// The reason for refusing a request, as reported to the caller.
package struct BrokerRefusal: Error, Hashable, Sendable {
  package let error: BrokerError
  /// One sentence without a final period, which reveals nothing that the caller is not permitted to
  /// know.
  package let text: String

  package init(_ error: BrokerError, _ text: String) {
    self.error = error
    self.text = text
  }

  /// The refusal for every object that is not opened, which does not reveal whether it exists.
  static let noDevice = BrokerRefusal(
    .notADevice, "this path has no device that the broker opens")
  static let changed = BrokerRefusal(.changed, "the device changed during the request")
}

/// Formats untrusted names for a dialog.
enum DialogText {
  /// Returns a name with only letters, digits and some punctuation of ASCII.
  ///
  /// The name can therefore not be mistaken for markup or for other words of the dialog.
  ///
  /// - Parameter name: The name, of any length.
  /// - Returns: At most 64 characters, in which `?` replaces any other character; `nil` if the name
  ///   is empty.
  static func plain(_ name: String) -> String? {
    let signs = Set(" -_.:/()".unicodeScalars)
    let scalars = name.unicodeScalars.prefix(64).map { scalar in
      let isPlain =
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      return isPlain || signs.contains(scalar) ? Character(scalar) : "?"
    }
    return scalars.isEmpty ? nil : String(scalars)
  }
}
