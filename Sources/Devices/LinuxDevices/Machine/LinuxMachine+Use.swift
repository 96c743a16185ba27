public import AccessModel

extension LinuxMachine {
  /// Returns the users of devices, from one scan of all processes in `/proc`.
  ///
  /// The scan inspects the descriptors of each process and its threads, and its memory mappings. It
  /// identifies a device by its number. It uses a few threads if they can be created, and takes
  /// about three microseconds for each open file on the machine.
  public func use(of targets: [Question.Target]) throws(DeviceError) -> UseFacts {
    try requireDescriptors()
    let finder = UseTargetFinder(roots: roots)
    var devices: [UseTarget] = []
    for target in targets { devices.add(try finder.devices(of: target)) }
    guard !devices.isEmpty else { return UseFacts() }
    let facts = try UseObserver(roots: roots, environment: environment).use(of: devices)
    // A device without a driver cannot be opened. However, earlier users that still hold it are
    // reported.
    let numbers = NumberObserver(roots: roots)
    for (use, target) in zip(facts.devices, devices) where use.device == nil && !use.isHeld {
      let number = numbers.observe(target.number.number, isBlock: target.number.isBlock)
      guard number.hasDriver != false else {
        throw DeviceError(
          .notADevice, operation: "find the users of", path: target.askedAs.first ?? target.node,
          errno: .noSuchAddress)
      }
    }
    return facts
  }

  /// Watches the users of devices.
  ///
  /// inotify(7) reports when a node is opened or closed, and the kernel reports the end of each
  /// process that held a device. After such an event, all processes are scanned.
  ///
  /// Inherited or duplicated descriptors, descriptors sent to another process, and opens of other
  /// nodes of the device cause no events. They are detected by the next scan. In the following
  /// cases, the processes are also scanned at an interval:
  ///
  /// - A container has its own node of the device, as with Docker, Podman and Kubernetes. Control
  ///   groups show when such a container starts.
  /// - A node cannot be read, so inotify(7) cannot watch it.
  /// - A media server other than PipeWire has the device open. A PipeWire daemon reports what its
  ///   clients do as long as it has the device open.
  public func watchUse(of targets: [Question.Target]) throws(DeviceError) -> any UseWatch {
    try requireDescriptors()
    return LinuxUseWatch(targets, roots: roots, environment: environment)
  }
}
