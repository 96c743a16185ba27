/// Security modules and seccomp filters, which take effect when a device is opened.
struct PoliciesLayer: Layer {
  let assessment: Assessment
  let names: Names

  static let causes: [CauseDescription<PoliciesLayer>] = [
    CauseDescription(
      .selinux, "SELinux",
      // Neither a group nor an ACL entry changes the policy.
      precedence: { layer in layer.hostNodeRemedies().isEmpty ? .byOrder : .first },
      remedies: { layer, _ in layer.policyModuleRemedies(.selinux) },
      lookups: { layer, _ in layer.moduleLookups(.selinux) },
      note: { _, _ in Self.policyNote }),
    CauseDescription(
      .appArmor, "AppArmor",
      remedies: { layer, _ in layer.policyModuleRemedies(.appArmor) },
      lookups: { layer, _ in layer.moduleLookups(.appArmor) },
      note: { _, _ in Self.policyNote }),
    CauseDescription(
      .landlock, "Landlock",
      note: { _, _ in Self.policyNote }),
    CauseDescription(
      .seccomp, "seccomp filter",
      lookups: { layer, _ in layer.filterLookups() }),
  ]

  private static let policyNote =
    "No permission of the object helps: the policy of the security module has to allow the access."

  // MARK: - Security modules

  /// Returns the cause if the kernel fails with `EACCES` although modes and ACLs allow the access.
  ///
  /// The security module that labels the subject is the probable cause. Another layer can cause the
  /// same error.
  func labelCause(_ errno: Errno) -> Cause? {
    guard errno == .permissionDenied,
      assessment.decision.isGranted || isServedToOthers || isFolderRefused
    else { return nil }
    let isTried = assessment.attempt?.errno == errno && assessment.kernelErrno ?? 0 == 0
    let isStream = assessment.attempt?.operation == .stream
    let what =
      isTried
      ? (isStream ? "streaming from it is refused" : "open(2) is refused")
      : "the kernel refuses it"
    if let enforced = confinement.enforcedLabel {
      let text = confinement.profileRule.map { " Its text contains \($0)." } ?? ""
      return Cause(
        enforced.code,
        summary: """
          Modes and ACLs allow access to \(path), but \(what) (EACCES): the \(enforced.module) policy probably \
          does not let \(enforced.name) use it.\(text)
          """, at: path, isProven: false)
    }
    guard confinement.hasLabelModule else { return nil }
    let isSELinux = confinement.securityModules?.contains("selinux") ?? false
    return Cause(
      isSELinux ? .selinux : .unknown,
      summary: """
        Modes and ACLs allow access to \(path), but \(what) (EACCES): \
        the \(isSELinux ? "SELinux policy" : "policy of the active security module") probably does not let \
        the process use it.
        """, at: path, isProven: false)
  }

  /// A Boolean value that indicates whether the kernel refuses the directory of a file to create,
  /// although its mode allows searching and writing.
  private var isFolderRefused: Bool {
    guard access.request.creates, confinement.enforcedLabel != nil, confinement.container != nil,
      let slash = path.lastIndex(of: "/"), slash > path.startIndex
    else { return false }
    let folder = String(path[..<slash])
    let isRefused = facts.kernelChecks.contains {
      $0.path.isSame(as: folder) && $0.errno == .permissionDenied
    }
    let request = Request.access(
      path: folder, mode: [.write, .search], effective: true, noFollow: false)
    return isRefused && assessment.prepared.verdict(for: request).isGranted
  }

  /// A Boolean value that indicates whether a file server gives everybody the access that a process
  /// with an enforced label was refused.
  ///
  /// A server that maps the user to another one does not explain the refusal then.
  var isServedToOthers: Bool {
    guard confinement.container != nil, confinement.enforcedLabel?.code == .selinux,
      let object = assessment.object ?? access.object(at: path),
      access.mount(of: object.path)?.fstype.hasPrefix("nfs") == true
    else { return false }
    return object.acl == nil && object.otherBits.isSuperset(of: wanted)
  }

