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
