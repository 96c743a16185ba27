import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import Testing

@testable import DeviceAccessCommands

@Suite struct `A command that would open a device that acts` {
  private static func machine() -> InMemoryMachine {
    InMemoryMachine {
      $0.addUser("alice", id: 1000)
      for (minor, name, subsystem) in [
        (130, "watchdog", "misc"), (131, "ttyUSB0", "tty"), (132, "null2", "mem"),
      ] as [(UInt32, String, String)] {
        var device = DeviceFacts(
          node: "/dev/\(name)", sysfsPath: "/sys/devices/virtual/\(subsystem)/\(name)",
          subsystem: subsystem, kernelName: name)
        device.number = DeviceNumber(major: 10, minor: minor)
        $0.addDevice(device, mode: 0o666)
      }
      $0.run(as: "alice")
    }
  }

  @Test(arguments: ["check", "explain"])
  func `leaves it closed, and is not certain`(command: String) async {
    let machine = Self.machine()
    let result = await CommandResult.run([command, "/dev/watchdog", "--probe"], on: machine)
    #expect(result.status == .undetermined)
    #expect(result.output.contains("starts the watchdog"))
    #expect(result.errors.hasSuffix("; --force opens it\n"))
    #expect(machine.openedPaths == [])
  }

  @Test(.timeLimit(.minutes(1))) func `does not wait for it to open`() async {
    let machine = Self.machine()
    let result = await CommandResult.run(
      ["check", "/dev/watchdog", "--probe", "--wait"], on: machine)
    #expect(result.status == .undetermined)
    #expect(machine.openedPaths == [])
  }

  @Test func `opens it where it is forced, and says what that does`() async {
    let machine = Self.machine()
    let result = await CommandResult.run(
      ["check", "/dev/watchdog", "--probe", "--force"], on: machine)
    #expect(result.status == .allowed)
    #expect(result.errors.hasPrefix("devaccess: opening /dev/watchdog starts the watchdog"))
    #expect(machine.openedPaths == ["/dev/watchdog"])
  }

  @Test func `asks for it only where it is forced`() async {
    let machine = Self.machine()
    let result = await CommandResult.run(["request", "/dev/watchdog"], on: machine)
    #expect(result.status == .refused)
    #expect(result.output.hasPrefix("refused: /dev/watchdog — /dev/watchdog was not opened"))
    #expect(result.output.contains("--force opens it"))
    let json = await CommandResult.run(["request", "/dev/watchdog", "--json"], on: machine)
    #expect(json.output.contains(#""outcome":"withheld""#))
    #expect(json.output.contains(#""exit_status":1"#))
    #expect(json.output.contains(#""opening":"starts the watchdog"#))
    #expect(machine.openedPaths == [])
    let forced = await CommandResult.run(["request", "/dev/watchdog", "--force"], on: machine)
    #expect(forced.status == .allowed)
    #expect(forced.output.contains("\n  opening it starts the watchdog"))
  }

  @Test func `says what a harmless open does, and nothing of any other`() async {
    let machine = Self.machine()
    let serial = await CommandResult.run(["check", "/dev/ttyUSB0", "--probe"], on: machine)
    #expect(serial.status == .allowed)
    #expect(
      serial.errors
        == "devaccess: opening /dev/ttyUSB0 raises DTR and RTS, which resets many boards\n")
    let request = await CommandResult.run(["request", "/dev/ttyUSB0"], on: machine)
    #expect(request.output.contains("\n  opening it raises DTR"))
    let other = await CommandResult.run(["check", "/dev/null2", "--probe"], on: machine)
    #expect(other.status == .allowed && other.errors == "")
  }

  @Test(arguments: ["check", "explain", "list", "snapshot"])
  func `forces nothing that it does not open`(command: String) async {
    let arguments = command == "list" ? [command, "--force"] : [command, "/dev/null2", "--force"]
    let result = await CommandResult.run(arguments, on: Self.machine())
    #expect(result.status == .usage)
    #expect(result.errors.contains("--force requires --probe"))
  }
}
