import AccessModel
import Testing

/// Disabled buses of single-board computers.
struct BoardBusTests {
  private func explain(
    _ path: String, kernel: String, _ change: (inout Fixtures) -> Void = { _ in }
  ) -> Explanation {
    Fixtures.camera.with {
      $0.removeDevices()
      $0.askAbsent(path)
      // Without the bus, its directory does not exist either.
      $0.facts.access.nodes.removeAll { $0.path.hasPrefix("/sys/bus/w1") }
      $0.facts.confinement.kernelRelease = kernel
      change(&$0)
    }.explain()
  }

  @Test(
    arguments: [
      ("/dev/spidev0.0", "dtparam=spi=on", "raspi-config nonint do_spi 0"),
      ("/dev/i2c-1", "dtparam=i2c_arm=on", "raspi-config nonint do_i2c 0"),
      (
        "/sys/bus/w1/devices/28-0316a2795ef1", "dtoverlay=w1-gpio",
        "raspi-config nonint do_onewire 0"
      ),
      ("/dev/serial0", "enable_uart=1", "raspi-config nonint do_serial_hw 0"),
    ])
  func `are switched on in the firmware of a Raspberry Pi`(
    path: String, setting: String, command: String
  ) throws {
    for kernel in ["6.6.51+rpt-rpi-v8", "5.10.103-v7l+", "6.8.0-1013-raspi"] {
      let explanation = explain(path, kernel: kernel)
      #expect(explanation.answer == .absent)
      #expect(explanation.cause?.code == .hardwareOff && explanation.cause?.isProven == false)
      let first = try #require(explanation.remedies.first)
      #expect(first.options == [setting] && first.takesEffect == "after a reboot")
      // Ubuntu has no raspi-config.
      #expect(first.commands == (kernel.hasSuffix("-raspi") ? [] : [command]))
    }
  }

  @Test(arguments: ["6.1.0-28-amd64", "5.10.160-rockchip", "5.15.148-tegra", "6.6.32-bone20"])
  func `elsewhere need an entry in the device tree`(kernel: String) {
    let explanation = explain("/dev/spidev1.0", kernel: kernel) {
      $0.facts.hardware = HardwareFacts()
      $0.facts.hardware?.modules = [
        HardwareFacts.Module(name: "spidev", isLoaded: false, isInstalled: true)
      ]
    }
    #expect(explanation.cause?.code == .hardwareOff)
    #expect(explanation.cause?.summary.contains("Loading only the spidev module") == true)
    #expect(explanation.remedies.flatMap(\.commands) == [])
  }

  @Test func `a machine with I2C lacks the module alone`() {
    let explanation = explain("/dev/i2c-4", kernel: "6.8.0-49-generic") {
      $0.facts.hardware = HardwareFacts()
      $0.facts.hardware?.modules = [
        HardwareFacts.Module(name: "i2c_dev", isLoaded: false, isInstalled: true)
      ]
    }
    #expect(explanation.cause?.code == .nodeAbsentNoDriver)
    #expect(explanation.remedies.first?.commands.first == "modprobe i2c_dev")
  }

  @Test func `a bus that has another node is on`() {
    let explanation = explain("/dev/spidev0.1", kernel: "6.6.51+rpt-rpi-v8") {
      $0.add("/dev/spidev0.0", .characterDevice, mode: 0o660)
    }
    #expect(explanation.cause?.code == .nodeAbsent)
  }
}
