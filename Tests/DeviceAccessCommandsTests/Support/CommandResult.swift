import DeviceAccessCommands
import DevicePermissions
import DevicePermissionsTesting
import LegoKit
import LinuxDevices

/// The output and exit status of a command.
struct CommandResult {
  var output: String
  var errors: String
  var status: ExitStatus

  /// Runs a command line in this process, on a machine that the test provides.
  static func run(
    _ arguments: [String], on machine: any Machine = Machines.laptop(),
    environment: [String: String] = ["LANG": "C.UTF-8"], input: Int32 = -1,
    output: RecordingSink = RecordingSink(), errors: RecordingSink = RecordingSink()
  ) async -> CommandResult {
    let program = DeviceAccessProgram(
      environment: environment, input: input, output: output, errors: errors)
    let status = await withContractors {
      $0.devices = DeviceService(machine: machine)
      $0.deviceUsage = DeviceUsageService(machine: machine)
      $0.permissions = PermissionsService(machine: machine)
      if let machine = machine as? InMemoryMachine { $0.grants = machine.grants }
    } operation: {
      await program.run(arguments)
    }
    return CommandResult(output: output.text, errors: errors.text, status: status)
  }

  /// A Boolean value that indicates whether standard error contains exactly one line.
  var hasOneErrorLine: Bool {
    errors.hasPrefix("devaccess: ") && errors.hasSuffix("\n")
      && errors.filter { $0 == "\n" }.count == 1
  }
}
