internal import AccessModel

/// Selects the account source of a machine.
enum AccountSources {
  /// Returns the name service for the running system, or the account files for any other `/etc`.
  static func source(
    _ roots: MachineRoots, _ unobserved: inout [Unobserved]
  ) -> any AccountSource {
    if roots.etc == "/etc" {
      // A lookup in files cannot hang, so it needs no timeout.
      return AccountServices.gaps(roots).isEmpty ? SystemAccountSource() : PatientAccountSource()
    }
    return FileAccountSource(etc: roots.etc, &unobserved)
  }
}

extension AccountSource {
  /// Returns the user with the given name; if no user has it, digits are a user ID, as for id(1).
  mutating func user(word: String) throws(Errno) -> AccountFile.Line? {
    if let user = try user(named: word) { return user }
    guard let number = number(word: word) else { return nil }
    return try user(number)
  }

  /// Returns the ID of the group with the given name; if no group has it, digits are a group ID.
  mutating func group(word: String) throws(Errno) -> UInt32? {
    try groupID(named: word) ?? number(word: word)
  }

  /// Returns the ID that a decimal number stands for; `nil` if the word is not a valid ID.
  func number(word: String) -> UInt32? {
    // -1 is not a valid ID: in system calls such as chown(2) it means "unchanged".
    ByteScanner.number(Array(word.utf8)[...]).flatMap { $0 == .max ? nil : $0 }
  }
}
