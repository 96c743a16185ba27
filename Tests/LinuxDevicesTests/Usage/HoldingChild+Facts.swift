import AccessModel
import Foundation
import LinuxDevices
import LinuxTestSupport

extension HoldingChild {
  /// Returns the holder as the machine reports it, once it holds the device.
  func holder(of path: String) async throws -> DeviceHolder {
    for _ in 0..<400 {
      let facts = try LinuxMachine().use(of: [.path(path)])
      let found = facts.devices.flatMap(\.holders).first { $0.process.name == name }
      if let found { return found }
      try await Task.sleep(for: .milliseconds(25))
    }
    throw SystemError(call: "\(name) was never seen to hold \(path)", errno: 0)
  }

  /// A Boolean value that indicates whether the first thread has ended.
  var hasLostFirstThread: Bool {
    let status = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
    return status?.contains(") Z ") ?? false
  }

  /// Returns whether the child has started and is not reported as a holder.
  func isNotShown(as holder: String) async throws -> Bool {
    try await hasStarted()
    let facts = try LinuxMachine().use(of: [.path(holder)])
    return !facts.devices.flatMap(\.holders).contains { $0.process.name == name }
  }
}
