package import AccessModel
internal import Glibc

/// The files of rules that grants put into a folder of udev, each with one rule.
package struct UdevRuleFolder: Hashable, Sendable {
  /// The rules of this boot.
  package static let volatile = UdevRuleFolder(path: "/run/udev/rules.d")
  /// The administrator's rules.
  package static let lasting = UdevRuleFolder(path: "/etc/udev/rules.d")

  /// The absolute path.
  package let path: String

  package init(path: String) { self.path = path }

  private static let prefix = "99-devaccess-grant-"
  private static let suffix = ".rules"
  private static let limit = 1 << 16

  /// Whether the udev daemon runs, by the socket that controls it.
  package static var isDaemonRunning: Bool { unsafe access("/run/udev/control", F_OK) == 0 }

  /// Whether setfacl(1) is where rules call it.
  package static var hasSetfacl: Bool { unsafe access("/usr/bin/setfacl", X_OK) == 0 }

  /// The path of the file of a grant.
  package func file(_ id: String) -> String { "\(path)/\(Self.prefix)\(id)\(Self.suffix)" }

  /// Writes the rule of a grant; the folder is made where it is missing.
  ///
  /// - Throws: `notPermitted` without the right.
  package func write(_ text: String, for id: String) throws(GrantError) {
    do throws(Errno) {
      if unsafe mkdir(ByteText(path).cString, 0o755) != 0, Errno.current != .exists {
        throw .current
      }
      let name = "\(Self.prefix)\(id)\(Self.suffix)"
      // Kept in a variable: a temporary value would be closed before its number is used.
      let folder = try open()
      try WholeFile.write(
        Array(text.utf8), named: name, by: ".\(name)", in: folder.number, mode: 0o644)
    } catch {
      throw GrantError(at: file(id), unableTo: "write the rule", error)
    }
  }

  /// Removes the rule of a grant.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: `notPermitted` without the right.
  @discardableResult
  package func remove(_ id: String) throws(GrantError) -> Bool {
    guard unsafe unlink(ByteText(file(id)).cString) != 0 else { return true }
    let error = Errno.current
    guard error == .noSuchFile || error == .notDirectory else {
      throw GrantError(at: file(id), unableTo: "remove the rule", error)
    }
    return false
  }

  /// The texts of all rules of grants, by what the grants are called.
  ///
  /// What is not a regular file, or too long, is left out.
  package var texts: [(id: String, text: String)] {
    guard let names = try? Directory.names(in: path) else { return [] }
    return names.sorted().compactMap { name in
      guard name.hasPrefix(Self.prefix), name.hasSuffix(Self.suffix) else { return nil }
      let id = String(name.dropFirst(Self.prefix.count).dropLast(Self.suffix.count))
      guard AccessGrant.isID(id),
        let contents = try? BoundedFile.read("\(path)/\(name)", limit: Self.limit),
        !contents.isTruncated
      else { return nil }
      return (id, String(decoding: contents.bytes, as: UTF8.self))
    }
  }

  private func open() throws(Errno) -> OwnedDescriptor {
    try OwnedDescriptor(
      unsafe Glibc.open(
        ByteText(path).cString, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
  }

  /// Has the daemon read its rules again.
  ///
  /// - Returns: Whether it did.
  @discardableResult
  package static func reload() -> Bool {
    (try? SystemProgram.run(["udevadm", "control", "--reload"])) == 0
  }

  /// Has the daemon handle an event of one device.
  ///
  /// - Parameters:
  ///   - device: The path in sysfs.
  ///   - waits: Whether to wait until it has: not while the record is locked, for which a rule may
  ///     wait.
  /// - Returns: Whether it did, or will.
  @discardableResult
  package static func trigger(_ device: String, waits: Bool) -> Bool {
    let options = waits ? ["--settle"] : []
    let line = ["udevadm", "trigger"] + options + ["--action=change", device]
    return (try? SystemProgram.run(line)) == 0
  }
}
