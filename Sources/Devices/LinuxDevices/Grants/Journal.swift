internal import CSystemd
internal import Glibc
internal import MessageBus

/// The systemd journal, if it exists.
package enum Journal {
  /// Writes one entry (sd_journal_sendv(3)).
  ///
  /// Without libsystemd, nothing is written.
  ///
  /// - Parameters:
  ///   - message: The message for administrators.
  ///   - fields: The fields for programs, such as `DEVACCESS_USER`.
  ///   - program: The identifier of the writing program.
  /// - Returns: `true` if libsystemd accepted the entry.
  @discardableResult
  package static func log(
    _ message: String, _ fields: [(name: String, value: String)], by program: String = "devaccess"
  ) -> Bool {
    guard let systemd = SystemdLibrary.functions else { return false }
    let standard = [("MESSAGE", message), ("PRIORITY", "5"), ("SYSLOG_IDENTIFIER", program)]
    let texts = (standard + fields.map { ($0.name, $0.value) }).map { "\($0.0)=\($0.1)" }
    let strings = CStrings(texts)
    return withExtendedLifetime(strings) {
      var parts = unsafe texts.indices.map { index in
        unsafe iovec(
          iov_base: strings.pointers[index],
          iov_len: strings.pointers[index].map { unsafe strlen($0) } ?? 0)
      }
      return unsafe systemd.sd_journal_sendv(&parts, Int32(parts.count)) == 0
    }
  }
}
