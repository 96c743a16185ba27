/// What is left to be done about a file that another program has written.
enum Resolution: Sendable {
  /// The value may be written, if it still has to be.
  case write
  /// Nothing: the value of this program has nothing that is not in the file.
  case leave
  /// The store is ending, and tells its last value in a moment.
  case wait
}
