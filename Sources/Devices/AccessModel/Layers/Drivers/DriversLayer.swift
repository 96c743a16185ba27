/// Drivers and their modules, whose absence explains why hardware has no node.
struct DriversLayer: Layer {
  let assessment: Assessment
  let names: Names

  static let causes: [CauseDescription<DriversLayer>] = [
    CauseDescription(
      .nodeAbsent, "no device node",
      lookups: { layer, _ in layer.absenceLookups() }),
    CauseDescription(
      .nodeAbsentNoDriver, "no driver created a node", object: .hardware,
      remedies: { layer, cause in layer.driverRemedies(cause) },
      lookups: { layer, _ in layer.absenceLookups() },
      note: { _, _ in
        "Nothing can be loaded: this kernel has no driver for it. It needs a kernel that has one."
      }),
    CauseDescription(
      .usbDriverBound, "interface bound to another driver", object: .hardware,
      remedies: { layer, cause in layer.heldRemedies(cause) },
      lookups: { layer, cause in layer.heldLookups(cause) }),
    CauseDescription(
      .moduleLoadRefused, "kernel refused the module", object: .hardware,
      remedies: { layer, _ in layer.refusedModuleRemedies() },
      lookups: { layer, _ in layer.moduleLoadLookups() }),
    CauseDescription(
      .moduleNotBuilt, "module not built for this kernel", object: .hardware,
      remedies: { layer, _ in layer.buildRemedies() }),
  ]

  // MARK: - Causes

  /// The cause for a missing node whose module is not loaded.
  var unloadedModule: Cause? {
    guard facts.kind == nil || facts.kind == DeviceKind.kvm.name,
      let module = nodeModule(of: path), !module.isLoaded
    else { return nil }
    if let refusal = refusalCause(module) { return refusal }
    // A container shows which modules are loaded, but not which ones are installed on the host.
    let isMissing = !module.isInstalled && confinement.container == nil
    if isMissing, let other = otherKernelCause(module) { return other }
    guard
      module.isInstalled || isMissing && HardwareFacts.isPartOfLinux(module.name)
        || confinement.container != nil && NodeCompanions.isNVIDIA(path)
    else { return nil }
    let release = confinement.kernelRelease.map { " \($0)" } ?? ""
    let why =
      isMissing
      ? "the running kernel\(release) lacks the \(module.name) module, which creates it"
      : "its driver, the \(module.name) module, "
        + (module.isBlacklisted ? "is blocked by a line in modprobe.d" : "is not loaded")
    return Cause(
      .nodeAbsentNoDriver, summary: "\(path) does not exist: \(why).", at: path, isProven: false)
  }

  /// Returns the module that creates a node.
  ///
  /// For `/dev/kvm`, this is the module for the processor.
  private func nodeModule(of path: String) -> HardwareFacts.Module? {
    guard let hardware = facts.hardware else { return nil }
    if let module = hardware.module(ofNode: path) { return module }
    return path == "/dev/kvm" ? hardware.modules.first { $0.name.isVirtualizationModule } : nil
  }

