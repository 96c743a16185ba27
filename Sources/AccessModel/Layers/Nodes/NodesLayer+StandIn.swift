/// What is at a path in the device's place.
extension NodesLayer {
  /// What is at the path in the device's place; `nil` when that is the device, or nothing.
  func standInCause() -> Cause? {
    guard let standIn = assessment.standIn, let object = assessment.object else { return nil }
    let at = object.path
    switch standIn {
    case .notADevice(let type):
      if let cover = assessment.cover {
        if isMadeByVolume(type, cover) {
          return Cause(
            .nodeNotADevice,
            summary: """
              \(at) is a directory here, not a device: the host had no such node when the container \
              was started, and a volume (\(isPod ? "hostPath" : "-v")) then makes a directory on the \
              host.
              """, at: at)
        }
        let who = confinement.container.map { ", as \($0) does with what it hides" } ?? ""
        return Cause(
          .nodeNotADevice,
          summary: """
            \(at) is \(type.noun) here, not a device: \(cover.fstype) is mounted over the \
            node\(who).
            """, at: at)
      }
      return Cause(
        .nodeNotADevice,
        summary: "\(at) is \(type.noun), not a device: something made it there.\(beside)",
        at: at)
    case .otherDevice(let number, let subsystem):
      let what =
        number == DeviceNumber(major: 1, minor: 3)
        ? "the null device (1:3)"
        : "device \(number.major):\(number.minor), of the subsystem \(subsystem)"
      return Cause(
        .nodeOtherDevice,
        summary: "\(at) is \(what), whatever its name says.\(beside)", at: at)
    case .oldNumber(let number, let now, _):
      return Cause(
        confinement.container == nil ? .nodeRenumbered : .containerHotplug,
        summary: """
          \(at) is device \(number.major):\(number.minor), and \
          \(device?.kernelName ?? "the device") is \(now.major):\(now.minor) now: the node is \
          from before a replug.
          """, at: at)
    case .noDriver(let number):
      if confinement.container != nil, let other = otherCandidate {
        return Cause(
          .containerHotplug,
          summary: """
            \(at) is device \(number.major):\(number.minor), which has no driver any more, and \
            \(other.kernelName) is \(other.number.map { "\($0.major):\($0.minor)" } ?? "another"): \
            the node is from before a replug.
            """, at: at)
      }
      // Drivers that share a major number find their device by the minor one (`misc_open`).
      let isShared = number.major == Self.miscMajor && object.type == .characterDevice
      return Cause(
        .nodeNoDriver,
        summary: """
          \(at) is device \(number.major):\(number.minor), and no driver has registered that \
          number: opening it gives \(isShared ? "ENODEV" : "ENXIO").\(beside)
          """, at: at, isProven: false)
    case .unknownNumber: return nil
    }
  }

  /// `MISC_MAJOR` of the kernel's `linux/miscdevice.h`.
  private static let miscMajor: UInt32 = 10

  /// Another device of the kind that was meant.
  private var otherCandidate: DeviceFacts? {
    let kind = facts.kind.flatMap(DeviceKind.named) ?? DeviceKind.ofNode(at: path)
    return kind?.candidates(in: facts.devices).first { $0.node != path }
  }

  /// Where the device is that was meant, as one sentence with a space before it.
  private var beside: String {
    guard let other = otherCandidate, let node = other.node else { return "" }
    let kind = facts.kind ?? DeviceKind.ofNode(at: path)?.name ?? "device"
    return " The \(kind)\(other.name.map { " \($0)" } ?? "") is \(node)."
  }

  /// Whether an engine made the directory: it binds the source of a volume, which it makes where
  /// the host has nothing at that path.
  private func isMadeByVolume(_ type: FileType, _ cover: Mount) -> Bool {
    type == .directory && cover.fstype == "devtmpfs"
      && ["docker", "podman", "containerd", "kubernetes"].contains(confinement.container)
  }

  private var isPod: Bool { confinement.container == "kubernetes" }

  /// Removes the directory that the engine made on the host, and hands in the device itself.
  private func volumeRemedies(_ path: String) -> [Remedy] {
    let start = ContainerStart(assessment: assessment, names: names)
    let remove = Remedy.Step(
      .administrator, commands: ["rmdir \(start.outsidePath(path).shellQuoted)"])
    return start.passDevice(path).map { passed in
      var remedy = passed
      remedy.title = """
        Remove the directory on the host, plug in the device, and create the container again, with \
        --device in the place of -v
        """
      if isPod {
        remedy.title = """
          Remove the directory on the cluster's node, plug in the device, and create the pod again, \
          with this type of the hostPath volume
          """
        remedy.steps[0].options = ["type: CharDevice"]
      }
      remedy.steps.insert(remove, at: 0)
      remedy.assumes = "the device is plugged in before, and its node lets the user in"
      return remedy
    }
  }

  func notADeviceRemedies(_ node: Node?, _ path: String) -> [Remedy] {
    guard path.hasPrefix("/dev/"), let node, !node.type.isDevice else { return [] }
    // What is mounted there cannot be removed here; elsewhere the same path is the device itself.
    if let cover = assessment.cover {
      if isMadeByVolume(node.type, cover) { return volumeRemedies(path) }
      let sandboxes = SandboxesLayer(assessment: assessment, names: names)
      if sandboxes.isOfOptions { return sandboxes.sandboxRemedies(path) }
      guard confinement.container == nil, facts.origin.map({ $0.kind == .ownProcess }) ?? true
      else { return [] }
      return [
        Remedy(
          "Unmount what is mounted over it", commands: ["umount \(path.shellQuoted)"],
          actor: .administrator, assumes: "nobody means it to hide the device")
      ]
    }
    let remove = node.type == .directory ? "rmdir" : "rm"
    return [
      Remedy(
        "Remove it; the node comes with the device", commands: ["\(remove) \(path.shellQuoted)"],
        actor: .administrator, takesEffect: "after the device is plugged in again",
        assumes: "the device is plugged in")
    ]
  }
}

extension FileType {
  /// What an object of the type is, with its article.
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
