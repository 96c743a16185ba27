/// Why hardware has no node.
extension CauseFinder {
  /// The causes that lie in the bus, the firmware or the kernel's modules, the surest first.
  func hardwareCauses() -> [Cause] {
    guard let hardware = facts.hardware else { return [] }
    var causes = hardware.usb.prefix(4).map { usbCause($0, hardware) }
    causes += hardware.unbound.prefix(4).flatMap { unboundCauses($0, hardware) }
    causes += hardware.switchedOff.prefix(1).map { off in
      Cause(
        .hardwareOff, summary: "The hardware is switched off: \(off.path) says \(off.value).",
        at: off.path, isProven: false)
    }
    let bound = Set(hardware.unbound.map(\.module))
    causes += hardware.modules.filter { !bound.contains($0.name) }.compactMap(moduleCause)
    causes += pipelineCauses(hardware)
    return causes
  }

  private func usbCause(_ usb: HardwareFacts.USBObstacle, _ hardware: HardwareFacts) -> Cause {
    let name = usb.name ?? "The USB camera \(usb.sysfsPath)"
    switch usb.reason {
    case .deviceNotAuthorized:
      let policy =
        hardware.authorizedDefault.map { $0 == 0 || $0 == 2 } ?? false
        ? " New devices need authorization here (usbcore.authorized_default)." : ""
      return Cause(
        .usbNotAuthorized,
        summary: """
          \(name) is plugged in but not authorized (\(usb.sysfsPath)/authorized is 0), so no \
          driver may take it.\(policy)
          """, at: usb.sysfsPath)
    case .interfaceNotAuthorized:
      let interfaces = (usb.interfaces ?? []).prefix(4).joined(separator: ", ")
      return Cause(
        .usbNotAuthorized,
        summary: "\(name) is plugged in, but no driver may use its interfaces (\(interfaces)): "
          + "they are not authorized.", at: usb.sysfsPath)
    case .notConfigured:
      return Cause(
        .usbNotConfigured,
        summary: """
          \(name) is plugged in but has no configuration (\(usb.sysfsPath)/bConfigurationValue), \
          so it has no interfaces that a driver could take.
          """, at: usb.sysfsPath)
    }
  }

  /// A pipeline whose video nodes are missing or not for everybody: programs reach its camera
  /// through libcamera.
  private func pipelineCauses(_ hardware: HardwareFacts) -> [Cause] {
    let pipelines = hardware.media.filter { $0.isPipeline }
    guard facts.kind == DeviceKind.camera.name, let media = pipelines.first else { return [] }
    let name = media.model ?? media.driver ?? media.kernelName
    return [
      Cause(
        .wrongNodePipeline,
        summary: """
          The machine has a camera pipeline (\(name), /dev/\(media.kernelName)), which gives \
          pictures to programs that use libcamera, and no camera that is used by itself.
          """, at: "/dev/\(media.kernelName)", isProven: false)
    ]
  }

  /// A node that is as the kernel made it, because no daemon has set its permissions.
  func udevNotRunning(_ node: Node) -> Cause {
    Cause(
      .udevNotRunning,
      summary: """
        \(node.path) is still \(node.octalMode) and root's: no udev daemon runs that would set its \
        permissions (there is no /run/udev/control).
        """, at: node.path, isProven: false)
  }

  private func unboundCauses(
    _ unbound: HardwareFacts.Unbound, _ hardware: HardwareFacts
  ) -> [Cause] {
    let name = unbound.name ?? unbound.sysfsPath
    let module = hardware.modules.first { $0.name == unbound.module }
    if let module, !module.isLoaded, let cause = moduleCause(module) { return [cause] }
    let isLoaded = module?.isLoaded ?? false
    let noDriver = Cause(
      .nodeAbsentNoDriver,
      summary: """
        \(name) is plugged in, but no driver is bound to it: \(unbound.module) \
        \(isLoaded ? "is loaded but did not bind to it" : Self.state(of: module)).
        """, at: unbound.sysfsPath)
    guard let module, !module.isLoaded, module.isInstalled else { return [noDriver] }
    if hardware.areModulesDisabled == true {
      let refused = Cause(
        .moduleLoadRefused,
        summary: "\(module.name) is not loaded, and kernel.modules_disabled forbids loading.",
        at: unbound.sysfsPath)
      return [refused, noDriver]
    }
    guard hardware.areSignaturesRequired == true, !module.isBlacklisted else { return [noDriver] }
    let refused = Cause(
      .moduleLoadRefused,
      summary: "The kernel loads only signed modules, and \(module.name) may lack a signature.",
      at: unbound.sysfsPath, isProven: false)
    return [noDriver, refused]
  }

  private static func state(of module: HardwareFacts.Module?) -> String {
    guard let module else { return "drives such hardware" }
    if !module.isInstalled { return "does not exist for this kernel" }
    return module.isBlacklisted
      ? "is kept from loading by modprobe.d" : "is not loaded"
  }

  /// A module that was refused, or that other kernels have and this one has not.
  private func moduleCause(_ module: HardwareFacts.Module) -> Cause? {
    if let errno = module.loadErrno, errno != 0, !module.isLoaded {
      return Cause(
        .moduleLoadRefused,
        summary: "The kernel refused to load \(module.name) (\(Self.loadError(errno))).",
        at: nil)
    }
    guard !module.isLoaded, !module.isInstalled, let other = module.otherKernels.last else {
      return nil
    }
    let release = confinement.kernelRelease.map { " \($0)" } ?? ""
    return Cause(
      .moduleNotBuilt,
      summary: "\(module.name) was built for kernel \(other), not for the running one\(release).",
      at: nil, isProven: false)
  }

  /// What init_module(2) means by an error number.
  private static func loadError(_ errno: Int32) -> String {
    switch errno {
    case ErrorNumber.notPermitted: "EPERM: no CAP_SYS_MODULE, or loading is forbidden"
    case ErrorNumber.keyRejected: "EKEYREJECTED: its signature is not trusted"
    case ErrorNumber.noKey: "ENOKEY: it is not signed by a known key"
    default: ErrorNumber.name(errno)
    }
  }
}

extension HardwareFacts.MediaDevice {
  /// Whether it is a pipeline of a camera sensor or an image processor, and not the controller
  /// of a webcam or of a codec.
  fileprivate var isPipeline: Bool {
    VideoDriver(named: driver ?? "") == .pipeline || VideoDriver(named: model ?? "") == .pipeline
  }
}
