package import Glibc

/// A child process that holds a device in a specified way until the value is deallocated.
package final class HoldingChild {
  /// The command name, which no other process has.
  package let name: String
  private let child: ChildProcess

  /// The process ID.
  package var number: pid_t { child.number }

  /// The path of the program, next to the test bundle; `nil` if it was not built.
  package static let program: String? = BuiltProgram.path("device-holder")

  package init(_ way: String, _ path: String) async throws {
    name = "h\(UInt32.random(in: 0 ... .max))"
    child = try await ChildProcess("exec \(Self.program ?? "device-holder") \(name) \(way) \(path)")
  }

  /// Waits until the process runs under its name.
  package func hasStarted() async throws { try await child.becomes(name) }

  /// Ends the child.
  package func end() { child.reap() }
}
