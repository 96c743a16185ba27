/// The purpose of a device node.
public enum DeviceRole: String, Hashable, Sendable, Codable, CaseIterable {
  /// Delivers pictures, as a camera does.
  case capture
  /// Accepts pictures, as a display output does.
  case output
  /// Delivers data about the pictures of a capture node.
  case metadata
  /// Converts data from memory to memory, as a codec or a scaler does.
  case memoryToMemory = "m2m"
  /// A raw node of a media controller pipeline, which only libcamera can use.
  case pipeline
  /// A radio tuner (`V4L2_CAP_RADIO` and related capabilities).
  case radio
  /// The raw pictures of a touch sensor (`V4L2_CAP_TOUCH`).
  case touch
  /// Data between the lines of a television picture, such as teletext.
  case vbi
  /// A software-defined radio (`V4L2_CAP_SDR_CAPTURE`, `V4L2_CAP_SDR_OUTPUT`).
  case softwareRadio = "sdr"
  /// A part of a camera pipeline, such as a sensor or a lens (`/dev/v4l-subdev*`).
  case subdevice
  /// Delivers sound.
  case microphone
  /// Plays sound.
  case speaker
  /// A graphics processor without a display (`/dev/dri/renderD*`).
  case render
  /// Any other role, or an unknown one.
  case other
}

extension DeviceRole {
  /// A description of a node with this role, such as `a camera`.
  var noun: String {
    switch self {
    case .capture: "a camera"
    case .output: "an output"
    case .metadata: "a metadata node"
    case .memoryToMemory: "a codec or scaler"
    case .pipeline: "a raw node of a camera pipeline"
    case .radio: "a radio"
    case .touch: "a touch sensor"
    case .vbi: "a teletext (VBI) node"
    case .softwareRadio: "a software radio"
    case .subdevice: "part of a camera pipeline"
    case .microphone: "a microphone"
    case .speaker: "a speaker"
    case .render: "a render node"
    case .other: "of no known role"
    }
  }
}

/// The confidence in a conclusion about a device.
public enum Confidence: String, Hashable, Sendable, Codable {
  /// The driver itself reported it (`VIDIOC_QUERYCAP`).
  case certain
  /// It is derived from indirect facts that are usually right.
  case likely
  /// It is derived from an indirect fact that is sometimes wrong.
  case guess
}

extension DeviceFacts {
  /// Sets the role and the confidence in it.
  ///
  /// If the driver was queried, its answer (`device_caps`) decides. Otherwise, the property
  /// `ID_V4L_CAPABILITIES`, the `index` among the camera's nodes, the driver, the bus and the
  /// kernel's name are combined. None of them is reliable by itself. For example, the property
  /// contains `:capture:` for metadata nodes (older systemd) and for raw pipeline nodes, and is
  /// outdated for loopback devices.
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

  /// The role of a sound device.
  ///
  /// The last letter is the direction: `pcmC0D0c` captures and `pcmC0D0p` plays
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
      // Some image processors report plain capture or output, although the node is only part of a
      // pipeline.
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

  /// The capabilities in `ID_V4L_CAPABILITIES`; `nil` if udev did not query the node.
  private var videoWords: Set<Substring>? {
    properties["ID_V4L_CAPABILITIES"].map { Set($0.split(separator: ":")) }
  }

  /// The role of a node of `uvcvideo`.
  ///
  /// The driver registers a capture node and a metadata node in turn for each stream, so metadata
  /// nodes have odd indices.
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
    // With `exclusive_caps`, the device reports capture only while a program feeds it or a control
    // makes it do so. udev queried it only once, possibly while it was fed.
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
    // The node has none of these capabilities: it is a codec, or the metadata node of a camera.
    if isFirst && bus != "usb" { return (.memoryToMemory, .guess) }
    return (.metadata, .guess)
  }
}