  /// Returns the cause for an AppArmor profile whose text may refuse an access that is otherwise
  /// granted.
  ///
  /// The profile takes effect when the object is opened, so access(2) does not take it into
  /// account.
  func profileCause() -> Cause? {
    guard assessment.conclusion == .granted, assessment.attempt == nil,
      let enforced = confinement.enforcedLabel, let rule = confinement.refusingRule
    else { return nil }
    return Cause(
      enforced.code,
      summary: """
        Modes and ACLs allow access to \(path), but \(enforced.phrase) is enforced and may refuse open(2) \
        (EACCES): its text has \(rule).
        """, at: path, isProven: false)
  }

  /// Returns the cause for a policy that only the process itself can test, with its own label.
  func unaskedCause() -> Cause? {
    guard assessment.conclusion == .granted || isShownAllowed, assessment.attempt == nil,
      assessment.kernelErrno == nil,
      let enforced = confinement.enforcedLabel, !enforced.isUnconfined
    else { return nil }
    if enforced.code == .appArmor { return unaskedProfileCause(enforced.name) }
    return Cause(
      enforced.code,
      summary: """
        Modes and ACLs allow access to \(path), but \(enforced.module) is enforcing and the \
        process runs as \(enforced.name): the policy may refuse access (not tested).
        """, at: path, isProven: false)
  }

  /// A Boolean value that indicates whether only the rules of a network filesystem leave a doubt,
  /// whose modes, as shown, allow the access to a domain that a boolean keeps from such filesystems.
  var isShownAllowed: Bool {
    guard assessment.conclusion == .undecided, assessment.shownRefusal == nil,
      case .undecided = assessment.decision.outcome,
      let object = access.object(at: path), access.mount(of: object.path)?.takesLabels == false
    else { return false }
    return contentRemedies().contains { $0.commands.contains { $0.hasPrefix("setsebool") } }
  }

  /// Returns the cause for an AppArmor profile that might not list the object and whose text was
  /// not found.
  ///
  /// Containers and snaps are excluded: the profiles of container engines allow all files, and a
  /// snap's profile depends on its interfaces.
  private func unaskedProfileCause(_ profile: String) -> Cause? {
    guard confinement.profileRule == nil, confinement.container == nil, confinement.snapName == nil
    else { return nil }
    return Cause(
      .appArmor,
      summary: """
        Modes and ACLs allow access to \(path), but the process runs under the AppArmor profile \(profile), \
        which is enforced: unless the profile lists \(path), open(2) is refused (EACCES).
        """, at: path, isProven: false)
  }

  /// Returns the cause for a security module that may have refused the attempt with `EACCES`.
  func moduleCause(_ attempt: Attempt) -> Cause? {
    let modules = confinement.securityModules ?? []
    let open = "Modes and ACLs allow access to \(path), but \(attempt.call) is refused (EACCES)"
    if modules.contains("apparmor"), let label = confinement.label, label != "unconfined",
      !label.hasSuffix("(complain)")
    {
      return Cause(
        .appArmor, summary: "\(open): the AppArmor profile \(label) does not list it.", at: path,
        isProven: !(modules.contains("landlock") && subject.noNewPrivileges))
    }
    if modules.contains("landlock"), subject.noNewPrivileges {
      return Cause(
        .landlock,
        summary: """
          \(open): a Landlock domain may do that, which cannot be read; no_new_privs is set, as \
          it requires.
          """, at: path, isProven: false)
    }
    return nil
  }

  func moduleLookups(_ code: CauseCode) -> [Lookup] {
    switch code {
    case .selinux:
      [
        Lookup(
          "\(isInContainer ? "On the host, see" : "See") which access SELinux denied, and what would allow it",
          commands: ["ausearch -m avc -ts recent | audit2why"],
          isPrivileged: true)
      ]
    case .appArmor:
      [
        Lookup(
          "See which access AppArmor denied",
          commands: [kernelLog("apparmor=.DENIED")], isPrivileged: true)
      ]
    default: []
    }
  }

