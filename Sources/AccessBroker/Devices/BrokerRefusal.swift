package import LinuxDevices

/// Why a request is not granted, as the caller is told.
package struct BrokerRefusal: Error, Hashable, Sendable {
  package let error: BrokerError
  /// One sentence without a full stop, which holds nothing that the caller may not know.
  package let text: String

  package init(_ error: BrokerError, _ text: String) {
    self.error = error
    self.text = text
  }

  /// What is told of every object that is not opened, so that nobody learns what is there.
  static let noDevice = BrokerRefusal(
    .notADevice, "this path has no device that the broker opens")
  static let changed = BrokerRefusal(.changed, "the device changed during the request")
}
