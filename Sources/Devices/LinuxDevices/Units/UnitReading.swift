internal import AccessModel
package import MessageBus

/// Parses systemd's reply about a service, for callers that do not query systemd.
///
/// The fuzzer and the test of its corpus use it.
package enum UnitReading {
  /// Parses the reply to `GetAll` as the settings of a service.
  ///
  /// - Returns: The properties that the reply lacks, or `nil` if it is malformed.
  package static func missing(in answer: BusValue) -> [String]? {
    guard var properties = try? UnitProperties(answer: answer) else { return nil }
    _ = UnitSettings(service: &properties)
    return properties.missing
  }
}
