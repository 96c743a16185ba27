internal import AccessModel
internal import Glibc

/// The contents of `/proc/PID/stat` (proc_pid_stat(5)).
struct ProcessStat: Hashable, Sendable {
  /// The command name; untrusted text of at most 15 bytes that the process can choose.
  var name: String
  /// The state, such as `S`; in the states `Z` and `X`, the first thread has ended.
  var state: UInt8
  /// A Boolean value that indicates whether the process has a controlling terminal.
  var hasTerminal: Bool
  /// The kernel's `PF_*` flags.
  var flags: UInt32
  /// The number of threads.
  var threads: UInt32
  /// The start time in clock ticks since boot.
  var startTicks: UInt64

  /// Parses the line; returns `nil` if it is malformed.
  init?(parsing bytes: [UInt8]) {
    // Example: 1234 (name) S 1 …; the name may contain spaces and parentheses.
    guard let opening = bytes.firstIndex(of: UInt8(ascii: "(")),
      let closing = bytes.lastIndex(of: UInt8(ascii: ")")), opening < closing
    else { return nil }
    // No field after field 22 is needed.
    let words = bytes[(closing + 1)...].split(maxSplits: 20) {
      $0 == ByteScanner.space || $0 == ByteScanner.newline
    }
    // The first word is field 3, the state.
    guard words.count > 19, words[0].count == 1, let state = words[0].first,
      let terminal = Int32(String(decoding: words[4].prefix(11), as: UTF8.self)),
      let flags = ByteScanner.number(words[6]), let threads = ByteScanner.number(words[17]),
      let ticks = UInt64(String(decoding: words[19].prefix(20), as: UTF8.self))
    else { return nil }
    name = ByteText(bytes: bytes[(opening + 1)..<closing].prefix(64)).text
    self.state = state
    hasTerminal = terminal != 0
    self.flags = flags
    self.threads = threads
    startTicks = ticks
  }

  /// `PF_KTHREAD`: a kernel thread, which does not open devices itself.
  private static let kernelThread: UInt32 = 0x0020_0000

  /// `PF_EXITING`: the process is exiting and closes its files.
  private static let exiting: UInt32 = 0x4
  var isExiting: Bool { flags & Self.exiting != 0 }

  /// A Boolean value that indicates whether the process cannot hold a file.
  ///
  /// That is the case for kernel threads, and for processes without a remaining thread.
  var holdsNothing: Bool {
    let hasEnded = state == UInt8(ascii: "Z") || state == UInt8(ascii: "X")
    return hasEnded && threads <= 1 || flags & Self.kernelThread != 0
  }
}
