import Foundation
import Glibc
package import Testing

/// A message bus of a test's own: a real `dbus-daemon`, in a directory that is gone with the value.
package final class PrivateBus {
  /// The directory that holds everything.
  package let path: String
  private var daemon: StartedProgram?

  /// The program, of the package dbus-daemon; `nil` where it is not installed.
  package static let program: String? = ["/usr/bin/dbus-daemon", "/bin/dbus-daemon"]
    .first { path in unsafe access(path, X_OK) == 0 }

  /// Starts a bus.
  ///
  /// - Parameter services: The files of services that it can start, by their names.
  /// - Throws: What keeps it from starting.
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

  /// Starts it again after ``stop()``, at the same address.
  package func start() throws {
    let daemon = try StartedProgram([
      Self.program ?? "/dbus-daemon", "--nofork", "--nosyslog", "--print-address",
      "--config-file=\(path)/bus.conf",
    ])
    // It prints the address once it listens.
    guard daemon.line() != nil else { throw SystemError(call: "dbus-daemon", errno: ECHILD) }
    self.daemon = daemon
  }

  /// Ends it at once, as a crash does.
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
