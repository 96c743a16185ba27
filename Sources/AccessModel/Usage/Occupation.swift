/// What the users of a device leave to another program.
public enum Occupation: String, Hashable, Sendable, Codable, CaseIterable {
  /// No program has it open.
  case free
  /// Programs have it open, and keep no other program from it.
  case open
  /// A program has it open; whether it streams, which would keep others out, cannot be told.
  case held
  /// A program streams from it, and it serves no other one meanwhile.
  case busy
  /// No program was seen to keep others from it, and not every process could be looked into.
  case unknown
}
