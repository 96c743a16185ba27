/// The state of a device's use, as far as it could be observed.
public enum UseState: String, Hashable, Sendable, Codable, CaseIterable {
  /// At least one process holds the device open.
  case used
  /// No process holds the device open: every process was inspected, or the driver itself reports
  /// it.
  case free
  /// No process was found, but processes that could hold the device could not be inspected.
  case unknown
}
