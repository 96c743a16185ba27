public import AccessModel

extension LinuxMachine {
  /// Who holds devices open, from one look at every process below `/proc`.
  ///
  /// A process is looked into by its descriptors, those of its threads, and its mappings; a device
  /// is known by its number. The look takes a few threads where it can have them, and about three
  /// microseconds for each open file of the machine.
  public func use(of targets: [Question.Target]) throws(DeviceError) -> UseFacts {
    try requireDescriptors()
    let finder = UseTargetFinder(roots: roots)
    var devices: [UseTarget] = []
    for target in targets { devices.add(try finder.devices(of: target)) }
    guard !devices.isEmpty else { return UseFacts() }
    let facts = try UseObserver(roots: roots, environment: environment).use(of: devices)
    // Nobody can open what has no driver; who still has it open from before is told.
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

  /// Watches the nodes of devices by inotify(7), which tells when one is opened and closed, and the
  /// ends of the processes that were seen to hold one; looks at all processes when one of them says
  /// so.
  ///
  /// Not told are descriptors that are inherited, duplicated or sent to another process, and opens of
  /// other nodes of the device. They are seen when something else makes it look. While a container has
  /// a node of its own, as Docker, Podman and Kubernetes make it, that is after an interval; control
  /// groups tell when one comes. The event of a node takes the right to read it. A node without is
  /// looked at after an interval. A PipeWire daemon that has a device open tells what its clients do,
  /// for as long as it does; what those of another media server do is looked at after an interval, too.
  public func watchUse(of targets: [Question.Target]) throws(DeviceError) -> any UseWatch {
    try requireDescriptors()
    return LinuxUseWatch(targets, roots: roots, environment: environment)
  }
}
