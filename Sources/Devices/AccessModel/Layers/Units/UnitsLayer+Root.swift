/// Services with their own root directory.
extension UnitsLayer {
  /// Returns the cause for a path that does not exist in the service's root directory
  /// (`RootDirectory=`).
  ///
  /// - Returns: The cause; `nil` for a path in a directory that systemd mounts there, such as
  ///   `/dev`.
  func outsideRootCause() -> Cause? {
    guard let root = confinement.service?.rootDirectory, let unit = confinement.unit,
      let mount = access.mount(of: place),
      !["/dev", "/proc", "/sys"].contains(where: mount.at.isAtOrBelow)
    else { return nil }
    return Cause(
      .unitRootDirectory,
      summary: """
        \(path) does not exist in \(root), the root directory of \(unit) (RootDirectory=). The \
        service sees only the files that its unit binds there.
        """, at: place, isProven: isOfUnit)
  }

  /// Returns the remedies that bind the path into the service's root directory.
  func rootRemedies() -> [Remedy] {
    guard let unit = confinement.serviceUnit else { return [] }
    if path.hasPrefix("/dev/") { return settings.deviceRemedies(path) }
    let target = access.creationDirectory ?? path
    guard target != "/", target.isConfigurationWord else { return [] }
    let isWritten = wanted.contains(.write) || access.request.creates
    return [
      settings.dropIn(
        unit, ["\(isWritten ? "BindPaths" : "BindReadOnlyPaths")=\(target)"],
        named: "devaccess-root", title: "Bind \(target) into the root directory of \(unit)",
        assumes: """
          \(target) exists on the host (otherwise \(unit) does not start), and the user of \(unit) has \
          permission on it
          """)
    ]
  }
}
