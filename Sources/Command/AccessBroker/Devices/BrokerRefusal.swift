package import LinuxDevices

/// The reason for refusing a request, as reported to the caller.
package struct BrokerRefusal: Error, Hashable, Sendable {
  package let error: BrokerError
  /// One sentence without a final period, which reveals nothing that the caller may not know.
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
