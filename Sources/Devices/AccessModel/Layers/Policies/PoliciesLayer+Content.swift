/// Directories with media or web content that SELinux restricts for services.
extension PoliciesLayer {
  /// The file types and booleans of a domain that serves files.
  private struct ContentDomain {
    /// The type of files that the domain can read.
    var readType: String
    /// The type of files that the domain can also write.
    var writeType: String
    /// The boolean that allows the domain to write files of ``writeType``; `nil` if it needs none.
    var writeBoolean: String?
    /// The booleans for filesystems without labels, keyed by a prefix of the filesystem type.
    var mountBooleans: [String: String] = [:]
    /// The boolean for home directories; `nil` if the domain has none.
    var homeBoolean: String?
    /// The boolean that the domain also needs to read the files of users; `nil` for none.
    var homeContentBoolean: String?
  }

  private static let contentDomains = [
    "ftpd_t": ContentDomain(
      readType: "public_content_t", writeType: "public_content_rw_t",
      writeBoolean: "ftpd_anon_write",
      mountBooleans: ["nfs": "ftpd_use_nfs", "cifs": "ftpd_use_cifs", "fuse": "ftpd_use_fusefs"]),
    "httpd_t": ContentDomain(
      readType: "httpd_sys_content_t", writeType: "httpd_sys_rw_content_t",
      mountBooleans: [
        "nfs": "httpd_use_nfs", "cifs": "httpd_use_cifs", "fuse": "httpd_use_fusefs",
      ],
      homeBoolean: "httpd_enable_homedirs", homeContentBoolean: "httpd_read_user_content"),
    "minidlna_t": ContentDomain(
      readType: "public_content_t", writeType: "public_content_rw_t",
      homeBoolean: "minidlna_read_generic_user_content"),
    "mpd_t": ContentDomain(
      readType: "mpd_data_t", writeType: "mpd_data_t",
      mountBooleans: ["nfs": "mpd_use_nfs", "cifs": "mpd_use_cifs"],
      homeBoolean: "mpd_enable_homedirs"),
    "rsync_t": ContentDomain(
      readType: "public_content_t", writeType: "public_content_rw_t",
      writeBoolean: "rsync_anon_write",
      mountBooleans: ["nfs": "rsync_use_nfs", "cifs": "rsync_use_cifs"]),
    "smbd_t": ContentDomain(
      readType: "samba_share_t", writeType: "samba_share_t",
      mountBooleans: ["nfs": "samba_share_nfs", "fuse": "samba_share_fusefs"],
      homeBoolean: "samba_enable_home_dirs"),
  ]

  /// Returns the fixes that allow a service's domain to use a directory with content.
  ///
  /// The label of a directory is also added to the policy's file contexts, so that relabelling
  /// preserves it. Network filesystems and home directories have booleans instead.
  func contentRemedies() -> [Remedy] {
    guard confinement.container == nil, let label = confinement.enforcedLabel,
      label.code == .selinux
    else { return [] }
    let parts = label.name.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count > 2, let domain = Self.contentDomains[String(parts[2])],
      let object = assessment.object ?? access.object(at: path),
      let mount = access.mount(of: object.path)
    else { return [] }
    let folder: String
    switch object.type {
    case .directory: folder = object.path
    case .regular:
      folder = "/" + object.path.parts(at: "/").dropLast().joined(separator: "/")
    default: return []
    }
    let refusal = "the log shows that SELinux refuses it ('ausearch -m avc -ts recent')"
    func boolean(_ name: String, _ what: String) -> Remedy {
      Remedy(
        "Let \(parts[2]) use \(what)", commands: ["setsebool -P \(name) on"],
        actor: .administrator,
        scope: "every program that runs as \(parts[2]) access to \(what)",
        assumes: "\(refusal), and the policy has that boolean (getsebool \(name))")
    }
    let type = mount.fstype == "smb3" ? "cifs" : mount.fstype
    if let name = domain.mountBooleans.first(where: { type.hasPrefix($0.key) })?.value {
      return [boolean(name, "\(type.hasPrefix("nfs") ? "NFS" : type) filesystems")]
    }
    guard mount.keepsLabels else { return [] }
    if folder.hasPrefix("/home/") {
      guard let name = domain.homeBoolean else { return [] }
      var remedy = boolean(name, "home directories")
      if let content = domain.homeContentBoolean {
        remedy.steps[0].commands.append("setsebool -P \(content) on")
      }
      return [remedy]
    }
    guard Self.isContentFolder(folder) else { return [] }
    let writes = wanted.contains(.write)
    let target = writes ? domain.writeType : domain.readType
    // semanage-fcontext(8) interprets paths as regular expressions.
    let pattern = "\(folder.replacing(".", with: "\\."))(/.*)?".shellQuoted
    let switches = writes ? domain.writeBoolean.map { ["setsebool -P \($0) on"] } ?? [] : []
    return [
      Remedy(
        "Give \(folder) the label of files that \(parts[2]) may \(writes ? "write" : "read")",
        commands: [
          "semanage fcontext -a -t \(target) \(pattern)", "restorecon -R \(folder.shellQuoted)",
        ] + switches, actor: .administrator,
        scope: """
          every program that may use files of type \(target) access to everything below \(folder)
          """,
        assumes: refusal,
        caution: "no other service needs the current label of \(folder) ('ls -Zd' shows it)")
    ]
  }

  /// Returns whether a directory contains data and is not a part of the system.
  ///
  /// The result is `false` if the path contains a character that semanage-fcontext(8) could
  /// misinterpret.
  private static func isContentFolder(_ folder: String) -> Bool {
    let system: Set<Substring> = [
      "bin", "boot", "dev", "etc", "lib", "lib64", "proc", "root", "run", "sbin", "sys", "tmp",
      "usr",
    ]
    let parts = folder.split(separator: "/")
    guard parts.count > 1, !system.contains(parts[0]) else { return false }
    // Below `/var`, most directories of services have their own labels.
    if parts[0] == "var" { return parts.count > 2 && ["www", "media"].contains(parts[1]) }
    return folder.utf8.allSatisfy { byte in
      ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A) || (0x2D...0x39).contains(byte)
        || byte == UInt8(ascii: "_")
    }
  }
}

extension Mount {
  /// A Boolean value that indicates whether the filesystem stores a label for each file.
  fileprivate var keepsLabels: Bool {
    ["btrfs", "ext2", "ext3", "ext4", "f2fs", "jfs", "xfs", "zfs"].contains(fstype)
  }
}
