internal import AccessModel
internal import CLinux
internal import Glibc

/// Compares a list of devices with everything else that shows devices, so that none is called absent
/// that a sandbox only hides from the list.
struct DeviceListCheck {
  var roots: MachineRoots

  /// The kernel has some hundred devices with a number.
  private static let mostNumbers = 16384

  /// The reason why sysfs may hide devices of a kind; `nil` where its parts agree.
  ///
  /// - Parameters:
  ///   - kind: The kind, of which the list has no device.
  ///   - listed: The devices of its subsystem that the list has.
  /// - Returns: The reason as one clause.
  func hidden(_ kind: DeviceKind, besides listed: [DeviceFacts]) -> String? {
    guard let subsystem = kind.subsystem else { return nil }
    if listed.isEmpty, let reason = NumberObserver(roots: roots).hiddenTree(of: subsystem) {
      return reason
    }
    return coveredPart(subsystem) ?? unlistedNumber(kind, subsystem, listed)
      ?? brokenLink(kind, subsystem)
  }

  /// A node whose number sysfs does not show; `nil` where there is none.
  ///
  /// It tells something only in the kernel's own `/dev`: any other holds what somebody once put there.
  ///
  /// - Parameters:
  ///   - kind: The kind, of which the list has no device.
  ///   - root: The root directory of the subject; empty for that of the observer.
  /// - Returns: The reason as one clause.
  func unlistedNode(_ kind: DeviceKind, root: String) -> String? {
    guard let subsystem = kind.subsystem else { return nil }
    let directory = Self.folders[subsystem].map { "/dev/\($0)" } ?? "/dev"
    let numbers = NumberObserver(roots: roots)
    let names = ((try? Directory.names(in: root + directory)) ?? nil) ?? []
    for name in names.sorted().prefix(Self.mostNumbers) where matches(name, kind) {
      let path = root + directory + "/" + name
      guard let number = NumberObserver.number(ofCharacterDevice: path),
        numbers.observe(number, isBlock: false).hasDriver == nil, numbers.isRegistered(number.major)
      else { continue }
      return """
        \(roots.sysfs) does not show \(number.major):\(number.minor), the number of \
        \(directory)/\(name)
        """
    }
    return nil
  }

  /// Where the nodes of a subsystem are below `/dev`, if not at the top.
  private static let folders = ["sound": "snd", "input": "input", "drm": "dri"]

  private func matches(_ name: String, _ kind: DeviceKind) -> Bool {
    kind.namePrefixes.contains { prefix in
      name.hasPrefix(prefix)
        && (name.utf8.count == prefix.utf8.count
          || name.utf8.dropFirst(prefix.utf8.count).first.map { (0x30...0x39).contains($0) } == true
          || kind.subsystem == "sound")
    }
  }

  // MARK: - The parts of sysfs

  /// A part of sysfs that is on another filesystem than the devices, so that something covers one of
  /// both.
  private func coveredPart(_ subsystem: String) -> String? {
    let devices = "\(roots.sysfs)/devices"
    guard let own = filesystem(of: devices) else { return nil }
    let parts = [
      "class", "class/\(subsystem)", "bus/\(subsystem)/devices", "dev", "dev/char",
    ].map { "\(roots.sysfs)/\($0)" }
    return parts.first { part in filesystem(of: part).map { $0 != own } ?? false }
      .map { "\($0) and \(devices) are not on the same filesystem" }
  }

  private func filesystem(of path: String) -> UInt64? {
    var status = stat()
    guard unsafe stat(ByteText(path).cString, &status) == 0 else { return nil }
    return UInt64(status.st_dev)
  }

  /// A number that belongs to the kind and leads to a device that the list lacks.
  private func unlistedNumber(
    _ kind: DeviceKind, _ subsystem: String, _ listed: [DeviceFacts]
  ) -> String? {
    let folder = "\(roots.sysfs)/dev/char"
    let names = ((try? Directory.names(in: folder)) ?? nil) ?? []
    let known = Set(listed.map(\.sysfsPath))
    for name in names.sorted().prefix(Self.mostNumbers) {
      let link = "\(folder)/\(name)"
      guard let target = SymbolicLink.target(of: link) else { continue }
      let path = SymbolicLink.resolve(target, from: link)
      let kernelName = AbsolutePath.components(of: path).last ?? ""
      guard kind.namePrefixes.isEmpty || kind.namePrefixes.contains(where: kernelName.hasPrefix),
        !known.contains(path),
        let own = SymbolicLink.target(of: "\(path)/subsystem")?.split(separator: "/").last,
        own == subsystem
      else { continue }
      return "the list of \(subsystem) devices lacks \(kernelName), to which \(link) leads"
    }
    return nil
  }

  /// A device that the list names, and that sysfs does not show.
  private func brokenLink(_ kind: DeviceKind, _ subsystem: String) -> String? {
    for folder in ["class/\(subsystem)", "bus/\(subsystem)/devices"] {
      let folder = "\(roots.sysfs)/\(folder)"
      let names = ((try? Directory.names(in: folder)) ?? nil) ?? []
      for name in names.sorted().prefix(Self.mostNumbers) {
        guard kind.namePrefixes.isEmpty || kind.namePrefixes.contains(where: name.hasPrefix),
          filesystem(of: "\(folder)/\(name)") == nil,
          // One that was unplugged meanwhile has no link any more, either.
          SymbolicLink.target(of: "\(folder)/\(name)") != nil
        else { continue }
        return "the target of \(folder)/\(name) does not exist"
      }
    }
    return nil
  }
}
