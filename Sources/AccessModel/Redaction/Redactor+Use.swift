/// Which text of the use of devices is what.
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
    holder.process.name = sentence(holder.process.name)
    holder.process.userName = holder.process.userName.map(text)
    holder.process.executable = holder.process.executable.map(path)
    holder.process.unit = holder.process.unit.map(text)
    holder.process.container = holder.process.container.map(engine)
    holder.process.containerName = holder.process.containerName.map(text)
    holder.process.application = holder.process.application.map(text)
    holder.clients = holder.clients?.map { client in
      var client = client
      client.name = sentence(client.name)
      client.application = client.application.map(text)
      return client
    }
    return holder
  }
}

extension DeviceUse {
  /// Every text that may be a path or hold an identifier.
  var texts: [String] {
    var texts = [node]
    if let device { texts += [device.node ?? "", device.sysfsPath] }
    for holder in holders {
      let process = holder.process
      texts.append(process.name)
      texts += [process.executable, process.unit, process.containerName, process.application]
        .compactMap(\.self)
      for client in holder.clients ?? [] { texts += [client.name, client.application ?? ""] }
    }
    return texts
  }
}
