public import AccessModel
public import LinuxDevices

extension LinuxMachine: Machine {
  /// Returns the facts, without reading those again that the watch would have reported as changed.
  ///
  /// The watch must cover the question.
  public func facts(
    for question: Question, watchedBy watch: any MachineWatch
  ) throws(DeviceError) -> AccessFacts {
    try facts(for: [question], watchedBy: watch)[0]
  }

  /// Returns the facts for several questions, which may be about similar files.
  public func facts(
    for questions: [Question], watchedBy watch: any MachineWatch
  ) throws(DeviceError) -> [AccessFacts] {
    guard let cache = (watch as? LinuxWatch)?.cacheForScan() else {
      return try questions.map { (question) throws(DeviceError) in try facts(for: question) }
    }
    return try facts(for: questions, using: cache)
  }

  /// Watches devices with udev events, files with inotify(7), and sessions with sd-login(3).
  ///
  /// Mounts and accounts are watched through their files. A missing source is reported as a gap in
  /// the coverage. One thread serves all watches of the process, and sleeps while there are no
  /// events.
  public func watch(_ targets: [Question.Target]) throws(DeviceError) -> any MachineWatch {
    try requireDescriptors()
    return LinuxWatch(targets, roots: roots, environment: environment)
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
