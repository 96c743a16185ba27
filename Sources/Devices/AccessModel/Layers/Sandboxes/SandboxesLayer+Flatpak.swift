/// Flatpaks, which see only the devices and directories that they were given.
extension SandboxesLayer {
  /// Returns the cause for a node that the flatpak may have been started without.
  func flatpakCause(at missing: String) -> Cause? {
    guard confinement.isFlatpak, hasOwnDev, let application = confinement.application else {
      return nil
    }
    return Cause(
      .flatpakDevice,
      summary: """
        \(path) does not exist in this flatpak, which was given \(application.deviceWords).
        """, at: missing, isProven: false)
  }

  /// Returns the cause for a path that the flatpak cannot see.
  func filesystemCause(at missing: String) -> Cause? {
    guard confinement.isFlatpak, facts.kind == nil, !path.hasPrefix("/dev/") else { return nil }
    return Cause(
      .flatpakFilesystem,
      summary: """
        \(path) does not exist in this flatpak, which sees only what it was \
        given\(confinement.application.map { ": \($0.filesystemWords)" } ?? "").
        """, at: missing, isProven: false)
  }

  /// Returns the cause for a pictures directory that may be missing only in the flatpak.
  func albumCause() -> Cause? {
    guard confinement.isFlatpak, !seesAlbum else { return nil }
    return Cause(
      .flatpakFilesystem,
      summary: """
        \(path) does not exist in this flatpak, which was not given xdg-pictures\
        \(wanted.contains(.write) ? " for writing" : "")\
        \(confinement.application.map { ": it was given \($0.filesystemWords)" } ?? "").
        """, at: path, isProven: false)
  }

  /// A Boolean value that indicates whether the flatpak has the wanted access to the pictures
  /// directory.
  private var seesAlbum: Bool {
    let album = facts.album?.path ?? path
    let home = facts.account.home
    return confinement.application?.filesystems.contains { entry in
      if entry.hasSuffix(":ro"), wanted.contains(.write) { return false }
      let place = entry.split(separator: ":").first.map(String.init) ?? entry
      switch place {
      case "xdg-pictures", "host": return true
      case "home": return home.map(album.isBelow) ?? album.hasPrefix("/home/")
      default: return place.hasPrefix("/") && album.isAtOrBelow(place)
      }
    } ?? false
  }

  func flatpakRemedies(_ code: CauseCode) -> [Remedy] {
    guard let application = confinement.flatpakApplication else { return [] }
    let override = "flatpak override --user"
    if code == .flatpakFilesystem {
      var place =
        facts.kind == DeviceKind.album.name
        ? "xdg-pictures" : Self.escapedForFlatpak(assessment.access.request.path)
      if !wanted.contains(.write) { place += ":ro" }
      return [
        Remedy(
          facts.kind == nil
            ? "Give the flatpak access to the path" : "Give the flatpak access to the directory",
          commands: [
            "\(override) --filesystem=\(place.shellQuoted) \(application.shellQuoted)"
          ], actor: .user, takesEffect: "when the application is restarted",
          assumes: Remedy.both("it exists outside the flatpak", "the user may use it"))
      ]
    }
    var remedies: [Remedy] = []
    let kind = facts.kind.flatMap(DeviceKind.named) ?? DeviceKind.ofNode(at: path)
    if kind == .microphone || device?.subsystem == DeviceKind.microphone.subsystem {
      remedies.append(
        Remedy(
          "Give the flatpak access to the sound server, which uses the sound devices",
          commands: ["\(override) --socket=pulseaudio \(application.shellQuoted)"], actor: .user,
          scope: "permission to play and record through the sound server",
          takesEffect: "when the application is restarted",
          assumes: Remedy.both("a sound server is running", "the program uses it")))
    }
    // Only a change of the program can make it use the portal.
    let portal = Remedy(
      "Use the camera portal, which asks first and gives access only to the camera",
      actor: .packager,
      assumes: "the program supports the portal, and the user says yes when the portal asks")
    let (permission, scope) = Self.flatpakPermission(for: device, at: path)
    return remedies + [
      Remedy(
        permission == "all"
          ? "Give the flatpak access to all devices" : "Give the flatpak access to these devices",
        commands: ["\(override) --device=\(permission) \(application.shellQuoted)"],
        actor: .user, scope: scope,
        takesEffect: "when the application is restarted",
        assumes: "the user has permission to use the node")
    ] + (kind == .camera || device?.role == .capture ? [portal] : [])
  }

  /// Returns the narrowest value of `--device=` that makes a node available.
  private static func flatpakPermission(
    for device: DeviceFacts?, at path: String
  ) -> (name: String, scope: String) {
    if path.hasPrefix("/dev/dri/") || device?.subsystem == DeviceKind.gpu.subsystem {
      return ("dri", "access to every graphics card that the user can open")
    }
    if path == "/dev/kvm" { return ("kvm", "permission to run virtual machines with KVM") }
    return ("all", "access to every device node that the user can open")
  }

  /// Returns a path with its colons escaped, because flatpak(1) expects an access mode after a
  /// colon.
  private static func escapedForFlatpak(_ path: String) -> String {
    path.placing("\\", before: ":", "\\")
  }
}
