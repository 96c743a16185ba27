package import AccessModel
internal import Glibc

/// The rule files of grants in a udev folder, each with one rule.
package struct UdevRuleFolder: Hashable, Sendable {
  /// The folder for rules that are removed at a reboot.
  package static let volatile = UdevRuleFolder(path: "/run/udev/rules.d")
  /// The folder for the administrator's rules.
  package static let lasting = UdevRuleFolder(path: "/etc/udev/rules.d")

  /// The absolute path of the folder.
  package let path: String

  package init(path: String) { self.path = path }

  private static let prefix = "99-devaccess-grant-"
  private static let suffix = ".rules"
  /// The suffix that disables a rule while its grant is revoked, because udev ignores other
  /// suffixes.
  private static let retired = ".revoked"
  private static let limit = 1 << 16

  /// A Boolean value that indicates whether the udev daemon is running, judging by its control
  /// socket.
  package static var isDaemonRunning: Bool { unsafe access("/run/udev/control", F_OK) == 0 }

  /// A Boolean value that indicates whether setfacl(1) is installed where the rules expect it.
  package static var hasSetfacl: Bool { unsafe access("/usr/bin/setfacl", X_OK) == 0 }

  /// Returns the path of the rule file of a grant.
  ///
  /// - Parameters:
  ///   - id: The ID of the grant.
  ///   - isRetired: A Boolean value that indicates whether the rule is disabled.
  /// - Returns: The path.
  package func file(_ id: String, isRetired: Bool = false) -> String {
    "\(path)/\(Self.name(id, isRetired: isRetired))"
  }

  private static func name(_ id: String, isRetired: Bool = false) -> String {
    "\(prefix)\(id)\(suffix)\(isRetired ? retired : "")"
  }

  /// Writes the rule of a grant, and creates the folder if it is missing.
  ///
  /// - Parameters:
  ///   - text: The contents of the file.
  ///   - id: The ID of the grant.
  ///   - isRetired: A Boolean value that indicates whether the rule is disabled.
  /// - Throws: `notPermitted` without the required privilege.
  package func write(
    _ text: String, for id: String, isRetired: Bool = false
  ) throws(GrantError) {
    do throws(Errno) {
      if unsafe mkdir(ByteText(path).cString, 0o755) != 0, Errno.current != .exists {
        throw .current
      }
      let name = Self.name(id, isRetired: isRetired)
      // Kept in a variable, because a temporary value would be closed before its number is used.
      let folder = try open()
      try WholeFile.write(
        Array(text.utf8), named: name, by: ".\(name)", in: folder.number, mode: 0o644)
    } catch {
      throw GrantError(at: file(id), unableTo: "write the rule", error)
    }
  }

  /// Disables the rule of a grant, but keeps its file until everything it granted is revoked.
  ///
  /// - Returns: `true` if there was an enabled rule.
  /// - Throws: `notPermitted` without the required privilege.
  @discardableResult
  package func retire(_ id: String) throws(GrantError) -> Bool {
    let old = ByteText(file(id))
    let new = ByteText(file(id, isRetired: true))
    return try succeeded(unsafe rename(old.cString, new.cString), id)
  }

  /// Removes the rule of a grant.
  ///
  /// - Parameters:
  ///   - id: The ID of the grant.
  ///   - isRetired: A Boolean value that indicates whether the rule is disabled.
  /// - Returns: `true` if the rule existed.
  /// - Throws: `notPermitted` without the required privilege.
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

  /// The rules of all grants, with the ID of each grant and whether the rule is disabled.
  ///
  /// Files that are too long or not regular are left out.
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

  /// Makes the daemon reload its rules.
  ///
  /// - Returns: `true` if the daemon accepted the request.
  @discardableResult
  package static func reload() -> Bool {
    (try? SystemProgram.run(["udevadm", "control", "--reload"])) == 0
  }

  /// Waits until the daemon has handled all queued events, for at most twenty seconds.
  ///
  /// Do not call this method while the record is locked, because a rule may wait for the lock.
  package static func settle() {
    guard isDaemonRunning else { return }
    _ = try? SystemProgram.run(["udevadm", "settle", "--timeout=20"])
  }

  /// Triggers a change event for one device, if this process has permission to do so.
  ///
  /// - Parameters:
  ///   - device: The path of the device in sysfs.
  ///   - waits: A Boolean value that indicates whether to wait until the event is handled. It must
  ///     be `false` while the record is locked, because a rule may wait for the lock.
  /// - Returns: `true` if the event was triggered.
  @discardableResult
  package static func trigger(_ device: String, waits: Bool) -> Bool {
    // Without permission, udevadm(8) would print an error that the user cannot understand.
    guard isDaemonRunning,
      unsafe access(ByteText("\(device)/uevent").cString, W_OK) == 0
    else { return false }
    let options = waits ? ["--settle"] : []
    let line = ["udevadm", "trigger"] + options + ["--action=change", device]
    return (try? SystemProgram.run(line)) == 0
  }
}
