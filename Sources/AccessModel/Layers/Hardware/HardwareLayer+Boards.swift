/// Buses of single-board computers, whose devices a setting of the firmware names.
extension HardwareLayer {
  /// A bus that programs reach by a path, and the way to switch it on.
  private struct BoardBus {
    /// What the path begins with.
    var prefix: String
    var name: String
    /// The line in `config.txt` of a Raspberry Pi.
    var setting: String
    /// The function of raspi-config(1).
    var function: String
    /// The module that offers the devices to programs.
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
  ]

  /// The bus of the path that was asked about.
  private var boardBus: BoardBus? {
    guard facts.kind == nil || facts.kind == DeviceKind.serial.name, confinement.container == nil
    else { return nil }
    return Self.buses.first { path.hasPrefix($0.prefix) }
  }

  /// Whether the kernel is one that is built for the Raspberry Pi.
  private var isRaspberryPi: Bool {
    guard let release = confinement.kernelRelease else { return false }
    return release.contains("rpi") || release.contains("raspi")
      || ["-v7+", "-v7l+", "-v8+", "-v8-16k+"].contains(where: release.hasSuffix)
  }

  /// That a bus of the board has no such device, because nothing switches it on.
  func boardCause() -> Cause? {
    guard let bus = boardBus else { return nil }
    // Another node of the bus shows that it is on.
    let isOn =
      access.nodes.contains { $0.path != path && $0.path.hasPrefix(bus.prefix) }
      || facts.devices.contains {
        $0.node?.hasPrefix(bus.prefix) == true || $0.kernelName.hasPrefix(bus.prefix.dropFirst(5))
      }
    guard !isOn else { return nil }
    // Without its module, even a bus that is on has no nodes.
    if bus.module == "i2c_dev", module(of: bus)?.isLoaded == false { return nil }
    if isRaspberryPi {
      return Cause(
        .hardwareOff,
        summary: """
          \(path) does not exist: \(bus.name) is off unless config.txt, the configuration of the \
          firmware, switches it on (\(bus.setting)).\(moduleSentence(bus))
          """, at: path, isProven: false)
    }
    // Elsewhere only these nodes need an entry in the device tree.
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
    return " Loading the module \(bus.module) alone makes no node."
  }

  private func module(of bus: BoardBus) -> HardwareFacts.Module? {
    facts.hardware?.modules.first { $0.name == bus.module }
  }

  /// What switches the bus on; `nil` for another cause.
  func boardRemedies(_ cause: Cause) -> [Remedy]? {
    guard let bus = boardBus, cause.at == path else { return nil }
    guard isRaspberryPi else {
      return [
        Remedy(
          """
          Switch the \(bus.name) bus on with the board's own tool, which adds an overlay to the device \
          tree (such as armbian-config, or jetson-io.py)
          """, actor: .administrator, takesEffect: "after a restart",
          assumes: "the board has such a bus, and \(Self.nodeAssumption)")
      ]
    }
    // Other systems for the board have no raspi-config.
    let isOfMaker = confinement.kernelRelease?.contains("raspi") == false
    return [
      Remedy(
        "Switch \(bus.name) on, by this line in config.txt (in /boot/firmware or /boot)"
          + (isOfMaker ? ", which raspi-config writes" : ""),
        commands: isOfMaker ? ["raspi-config nonint \(bus.function) 0"] : [],
        options: [bus.setting], actor: .administrator, takesEffect: "after a restart",
        assumes: Self.nodeAssumption)
    ]
  }
}
