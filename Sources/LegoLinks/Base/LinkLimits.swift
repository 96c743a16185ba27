/// How much the outside may send.
enum LinkLimits {
  /// How many bytes a link has at most.
  static let longest = 65_536
  /// How many links a call has at most.
  static let mostInCall = 64
}
