internal import AccessModel

/// Determines the state and version of udevd without contacting it.
struct RuleDaemon {
  var roots: MachineRoots

  /// Returns whether udevd is running, and since when.
  func observe() -> RuleFacts.Daemon {
    RuleFacts.Daemon(
      isReachable: UdevDatabase(roots: roots).hasControl, started: started,
      hasSystemd: roots.hasSystemd())
  }

  /// The start time of udevd's oldest process, because the others are its workers.
  private var started: Int64? {
    let unit = "system.slice/systemd-udevd.service"
    for hierarchy in ControlGroupFolder.hierarchies(roots) {
      let ticks = hierarchy.group(unit).allProcesses(limit: 64).compactMap { number -> UInt64? in
        let stat = try? BoundedFile.read("\(roots.proc)/\(number)/stat", limit: 4096)
        return stat.flatMap { ProcessStat(parsing: $0.bytes)?.startTicks }
      }
      guard let first = ticks.min() else { continue }
      return MachineClock(proc: roots.proc).date(ofTicks: first)
    }
    return nil
  }

  /// The version of systemd according to the file name of a library that udevd uses.
  var version: UdevRuleVersion? {
    let usr = AbsolutePath.parent(of: roots.lib)
    for folder in [roots.lib, "\(usr)/lib64"] {
      if let version = version(in: folder) { return version }
    }
    let names = (try? Directory.names(in: roots.lib)) ?? nil ?? []
    for name in names.filter(Self.isTriple).sorted() {
      if let version = version(in: "\(roots.lib)/\(name)") { return version }
    }
    return nil
  }

  private func version(in folder: String) -> UdevRuleVersion? {
    let names = (try? Directory.names(in: "\(folder)/systemd")) ?? nil ?? []
    for name in names.sorted() {
      if let version = Self.version(inName: name) { return version }
    }
    return nil
  }

  /// Returns whether a folder name is an architecture triplet, such as `x86_64-linux-gnu`.
  private static func isTriple(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return parts.dropFirst().dropLast().contains { $0.elementsEqual("linux".utf8) }
  }

  /// Parses the version in a name such as `libsystemd-shared-252.so` or
  /// `libsystemd-shared-255.4-1.so`.
  static func version(inName name: String) -> UdevRuleVersion? {
    let prefix = "libsystemd-shared-"
    guard name.hasPrefix(prefix), name.contains(".so") else { return nil }
    let numbers = name.dropFirst(prefix.count).utf8.split(
      separator: UInt8(ascii: "."), maxSplits: 2)
    guard let number = numbers.first.flatMap({ ByteScanner.number(Array($0)[...]) }),
      (200...9999).contains(number)
    else { return nil }
    let release = numbers.dropFirst().first.flatMap { part in
      ByteScanner.number(Array(part.prefix { (0x30...0x39).contains($0) })[...])
    }
    return UdevRuleVersion(Int(number), release: release.map { Int($0) })
  }
}
