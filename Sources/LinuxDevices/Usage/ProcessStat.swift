internal import AccessModel
internal import Glibc

/// What `/proc/PID/stat` says of a process (proc_pid_stat(5)).
struct ProcessStat: Hashable, Sendable {
  /// The command name: at most 15 bytes of the process's own choice, which need not be fit to print.
  var name: String
  /// Such as `S`; `Z` and `X` have ended.
  var state: UInt8
  /// Whether it has a controlling terminal.
  var hasTerminal: Bool
  /// `PF_*` of the kernel.
  var flags: UInt32
  /// How many threads it has.
  var threads: UInt32
  /// In clock ticks since boot.
  var startTicks: UInt64

  /// Reads the one line; `nil` when it is malformed.
  init?(parsing bytes: [UInt8]) {
    // 1234 (name) S 1 … — the name may hold blanks and parentheses.
    guard let opening = bytes.firstIndex(of: UInt8(ascii: "(")),
      let closing = bytes.lastIndex(of: UInt8(ascii: ")")), opening < closing
    else { return nil }
    // Nothing behind field 22 is asked for.
    let words = bytes[(closing + 1)...].split(maxSplits: 20) {
      $0 == ByteScanner.space || $0 == ByteScanner.newline
    }
    // The state is field 3.
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

  /// `PF_KTHREAD`: a part of the kernel, which opens no device for itself.
  private static let kernelThread: UInt32 = 0x0020_0000

  /// `PF_EXITING`: it has begun to end, and closes what it has open.
  private static let exiting: UInt32 = 0x4
  var isExiting: Bool { flags & Self.exiting != 0 }

  /// Whether it cannot hold a file: it is a part of the kernel, or has ended with all its threads.
  var holdsNothing: Bool {
    let hasEnded = state == UInt8(ascii: "Z") || state == UInt8(ascii: "X")
    return hasEnded && threads <= 1 || flags & Self.kernelThread != 0
  }
}
