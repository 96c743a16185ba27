internal import AccessModel
package import MessageBus

/// Reads what systemd answers about a service, whatever it is.
///
/// The door to it for what asks no systemd: the fuzzer, and the test that goes through its corpus.
package enum UnitReading {
  /// Reads the answer to `GetAll` as the settings of a service.
  ///
  /// - Returns: The settings that it does not tell; `nil` for what is no such answer.
  package static func missing(in answer: BusValue) -> [String]? {
    guard var properties = try? UnitProperties(answer: answer) else { return nil }
    _ = UnitSettings(service: &properties)
    return properties.missing
  }
}
