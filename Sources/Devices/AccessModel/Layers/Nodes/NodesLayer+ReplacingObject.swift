internal import UdevRules

/// Causes and fixes for paths at which another object replaces the device.
extension NodesLayer {
  /// Returns the cause if another object is at the path of the device.
  ///
  /// - Returns: The cause; `nil` if there is no such object, or if it cannot be identified.
  func replacingObjectCause() -> Cause? {
    guard let replacingObject = assessment.replacingObject, let object = assessment.object else {
      return nil
    }
    let at = object.path
    switch replacingObject {
    case .notADevice(let type):
      if let cover = assessment.cover {
        if isMadeByVolume(type, cover) {
          return Cause(
            .nodeNotADevice,
            summary: """
              \(at) is a directory here, not a device: the host had no such node when the \
              container was started, so the engine created a directory there for the volume \
              (\(isPod ? "hostPath" : "-v")).
              """, at: at)
        }
        let who = confinement.container.map { "; \($0) hides paths this way" } ?? ""
        return Cause(
          .nodeNotADevice,
          summary: """
            \(at) is \(type.noun) here, not a device: \(cover.fstype) is mounted over the \
            node\(who).
            """, at: at)
      }
      return Cause(
        .nodeNotADevice,
        summary: "\(at) is \(type.noun), not a device: something created it there.\(beside)",
        at: at)
    case .otherDevice(let number, let subsystem):
      let what =
        number == DeviceNumber(major: 1, minor: 3)
        ? "the null device (1:3)"
        : "device \(number.major):\(number.minor), of the subsystem \(subsystem)"
      return Cause(
        .nodeOtherDevice,
        summary: "\(at) is \(what), whatever its name says.\(beside)", at: at)
    case .oldNumber(let number, let now, _) where number.major != now.major && now.hasStaticMajor:
      let known = device?.nameInSentences ?? "the device"
      return Cause(
        .nodeOtherDevice,
        summary: """
          \(at) is device \(number.major):\(number.minor), but \(known) is \(now.major):\(now.minor): \
          the node was created with the wrong number.
          """, at: at)
    case .oldNumber(let number, let now, _):
      return Cause(
        confinement.container == nil ? .nodeRenumbered : .containerHotplug,
        summary: """
          \(at) is device \(number.major):\(number.minor), and \
          \(device?.nameInSentences ?? "the device") is \(now.major):\(now.minor) now: the node \
          predates the last replug.
          """, at: at)
    case .noDriver(let number):
      let name = at.split(separator: "/").last ?? ""
      // Built-in ports cannot be replugged.
      let isPlugged = !["ttyS", "ttyAMA"].contains(Self.stem(of: name))
      if confinement.container != nil, isPlugged, let other = otherCandidate {
        let now = other.number.map { " (\($0.major):\($0.minor))" } ?? ""
        return Cause(
          .containerHotplug,
          summary: """
            \(at) is device \(number.major):\(number.minor), and no device has that number any \
            more. The device is now \(other.node ?? other.kernelName)\(now): the node predates the \
            last replug.
            """, at: at)
      }
      if let container = confinement.container, assessment.device == nil, isPlugged, isGone(number)
      {
        return Cause(
          .containerHotplug,
          summary: """
            \(at) is device \(number.major):\(number.minor), and no device has that number any \
            more: the \(container) container keeps the node of a device that was unplugged.
            """, at: at)
      }
      return Cause(
        .nodeNoDriver, summary: "\(at) \(nothingBehind(number, object)).\(beside)", at: at,
        isProven: false)
    case .unknownNumber: return nil
    }
  }

  /// Returns whether a device number has a driver but no device.
  private func isGone(_ number: DeviceNumber) -> Bool {
    facts.hardware?.numbers.contains { $0.number == number && $0.hasDriver != false } ?? false
  }

  /// Returns the end of a sentence that explains that a number has no device.
  private func nothingBehind(_ number: DeviceNumber, _ object: Node) -> String {
    let words = "is device \(number.major):\(number.minor), and"
    if number == .ofNoDevice {
      return """
        \(words) no device has that number: opening it gives ENXIO. systemd hides paths this way
        """
    }
    guard !isGone(number) else {
      return "\(words) sysfs has no device with that number: opening it fails"
    }
    // Drivers that share a major number are selected by the minor number (`misc_open`).
    let isShared = number.major == Self.miscMajor && object.type == .characterDevice
    return """
      \(words) no driver has registered that number: opening it gives \(isShared ? "ENODEV" : "ENXIO")
      """
  }

