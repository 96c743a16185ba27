/// Whether somebody uses a device, as far as could be seen.
public enum UseState: String, Hashable, Sendable, Codable, CaseIterable {
  /// At least one process holds it open.
  case used
  /// No process holds it open: every one was looked into, or the driver itself says so.
  case free
  /// Nobody was seen, and processes that could hold it could not be looked into.
  case unknown
}
