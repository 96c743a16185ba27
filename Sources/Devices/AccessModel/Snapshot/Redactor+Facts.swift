/// Redacts each text in the facts according to its meaning.
extension Redactor {
  func access(_ access: AccessCase) -> AccessCase {
    var access = access
    for index in access.mounts.indices {
      access.mounts[index].at = path(access.mounts[index].at)
      access.mounts[index].fstype = text(access.mounts[index].fstype)
      access.mounts[index].source = access.mounts[index].source.map(source)
    }
    for index in access.nodes.indices {
      access.nodes[index].path = path(access.nodes[index].path)
      access.nodes[index].target = access.nodes[index].target.map(path)
    }
    switch access.request {
    case .open(let asked, let flags):
      access.request = .open(path: path(asked), flags: flags)
    case .access(let asked, let mode, let effective, let noFollow):
      access.request = .access(
        path: path(asked), mode: mode, effective: effective, noFollow: noFollow)
    }
    return access
  }

  func device(_ device: DeviceFacts) -> DeviceFacts {
    let properties = device.properties
    var device = device
    device.node = device.node.map(path)
    device.systemNode = device.systemNode.map(path)
    device.sysfsPath = path(device.sysfsPath)
    device.kernelName = text(device.kernelName)
    device.name = device.name.map(text)
    device.subsystem = text(device.subsystem)
    device.driver = device.driver.map(text)
    device.bus = device.bus.map(text)
    device.seat = text(device.seat)
    device.tags = device.tags.map(text)
    device.currentTags = device.currentTags?.map(text)
    device.links = device.links.map(path)
    device.properties = [:]
    for (key, value) in properties {
      device.properties[text(key)] =
        AllowedWords.isHarmless(property: key) ? sentence(value) : placeholder(for: value)
    }
    return device
  }

  func account(_ account: AccountFacts) -> AccountFacts {
    var account = account
    account.user = account.user.map(text)
    account.home = account.home.map(path)
    account.userNames = account.userNames.mapValues(text)
    account.groupNames = account.groupNames.mapValues(text)
    return account
  }