  /// The directory of a file to create.
  private var folderOfRequest: Node? {
    guard access.request.creates, let slash = path.lastIndex(of: "/") else { return nil }
    return access.object(at: String(path[..<slash]))
  }

  /// Returns a fix that relabels a volume for containers without changing the policy.
  private func relabelRemedies() -> [Remedy] {
    guard confinement.takesRunOptions,
      let object = assessment.object ?? access.object(at: path) ?? folderOfRequest,
      [.regular, .directory].contains(object.type), let mount = access.mount(of: object.path),
      mount.at != "/", mount.keepsLabels
    else { return [] }
    return [
      Remedy(
        """
        Start the container with the volume relabelled (:z; :Z for a volume that no other container \
        uses), and replace SOURCE with the directory on the host
        """, options: ["--volume=SOURCE:\(mount.at.shellQuoted):z"], actor: .packager,
        takesEffect: "when the container is recreated",
        caution: "no confined service of the host needs the directory's current label")
    ]
  }

  /// Returns the fix for a service whose program has no label of its own.
  ///
  /// systemd starts such a program in its own domain, `init_t`. With the label `bin_t`, the policy
  /// starts it as `unconfined_service_t`.
  private func entryPointRemedies() -> [Remedy] {
    // Without new privileges, the policy starts no program in another domain.
    guard confinement.container == nil, !subject.noNewPrivileges,
      let unit = confinement.serviceUnit, unit.isUnitName, let label = confinement.enforcedLabel,
      label.code == .selinux,
      label.name.split(separator: ":").dropFirst(2).first == "init_t"
    else { return [] }
    return [
      Remedy(
        """
        Label the program of \(unit) as one that services run unconfined; replace PROGRAM with its \
        path ('systemctl show -p ExecStart \(unit.shellOperand)' shows it)
        """,
        commands: [
          "semanage fcontext -a -t bin_t PROGRAM", "restorecon PROGRAM",
          "systemctl restart \(unit.shellOperand)",
        ], actor: .administrator,
        scope: "\(unit) everything that SELinux denies it now",
        assumes: Remedy.both(
          "SELinux refuses it ('ausearch -m avc -ts recent' shows that)",
          "PROGRAM has neither the type bin_t nor one that ends in _exec_t ('ls -Z' shows it)"))
    ]
  }

  /// A Boolean value that indicates whether the object is a socket.
  ///
  /// SELinux checks the file of a socket first, and the process behind it next.
  private var isOfSocket: Bool { assessment.object?.type == .socket }

  /// Returns the fixes that extend the policy of a security module by the logged refusals.
  func policyModuleRemedies(_ code: CauseCode) -> [Remedy] {
    // If the refusal is only possible, a module should not be built without reading the log.
    if assessment.isGranted || isShownAllowed, code == .selinux {
      return contentRemedies() + entryPointRemedies()
    }
    return switch code {
    case .selinux:
      contentRemedies() + relabelRemedies() + hostNodeRemedies() + [
        Remedy(
          """
          \(isInContainer ? "On the host, build" : "Build") a policy module from the log of what SELinux \
          refused, and load it\(isOfSocket ? "; repeat this until connecting succeeds" : "")
          """,
          commands: [
            "ausearch -m avc -ts recent | audit2allow -M devaccess", "semodule -i devaccess.pp",
          ], actor: .administrator,
          scope: """
            \(isInContainer ? "every container with the same SELinux type this access, and " : "")\
            every other access that devaccess.te allows, which is what was refused in the last ten \
            minutes
            """,
          caution: "devaccess.te contains only rules that you accept (read it before you load it)")
      ] + entryPointRemedies()
    case .appArmor where confinement.isDenied:
      // AppArmor does not log refusals by such a line.
      [
        Remedy(
          """
          Remove \(confinement.profileRule ?? "") from the text of the profile, and reload the profile \
          with apparmor_parser -r
          """, actor: .administrator,
          assumes: "the profile that is loaded has that line, and another one allows the access")
      ]
    case .appArmor where confinement.container == nil:
      machineRemedies() ?? [
        Remedy(
          "Add to the AppArmor profile the rule that aa-logprof(8) proposes",
          commands: ["aa-logprof"], actor: .administrator,
          caution: "the proposed rule is for this refusal")
      ]
    default: []
    }
  }

