internal import AccessModel

/// The credentials in `/proc/PID/task/TID/status` (proc_pid_status(5)).
struct ThreadStatus: Hashable, Sendable {
  /// The real, effective, saved and filesystem user IDs.
  var users: [UInt32]?
  /// The real, effective, saved and filesystem group IDs.
  var groups: [UInt32]?
  var supplementaryGroups: [UInt32]?
  var inheritable: CapabilitySet?
  var permitted: CapabilitySet?
  var effective: CapabilitySet?
  var bounding: CapabilitySet?
  var ambient: CapabilitySet?
  var noNewPrivileges: Bool?
  var seccompMode: Int?
  /// The number of seccomp(2) filters (since Linux 5.9).
  var seccompFilters: Int?
  /// The IDs of the thread in its PID namespaces, from that of procfs to its own (since Linux 4.1).
  var namespaceNumbers: [UInt32]?

  /// Parses the known, well-formed lines, and ignores all others.
  init(parsing bytes: [UInt8]) {
    for line in ByteScanner.split(bytes[...], at: ByteScanner.newline) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let words = ByteScanner.words(line[(colon + 1)...])
      switch String(decoding: line[..<colon], as: UTF8.self) {
      case "Uid": users = Self.four(words)
      case "Gid": groups = Self.four(words)
      case "Groups": supplementaryGroups = Self.numbers(words)
      case "CapInh": inheritable = Self.set(words)
      case "CapPrm": permitted = Self.set(words)
      case "CapEff": effective = Self.set(words)
      case "CapBnd": bounding = Self.set(words)
      case "CapAmb": ambient = Self.set(words)
      case "NoNewPrivs": noNewPrivileges = words.first.flatMap(ByteScanner.number).map { $0 != 0 }
      case "Seccomp": seccompMode = words.first.flatMap(ByteScanner.number).map { Int($0) }
      case "Seccomp_filters":
        seccompFilters = words.first.flatMap(ByteScanner.number).map { Int($0) }
      case "NSpid": namespaceNumbers = Self.numbers(words)
      default: continue
      }
    }
  }

  private static func four(_ words: [ArraySlice<UInt8>]) -> [UInt32]? {
    numbers(words).flatMap { $0.count == 4 ? $0 : nil }
  }

  private static func numbers(_ words: [ArraySlice<UInt8>]) -> [UInt32]? {
    let numbers = words.compactMap(ByteScanner.number)
    return numbers.count == words.count ? numbers : nil
  }

  private static func set(_ words: [ArraySlice<UInt8>]) -> CapabilitySet? {
    guard words.count == 1 else { return nil }
    return ByteScanner.hexadecimal(words[0]).map(CapabilitySet.init(bits:))
  }
}
