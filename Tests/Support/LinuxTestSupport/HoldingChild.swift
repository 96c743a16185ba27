package import Glibc

/// A child process that holds a device in one way until the value is gone.
package final class HoldingChild {
  /// The command name, which no other process has.
  package let name: String
  private let child: ChildProcess

  /// The number of the process.
  package var number: pid_t { child.number }

  /// The program, built beside the test bundle; `nil` when it is not there.
  package static let program: String? = BuiltProgram.path("device-holder")

  package init(_ way: String, _ path: String) async throws {
    name = "h\(UInt32.random(in: 0 ... .max))"
    child = try await ChildProcess("exec \(Self.program ?? "device-holder") \(name) \(way) \(path)")
  }

  /// Waits until it runs under its name.
  package func hasStarted() async throws { try await child.becomes(name) }

  /// Ends the child.
  package func end() { child.reap() }
}