  // MARK: - seccomp

  /// Returns the attempt of the same call on the null device.
  ///
  /// A filter cannot distinguish the null device from the requested device.
  func controlAttempt(of attempt: Attempt) -> Attempt? {
    facts.attempts.last {
      $0.path == Attempt.controlPath && $0.systemCall == attempt.systemCall
        && $0.flags == attempt.flags
    }
  }

  /// Returns the cause for a seccomp filter that refuses, or may refuse, the attempted call.
  func filterCause(_ attempt: Attempt, control: Attempt?) -> Cause {
    let name = attempt.errno.name
    return Cause(
      .seccomp,
      summary: control == nil
        ? """
        A seccomp filter is in force, and it may be what refuses \(attempt.call) of \(path) \
        (\(name)).
        """
        : """
        A seccomp filter refuses \(attempt.call) as the program would call it (\(name)): \
        \(Attempt.controlPath) is refused as well.
        """, at: path, isProven: false)
  }

  /// Returns the command that shows the seccomp filter of the unit.
  private func filterLookups() -> [Lookup] {
    guard let unit = confinement.serviceUnit else { return [] }
    return [
      Lookup(
        "Read the filter of the unit",
        commands: ["systemctl show -p SystemCallFilter,SystemCallErrorNumber \(unit.shellOperand)"])
    ]
  }
}

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
    "container_t": ofContainers, "svirt_lxc_net_t": ofContainers,
  ]

  /// The domain of containers, whose volumes an option of the engine relabels.
  private static let ofContainers = ContentDomain(
    readType: "container_file_t", writeType: "container_file_t",
    mountBooleans: ["nfs": "virt_use_nfs", "cifs": "virt_use_samba", "fuse": "virt_use_fusefs"])

  /// Returns the fixes that allow a service's domain to use a directory with content.
  ///
  /// The label of a directory is also added to the policy's file contexts, so that relabelling
  /// preserves it. Network filesystems and home directories have booleans instead.
  func contentRemedies() -> [Remedy] {
    guard confinement.container == nil || confinement.takesRunOptions,
      let label = confinement.enforcedLabel, label.code == .selinux
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
    let refusal = "SELinux refuses it ('ausearch -m avc -ts recent' shows that)"
    func boolean(_ name: String, _ what: String) -> Remedy {
      Remedy(
        "\(isInContainer ? "On the host, let" : "Let") \(parts[2]) use \(what)",
        commands: ["setsebool -P \(name) on"],
        actor: .administrator,
        scope: "every program that runs as \(parts[2]) access to \(what)",
        assumes: "\(refusal), and the policy has that boolean (getsebool \(name))")
    }
    let type = mount.fstype == "smb3" ? "cifs" : mount.fstype
    if let name = domain.mountBooleans.first(where: { type.hasPrefix($0.key) })?.value {
      return [boolean(name, "\(type.hasPrefix("nfs") ? "NFS" : type) filesystems")]
    }
    guard confinement.container == nil, mount.keepsLabels else { return [] }
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
  /// A Boolean value that indicates whether files can have labels of their own; `false` if the
  /// policy has one label for the whole filesystem.
  fileprivate var takesLabels: Bool {
    ["nfs", "cifs", "smb", "fuse"].allSatisfy { !fstype.hasPrefix($0) }
  }

  /// A Boolean value that indicates whether the filesystem stores a label for each file.
  fileprivate var keepsLabels: Bool {
    ["btrfs", "ext2", "ext3", "ext4", "f2fs", "jfs", "xfs", "zfs"].contains(fstype)
  }
}