  func session(_ session: SessionFacts) -> SessionFacts {
    var session = session
    session.id = session.id.map(text)
    session.seat = session.seat.map(text)
    session.type = session.type.map(text)
    session.sessionClass = session.sessionClass.map(text)
    session.userSeats = session.userSeats.map(text)
    session.activeUsers = Dictionary(
      session.activeUsers.map { (text($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    return session
  }

  func confinement(_ confinement: ConfinementFacts) -> ConfinementFacts {
    var confinement = confinement
    confinement.container = confinement.container.map(engine)
    confinement.securityModules = confinement.securityModules?.map(text)
    confinement.securityPrograms = confinement.securityPrograms?.map(text)
    confinement.label = confinement.label.map(sentence)
    confinement.cgroup = confinement.cgroup.map(path)
    confinement.unit = confinement.unit.map(text)
    confinement.kernelRelease = confinement.kernelRelease.map(text)
    confinement.distribution = confinement.distribution.map(text)
    confinement.service = confinement.service.map(service)
    confinement.profileRule = confinement.profileRule.map(sentence)
    confinement.privateMounts = confinement.privateMounts.map(path)
    if let application = confinement.application {
      confinement.application = ApplicationFacts(
        name: text(application.name), devices: application.devices.map(text),
        filesystems: application.filesystems.map(path))
    }
    return confinement
  }

  private func service(_ service: ServiceFacts) -> ServiceFacts {
    var service = service
    for index in service.policies.indices {
      service.policies[index].unit = text(service.policies[index].unit)
      service.policies[index].missed = service.policies[index].missed.map(path)
    }
    service.appArmorProfile = service.appArmorProfile.map(sentence)
    service.selinuxContext = service.selinuxContext.map(sentence)
    service.rootDirectory = service.rootDirectory.map(path)
    service.protected = service.protected?.map {
      ServiceFacts.Protection(path($0.at), isReadOnlyOutside: $0.isReadOnlyOutside)
    }
    return service
  }

  func hardware(_ hardware: HardwareFacts) -> HardwareFacts {
    var hardware = hardware
    for index in hardware.unbound.indices {
      hardware.unbound[index].sysfsPath = path(hardware.unbound[index].sysfsPath)
      hardware.unbound[index].name = hardware.unbound[index].name.map(text)
      hardware.unbound[index].module = hardware.unbound[index].module.map(text)
      hardware.unbound[index].modalias = hardware.unbound[index].modalias.map(text)
    }
    for index in hardware.modules.indices {
      hardware.modules[index].name = text(hardware.modules[index].name)
      hardware.modules[index].otherKernels = hardware.modules[index].otherKernels.map(text)
    }
    for index in hardware.switchedOff.indices {
      hardware.switchedOff[index].path = path(hardware.switchedOff[index].path)
      hardware.switchedOff[index].value = text(hardware.switchedOff[index].value)
    }
    hardware.keepers = Dictionary(
      hardware.keepers.map { (path($0.key), text($0.value)) },
      uniquingKeysWith: { first, _ in first })
    for index in hardware.usb.indices {
      hardware.usb[index].sysfsPath = path(hardware.usb[index].sysfsPath)
      hardware.usb[index].name = hardware.usb[index].name.map(text)
      hardware.usb[index].identifiers = hardware.usb[index].identifiers.map(text)
      hardware.usb[index].interfaces = hardware.usb[index].interfaces?.map(text)
    }
    for index in hardware.held.indices {
      hardware.held[index].sysfsPath = path(hardware.held[index].sysfsPath)
      hardware.held[index].name = hardware.held[index].name.map(text)
      hardware.held[index].driver = text(hardware.held[index].driver)
      hardware.held[index].module = text(hardware.held[index].module)
      hardware.held[index].identifiers = hardware.held[index].identifiers.map(text)
      hardware.held[index].node = hardware.held[index].node.map(path)
    }
    for index in hardware.ports.indices {
      hardware.ports[index].node = path(hardware.ports[index].node)
      hardware.ports[index].policy = hardware.ports[index].policy.map(text)
      hardware.ports[index].vendor = hardware.ports[index].vendor.map(text)
      // Other properties, such as identifiers, are not needed.
      hardware.ports[index].properties = hardware.ports[index].properties.filter {
        ["0", "1", "true", "false"].contains($0.value)
      }
    }
    hardware.services = hardware.services.map(text)
    for index in hardware.interfaces.indices {
      hardware.interfaces[index].sysfsPath = path(hardware.interfaces[index].sysfsPath)
      hardware.interfaces[index].driver = hardware.interfaces[index].driver.map(text)
    }
    return hardware
  }
}

/// Redacts the use of devices.
extension Redactor {
  func use(_ use: UseFacts) -> UseFacts {
    var use = use
    use.devices = use.devices.map { device in
      var device = device
      device.node = path(device.node)
      device.kind = device.kind.map(text)
      device.device = device.device.map(self.device)
      device.holders = device.holders.map(holder)
      return device
    }
    return use
  }

  private func holder(_ holder: DeviceHolder) -> DeviceHolder {
    var holder = holder
    holder.process = process(holder.process)
    holder.clients = holder.clients?.map { client in
      var client = client
      client.name = sentence(client.name)
      client.process = client.process.map(process)
      client.application = client.application.map(text)
      return client
    }
    return holder
  }

  private func process(_ process: HoldingProcess) -> HoldingProcess {
    var process = process
    process.name = sentence(process.name)
    process.userName = process.userName.map(text)
    process.executable = process.executable.map(path)
    process.unit = process.unit.map(text)
    process.container = process.container.map(engine)
    process.containerName = process.containerName.map(text)
    process.application = process.application.map(text)
    return process
  }
}

extension DeviceUse {
  /// All texts that may be paths or contain an identifier.
  var texts: [String] {
    var texts = [node]
    if let device { texts += [device.node ?? "", device.systemNode ?? "", device.sysfsPath] }
    for holder in holders {
      let clients = holder.clients ?? []
      for process in [holder.process] + clients.compactMap(\.process) { texts += process.texts }
      for client in clients { texts += [client.name, client.application ?? ""] }
    }
    return texts
  }
}

extension HoldingProcess {
  fileprivate var texts: [String] {
    [name] + [executable, unit, containerName, application].compactMap(\.self)
  }
}
