/// Why a file is set aside.
enum Aside: String, Sendable {
  /// It cannot be read.
  case unreadable
  /// Another program wrote it, and this one writes its own.
  case replaced
}