  func unboundCauses(
    _ unbound: HardwareFacts.Unbound, _ hardware: HardwareFacts
  ) -> [Cause] {
    let name = Self.words(for: unbound)
    let isOnUSB = unbound.bus == "usb" || unbound.bus == nil
    if lacksRawHID(hardware) {
      return [
        Cause(
          .nodeAbsentNoDriver,
          summary: """
            \(name) is plugged in, but this kernel makes no hidraw nodes, because it was built without \
            CONFIG_HIDRAW.
            """, at: unbound.sysfsPath)
      ]
    }
    let module = hardware.modules.first { $0.name == unbound.module }
    if let module, !module.isLoaded, let cause = moduleCause(module) { return [cause] }
    let isLoaded = module?.isLoaded ?? false
    if isLoaded, let cause = probedCause(unbound) { return [cause] }
    let state = isLoaded ? "is loaded but did not bind to it" : Self.state(of: module)
    let why =
      unbound.module.map { "\($0) \(state)" }
      ?? "this kernel has no module for it\(unbound.modalias.map { " (\($0))" } ?? "")"
    let noDriver = Cause(
      .nodeAbsentNoDriver,
      summary: """
        \(name) is \(isOnUSB ? "plugged in" : "in this machine"), but no driver is bound to it: \(why).
        """, at: unbound.sysfsPath,
      // On PCI, the class of the device is conclusive. On other buses, only its module is.
      isProven: isOnUSB || unbound.bus == "pci")
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

  /// Returns whether the kernel was built without hidraw.
  private func lacksRawHID(_ hardware: HardwareFacts) -> Bool {
    guard facts.kind == DeviceKind.hidraw.name || path.hasPrefix("/dev/hidraw") else {
      return false
    }
    return hardware.modules.contains { $0.isRawHID && !$0.isInstalled && !$0.isLoaded }
  }

  /// Returns the description of the hardware for use in sentences.
  private static func words(for unbound: HardwareFacts.Unbound) -> String {
    guard unbound.bus == "pci" else { return unbound.name ?? unbound.sysfsPath }
    let place = unbound.place + (unbound.identifiers.map { ", \($0)" } ?? "")
    return unbound.name.map { "\($0) (PCI \(place))" } ?? "The PCI device \(place)"
  }

  private static func state(of module: HardwareFacts.Module?) -> String {
    guard let module else { return "drives such hardware" }
    if !module.isInstalled { return "is not installed for the running kernel" }
    return module.isBlacklisted
      ? "is blocked by a line in modprobe.d" : "is not loaded"
  }

  /// Returns the cause for a module that is blocked, was refused, or exists only for other kernels.
  func moduleCause(_ module: HardwareFacts.Module) -> Cause? {
    if facts.kind != nil, module.isBlacklisted, module.isInstalled, !module.isLoaded,
      facts.hardware?.unbound.contains(where: { $0.module == module.name }) == false
    {
      return Cause(
        .nodeAbsentNoDriver,
        summary:
          "The \(module.name) module, which drives such hardware, \(Self.state(of: module)).",
        at: nil, isProven: false)
    }
    return refusalCause(module) ?? otherKernelCause(module)
  }

  /// Returns the cause for a module that the kernel refused to load.
  private func refusalCause(_ module: HardwareFacts.Module) -> Cause? {
    guard let errno = module.loadErrno, errno != 0, !module.isLoaded else { return nil }
    let isOff = errno == .notSupported && module.name.isVirtualizationModule
    let isUnsigned =
      requiresSignatures && [.notPermitted, .keyRejected, .noKey].contains(errno)
    return Cause(
      .moduleLoadRefused,
      summary: isOff
        ? """
        The kernel refused to load \(module.name) (EOPNOTSUPP): virtualization is disabled in the \
        firmware settings, or the processor does not support it.
        """
        : isUnsigned
          ? """
          The kernel refused to load \(module.name) (\(errno.name)): it requires a trusted \
          signature on every module (for example, because of Secure Boot).
          """ : "The kernel refused to load \(module.name) (\(Self.loadError(errno))).",
      at: nil)
  }

  /// A Boolean value that indicates whether the kernel loads only modules with a trusted signature.
  private var requiresSignatures: Bool {
    facts.hardware?.areSignaturesRequired == true
      || confinement.lockdown.map { $0 >= .integrity } ?? false
  }

  /// Returns the cause for a module that exists only for other kernels.
  private func otherKernelCause(_ module: HardwareFacts.Module) -> Cause? {
    guard !module.isLoaded, !module.isInstalled, let other = module.otherKernels.last else {
      return nil
    }
    let release = confinement.kernelRelease.map { " \($0)" } ?? ""
    let count = module.otherKernels.count
    let others =
      count == 1
      ? "kernel \(other)" : "\(count) other kernels, such as \(other)"
    return Cause(
      .moduleNotBuilt,
      summary: "\(module.name) was built for \(others), but not for the running kernel\(release).",
      at: nil, isProven: false)
  }

  /// Returns a description of an error that init_module(2) returned.
  private static func loadError(_ errno: Errno) -> String {
    switch errno {
    case .notPermitted: "EPERM: no CAP_SYS_MODULE, or loading is forbidden"
    case .keyRejected: "EKEYREJECTED: its signature is not trusted"
    case .notSupported: "EOPNOTSUPP: the hardware lacks what the module needs"
    case .noKey: "ENOKEY: it is not signed by a known key"
    case .busy: "EBUSY: another module or driver is already using what it needs"
    default: errno.name
    }
  }

  // MARK: - Remedies

  /// Returns the remedies for hardware without a driver.
  ///
  /// Depending on the state of the module, they bind a loaded driver, load an installed module, or
  /// install the package that contains the module.
  func driverRemedies(_ cause: Cause) -> [Remedy] {
    if let path = cause.at, path.hasPrefix("/dev/") { return nodeDriverRemedies(path) }
    guard let hardware = facts.hardware,
      let unbound = hardware.unbound.first(where: { $0.sysfsPath == cause.at }),
      let module = driver(of: unbound, hardware)
    else { return [] }
    if module.isLoaded, let bus = unbound.bus, bus != "usb" {
      guard unbound.place.isDeviceName, ["pci", "i2c", "platform"].contains(bus) else { return [] }
      return [
        Remedy(
          "Have the kernel probe the \(hardwareNoun) again",
          commands: ["echo \(unbound.place.shellQuoted) > /sys/bus/\(bus)/drivers_probe"],
          actor: .administrator, until: .boot,
          assumes: Remedy.both(
            "the problem that kept the driver from binding is gone", nodeAssumption))
      ]
    }
    if module.isLoaded {
      let interface = unbound.place
      guard interface.isUSBPlace, module.name.isModuleName else { return [] }
      let name = HardwareFacts.driver(ofModule: module.name)
      let driver = "/sys/bus/usb/drivers/\(name)/bind"
      return [
        Remedy(
          "Bind the driver to the \(hardwareNoun)",
          commands: ["echo \(interface.shellQuoted) > \(driver.shellQuoted)"],
          actor: .administrator, until: .replug,
          assumes: nodeAssumption)
      ]
    }
    if !module.isInstalled { return packageRemedies(of: module) }
    return loadRemedies(
      module, assuming: Remedy.both("the driver supports the hardware", nodeAssumption))
  }

  /// Returns the module for hardware that has no driver.
  ///
  /// If the modalias matches no module, the result is the only missing module, provided that there
  /// is no other hardware without a driver.
  func driver(
    of unbound: HardwareFacts.Unbound, _ hardware: HardwareFacts
  ) -> HardwareFacts.Module? {
    if let name = unbound.module { return hardware.modules.first { $0.name == name } }
    let missing = hardware.modules.filter { !$0.isLoaded && !$0.isInstalled }
    return missing.count == 1 && hardware.unbound.count == 1 ? missing.first : nil
  }

  /// Returns the remedy for a module that is not installed.
  ///
  /// It installs the distribution's separate module package, or boots a kernel that has the module.
  private func packageRemedies(of module: HardwareFacts.Module) -> [Remedy] {
    guard confinement.container == nil, !module.name.isExternalModule, module.name.isModuleName
    else { return [] }
    let ofDistribution =
      confinement.distribution == "openwrt" ? KernelPackage(ofModule: module.name) : nil
    guard let package = ofDistribution ?? confinement.kernelRelease.flatMap(KernelPackage.init)
    else {
      // If another installed kernel has the module, booting that kernel is suggested elsewhere.
      guard module.otherKernels.isEmpty else { return [] }
      let missing = module.isRawHID ? "the CONFIG_HIDRAW option" : "the \(module.name) module"
      return [
        Remedy(
          "Boot a kernel that has \(missing)", actor: .administrator,
          takesEffect: "after a reboot",
          assumes: Remedy.both(
            "such a kernel exists (otherwise, rebuild the current one with \(missing))",
            nodeAssumption))
      ]
    }
    return [
      Remedy(
        package.title, commands: package.commands, actor: .administrator,
        takesEffect: package.takesEffect,
        assumes: Remedy.both(
          "the package contains the \(module.name) module", nodeAssumption))
    ]
  }

  /// Returns the remedies that load an installed module: now and at every boot, or only now.
  func loadRemedies(_ module: HardwareFacts.Module, assuming assumption: String?) -> [Remedy] {
    // If the kernel has refused the module, it refuses the next attempt too.
    guard module.isInstalled, !module.isLoaded, module.name.isModuleName,
      facts.hardware?.areModulesDisabled != true, module.loadErrno ?? 0 == 0
    else { return [] }
    let name = module.name
    // An `install` line in modprobe.d can replace loading with a command. This option ignores the
    // line.
    let load = "modprobe \(module.isBlacklisted ? "--ignore-install " : "")\(name.shellQuoted)"
    let now = Remedy(
      "Load the driver", commands: [load], actor: .administrator, until: .boot,
      assumes: assumption)
    guard !module.isBlacklisted else {
      return [
        Remedy(
          """
          In /etc/modprobe.d (or another directory listed in modprobe.d(5)), remove the line \
          that blocks \(name)
          """,
          actor: .administrator, takesEffect: "after a reboot", assumes: assumption,
          caution: "nothing else needs that line"),
        now,
      ]
    }
    // Without systemd, nothing loads modules when WSL starts.
    if confinement.isWSL, confinement.hasSystemd == false {
      return [Self.systemdOfWSL(assumption), now]
    }
    return [
      Remedy(
        "Load the driver now and at every boot", commands: name.loadingCommands,
        actor: .administrator, assumes: assumption), now,
    ]
  }

  /// Returns the remedies that load the module of a missing node.
  func nodeDriverRemedies(_ path: String) -> [Remedy] {
    guard let module = nodeModule(of: path) else { return [] }
    if confinement.takesRunOptions, module.isLoaded, NodeCompanions.isNVIDIA(path) {
      // The number of some nodes changes when the module is loaded again.
      return [
        Remedy(
          "On the host, generate the CDI specification again, and then create the container again",
          commands: ["nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml"],
          actor: .administrator,
          takesEffect: confinement.recreation,
          assumes: "the container gets NVIDIA's devices by that specification")
      ]
    }
    if confinement.container != nil { return [hostLoadRemedy(module)].compactMap(\.self) }
    if !module.isInstalled { return packageRemedies(of: module) }
    return loadRemedies(
      module,
      assuming: Remedy.both(
        "the driver then creates the node", "the user has permission to use the node"))
  }

  /// Returns the remedy that loads a module on the container's host.
  private func hostLoadRemedy(_ module: HardwareFacts.Module) -> Remedy? {
    guard !module.isLoaded, module.name.isModuleName else { return nil }
    // A container that has the host's /dev shows a new node at once, and a node that exists works.
    let isShared =
      access.mount(of: path)?.fstype == "devtmpfs"
      || access.nodes.contains { $0.path.isSame(as: path) }
    return Remedy(
      "On the host, load the \(module.name) module now and at every boot"
        + (isShared ? "" : "; then start the container with the device"),
      commands: NodeCompanions.isNVIDIA(path)
        ? Self.nvidiaCommands(module.name) : module.name.loadingCommands, actor: .administrator,
      takesEffect: isShared ? nil : "when the container is recreated",
      assumes: Remedy.both(
        "the host's kernel has the \(module.name) module",
        NodeCompanions.isNVIDIA(path)
          ? "nvidia-modprobe is installed there as /usr/bin/nvidia-modprobe"
          : "the host reads /etc/modules-load.d at boot"))
  }

  /// Returns the commands that load a module of the NVIDIA driver, and have its nodes created whenever
  /// it is loaded.
  ///
  /// The driver itself creates no nodes (nvidia-modprobe(1)).
  static func nvidiaCommands(_ module: String) -> [String] {
    let rule =
      #"ACTION=="add", SUBSYSTEM=="module", KERNEL=="\#(module)", RUN+="/usr/bin/nvidia-modprobe -c=0 -u""#
    return UdevRuleRemedies.commands(adding: rule, to: "73-devaccess-nvidia.rules")
      + module.loadingCommands + ["nvidia-modprobe -c=0 -u"]
  }

  /// Returns the remedies for a module that the kernel refused.
  func refusedModuleRemedies() -> [Remedy] {
    guard let hardware = facts.hardware, hardware.areModulesDisabled != true,
      let module = hardware.modules.first(where: { module in
        !module.isLoaded && module.name.isModuleName
          && (module.loadErrno ?? 0 != 0
            || module.isInstalled && hardware.unbound.contains { $0.module == module.name })
      })
    else { return [] }
    if module.loadErrno == .notSupported, module.name.isVirtualizationModule {
      return [
        Remedy(
          "Switch virtualization on in the firmware settings (BIOS or UEFI: VT-x, AMD-V, SVM)",
          actor: .administrator, takesEffect: "after a reboot", assumes: "the processor supports it"
        )
      ]
    }
    if confinement.container != nil { return [hostLoadRemedy(module)].compactMap(\.self) }
    return requiresSignatures ? signatureRemedies(module.name) : []
  }

  /// Returns the remedies for a module that is built for other kernels but not for the running one.
  ///
  /// They boot another kernel, install the package that contains the module, or build the module.
  func buildRemedies() -> [Remedy] {
    let missing = facts.hardware?.modules.filter { !$0.isLoaded && !$0.isInstalled } ?? []
    guard let module = missing.first(where: { !$0.otherKernels.isEmpty }) ?? missing.first,
      !module.name.isExternalModule, let other = module.otherKernels.last
    else {
      let module = missing.first { !$0.otherKernels.isEmpty } ?? missing.first
      return module.map { externalBuildRemedies(of: $0.name) } ?? []
    }
    let isNewer = confinement.kernelRelease.map { other.isNewerKernel(than: $0) } ?? true
    let restart = Remedy(
      "Reboot into kernel \(other)", actor: .administrator,
      takesEffect: "after the reboot",
      assumes: Remedy.both("that kernel is still installed", nodeAssumption))
    return isNewer ? [restart] : packageRemedies(of: module) + [restart]
  }

  // MARK: - Look-ups

  func absenceLookups() -> [Lookup] {
    let kind = facts.kind.flatMap(DeviceKind.named)
    var lookups: [Lookup] = []
    if let module = facts.hardware?.modules.first(where: { $0.isBlacklisted && !$0.isLoaded }),
      module.name.isModuleName
    {
      lookups.append(
        Lookup(
          "See which line blocks \(module.name)",
          commands: ["modprobe --showconfig | grep -E '^(blacklist|install) \(module.name)( |$)'"]))
    }
    let onPCI = Lookup("See which PCI hardware has no driver", commands: ["lspci -nnk"])
    guard kind == .camera else {
      return lookups + (kind == .microphone || kind == .gpu ? [onPCI] : [])
    }
    // No search is needed if some hardware is known to lack a driver.
    guard facts.hardware.map({ $0.unbound.isEmpty && $0.held.isEmpty }) ?? true else {
      return lookups + [onPCI]
    }
    return lookups + [
      Lookup(
        "Check whether the camera is on the USB bus at all: a key or a switch can turn it off",
        commands: ["lsusb"]),
      Lookup(
        "Read what the kernel reports about drivers",
        commands: [kernelLog("uvcvideo|video")],
        isPrivileged: true), onPCI,
    ]
  }

  func moduleLoadLookups() -> [Lookup] {
    [
      Lookup(
        "See why the kernel refused the module",
        commands: [kernelLog("module verification|Loading of|lockdown")],
        isPrivileged: true)
    ]
  }
}

extension String {
  /// A Boolean value that indicates whether the string is the name of a KVM module for a processor.
  fileprivate var isVirtualizationModule: Bool { self == "kvm_intel" || self == "kvm_amd" }
}

extension HardwareFacts.Module {
  /// A Boolean value that indicates whether this is hidraw, an option of the module `hid`.
  fileprivate var isRawHID: Bool { name == "hidraw" }
}
