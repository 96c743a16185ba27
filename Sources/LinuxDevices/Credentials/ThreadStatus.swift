internal import AccessModel

/// What `/proc/PID/task/TID/status` says of a thread's credentials (proc_pid_status(5)).
struct ThreadStatus: Hashable, Sendable {
  /// Real, effective, saved and filesystem user.
  var users: [UInt32]?
  /// Real, effective, saved and filesystem group.
  var groups: [UInt32]?
  var supplementaryGroups: [UInt32]?
  var inheritable: CapabilitySet?
  var permitted: CapabilitySet?
  var effective: CapabilitySet?
  var bounding: CapabilitySet?
  var ambient: CapabilitySet?
  var noNewPrivileges: Bool?
  var seccompMode: Int?
  /// How many filters of seccomp(2) there are (Linux 5.9).
  var seccompFilters: Int?
  /// Its numbers in the PID namespaces that it is in, from that of procfs down to its own (Linux 4.1).
  var namespaceNumbers: [UInt32]?

  /// Reads the lines that are known and well formed, and passes over all others.
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
