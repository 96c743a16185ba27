/// What the users of a device leave to another program.
public enum Occupation: String, Hashable, Sendable, Codable, CaseIterable {
  /// No program has it open.
  case free
  /// Programs have it open, and keep no other program from it.
  case open
  /// A program has it open; whether that keeps others out cannot be told. For a camera that is
  /// whether it streams; of a serial port, two readers take each other's bytes.
  case held
  /// A program streams from it, or has it open, and it serves no other one meanwhile.
  case busy
  /// No program was seen to keep others from it, and not every process could be looked into.
  case unknown
}
