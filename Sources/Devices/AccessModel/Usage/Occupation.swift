/// The degree to which the users of a device keep another program from using it.
public enum Occupation: String, Hashable, Sendable, Codable, CaseIterable {
  /// No program has the device open.
  case free
  /// Programs have the device open, but do not keep other programs from using it.
  case open
  /// A program has the device open, and it is unknown whether that keeps other programs from using
  /// it.
  ///
  /// For a camera, that depends on whether the program streams. On a serial port, two readers take
  /// bytes from each other.
  case held
  /// A program uses the device, and the device serves no other program at the same time.
  case busy
  /// No program was found to keep others out, but not every process could be inspected.
  case unknown
}
