internal import AccessModel
internal import CLinux
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

/// The current time of a machine, and the time of its boot.
struct MachineClock: Hashable, Sendable {
  /// The current time in seconds since the epoch.
  var now: Int64
  /// The time of the boot in seconds since the epoch; `nil` if unknown.
  var boot: Int64?
  /// The seconds since boot, excluding the time asleep (`CLOCK_MONOTONIC`).
  var sinceBoot: Int64
  private let ticksPerSecond: Int64

  /// Reads the clocks, and the boot time in `/proc/stat`.
  init(proc: String) {
    now = Self.read(CLOCK_REALTIME)
    sinceBoot = Self.read(CLOCK_MONOTONIC)
    ticksPerSecond = Int64(max(sysconf(Int32(_SC_CLK_TCK)), 1))
    let key = Array("btime ".utf8)
    let file = try? BoundedFile.read("\(proc)/stat", limit: 1 << 20)
    boot = file?.bytes.split(separator: ByteScanner.newline)
      .first { $0.starts(with: key) }
      .flatMap { Self.seconds($0.dropFirst(key.count)) }
  }

  /// Parses the seconds since the epoch, which exceed 32 bits from 2106 on.
  private static func seconds(_ word: ArraySlice<UInt8>) -> Int64? {
    guard let text = String(validating: word, as: UTF8.self), let value = UInt64(text),
      value < 1 << 40
    else { return nil }
    return Int64(value)
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    return unsafe clock_gettime(clock, &time) == 0 ? Int64(time.tv_sec) : 0
  }

  /// Converts clock ticks since boot into seconds since the epoch.
  func date(ofTicks ticks: UInt64) -> Int64? {
    guard let boot, let ticks = Int64(exactly: ticks) else { return nil }
    // Both values are rounded down. The result is limited to the current time.
    return min(boot + ticks / ticksPerSecond, max(now, boot))
  }
}
