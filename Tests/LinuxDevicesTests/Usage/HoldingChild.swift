import AccessModel
import Foundation
import Glibc
import LinuxDevices
import LinuxTestSupport

/// A child process that holds a device in one way until the value is gone.
final class HoldingChild {
  /// The command name, which no other process has.
  let name: String
  private let child: ChildProcess

  /// The number of the process.
  var number: pid_t { child.number }

  /// The program, built beside the test bundle; `nil` when it is not there.
  static let program: String? = BuiltProgram.path("device-holder")

  init(_ way: String, _ path: String) async throws {
    name = "h\(UInt32.random(in: 0 ... .max))"
    child = try await ChildProcess("exec \(Self.program ?? "device-holder") \(name) \(way) \(path)")
  }

  /// The holder as the machine shows it, once it holds the device.
  func holder(of path: String) async throws -> DeviceHolder {
    for _ in 0..<400 {
      let facts = try LinuxMachine().use(of: [.path(path)])
      let found = facts.devices.flatMap(\.holders).first { $0.process.name == name }
      if let found { return found }
      try await Task.sleep(for: .milliseconds(25))
    }
    throw SystemError(call: "\(name) was never seen to hold \(path)", errno: 0)
  }

  /// Whether its first thread has ended.
  var hasLostFirstThread: Bool {
    let status = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
    return status?.contains(") Z ") ?? false
  }

  /// Whether it runs under its name and is not shown.
  func isNotShown(as holder: String) async throws -> Bool {
    try await child.becomes(name)
    let facts = try LinuxMachine().use(of: [.path(holder)])
    return !facts.devices.flatMap(\.holders).contains { $0.process.name == name }
  }

  /// Ends the child.
  func end() { child.reap() }
}
