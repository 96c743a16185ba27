import Glibc

/// The time that the current thread was ready to run but waited for a core, as counted by the
/// kernel.
///
/// The value always measures the thread that created it. If the kernel does not count, the time is
/// 0.
struct CoreWaits: ~Copyable {
  private let file: Int32

  init() {
    file = unsafe open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
  }

  deinit {
    if file >= 0 { close(file) }
  }

  /// The microseconds since the thread started.
  var microseconds: Double {
    var text = [UInt8](repeating: 0, count: 96)
    let count = unsafe pread(file, &text, text.count, 0)
    let fields = text.prefix(max(0, count)).split(separator: UInt8(ascii: " "))
    guard fields.count > 1 else { return 0 }
    return (Double(String(decoding: fields[1], as: UTF8.self)) ?? 0) / 1_000
  }
}