  /// The constant `MISC_MAJOR` from the kernel's `linux/miscdevice.h`.
  static let miscMajor: UInt32 = 10

  /// Another device of the requested kind.
  ///
  /// The name without its number must match, because it depends on the driver: a USB port does not
  /// reappear as a built-in one.
  var otherCandidate: DeviceFacts? {
    let kind = facts.kind.flatMap(DeviceKind.named) ?? DeviceKind.ofNode(at: path)
    let asked = assessment.object?.path ?? path
    let stem = Self.stem(of: asked.split(separator: "/").last ?? "")
    // A device without a node in the container is represented by its node outside.
    let others = facts.devices.map(\.atOutsideNode).filter { $0.node != path }
    if kind == nil, assessment.object?.type == .blockDevice {
      return others.first {
        $0.subsystem == "block" && Self.stem(of: $0.kernelName[...]).dropLast() == stem.dropLast()
      }
    }
    let isNamed = kind != .usb && DeviceKind.ofNode(at: asked) == kind
    return kind?.candidates(in: others).first {
      !isNamed || Self.stem(of: $0.kernelName[...]) == stem
    }
  }

  /// Returns the name of a device without its number.
  static func stem(of name: Substring) -> Substring { name.prefix { !$0.isNumber } }

  /// A sentence that names the node of the requested kind of device, with a leading space.
  private var beside: String {
    guard let other = otherCandidate, let node = other.node else { return "" }
    let kind = facts.kind ?? DeviceKind.ofNode(at: path)?.name ?? "device"
    return " The \(kind)\(other.name.map { " \($0)" } ?? "") is \(node)."
  }

  /// Returns whether a container engine created the directory.
  ///
  /// An engine bind-mounts the source path of a volume. If the path does not exist on the host, the
  /// engine creates a directory there.
  private func isMadeByVolume(_ type: FileType, _ cover: Mount) -> Bool {
    type == .directory && cover.fstype == "devtmpfs"
      && ["docker", "podman", "containerd", "kubernetes"].contains(confinement.container)
  }

  private var isPod: Bool { confinement.container == "kubernetes" }

  /// Returns the fixes that remove the directory on the host and pass in the device itself.
  private func volumeRemedies(_ path: String) -> [Remedy] {
    let start = ContainerOptions(assessment: assessment, names: names)
    let remove = Remedy.Step(
      .administrator, commands: ["rmdir \(start.outsidePath(path).shellQuoted)"])
    return start.passDevice(path).map { passed in
      var remedy = passed
      remedy.title = """
        Remove the directory on the host, plug in the device, and recreate the container with \
        \(passed.steps.flatMap(\.options).count > 1 ? "these options" : "--device") instead of the \
        volume
        """
      if isPod {
        remedy.title = """
          Remove the directory on the Kubernetes node, plug in the device, and recreate the pod \
          with this type for the hostPath volume
          """
        remedy.steps[0].options = ["type: CharDevice"]
      }
      remedy.steps.insert(remove, at: 0)
      remedy.assumes = Remedy.both(
        "the device is plugged in before the container is created",
        "the user has permission to use its node")
      return remedy
    }
  }

  func notADeviceRemedies(_ node: Node?, _ path: String) -> [Remedy] {
    guard path.hasPrefix("/dev/"), let node, !node.type.isDevice else { return [] }
    // A mount point cannot be removed. On the host, the same path is the device itself.
    if let cover = assessment.cover {
      if isMadeByVolume(node.type, cover) { return volumeRemedies(path) }
      let sandboxes = SandboxesLayer(assessment: assessment, names: names)
      if sandboxes.isOfOptions { return sandboxes.sandboxRemedies(path) }
      guard confinement.container == nil, facts.origin.map({ $0.kind == .ownProcess }) ?? true
      else { return [] }
      return [
        Remedy(
          "Unmount what is mounted over it", commands: ["umount \(path.shellQuoted)"],
          actor: .administrator, caution: "the mount does not hide the device on purpose")
      ]
    }
    let remove = node.type == .directory ? "rmdir" : "rm"
    return [
      Remedy(
        "Remove it", commands: ["\(remove) \(path.shellQuoted)"], actor: .administrator,
        takesEffect: "after the device is replugged", assumes: "the driver then creates the node")
    ]
  }
}

extension FileType {
  /// The noun for an object of this type, including the article.
  fileprivate var noun: String {
    switch self {
    case .directory: "a directory"
    case .regular: "a file"
    case .fifo: "a FIFO"
    case .socket: "a socket"
    case .symbolicLink: "a symbolic link"
    case .characterDevice, .blockDevice: "a device"
    }
  }
}
