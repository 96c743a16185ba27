/// Drivers and their modules: why hardware that is there has no node.
struct DriversLayer: Layer {
  let assessment: Assessment
  let names: Names

  func remedies(for cause: Cause) -> [Remedy] {
    switch cause.code {
    case .nodeAbsentNoDriver: driverRemedies(cause)
    case .usbDriverBound: heldRemedies(cause)
    case .moduleNotBuilt: buildRemedies()
    case .moduleLoadRefused: refusedModuleRemedies()
    default: []
    }
  }

  func lookups(for cause: Cause) -> [Lookup] {
    switch cause.code {
    case .nodeAbsent, .nodeAbsentNoDriver: absenceLookups()
    case .moduleLoadRefused: moduleLoadLookups()
    case .usbDriverBound: heldLookups(cause)
    default: []
    }
  }

  func note(for cause: Cause) -> String? {
    guard cause.code == .nodeAbsentNoDriver else { return nil }
    return """
      Nothing can be loaded: this kernel has no driver for it. It needs a kernel that has one.
      """
  }

  // MARK: - Causes

  /// The module that makes the node, installed and not loaded.
  var unloadedModule: Cause? {
    guard facts.kind == nil, let module = facts.hardware?.module(ofNode: path), !module.isLoaded,
      module.isInstalled
    else { return nil }
    let why = module.isBlacklisted ? "is kept from loading by modprobe.d" : "is not loaded"
    return Cause(
      .nodeAbsentNoDriver,
      summary: "\(path) does not exist: its driver, the module \(module.name), \(why).",
      at: path, isProven: false)
  }

  func unboundCauses(
    _ unbound: HardwareFacts.Unbound, _ hardware: HardwareFacts
  ) -> [Cause] {
    let name = unbound.name ?? unbound.sysfsPath
    let module = hardware.modules.first { $0.name == unbound.module }
    if let module, !module.isLoaded, let cause = moduleCause(module) { return [cause] }
    let isLoaded = module?.isLoaded ?? false
    if isLoaded, let cause = probedCause(unbound) { return [cause] }
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
  func moduleCause(_ module: HardwareFacts.Module) -> Cause? {
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
  private static func loadError(_ errno: Errno) -> String {
    switch errno {
    case .notPermitted: "EPERM: no CAP_SYS_MODULE, or loading is forbidden"
    case .keyRejected: "EKEYREJECTED: its signature is not trusted"
    case .noKey: "ENOKEY: it is not signed by a known key"
    default: errno.name
    }
  }

  // MARK: - Remedies

  /// A driver for hardware that has none: bound where it is loaded, loaded where its module is
  /// there and may be loaded; nothing for a module that does not exist.
  func driverRemedies(_ cause: Cause) -> [Remedy] {
    if let path = cause.at, path.hasPrefix("/dev/") { return nodeDriverRemedies(path) }
    guard let hardware = facts.hardware,
      let unbound = hardware.unbound.first(where: { $0.sysfsPath == cause.at }),
      let module = hardware.modules.first(where: { $0.name == unbound.module })
    else { return [] }
    if module.isLoaded {
      let interface = unbound.sysfsPath.split(separator: "/").last.map(String.init) ?? ""
      guard interface.isUSBPlace, module.name.isModuleName else { return [] }
      let name = HardwareFacts.driver(ofModule: module.name)
      let driver = "/sys/bus/usb/drivers/\(name)/bind"
      return [
        Remedy(
          "Bind the driver to the \(hardwareNoun)",
          commands: ["echo \(interface.shellQuoted) > \(driver.shellQuoted)"],
          actor: .administrator, until: .unbinding,
          assumes: Self.nodeAssumption)
      ]
    }
    return loadRemedies(
      module, assuming: "the driver supports the hardware, and \(Self.nodeAssumption)")
  }

  /// Loads a module: now and at every boot, or now alone.
  func loadRemedies(_ module: HardwareFacts.Module, assuming assumption: String) -> [Remedy] {
    guard module.isInstalled, !module.isLoaded, module.name.isModuleName,
      facts.hardware?.areModulesDisabled != true
    else { return [] }
    let name = module.name
    // A line in modprobe.d can put a program in the module's place, which is not run then.
    let load = "modprobe \(module.isBlacklisted ? "--ignore-install " : "")\(name.shellQuoted)"
    let now = Remedy(
      "Load the driver", commands: [load], actor: .administrator, until: .boot,
      assumes: assumption)
    guard !module.isBlacklisted else { return [now] }
    let file = "/etc/modules-load.d/devaccess-\(name).conf"
    return [
      now,
      Remedy(
        "Load the driver now and at every boot",
        commands: [load, "echo \(name.shellQuoted) > \(file.shellQuoted)"],
        actor: .administrator, assumes: assumption),
    ]
  }

  /// The module that makes a node, where the node is missing.
  func nodeDriverRemedies(_ path: String) -> [Remedy] {
    guard let module = facts.hardware?.module(ofNode: path) else { return [] }
    return loadRemedies(
      module, assuming: "the driver makes the node, and the node lets the user in")
  }

  /// What a module needs that the kernel refused.
  func refusedModuleRemedies() -> [Remedy] {
    guard let hardware = facts.hardware, hardware.areModulesDisabled != true,
      let module = hardware.modules.first(where: { module in
        !module.isLoaded && module.name.isModuleName
          && (module.loadErrno ?? 0 != 0
            || module.isInstalled && hardware.unbound.contains { $0.module == module.name })
      })
    else { return [] }
    if confinement.container != nil {
      return [
        Remedy(
          "Load the module outside the container, and give the container its device",
          commands: ["modprobe \(module.name.shellQuoted)"], actor: .administrator,
          takesEffect: "in a new container", until: .boot,
          assumes: "the commands run on the host, whose kernel has a module of that name")
      ]
    }
    guard hardware.areSignaturesRequired == true else { return [] }
    return [
      Remedy(
        "Enrol the key with which DKMS signs modules, and load the module after the restart",
        commands: ["mokutil --import /var/lib/dkms/mok.pub"], actor: .administrator,
        takesEffect: "after a restart, at which the firmware asks for the password again",
        assumes: "DKMS built the module and signed it with that key")
    ]
  }

  func buildRemedies() -> [Remedy] {
    [
      Remedy(
        "Install the headers of the running kernel and build the module again",
        commands: ["apt-get install linux-headers-$(uname -r)", "dkms autoinstall"],
        actor: .administrator, assumes: "the command \"dkms status\" lists the module")
    ]
  }

  // MARK: - Look-ups

  func absenceLookups() -> [Lookup] {
    guard facts.kind == DeviceKind.camera.name else { return [] }
    return [
      Lookup(
        "Check whether the camera is on the USB bus at all: a key or a switch can turn it off",
        commands: ["lsusb"]),
      Lookup(
        "Read what the kernel reports about drivers",
        commands: [kernelLog("uvcvideo|video")],
        isPrivileged: true),
    ]
  }

  func moduleLoadLookups() -> [Lookup] {
    [
      Lookup(
        "Read why the kernel refuses the module",
        commands: [kernelLog("module verification|Loading of|lockdown")],
        isPrivileged: true)
    ]
  }
}
