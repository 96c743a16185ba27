/// Buses of single-board computers, which must be enabled in the firmware's configuration.
extension HardwareLayer {
  /// A bus with the common path prefix of its devices and the settings that enable the bus.
  private struct BoardBus {
    /// The common prefix of the device paths.
    var prefix: String
    var name: String
    /// The line that enables the bus in the `config.txt` of a Raspberry Pi.
    var setting: String
    /// The raspi-config(1) function that enables the bus; `nil` if it has none.
    var function: String?
    /// The module that creates the device nodes.
    var module: String
  }

  private static let buses = [
    BoardBus(
      prefix: "/dev/spidev", name: "SPI", setting: "dtparam=spi=on", function: "do_spi",
      module: "spidev"),
    BoardBus(
      prefix: "/dev/i2c-", name: "I2C", setting: "dtparam=i2c_arm=on", function: "do_i2c",
      module: "i2c_dev"),
    BoardBus(
      prefix: "/sys/bus/w1/", name: "1-Wire", setting: "dtoverlay=w1-gpio",
      function: "do_onewire", module: "w1_gpio"),
    BoardBus(
      prefix: "/dev/serial0", name: "the serial port", setting: "enable_uart=1",
      function: "do_serial_hw", module: "8250"),
    BoardBus(
      prefix: "/dev/watchdog", name: "the watchdog", setting: "dtparam=watchdog=on",
      function: nil, module: "bcm2835_wdt"),
  ]

  /// The bus that the requested path belongs to.
  private var boardBus: BoardBus? {
    guard facts.kind == nil || facts.kind == DeviceKind.serial.name, confinement.container == nil
    else { return nil }
    return Self.buses.first { path.hasPrefix($0.prefix) }
  }

  /// A Boolean value that indicates whether the machine is known to be a Raspberry Pi.
  var isRaspberryPi: Bool {
    if confinement.distribution == "raspbian" { return true }
    guard let release = confinement.kernelRelease else { return false }
    return release.contains("rpi") || release.contains("raspi")
      || ["-v7+", "-v7l+", "-v8+", "-v8-16k+"].contains(where: release.hasSuffix)
  }

  /// Returns the cause for a device that does not exist because its bus is off.
  func boardCause() -> Cause? {
    guard let bus = boardBus else { return boardCameraCause() }
    // If another device of the bus exists, the bus is on.
    let isOn =
      access.nodes.contains { $0.path != path && $0.path.hasPrefix(bus.prefix) }
      || facts.devices.contains {
        $0.node?.hasPrefix(bus.prefix) == true || $0.kernelName.hasPrefix(bus.prefix.dropFirst(5))
      }
    guard !isOn else { return nil }
    // Without its module, the bus has no nodes even if the bus is on.
    if bus.module == "i2c_dev", module(of: bus)?.isLoaded == false { return nil }
    if isRaspberryPi {
      return Cause(
        .hardwareOff,
        summary: """
          \(path) does not exist: \(bus.name) is probably off. Adding the line \(bus.setting) to \
          config.txt, the firmware's configuration, switches it on.\(moduleSentence(bus))
          """, at: path, isProven: false)
    }
    // On other boards, only these two buses need an entry in the device tree.
    guard ["SPI", "1-Wire"].contains(bus.name) else { return nil }
    return Cause(
      .hardwareOff,
      summary: """
        \(path) does not exist: no \(bus.name) bus has such a device. The device tree of a board \
        names them, and most boards leave the bus off.\(moduleSentence(bus))
        """, at: path, isProven: false)
  }

  private func moduleSentence(_ bus: BoardBus) -> String {
    guard let module = module(of: bus), !module.isLoaded else { return "" }
    return " Loading only the \(bus.module) module does not create the node."
  }

  private func module(of bus: BoardBus) -> HardwareFacts.Module? {
    facts.hardware?.modules.first { $0.name == bus.module }
  }

  /// Returns the fixes that enable the bus or the board camera; `nil` for any other cause.
  func boardRemedies(_ cause: Cause) -> [Remedy]? {
    if let remedies = boardCameraRemedies(cause) { return remedies }
    let isInTree = facts.hardware?.switchedOff.contains { $0.path == cause.at && $0.isInDeviceTree }
    guard let bus = boardBus, cause.at == path || isInTree == true else { return nil }
    guard isRaspberryPi else {
      guard ["I2C", "SPI", "1-Wire"].contains(bus.name) else { return nil }
      return [
        Remedy(
          """
          Switch the \(bus.name) bus on with the board's own tool, which adds an overlay to the device \
          tree (such as armbian-config, or jetson-io.py)
          """, actor: .administrator, takesEffect: "after a reboot",
          assumes: Remedy.both("the board has such a bus", nodeAssumption))
      ]
    }
    // Other systems for the Raspberry Pi, such as Ubuntu, do not include raspi-config.
    let isOfMaker = confinement.kernelRelease?.contains("raspi") == false && bus.function != nil
    return [
      Remedy(
        isOfMaker
          ? """
          Switch on \(bus.name) with raspi-config, which writes this line to config.txt (in \
          /boot/firmware or /boot)
          """
          : "Switch on \(bus.name) with this line in config.txt (in /boot/firmware or /boot)",
        commands: isOfMaker ? ["raspi-config nonint \(bus.function ?? "") 0"] : [],
        options: [bus.setting], actor: .administrator, takesEffect: "after a reboot",
        assumes: nodeAssumption)
    ]
  }
}

