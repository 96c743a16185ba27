internal import CLinux
internal import Glibc

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
