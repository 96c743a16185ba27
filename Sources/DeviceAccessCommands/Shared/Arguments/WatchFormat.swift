/// What `devaccess watch --format` takes.
enum WatchFormat: String, CaseIterable, Sendable {
  /// The JSON of a custom module of Waybar.
  case waybar
}
