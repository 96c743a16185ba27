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
        ? "Enable the camera: raspi-config writes these lines to /boot/config.txt"
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
        \(condition), the firmware detects the sensor (others, such as clones, need dtoverlay=), \
        and programs use libcamera
        """)
    let cable = Remedy(
      "Switch the machine off, and check the ribbon cable at both ends and its direction",
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
    return [Lookup("Check whether the firmware or libcamera detects it", commands: [command])]
  }
}
