/// Remedies for drivers that are not loaded, or that the kernel refuses.
extension RemedyWriter {
  /// Loads a module: now and at every boot, or now alone.
  func loadRemedies(_ module: HardwareFacts.Module, assuming assumption: String) -> [Remedy] {
    guard module.isInstalled, !module.isLoaded, facts.hardware?.areModulesDisabled != true else {
      return []
    }
    let name = module.name
    // A line in modprobe.d can put a program in the module's place, which is not run then.
    let load = "modprobe \(module.isBlacklisted ? "--ignore-install " : "")\(name.shellQuoted)"
    let now = Remedy(
      "Load the driver", commands: [load], actor: .administrator, lasts: "until the next boot",
      assumes: assumption)
    guard !module.isBlacklisted, name.isConfigurationWord, !name.contains("/") else { return [now] }
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
        !module.isLoaded
          && (module.loadErrno ?? 0 != 0
            || module.isInstalled && hardware.unbound.contains { $0.module == module.name })
      })
    else { return [] }
    if confinement.container != nil {
      return [
        Remedy(
          "Load the module outside the container, and give the container its device",
          commands: ["modprobe \(module.name.shellQuoted)"], actor: .administrator,
          takesEffect: "in a new container", lasts: "until the next boot",
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
}
