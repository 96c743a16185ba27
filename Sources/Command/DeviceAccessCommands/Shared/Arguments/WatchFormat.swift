/// The values of `devaccess watch --format`.
enum WatchFormat: String, CaseIterable, Sendable {
  /// The JSON format for a custom module of Waybar.
  case waybar
}
