import Foundation
import Glibc
package import Testing

/// A private `dbus-daemon` for a test, whose directory is removed when the value is deallocated.
package final class PrivateBus {
  /// The directory that contains the socket and all files of the bus.
  package let path: String
  private var daemon: StartedProgram?

  /// The path of the program in the package dbus-daemon; `nil` if it is not installed.
  package static let program: String? = ["/usr/bin/dbus-daemon", "/bin/dbus-daemon"]
    .first { path in unsafe access(path, X_OK) == 0 }

  /// Starts a bus.
  ///
  /// - Parameter services: Returns the service files by name, given the directory of the bus.
  /// - Throws: An error if the bus cannot be started.
  package init(services: (_ path: String) -> [String: String] = { _ in [:] }) throws {
    path = "/dev/shm/\(TestName.unique)"
    let files = FileManager.default
    try files.createDirectory(
      atPath: "\(path)/services", withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    for (name, text) in services(path) {
      try text.write(toFile: "\(path)/services/\(name)", atomically: false, encoding: .utf8)
    }
    let configuration = """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
        "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <type>session</type>
        <listen>\(address)</listen>
        <auth>EXTERNAL</auth>
        <servicedir>\(path)/services</servicedir>
        <policy context="default">
          <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
        </policy>
      </busconfig>
      """
    try configuration.write(toFile: "\(path)/bus.conf", atomically: false, encoding: .utf8)
    try start()
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(atPath: path)
  }

  package var address: String { "unix:path=\(path)/bus" }

  /// Starts the bus again after ``stop()``, with the same address.
  package func start() throws {
    let daemon = try StartedProgram([
      Self.program ?? "/dbus-daemon", "--nofork", "--nosyslog", "--print-address",
      "--config-file=\(path)/bus.conf",
    ])
    // The daemon prints its address when it is ready.
    guard daemon.line() != nil else { throw SystemError(call: "dbus-daemon", errno: ECHILD) }
    self.daemon = daemon
  }

  /// Kills the bus, as in a crash.
  package func stop() {
    daemon?.send(SIGKILL)
    _ = daemon?.end()
    daemon = nil
    try? FileManager.default.removeItem(atPath: "\(path)/bus")
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test that needs a message bus.
  package static var requiresBus: Self {
    .enabled(
      if: PrivateBus.program != nil, "dbus-daemon(1), of the package of that name, is needed")
  }
}
