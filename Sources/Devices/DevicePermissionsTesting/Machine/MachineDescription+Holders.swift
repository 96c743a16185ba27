public import AccessModel
internal import LinuxDevices

extension MachineDescription {
  /// Makes a process of a user hold a device open.
  ///
  /// ```swift
  /// $0.addCamera()
  /// $0.hold("/dev/video0", by: "cheese", pid: 4711, user: "alice")
  /// ```
  ///
  /// - Parameters:
  ///   - path: The path that the process opened, which leads to a device.
  ///   - name: The command name, which is truncated to 15 bytes as in the kernel.
  ///   - pid: The process ID. One process can hold several devices.
  ///   - user: The name of an existing user.
  ///   - hold: The way in which the process holds the device; by default, with one descriptor for
  ///     reading and writing.
  public mutating func hold(
    _ path: String, by name: String, pid: Int32, user: String, _ hold: DeviceHold = DeviceHold()
  ) {
    precondition(pid > 0, "there is no process \(pid)")
    // TASK_COMM_LEN.
    let command = String(decoding: name.utf8.prefix(15), as: UTF8.self)
    var process = HoldingProcess(id: pid, name: command)
    process.user = userID(of: user)
    process.userName = user
    addHolder(DeviceHolder(process, hold), of: path)
  }

  /// Makes a process hold a device open, with all details of the process, such as its program, unit
  /// or container.
  ///
  /// The subject sees the processes of its own user and, with CAP_SYS_PTRACE, those of other users.
  /// It also sees a process without a `user`. For a process of another user, set `user` with
  /// ``userID(of:)``, and set `userName`.
  public mutating func addHolder(_ holder: DeviceHolder, of path: String) {
    let path = held(path)
    holders.removeAll { $0.path == path && $0.holder.process.id == holder.process.id }
    holders.append((path, holder))
  }

  /// Makes a process close a device that it holds.
  public mutating func release(_ path: String, by pid: Int32) {
    let path = held(path)
    guard holders.contains(where: { $0.path == path && $0.holder.process.id == pid }) else {
      preconditionFailure("process \(pid) does not hold \(path)")
    }
    holders.removeAll { $0.path == path && $0.holder.process.id == pid }
  }

  /// Returns the path of the node that a path leads to.
  private func held(_ path: String) -> String {
    guard let node = try? node(at: path) else {
      preconditionFailure("the described machine has no device at \(path)")
    }
    return node
  }

  /// Ends a process, which then holds no device.
  ///
  /// Programs that use a device through a media server are listed in the holder that was passed to
  /// ``addHolder(_:of:)``. To change that list, call the method again with the same process.
  public mutating func endProcess(_ pid: Int32) {
    holders.removeAll { $0.holder.process.id == pid }
  }

  /// Sets whether the driver of a virtual camera reports that the camera receives pictures.
  ///
  /// - Parameters:
  ///   - path: The node of a device below `/sys/devices/virtual/video4linux`.
  ///   - isFed: `true` if the camera receives pictures.
  ///   - version: The version of v4l2loopback that provides the camera.
  public mutating func feed(
    _ path: String, _ isFed: Bool = true, version: LoopbackVersion = .oneViewer
  ) {
    guard let index = devices.firstIndex(where: { $0.node == path }) else {
      preconditionFailure("there is no device \(path)")
    }
    devices[index].isFed = isFed
    devices[index].loopbackVersion = version
    devices[index].classify()
  }

  /// Returns the holders of devices that the subject can see.
  func use(of targets: [Question.Target]) throws(DeviceError) -> UseFacts {
    var facts = UseFacts(unseen: unseenProcesses, observedAt: now)
    var unseen: Set<Int32> = []
    for (_, holder) in holders where !isVisible(holder) { unseen.insert(holder.process.id) }
    facts.unseen.count += unseen.count
    if !unseen.isEmpty { facts.unseen.reasons.insert(.notTraceable) }
    for target in targets {
      switch target {
      case .kind(let kind):
        var observation = DescribedObservation(self, origin: nil)
        let placed = devices.placed(
          of: kind, end: { observation.walk($0) }, others: { observation.nodes(numbered: $0) })
        for device in kind.usedDevices(in: placed) {
          guard let node = device.node else { continue }
          Self.add(use(of: node, device, kind: kind.name), to: &facts)
        }
      case .path(let path):
        let node = try node(at: path)
        Self.add(use(of: node, devices.first { $0.node == node }, kind: nil), to: &facts)
      }
    }
    return facts
  }

  /// Adds the use of a device unless it has been added, because a kind and a path may refer to the
  /// same device.
  private static func add(_ use: DeviceUse, to facts: inout UseFacts) {
    if let index = facts.devices.firstIndex(where: { $0.node == use.node }) {
      facts.devices[index].kind = facts.devices[index].kind ?? use.kind
    } else {
      facts.devices.append(use)
    }
  }

  private func use(of node: String, _ device: DeviceFacts?, kind: String?) -> DeviceUse {
    var use = DeviceUse(node: node, kind: kind, device: device)
    use.isToldByDriver =
      device?.subsystem == "sound" && device?.kernelName.hasPrefix("pcm") == true
    let number = nodes[node]?.rdev
    use.holders = holders.filter { path, holder in
      let isSame = path == node || number != nil && nodes[path]?.rdev == number
      return isSame && (use.isToldByDriver || isVisible(holder))
    }
    .map(\.holder).sorted { $0.process.id < $1.process.id }
    // A described sound device has one stream.
    if use.isToldByDriver { use.freeStreams = use.holders.isEmpty ? 1 : 0 }
    return use
  }

  /// Returns the error of the driver, or of a layer that the model does not know, when another
  /// program opens a device; `nil` if opening succeeds.
  func errorBehindTheModel(opening path: String, for permissions: Permissions) -> Errno? {
    if let errno = hiddenRefusal(path, permissions) { return errno }
    if let failure = openFailures[path], failure != .success { return failure }
    // See snd_pcm_open in sound/core/pcm_native.c of Linux, which does not wait for a stream here.
    let device = devices.first { $0.node == path }
    return use(of: path, device, kind: nil).freeStreams == 0 ? .busy : nil
  }

  private func isVisible(_ holder: DeviceHolder) -> Bool {
    guard let user = holder.process.user else { return true }
    return subject.effective.contains(.traceProcesses) || user == subject.euid
  }

  private func node(at path: String) throws(DeviceError) -> String {
    var observation = DescribedObservation(self, origin: nil)
    guard let node = observation.walk(path) else {
      throw DeviceError(
        .notADevice, operation: "find the users of", path: path, errno: .noSuchFile)
    }
    guard node.type.isDevice else {
      throw DeviceError(.notADevice, operation: "find the users of", path: path)
    }
    return node.path
  }
}