/// The camera on the ribbon connector of a Raspberry Pi, which must be enabled in `config.txt`.
extension HardwareLayer {
  /// The drivers of the video nodes that exist even without a camera: codecs and image processors.
  private static let driversWithoutCamera = [
    "bcm2835-codec", "bcm2835-isp", "pisp_be", "pispbe", "rpi-hevc-dec", "rpivid",
  ]

  /// A Boolean value that indicates whether a board camera may be missing.
  ///
  /// It is `true` if a camera was requested on a Raspberry Pi, and the only video nodes belong to
  /// codecs and image processors.
  private var lacksBoardCamera: Bool {
    guard isRaspberryPi, confinement.container == nil, device == nil || facts.kind != nil,
      facts.kind == DeviceKind.camera.name
        || facts.kind == nil && path.isNumbered(after: "/dev/video"),
      !facts.unobserved.contains(where: { $0.layer == Unobserved.devicesLayer })
    else { return false }
    // Hardware that waits for its driver or module is a better explanation for a missing camera.
    if let hardware = facts.hardware {
      guard hardware.unbound.isEmpty, hardware.held.isEmpty, hardware.usb.isEmpty,
        hardware.modules.allSatisfy({ $0.isInstalled || $0.otherKernels.isEmpty })
      else { return false }
    }
    let isOther = { (driver: String?) in
      Self.driversWithoutCamera.contains { driver?.hasPrefix($0) == true }
    }
    let nodes = facts.devices.filter { $0.subsystem == DeviceKind.camera.subsystem }
    return nodes.allSatisfy { isOther($0.driver) }
      && (facts.hardware?.media ?? []).allSatisfy { isOther($0.driver ?? $0.model) }
  }

  /// A Boolean value that indicates whether the system reaches cameras only through the firmware.
  ///
  /// The value depends on the kernel's release. It is `nil` if releases with this kernel did both,
  /// or if the release is unknown.
  private var usesFirmwareCamera: Bool? {
    guard let release = confinement.kernelRelease else { return nil }
    if confinement.hasKernel(before: "5.10") { return true }
    return release.hasPrefix("5.10.") && !hasImageProcessor ? nil : false
  }

  private var hasImageProcessor: Bool {
    facts.devices.contains { $0.driver?.hasPrefix("bcm2835-isp") == true }
  }

  /// Returns the cause for a camera that is not enabled in `config.txt`, or that was not detected.
  func boardCameraCause() -> Cause? {
    guard lacksBoardCamera else { return nil }
    let codecs = facts.devices.filter { $0.role == .memoryToMemory }.compactMap(\.node)
    let others = codecs.first.map { " Nodes of the codec, such as \($0), are not cameras." } ?? ""
    let what =
      facts.kind == nil
      ? "\(path) does not exist" : "This Raspberry Pi shows no camera at its ribbon connector"
    return Cause(
      .hardwareOff,
      summary: """
        \(what): config.txt, the firmware's configuration, does not enable the camera, or the \
        firmware has not detected it.\(others)
        """, at: path, isProven: false)
  }

  /// Returns the fixes that enable the camera or check its cable; `nil` for any other cause.
  func boardCameraRemedies(_ cause: Cause) -> [Remedy]? {
    guard lacksBoardCamera, cause.at == path else { return nil }
    let condition = "the camera is connected with a ribbon cable"
    let isOfMaker = confinement.kernelRelease?.contains("raspi") == false
    let firmware = Remedy(
      isOfMaker
        ? "Enable the camera with raspi-config, which writes these lines to /boot/config.txt"
        : "Enable the camera with these lines in /boot/config.txt",
      commands: isOfMaker ? ["raspi-config nonint do_camera 0"] : [],
      options: ["start_x=1", "gpu_mem=128"], actor: .administrator, takesEffect: "after a reboot",
      assumes: usesFirmwareCamera == nil
        ? Remedy.both(condition, "the system is Raspberry Pi OS 10 (Buster) or older") : condition)
    let library = Remedy(
      """
      Enable the camera with this line in config.txt (in /boot/firmware or /boot), or with \
      dtoverlay=SENSOR
      """, options: ["camera_auto_detect=1"], actor: .administrator,
      takesEffect: "after a reboot",
      assumes: """
        \(condition), the firmware detects the sensor (sensors that it does not detect, such as clones, need dtoverlay=), \
        and programs use libcamera
        """)
    let cable = Remedy(
      "Switch the machine off, and check that the ribbon cable is seated at both ends and the right way round",
      actor: .user, takesEffect: "after a reboot", assumes: "config.txt enables the camera")
    switch usesFirmwareCamera {
    case true?: return [firmware, cable]
    case false?: return [library, cable]
    case nil: return [library, firmware, cable]
    }
  }

  /// Returns the commands that show whether the firmware or libcamera has detected the camera.
  func boardCameraLookups(_ cause: Cause) -> [Lookup] {
    guard lacksBoardCamera, cause.at == path else { return [] }
    let command =
      usesFirmwareCamera == true ? "vcgencmd get_camera" : "rpicam-hello --list-cameras"
    return [Lookup("Check whether the firmware or libcamera detects a camera", commands: [command])]
  }
}

extension HardwareFacts.Switch {
  /// A Boolean value that indicates whether the device tree switches the hardware off.
  var isInDeviceTree: Bool {
    path.hasPrefix("/proc/device-tree/") || path.hasPrefix("/sys/firmware/devicetree/")
  }
}
