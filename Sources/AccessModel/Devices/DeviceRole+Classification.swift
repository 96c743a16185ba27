extension DeviceFacts {
  /// Sets the role and how sure it is.
  ///
  /// The driver's own word (`device_caps`) decides when the node could be asked. Else the
  /// `ID_V4L_CAPABILITIES` property, the `index` among the siblings, the driver, the bus and the
  /// kernel's name are weighed; none of them alone is reliable: the property says `:capture:` on
  /// metadata siblings (older systemd) and on raw pipeline nodes, and is stale on loopback
  /// devices.
  public mutating func classify() {
    (role, roleConfidence) = conclusion
  }

  private var conclusion: (DeviceRole, Confidence) {
    switch subsystem {
    case "video4linux": videoConclusion
    case "sound": soundConclusion
    case "drm": kernelName.hasPrefix("renderD") ? (.render, .likely) : (.other, .likely)
    default: (.other, .guess)
    }
  }

  /// `pcmC0D0c` captures and `pcmC0D0p` plays: the last letter is the direction
  /// (`snd_register_device` in the kernel's `sound/core/pcm.c`).
  private var soundConclusion: (DeviceRole, Confidence) {
    guard kernelName.hasPrefix("pcm") else { return (.other, .likely) }
    return switch kernelName.last {
    case "c": (.microphone, .likely)
    case "p": (.speaker, .likely)
    default: (.other, .guess)
    }
  }

  private var videoConclusion: (DeviceRole, Confidence) {
    // The kernel names a node after the type that its driver registered.
    let prefixes: [(String, DeviceRole)] = [
      ("v4l-subdev", .subdevice), ("v4l-touch", .touch), ("swradio", .softwareRadio),
      ("radio", .radio), ("vbi", .vbi),
    ]
    if let (_, role) = prefixes.first(where: { kernelName.hasPrefix($0.0) }) {
      return (role, driverCapabilities == nil ? .likely : .certain)
    }
    let driver = VideoDriver(of: self)
    if let driverCapabilities {
      let capabilities = VideoCapabilities(rawValue: driverCapabilities)
      let role = capabilities.role(isLoopback: driver == .loopback)
      // Some image processors say plain capture although no sensor is behind the node.
      if role == .capture || role == .output, driver == .pipeline { return (.pipeline, .likely) }
      return (role, .certain)
    }
    return switch driver {
    case .memoryToMemory: (.memoryToMemory, .likely)
    case .pipeline: (.pipeline, .likely)
    case .usbVideoClass: usbVideoConclusion
    case .loopback: loopbackConclusion
    case .unknown: unknownDriverConclusion
    }
  }

  /// The words of `ID_V4L_CAPABILITIES`; `nil` when udev did not ask the node.
  private var videoWords: Set<Substring>? {
    properties["ID_V4L_CAPABILITIES"].map { Set($0.split(separator: ":")) }
  }

  /// The driver registers a capture node and a metadata node for each stream in turn, so that
  /// metadata nodes have odd indices.
  private var usbVideoConclusion: (DeviceRole, Confidence) {
    let isOdd = (index ?? 0) % 2 != 0
    guard let words = videoWords else {
      return isOdd ? (.metadata, .guess) : (.capture, .guess)
    }
    if words.contains("video_output") { return (.output, .likely) }
    guard words.contains("capture") else { return (.metadata, .likely) }
    if isOdd { return (.metadata, .likely) }
    return (.capture, (index ?? 0) == 0 ? .likely : .guess)
  }

  private var loopbackConclusion: (DeviceRole, Confidence) {
    // With exclusive_caps the device captures only while a producer feeds it, or as a control makes it,
    // and udev asked it once: perhaps while it was fed.
    if isFed == true || isKept { return (.capture, .likely) }
    guard let words = videoWords else { return (isFed == false ? .output : .capture, .guess) }
    guard words.contains("capture") else { return (.output, isFed == false ? .likely : .guess) }
    if isFed == false, !words.contains("video_output") { return (.output, .likely) }
    return (.capture, .guess)
  }

  private var unknownDriverConclusion: (DeviceRole, Confidence) {
    let isFirst = (index ?? 0) == 0
    guard let words = videoWords else { return (isFirst ? .capture : .other, .guess) }
    if words.contains("capture") {
      if words.contains("video_output") { return (.memoryToMemory, .guess) }
      return (.capture, isFirst ? .likely : .guess)
    }
    if words.contains("video_output") { return (.output, .likely) }
    if words.contains("video_overlay") { return (.output, .guess) }
    if words.contains("radio") { return (.radio, .likely) }
    // Neither captures nor takes pictures: a codec, or the metadata sibling of a camera.
    if isFirst && bus != "usb" { return (.memoryToMemory, .guess) }
    return (.metadata, .guess)
  }
}
