internal import AccessModel
internal import CLinux
internal import Glibc

/// Compares a list of devices with other sources.
///
/// A device that a sandbox only hides from the list must not be reported as missing.
struct DeviceListCheck {
  var roots: MachineRoots

  /// The maximum number of names to compare; usually the kernel has a few hundred device numbers.
  private static let mostNumbers = 16384

  /// Returns the reason why sysfs may hide devices of a kind.
  ///
  /// - Parameters:
  ///   - kind: A kind without devices in the list.
  ///   - listed: The listed devices in the kind's subsystem.
  /// - Returns: The reason as one clause; `nil` if the parts of sysfs agree.
  func hidden(_ kind: DeviceKind, besides listed: [DeviceFacts]) -> String? {
    guard let subsystem = kind.subsystem else { return nil }
    if listed.isEmpty, let reason = NumberObserver(roots: roots).hiddenTree(of: subsystem) {
      return reason
    }
    return coveredPart(subsystem) ?? unlistedNumber(kind, subsystem, listed)
      ?? brokenLink(kind, subsystem)
  }

  /// Searches for a node with a number that sysfs does not show.
  ///
  /// The result is meaningful only for the kernel's own `/dev` (devtmpfs). Any other may contain
  /// stale nodes.
  ///
  /// - Parameters:
  ///   - kind: A kind without devices in the list.
  ///   - root: The root directory of the subject; empty for that of the observer.
  /// - Returns: The reason as one clause; `nil` if there is no such node.
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

  /// The folders below `/dev` that contain the nodes of a subsystem, if not `/dev` itself.
  private static let folders = ["sound": "snd", "input": "input", "drm": "dri"]

  private func matches(_ name: String, _ kind: DeviceKind) -> Bool {
    kind.namePrefixes.contains { prefix in
      name.hasPrefix(prefix)
        && (name.utf8.count == prefix.utf8.count
          || name.utf8.dropFirst(prefix.utf8.count).first.map { (0x30...0x39).contains($0) } == true
          || kind.subsystem == "sound")
    }
  }

  // MARK: - Parts of sysfs

  /// Returns a clause about a part of sysfs that is not on the same filesystem as the devices;
  /// `nil` if there is none.
  ///
  /// If there is such a part, a mount covers either the part or the devices.
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

  /// Returns a clause about a device number that leads to a device of the kind, if the list lacks
  /// that device; otherwise, `nil`.
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

  /// Returns a clause about a link in the device list whose target does not exist; `nil` if there
  /// is none.
  private func brokenLink(_ kind: DeviceKind, _ subsystem: String) -> String? {
    for folder in ["class/\(subsystem)", "bus/\(subsystem)/devices"] {
      let folder = "\(roots.sysfs)/\(folder)"
      let names = ((try? Directory.names(in: folder)) ?? nil) ?? []
      for name in names.sorted().prefix(Self.mostNumbers) {
        guard kind.namePrefixes.isEmpty || kind.namePrefixes.contains(where: name.hasPrefix),
          filesystem(of: "\(folder)/\(name)") == nil,
          // If the device was unplugged in the meantime, the link no longer exists either.
          SymbolicLink.target(of: "\(folder)/\(name)") != nil
        else { continue }
        return "the target of \(folder)/\(name) does not exist"
      }
    }
    return nil
  }
}
