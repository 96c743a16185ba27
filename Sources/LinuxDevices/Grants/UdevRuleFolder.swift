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
  /// What follows the suffix of a rule that is being taken back: udev reads no file of another suffix.
  private static let retired = ".revoked"
  private static let limit = 1 << 16

  /// Whether the udev daemon runs, by the socket that controls it.
  package static var isDaemonRunning: Bool { unsafe access("/run/udev/control", F_OK) == 0 }

  /// Whether setfacl(1) is where rules call it.
  package static var hasSetfacl: Bool { unsafe access("/usr/bin/setfacl", X_OK) == 0 }

  /// The path of the file of a grant.
  ///
  /// - Parameters:
  ///   - id: What the grant is called.
  ///   - isRetired: Whether it is one that udev no longer reads.
  /// - Returns: The path.
  package func file(_ id: String, isRetired: Bool = false) -> String {
    "\(path)/\(Self.name(id, isRetired: isRetired))"
  }

  private static func name(_ id: String, isRetired: Bool = false) -> String {
    "\(prefix)\(id)\(suffix)\(isRetired ? retired : "")"
  }

  /// Writes the rule of a grant; the folder is made where it is missing.
  ///
  /// - Parameters:
  ///   - text: What the file holds.
  ///   - id: What the grant is called.
  ///   - isRetired: Whether udev is not to read it.
  /// - Throws: `notPermitted` without the right.
  package func write(
    _ text: String, for id: String, isRetired: Bool = false
  ) throws(GrantError) {
    do throws(Errno) {
      if unsafe mkdir(ByteText(path).cString, 0o755) != 0, Errno.current != .exists {
        throw .current
      }
      let name = Self.name(id, isRetired: isRetired)
      // Kept in a variable: a temporary value would be closed before its number is used.
      let folder = try open()
      try WholeFile.write(
        Array(text.utf8), named: name, by: ".\(name)", in: folder.number, mode: 0o644)
    } catch {
      throw GrantError(at: file(id), unableTo: "write the rule", error)
    }
  }

  /// Keeps the rule of a grant where udev no longer reads it, until all that it gave is taken back.
  ///
  /// - Returns: Whether there was one that udev reads.
  /// - Throws: `notPermitted` without the right.
  @discardableResult
  package func retire(_ id: String) throws(GrantError) -> Bool {
    let old = ByteText(file(id))
    let new = ByteText(file(id, isRetired: true))
    return try succeeded(unsafe rename(old.cString, new.cString), id)
  }

  /// Removes the rule of a grant.
  ///
  /// - Parameters:
  ///   - id: What the grant is called.
  ///   - isRetired: Whether it is one that udev no longer reads.
  /// - Returns: Whether there was one.
  /// - Throws: `notPermitted` without the right.
  @discardableResult
  package func remove(_ id: String, isRetired: Bool = false) throws(GrantError) -> Bool {
    let file = ByteText(file(id, isRetired: isRetired))
    return try succeeded(unsafe unlink(file.cString), id)
  }

  private func succeeded(_ result: Int32, _ id: String) throws(GrantError) -> Bool {
    guard result != 0 else { return true }
    let error = Errno.current
    guard error == .noSuchFile || error == .notDirectory else {
      throw GrantError(at: file(id), unableTo: "remove the rule", error)
    }
    return false
  }

  /// The texts of all rules of grants, by what the grants are called, and whether udev no longer reads them.
  ///
  /// What is not a regular file, or too long, is left out.
  package var texts: [(id: String, text: String, isRetired: Bool)] {
    guard let names = try? Directory.names(in: path) else { return [] }
    return names.sorted().compactMap { name in
      let isRetired = name.hasSuffix(Self.retired)
      let id = String(name.dropFirst(Self.prefix.count).prefix(16))
      guard AccessGrant.isID(id), name == Self.name(id, isRetired: isRetired),
        let contents = try? BoundedFile.read("\(path)/\(name)", limit: Self.limit),
        !contents.isTruncated
      else { return nil }
      return (id, String(decoding: contents.bytes, as: UTF8.self), isRetired)
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

  /// Waits until the daemon has handled every event that it knows of, twenty seconds at most.
  ///
  /// It must not be called while the record is locked, for which a rule may wait.
  package static func settle() {
    guard isDaemonRunning else { return }
    _ = try? SystemProgram.run(["udevadm", "settle", "--timeout=20"])
  }

  /// Has the daemon handle an event of one device, where this process may.
  ///
  /// - Parameters:
  ///   - device: The path in sysfs.
  ///   - waits: Whether to wait until it has: not while the record is locked, for which a rule may
  ///     wait.
  /// - Returns: Whether it did, or will.
  @discardableResult
  package static func trigger(_ device: String, waits: Bool) -> Bool {
    // udevadm(8) would tell a person of it, who has not asked for any event.
    guard isDaemonRunning,
      unsafe access(ByteText("\(device)/uevent").cString, W_OK) == 0
    else { return false }
    let options = waits ? ["--settle"] : []
    let line = ["udevadm", "trigger"] + options + ["--action=change", device]
    return (try? SystemProgram.run(line)) == 0
  }
}
