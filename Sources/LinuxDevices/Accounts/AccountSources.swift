internal import AccessModel

/// Where the databases of a machine are.
enum AccountSources {
  /// The running system's, through the name service; those of another `/etc` are its files.
  static func source(
    _ roots: MachineRoots, _ unobserved: inout [Unobserved]
  ) -> any AccountSource {
    if roots.etc == "/etc" {
      // Files answer always.
      return AccountServices.gaps(roots).isEmpty ? SystemAccountSource() : PatientAccountSource()
    }
    return FileAccountSource(etc: roots.etc, &unobserved)
  }
}

extension AccountSource {
  /// A user by its name; digits alone that are no name are a number, as id(1) reads them.
  mutating func user(word: String) throws(Errno) -> AccountFile.Line? {
    if let user = try user(named: word) { return user }
    guard let number = number(word: word) else { return nil }
    return try user(number)
  }

  /// The number of a group by its name; digits alone that are no name are that number.
  mutating func group(word: String) throws(Errno) -> UInt32? {
    try groupID(named: word) ?? number(word: word)
  }

  /// The identifier that a word of digits is.
  func number(word: String) -> UInt32? {
    // -1 is no identifier: the system calls take it for "unchanged".
    ByteScanner.number(Array(word.utf8)[...]).flatMap { $0 == .max ? nil : $0 }
  }
}
