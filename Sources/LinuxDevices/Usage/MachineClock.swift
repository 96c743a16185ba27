internal import CLinux
internal import Glibc

/// The time of a machine, now and when it booted.
struct MachineClock: Hashable, Sendable {
  /// In seconds since the epoch.
  var now: Int64
  /// When the machine booted, in seconds since the epoch; `nil` where that is not known.
  var boot: Int64?
  /// How long it has run without being suspended, in seconds: `CLOCK_MONOTONIC`.
  var sinceBoot: Int64
  private let ticksPerSecond: Int64

  /// Reads the clocks, and the time of boot from `/proc/stat`.
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

  /// The seconds since the epoch that a line tells; from 2106 on they have more than 32 bits.
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

  /// A moment that the kernel counts in clock ticks since boot, in seconds since the epoch.
  func date(ofTicks ticks: UInt64) -> Int64? {
    guard let boot, let ticks = Int64(exactly: ticks) else { return nil }
    // Both are rounded down; no process starts later than now.
    return min(boot + ticks / ticksPerSecond, max(now, boot))
  }
}
